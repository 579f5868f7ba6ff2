import type { IconName, Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleFrame, FormToken } from "./partials.ts";

export type LineView = {
  text?: string;
  /** What the text is, before it. */
  label?: string;
  link?: string;
  /** The link looks like a button. */
  button?: true;
  pill?: Tone;
  /** A time (ms), after the text. */
  at?: number;
  code?: true;
  quiet?: true;
  /** In English in every language. */
  english?: true;
};
/** A line of a cell; the first one is its head, the others are smaller. */
export type Line = string | LineView;
/** Buttons that post. `label`: for a reader who hears the button alone. */
export type ButtonsForm = { action: string; fields?: Asking; buttons: readonly Button[]; text?: string };
type Button = { text: string; label?: string; name?: string; value?: string; action?: string };
export type Cell = Line | null | readonly (Line | null)[] | ButtonsForm;
type Column<Row> = { head: string; cell: (row: Row) => Cell; kind: "" | "end" | "plain" | "act" };
/** Kinds of column. "plain": clear without its head, where the table folds; "end": numbers; "act": buttons, which no file has. */
type Columns<Row> = Record<
  "column" | "plain" | "end" | "act",
  (head: string, cell: (row: Row) => Cell) => Column<Row>
>;

type TableOf<Row> = {
  /** What the rows are. */
  label: string;
  /** Above the table, where there are several. */
  heading?: string;
  lead?: string;
  rows: readonly Row[];
  /** In place of no rows; left out: the list's. */
  empty?: string;
  /** Rows of a page with the same cause follow each other, below it and their number; in a file it is a column. */
  cause?: {
    head: string;
    of: (row: Row) => string | null;
    /** What a row counts for; left out: one. */
    count?: (row: Row) => number;
  };
};

/** A table of a list: its cells on the page, and as texts in a file. @param columnsOf The first is the row's head. */
export function table<Row>(
  { label, heading, lead, rows, empty, cause }: TableOf<Row>,
  columnsOf: (columns: Columns<Row>) => readonly Column<Row>[],
) {
  const columns = columnsOf({
    column: (head, cell) => ({ head, cell, kind: "" }),
    plain: (head, cell) => ({ head, cell, kind: "plain" }),
    end: (head, cell) => ({ head, cell, kind: "end" }),
    act: (head, cell) => ({ head, cell, kind: "act" }),
  });
  const groups = [...Map.groupBy(rows, (row) => cause?.of(row) ?? "")].toSorted(
    ([one], [other]) => Number(one === "") - Number(other === ""),
  );
  const inFile = columns.filter(({ kind }) => kind !== "act");
  return {
    label,
    heading,
    lead,
    empty,
    heads: columns.map(({ head, kind }) => ({ text: head, class: kind === "end" ? "end" : "" })),
    groups: groups.map(([text, some]) => ({
      cause: text,
      count: some.reduce((sum, row) => sum + (cause?.count?.(row) ?? 1), 0),
      rows: some.map((row) => columns.map(({ head, cell, kind }) => cellView(cell(row), head, kind))),
    })),
    file: () => ({
      head: [...inFile.map(({ head }) => head), ...(cause === undefined ? [] : [cause.head])],
      rows: rows.map((row) => [
        ...inFile.map(({ cell }) => linesOf(cell(row)).map(lineText).join(" · ")),
        ...(cause === undefined ? [] : [cause.of(row)]),
      ]),
    }),
  };
}

function cellView(cell: Cell, head: string, kind: Column<never>["kind"]) {
  const lines = linesOf(cell);
  const form = isForm(cell) ? cell : null;
  const side = kind === "end" ? "end" : "";
  return {
    lines,
    form,
    /** Said where the table folds. */
    head: kind === "plain" || kind === "act" ? null : head,
    /** An empty cell takes no room there. */
    style: lines.length === 0 && form === null ? "zero" : side,
  };
}

function isForm(cell: Cell): cell is ButtonsForm {
  return typeof cell === "object" && cell !== null && "buttons" in cell;
}

function isSeveral(cell: Exclude<Cell, null | ButtonsForm>): cell is readonly (Line | null)[] {
  return Array.isArray(cell);
}

function linesOf(cell: Cell): readonly LineView[] {
  if (cell === null || isForm(cell)) return [];
  const lines = isSeveral(cell) ? cell : [cell];
  return lines.flatMap((line) => (line === null ? [] : [typeof line === "string" ? { text: line } : line]));
}

function lineText({ label, text, at }: LineView): string {
  const moment = at === undefined ? undefined : new Date(at).toISOString();
  return [label, text, moment].filter((part) => part !== undefined && part !== "").join(" ");
}

/** What a list is asked for, as its address says; an empty text asks nothing. */
export type Asking = Readonly<Record<string, string>>;

type Choice = { value: string; text: string };
type Field = {
  name: string;
  label: string;
  value: string;
  /** To choose from. Left out: typed. */
  options?: readonly Choice[];
  type?: "text" | "date" | "datetime-local";
  required?: true;
  /** UTF-16 units; 200 when left out. */
  maxLength?: number;
  /** Seconds. */
  step?: number | null;
  wrong?: boolean;
};

/** A field to choose in. @param any Chooses all; left out: one must be chosen. */
export function choices<Value extends string>(
  [name, label, value]: readonly [name: string, label: string, value: string],
  values: readonly Value[],
  textOf: (value: Value) => string,
  any?: string,
): Field {
  const options = values.map((one): Choice => ({ value: one, text: textOf(one) }));
  return {
    name,
    label,
    value,
    options: any === undefined ? options : [{ value: "", text: any }, ...options],
  };
}

/** The LMS, where there are several to choose from. @param any Chooses all of them; left out: one must be chosen. */
export function lmsChoice(
  label: string,
  value: string,
  registrations: readonly { id: string; name: string }[],
  any?: string,
): Field[] {
  const names = new Map(registrations.map(({ id, name }) => [id, name]));
  return names.size < 2
    ? []
    : [choices(["lms", label, value], [...names.keys()], (id) => names.get(id) ?? id, any)];
}

export function whenOrNever(t: Translate, at: number | null): LineView {
  return at === null ? { text: t("console.never"), quiet: true } : { at };
}

/** What a change has just done; null for nothing. */
export function doneNote(text: string | null, tone: "good" | "warning" = "good"): Note | null {
  return text === null ? null : { tone, text };
}

type Note = { tone: "good" | "bad" | "wait" | "warning" | ""; text: string; more?: Lead | null };
export type Lead = { text: string; link: string; primary?: true; icon?: IconName; button?: true };

export type ListRows = {
  tables: readonly ReturnType<typeof table>[];
  /** The page cursor of the next page; null at the end. */
  next?: string | null;
  /** Why nothing was looked for. */
  wrong?: { text: string; fields: readonly { name: string; text: string }[] } | null;
};

export type ListFrame = {
  lead?: string;
  /** What a change has just done. */
  done?: Note | null;
  notes?: readonly (Note | null)[];
  /** Before everything that is listed. */
  above?: readonly Lead[];
  form?: ButtonsForm | null;
  chips?: readonly { text: string; count?: string | null; link: string; current: boolean }[];
  filter?: { fields: readonly Field[]; hidden?: Asking; button?: string; hint?: string } | null;
  /** In place of no rows at all; null: nothing. */
  empty?: string | null;
  /** What to do then. */
  ways?: readonly Lead[];
  /** What leads to the next page. */
  older?: string;
  /** Whether the change of all that match is offered. */
  forAll?: boolean;
  below?: readonly Lead[];
};

export type ListPage = ConsoleFrame & {
  list: ListFrame &
    Pick<ListRows, "tables" | "wrong"> & {
      action: string;
      method: "get" | "post";
      hasRows: boolean;
      /** Causes are counted on this page only. */
      isPart: boolean;
      pager: readonly Lead[];
    };
};
export type FormPart = FormToken & { form: ButtonsForm; small: boolean };
