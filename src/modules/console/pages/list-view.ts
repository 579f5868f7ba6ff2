import type { IconName, Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleFrame, FormToken } from "./partials.ts";

export type LineView = {
  text?: string;
  /** What the text is, shown before it. */
  label?: string;
  link?: string;
  /** The link looks like a button. */
  button?: true;
  pill?: Tone;
  /** A time (ms), shown after the text. */
  at?: number;
  code?: true;
  quiet?: true;
  /** The text is English in every language. */
  english?: true;
};
/** A line of a cell. The first line is its head, the others are smaller. */
export type Line = string | LineView;
/** Buttons that post. `label`: for a reader who only hears the button. */
export type ButtonsForm = { action: string; fields?: Asking; buttons: readonly Button[]; text?: string };
type Button = { text: string; label?: string; name?: string; value?: string; action?: string };
export type Cell = Line | null | readonly (Line | null)[] | ButtonsForm;
type Column<Row> = { head: string; cell: (row: Row) => Cell; kind: "" | "end" | "plain" | "act" };
/** Kinds of column. "plain": clear without its head when the table folds. "end": numbers. "act": buttons, which files leave out. */
type Columns<Row> = Record<
  "column" | "plain" | "end" | "act",
  (head: string, cell: (row: Row) => Cell) => Column<Row>
>;

type TableOf<Row> = {
  /** What the rows are. */
  label: string;
  /** Shown above the table if there are several. */
  heading?: string;
  lead?: string;
  rows: readonly Row[];
  /** Shown if there are no rows. Default: the list's text. */
  empty?: string;
  /** Rows of a page with the same cause are listed together under it, with their number. In a file, it's a column. */
  cause?: {
    head: string;
    of: (row: Row) => string | null;
    /** How much a row counts. Default: 1. */
    count?: (row: Row) => number;
  };
};

/** A table of a list: its cells on the page, and as text in a file. @param columnsOf The first column is the row's head. */
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
    /** Shown when the table folds. */
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

/** What the address asks a list for. An empty text asks for nothing. */
export type Asking = Readonly<Record<string, string>>;

type Choice = { value: string; text: string };
type Field = {
  name: string;
  label: string;
  value: string;
  /** The options. Left out: a text field. */
  options?: readonly Choice[];
  type?: "text" | "date" | "datetime-local";
  required?: true;
  /** UTF-16 units. Default: 200. */
  maxLength?: number;
  /** Seconds. */
  step?: number | null;
  wrong?: boolean;
};

/** A field to choose from. @param any The label for "all". Left out: one must be chosen. */
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

/** A choice of LMS, if there are several. @param any The label for "all". Left out: one must be chosen. */
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

/** What a change has just done, or null for nothing. */
export function doneNote(text: string | null, tone: "good" | "warning" = "good"): Note | null {
  return text === null ? null : { tone, text };
}

type Note = { tone: "good" | "bad" | "wait" | "warning" | ""; text: string; more?: Lead | null };
export type Lead = { text: string; link: string; primary?: true; icon?: IconName; button?: true };

export type ListRows = {
  tables: readonly ReturnType<typeof table>[];
  /** The cursor of the next page, or null at the end. */
  next?: string | null;
  /** Why the search didn't run. */
  wrong?: { text: string; fields: readonly { name: string; text: string }[] } | null;
};

export type ListFrame = {
  lead?: string;
  /** What a change has just done. */
  done?: Note | null;
  notes?: readonly (Note | null)[];
  /** Shown before everything that is listed. */
  above?: readonly Lead[];
  form?: ButtonsForm | null;
  chips?: readonly { text: string; count?: string | null; link: string; current: boolean }[];
  filter?: { fields: readonly Field[]; hidden?: Asking; button?: string; hint?: string } | null;
  /** Shown if there are no rows at all. Null: nothing. */
  empty?: string | null;
  /** What to do then. */
  ways?: readonly Lead[];
  /** The label of the link to the next page. */
  older?: string;
  /** Whether to offer changing all that match. */
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
