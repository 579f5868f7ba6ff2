import type { KnownStatus } from "../../../domain/attendance.ts";

/** What a table of marks may speak of. All texts as people write them: case, spaces and the order of a name's words do not matter. */
export type TableWords = {
  heads: {
    /** Of the column with the LMS's user id. */
    ids: readonly string[];
    /** Of the column with names. */
    names: readonly string[];
    /** Columns that carry no marks. */
    others: readonly string[];
  };
  /** `names`: unambiguous or not, of the column's head. */
  sessions: readonly { eventId: string; names: readonly string[] }[];
  learners: readonly { personId: string; sub: string; name: string }[];
  /** Later words of the same text give way to earlier ones. */
  statuses: readonly (readonly [text: string, status: KnownStatus])[];
};

export type TableMark = { eventId: string; personId: string; status: KnownStatus };

/** `line`: counted from 1, as a spreadsheet does. What a problem is about changes nothing. */
export type TableProblem =
  /** Nobody of the course, or, of a name, more than one. */
  | { kind: "nobody" | "several" | "again"; line: number; text: string }
  | { kind: "status"; line: number; head: string; text: string }
  /** A head that several sessions have, that another column has, or no session. */
  | { kind: "sessions" | "column-again" | "no-session"; head: string };

export type MarksInTable =
  | { kind: "read"; marks: TableMark[]; problems: TableProblem[]; learners: number; sessions: number }
  /** Without any line, without a column that says who, or without one of a session. */
  | { kind: "refused"; why: "empty" | "no-learners" | "no-sessions" };

/**
 * The marks of a table with a line for each learner and a column for each session, such as the one that is taken away. An empty
 * cell says nothing. The LMS's user id says who a line is about; where it is missing, a name that one person alone has.
 */
export function marksInTable(rows: readonly (readonly string[])[], words: TableWords): MarksInTable {
  const [heads, ...lines] = rows;
  if (heads === undefined || lines.length === 0) return { kind: "refused", why: "empty" };
  const { who, columns, problems } = columnsOf(heads, words);
  if (who.id === null && who.name === null) return { kind: "refused", why: "no-learners" };
  if (columns.length === 0) return { kind: "refused", why: "no-sessions" };
  const find = learnerFinder(words.learners);
  const statuses = new Map(words.statuses.toReversed().map(([text, status]) => [plain(text), status]));
  const marks: TableMark[] = [];
  for (const [at, cells] of lines.entries()) {
    // The first one is the head.
    const line = at + 2;
    const said = columns
      .map((column) => ({ ...column, text: textAt(cells, column.place) }))
      .filter(({ text }) => text !== "");
    if (said.length === 0) continue;
    const found = find(textAt(cells, who.id), textAt(cells, who.name));
    if ("kind" in found) {
      problems.push({ ...found, line });
      continue;
    }
    const { personId } = found;
    for (const { eventId, head, text } of said) {
      const status = statuses.get(plain(text));
      if (status === undefined) problems.push({ kind: "status", line, head, text });
      else marks.push({ eventId, personId, status });
    }
  }
  return { kind: "read", marks, problems, learners: find.found(), sessions: columns.length };
}

type Column = { place: number; eventId: string; head: string };

function columnsOf(heads: readonly string[], { heads: known, sessions }: TableWords) {
  const named = heads.map((head, place) => ({ head: head.trim(), key: plain(head), place }));
  const placeOf = (names: readonly string[]) => {
    const keys = new Set(names.map(plain));
    return named.find(({ key }) => keys.has(key))?.place ?? null;
  };
  const who = { id: placeOf(known.ids), name: placeOf(known.names) };
  const others = new Set(["", ...known.others].map(plain));
  const eventsNamed = eventFinder(sessions);
  const columns: Column[] = [];
  const problems: TableProblem[] = [];
  for (const { head, key, place } of named) {
    if (place === who.id || place === who.name) continue;
    const [eventId, another] = eventsNamed(key);
    if (another !== undefined) problems.push({ kind: "sessions", head });
    else if (columns.some((one) => one.eventId === eventId)) problems.push({ kind: "column-again", head });
    else if (eventId !== undefined) columns.push({ place, eventId, head });
    else if (!others.has(key)) problems.push({ kind: "no-session", head });
  }
  return { who, columns, problems };
}

/** @returns the sessions that a column's head may mean. */
function eventFinder(sessions: TableWords["sessions"]): (key: string) => readonly string[] {
  const eventsOf = new Map<string, Set<string>>();
  for (const { eventId, names } of sessions)
    for (const name of names.map(plain)) eventsOf.set(name, (eventsOf.get(name) ?? new Set()).add(eventId));
  return (key) => [...(eventsOf.get(key) ?? [])];
}

type Learner = TableWords["learners"][number];

type NotFound = { kind: "nobody" | "several" | "again"; text: string };

/** Finds each learner once. */
function learnerFinder(learners: readonly Learner[]) {
  const bySub = new Map(learners.map((learner) => [learner.sub, learner]));
  const byName = Map.groupBy(learners, ({ name }) => nameKey(name));
  const seen = new Set<string>();
  const find = (sub: string, name: string): Learner | NotFound => {
    const [found, another] = sub === "" ? (byName.get(nameKey(name)) ?? []) : [bySub.get(sub)];
    if (found === undefined) return { kind: "nobody", text: sub === "" ? name : sub };
    if (another !== undefined) return { kind: "several", text: name };
    if (seen.has(found.personId)) return { kind: "again", text: found.name };
    seen.add(found.personId);
    return found;
  };
  return Object.assign(find, { found: () => seen.size });
}

function textAt(cells: readonly string[], place: number | null): string {
  return place === null ? "" : (cells[place] ?? "").trim();
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

/** "Adler, Ann" is "Ann Adler". */
function nameKey(name: string): string {
  return plain(name.replaceAll(",", " ")).split(" ").toSorted().join(" ");
}
