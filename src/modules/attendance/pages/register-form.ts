import { z } from "zod";
import { asKnownStatus, type KnownStatus } from "../../../domain/attendance.ts";
import type { MarkedClass, MarkedRow } from "../rules/attendance-mark.ts";
import type { NamedRow, RegisterFilter } from "../show-register.ts";

/** The longest note or reason (UTF-16 units, as browsers count). */
export const longestNote = 500;

/** What a row of the form says; "" is "as the classroom says". */
export type TypedRow = { status: KnownStatus | ""; note: string };

/** What a row said when the page was made, and the revision it was made from. */
export type SeenRow = TypedRow & { revision: number };

/** What is wrong with a row. */
export type RowProblem = "tooLong" | "noteNeedsStatus";

/** What was pressed. */
export type RegisterAct =
  | { kind: "save" | "all" | "blanks" }
  /** Settles a conflict of one learner. */
  | { kind: "keep" | "take"; personId: string };

/** The posted register. */
export type PostedRegister = {
  eventId: string;
  filter: RegisterFilter;
  act: RegisterAct;
  reason: string;
  /** The status for the whole class; "" lets the classroom's word hold. */
  bulk: KnownStatus | "";
  rows: ReadonlyMap<string, { typed: TypedRow; seen: SeenRow }>;
};

/** What a register can be narrowed to. */
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
  })
  .catchall(z.unknown());

const seenShape = z.tuple([z.number().int().min(0), z.string(), z.string()]);

/** Reads the posted register, whatever it holds: what cannot be understood was never said. */
export function readRegister(body: unknown): PostedRegister {
  const fields = formShape.parse(body ?? {});
  const { event, section, show, page, act, reason, bulk } = fields;
  const rows = Object.entries(fields).flatMap(([name, value]) => {
    if (!name.startsWith("seen.")) return [];
    const personId = name.slice(5);
    const seen = readSeen(value);
    if (seen === null) return [];
    const typed = {
      status: statusIn(fields[`status.${personId}`]),
      note: lineIn(fields[`note.${personId}`]),
    };
    return [[personId, { typed, seen }] as const];
  });
  return {
    eventId: event,
    filter: { sectionId: section === "" ? null : section, status: show, page },
    act: actIn(act),
    reason: lineIn(reason),
    bulk: statusIn(bulk),
    rows: new Map(rows),
  };
}

/** The fields by which a register is asked for. */
export function registerFields({ eventId, filter }: Pick<PostedRegister, "eventId" | "filter">) {
  const { sectionId, status, page } = filter;
  return { event: eventId, section: sectionId ?? "", show: status ?? "", page: String(page) };
}

/** What a row says as it is stored. */
export function seenOf({ facts: { corrections }, revision }: Pick<NamedRow, "facts" | "revision">): SeenRow {
  const newest = corrections[0];
  if (newest === undefined || newest.status === null) return { status: "", note: "", revision };
  return { status: newest.status, note: newest.notes ?? "", revision };
}

/** A seen row as a form field carries it. */
export function seenText({ revision, status, note }: SeenRow): string {
  return JSON.stringify([revision, status, note]);
}

/** What the form asks for, or what is wrong with it. */
export type WantedRegister =
  | {
      kind: "wanted";
      rows: MarkedRow[];
      everybody: MarkedClass | null;
      reason: string | null;
    }
  | { kind: "refused"; problems: ReadonlyMap<string, RowProblem>; reasonTooLong: boolean };

/** Rows that nobody changed are left out; nothing is taken when something is wrong. */
export function wantedOf({ act, rows, bulk, filter, reason }: PostedRegister): WantedRegister {
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
  const reasonTooLong = reason.length > longestNote;
  if (problems.size > 0 || reasonTooLong) return { kind: "refused", problems, reasonTooLong };
  return {
    kind: "wanted",
    rows:
      only === null ? changed.map(([id, row]) => markedRow(id, row.typed, row.seen)) : settled(only, rows),
    everybody: classOf(act, bulk, filter),
    reason: reason === "" ? null : reason,
  };
}

/** Whether a row says something else than when the page was made. Without a status there is no note to keep. */
export function isChanged(typed: TypedRow, seen: TypedRow): boolean {
  return typed.status !== seen.status || typed.note !== seen.note;
}

/** A note that stood there when its correction was taken back goes with it. */
function problemOf({ typed: { status, note }, seen }: { typed: TypedRow; seen: SeenRow }): RowProblem | null {
  if (note.length > longestNote) return "tooLong";
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

/** Keeps the correction that was seen, or takes it back. */
function settled(
  { kind, personId }: { kind: "keep" | "take"; personId: string },
  rows: PostedRegister["rows"],
): MarkedRow[] {
  const row = rows.get(personId);
  if (row === undefined) return [];
  const said = kind === "keep" ? row.seen : { status: "" as const, note: "" };
  return [{ ...markedRow(personId, said, row.seen), confirms: true }];
}

function classOf(
  { kind }: RegisterAct,
  bulk: KnownStatus | "",
  { sectionId }: RegisterFilter,
): MarkedClass | null {
  if (kind !== "all" && kind !== "blanks") return null;
  const status = bulk === "" ? null : bulk;
  return kind === "blanks" && status === null ? null : { who: kind, status, sectionId };
}

function actIn(text: string): RegisterAct {
  if (text === "all" || text === "blanks") return { kind: text };
  const [kind, personId = ""] = text.split(":");
  return kind === "keep" || kind === "take" ? { kind, personId } : { kind: "save" };
}

function readSeen(value: unknown): SeenRow | null {
  if (typeof value !== "string") return null;
  try {
    const [revision, status, note] = seenShape.parse(JSON.parse(value));
    return { revision, status: statusIn(status), note };
  } catch {
    return null;
  }
}

function statusIn(value: unknown): KnownStatus | "" {
  return typeof value === "string" ? (asKnownStatus(value) ?? "") : "";
}

function lineIn(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}
