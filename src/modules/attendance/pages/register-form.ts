import type { MarkedClass, MarkedRow } from "../rules/records.ts";
import { z } from "zod";
import { asKnownStatus, type KnownStatus } from "../../../domain/attendance.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { NamedRow, RegisterFilter } from "../show-register.ts";

/** The longest note or reason (UTF-16 units, as browsers count). */
export const maxNoteLength = 500;

/** "": the classroom's record counts. */
export type TypedRow = { status: KnownStatus | ""; note: string };

/** The row when the page was made. `revision` is the record's. */
type SeenRow = TypedRow & { revision: number };

export type RowProblem = "tooLong" | "noteNeedsStatus";

type RegisterAct =
  | { kind: "save" | "all" | "blanks" }
  /** Settles one learner's conflict. */
  | { kind: "keep" | "take"; personId: string }
  /** Saves nothing, and shows one learner's note with what was typed. */
  | { kind: "more"; personId: string };

export type PostedRegister = {
  eventId: string;
  filter: RegisterFilter;
  act: RegisterAct;
  reason: string;
  /** The status for the whole class; "" for the classroom's record. */
  bulk: KnownStatus | "";
  rows: ReadonlyMap<string, { typed: TypedRow; seen: SeenRow }>;
};

export const registerStatuses = [
  "blank",
  "PRESENT",
  "LATE",
  "ABSENT",
  "EXCUSED",
  "unknown",
  "conflict",
] as const;

const formShape = z
  .object({
    event: z.string().max(300).catch(""),
    section: z.string().max(255).catch(""),
    show: z.enum(registerStatuses).nullable().catch(null),
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
    act: z.string().max(100).catch("save"),
    reason: z.string().catch(""),
    bulk: z.string().catch(""),
    more: z.string().nullable().catch(null),
  })
  .catchall(z.unknown());

const seenShape = z.tuple([z.number().int().min(0), z.string(), z.string()]);

/** @throws NamedError "bad-request" for anything that our pages don't send, because ignoring it would undo a mark */
export function readRegister(body: unknown): PostedRegister {
  const fields = formShape.parse(body ?? {});
  const { event, section, show, page, act, reason, bulk, more } = fields;
  const lines = readLines(fields);
  const rows = [...namedRows(fields), ...lines];
  const asked = more === null ? null : (lines[Number(more)]?.personId ?? null);
  return {
    eventId: event,
    filter: { sectionId: section === "" ? null : section, status: show, page },
    act: asked === null ? actIn(act) : { kind: "more", personId: asked },
    reason: oneLine(reason),
    bulk: act === "present" ? "PRESENT" : statusIn(bulk === "classroom" ? "" : bulk),
    rows: new Map(rows.map(({ personId, typed, seen }) => [personId, { typed, seen }])),
  };
}

/** Rows from a page about one learner. Without a status, the mark stays as it was. */
function namedRows(fields: Readonly<Record<string, unknown>>): PostedLine[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (!name.startsWith("seen.")) return [];
    const personId = name.slice(5);
    const seen = readSeen(value);
    const note = fields[`note.${personId}`];
    const typed = {
      status: statusIn(fields[`status.${personId}`] ?? seen.status),
      note: typeof note === "string" ? oneLine(note) : "",
    };
    return [{ personId, typed, seen }];
  });
}

export function registerFields({ eventId, filter }: Pick<PostedRegister, "eventId" | "filter">) {
  const { sectionId, status, page } = filter;
  return { event: eventId, section: sectionId ?? "", show: status ?? "", page: String(page) };
}

export function seenOf({ facts: { corrections }, revision }: Pick<NamedRow, "facts" | "revision">): SeenRow {
  const newest = corrections[0];
  if (newest === undefined || newest.status === null) return { status: "", note: "", revision };
  return { status: newest.status, note: newest.notes ?? "", revision };
}

export function seenText({ revision, status, note }: SeenRow): string {
  return JSON.stringify([revision, status, note]);
}

type RegisterRequest =
  | { kind: "wanted"; rows: MarkedRow[]; everybody: MarkedClass | null; reason: string | null }
  | { kind: "refused"; problems: ReadonlyMap<string, RowProblem>; reasonTooLong: boolean };

/** The changed rows. If any row has a problem, nothing is saved. */
export function requestOf({ act, rows, bulk, filter, reason }: PostedRegister): RegisterRequest {
  const only = act.kind === "keep" || act.kind === "take" ? act : null;
  const changed =
    act.kind === "save" || act.kind === "blanks"
      ? [...rows].filter(([, { typed, seen }]) => isChanged(typed, seen))
      : [];
  const problems = new Map(
    changed.flatMap(([personId, row]) => {
      const problem = problemOf(row);
      return problem === null ? [] : [[personId, problem] as const];
    }),
  );
  const reasonTooLong = reason.length > maxNoteLength;
  if (problems.size > 0 || reasonTooLong) return { kind: "refused", problems, reasonTooLong };
  return {
    kind: "wanted",
    rows:
      only === null ? changed.map(([id, row]) => markedRow(id, row.typed, row.seen)) : settled(only, rows),
    everybody: classOf(act, bulk, filter),
    reason: reason === "" ? null : reason,
  };
}

/** Without a status there is no note to keep. */
export function isChanged(typed: TypedRow, seen: TypedRow): boolean {
  return typed.status !== seen.status || typed.note !== seen.note;
}

/** If a correction is taken back, its stored note goes with it, so that isn't a problem. */
function problemOf({ typed: { status, note }, seen }: { typed: TypedRow; seen: SeenRow }): RowProblem | null {
  if (note.length > maxNoteLength) return "tooLong";
  return status === "" && note !== "" && note !== seen.note ? "noteNeedsStatus" : null;
}

function markedRow(personId: string, { status, note }: TypedRow, { revision }: SeenRow): MarkedRow {
  return {
    personId,
    status: status === "" ? null : status,
    notes: status === "" || note === "" ? null : note,
    seen: revision,
    confirms: false,
  };
}

function settled(
  { kind, personId }: { kind: "keep" | "take"; personId: string },
  rows: PostedRegister["rows"],
): MarkedRow[] {
  const row = rows.get(personId);
  if (row === undefined) return [];
  const answer = kind === "keep" ? row.seen : { status: "" as const, note: "" };
  return [{ ...markedRow(personId, answer, row.seen), confirms: true }];
}

function classOf({ kind }: RegisterAct, bulk: KnownStatus | "", { sectionId }: RegisterFilter) {
  if (kind !== "all" && kind !== "blanks") return null;
  const status = bulk === "" ? null : bulk;
  return kind === "blanks" && status === null ? null : { who: kind, status, sectionId };
}

function actIn(text: string): RegisterAct {
  if (text === "all" || text === "blanks") return { kind: text };
  if (text === "present") return { kind: "blanks" };
  const [kind, personId = ""] = text.split(":");
  return kind === "keep" || kind === "take" ? { kind, personId } : { kind: "save" };
}

function readSeen(value: unknown): SeenRow {
  try {
    const [revision, status, note] = seenShape.parse(JSON.parse(textIn(value)));
    return { revision, status: statusIn(status), note };
  } catch {
    throw notUnderstood();
  }
}

function statusIn(value: unknown): KnownStatus | "" {
  if (value === "") return "";
  const status = typeof value === "string" ? asKnownStatus(value) : null;
  if (status === null) throw notUnderstood();
  return status;
}

function notUnderstood(): NamedError {
  return refusal("bad-request", { status: 400 });
}

/*
 * A register has hundreds of lines on one page, so each carries little. One field says who the lines are and how they looked when the
 * page was made; the others are named by a line's number. `s7` is the status as the letter on the page, `n7` the note if it is open.
 */

/** One line as it was shown: parts encoded as in an address, separated by spaces. @param recorded The complete status, "" for none. */
export function lineText(personId: string, { revision, status, note }: SeenRow, recorded: string): string {
  const pieces = [personId, String(revision), recorded, status, note];
  return pieces.map(encodeURIComponent).join(" ").trimEnd();
}

export function linesText(lines: readonly string[]): string {
  return lines.join(",");
}

/** The meaning of the page's letters, which depend on its language. */
export function lettersText(choices: readonly { letter: string; value: KnownStatus }[]): string {
  return choices.map(({ letter, value }) => `${letter}:${value}`).join(" ");
}

type PostedLine = { personId: string; typed: TypedRow; seen: SeenRow };

/** Lines by their numbers. A line without fields didn't change. */
function readLines(fields: Readonly<Record<string, unknown>>): PostedLine[] {
  const letters = readLetters(textIn(fields["letters"]));
  const lines = textIn(fields["lines"]);
  if (lines === "") return [];
  return lines.split(",").map((line, at) => {
    const { personId, seen, recorded } = readLine(line);
    const letter = textIn(fields[`s${String(at)}`]);
    const status = letter === "" ? recorded : statusIn(letters.get(letter));
    const note = fields[`n${String(at)}`];
    const typed = {
      // Choosing again what the register showed as chosen, including the classroom's record, isn't a correction.
      status: status === recorded ? seen.status : status,
      note: note === undefined ? seen.note : oneLine(textIn(note)),
    };
    return { personId, seen, typed };
  });
}

/** Turns each run of white space into one space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function readLetters(text: string): ReadonlyMap<string, KnownStatus> {
  return new Map(
    text.split(" ").flatMap((one) => {
      const [letter = "", value = ""] = one.split(":");
      const status = asKnownStatus(value);
      return status === null ? [] : [[letter, status] as const];
    }),
  );
}

function readLine(line: string): { personId: string; seen: SeenRow; recorded: KnownStatus | "" } {
  const [personId = "", revision = "", recorded = "", status = "", note = ""] = line.split(" ").map(decoded);
  if (personId === "" || !/^\d{1,15}$/.test(revision)) throw notUnderstood();
  const seen = { revision: Number(revision), status: statusIn(status), note } as const;
  // The classroom may record a status that we don't know.
  return { personId, seen, recorded: asKnownStatus(recorded) ?? "" };
}

/** One part of an encoded line; "" if it isn't valid. */
export function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return "";
  }
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
