import type { KnownStatus } from "../../../domain/attendance.ts";
import { plainDigits } from "../../../kernel/text.ts";
import type { WallTime } from "../../scheduling/rules/time-zone.ts";

/** The words that a table of marks can use. Texts are as people write them: case, spaces and kinds of dashes don't matter. */
export type TableWords = {
  heads: {
    /** Heads of columns that identify a line's person: LMS user id, institution's ID number, e-mail address, name in one or two columns. */
    who: Record<WhoColumn, readonly string[]>;
    /** Columns without marks. */
    others: readonly string[];
  };
  /** Letters mean different statuses in different languages, so those of the language of the table's own heads count. */
  languages: readonly {
    heads: readonly string[];
    letters: readonly (readonly [letter: string, status: KnownStatus])[];
  }[];
  /** `names`: possible heads of the session's column, unambiguous or not. `start`: wall-clock time; null if unknown. */
  sessions: readonly { eventId: string; names: readonly string[]; start: WallTime | null }[];
  calendar: CalendarWords;
  learners: readonly {
    personId: string;
    sub: string;
    /** The institution's ID number; null if the LMS sends none. */
    number: string | null;
    name: string;
    email: string | null;
  }[];
  /** If two words have the same text, the earlier one counts. */
  statuses: readonly (readonly [text: string, status: KnownStatus])[];
};

export const whoColumns = ["id", "number", "mail", "name", "given", "family"] as const;
type WhoColumn = (typeof whoColumns)[number];

export type TableMark = { eventId: string; personId: string; status: KnownStatus };

/** `line`: counted from 1, as in a spreadsheet. A part with a problem changes nothing. */
export type TableProblem =
  /** Nobody in the course has the name or the id; or several people have the name. */
  | { kind: "nobody" | "nobody-by-id" | "several" | "again"; line: number; text: string }
  | { kind: "status"; line: number; head: string; text: string }
  /** A letter with several meanings. */
  | { kind: "letter"; line: number; head: string; text: string; statuses: readonly KnownStatus[] }
  /** A head that fits several sessions, that another column has, or that fits no session. */
  | { kind: "sessions" | "column-again" | "no-session"; head: string }
  /** A date that can be read in two ways, and a session fits each. */
  | { kind: "dates"; head: string; dates: readonly string[] };

export type MarksInTable =
  | { kind: "read"; marks: TableMark[]; problems: TableProblem[]; learners: number; sessions: number }
  /** The table has no line, no column that names people, or none of a session. */
  | { kind: "refused"; why: "empty" | "no-learners" | "no-sessions"; problems: TableProblem[] };

/**
 * The marks in a table with a line for each learner and a column for each session. An empty cell says nothing. Ids decide who a line is
 * about; if nobody has them (spreadsheets change long numbers), an address or a name that only one person has. If two people fit, the
 * name decides.
 */
export function marksInTable(rows: readonly (readonly string[])[], words: TableWords): MarksInTable {
  const [heads, ...lines] = rows;
  if (heads === undefined || lines.length === 0) return { kind: "refused", why: "empty", problems: [] };
  const { who, columns, problems } = columnsOf(heads, words);
  if (whoColumns.every((one) => who[one] === null)) return { kind: "refused", why: "no-learners", problems };
  if (columns.length === 0) return { kind: "refused", why: "no-sessions", problems };
  const find = learnerFinder(words.learners);
  const statusesOf = statusReader(heads, words);
  const marks: TableMark[] = [];
  for (const [at, cells] of lines.entries()) {
    // The first line is the head.
    const line = at + 2;
    const filled = columns
      .map((column) => ({ ...column, text: textAt(cells, column.index) }))
      .filter(({ text }) => !/^[\p{Pd}\u2212]*$/u.test(text));
    if (filled.length === 0) continue;
    const found = find(whoIn(cells, who));
    if ("kind" in found) {
      problems.push({ ...found, line });
      continue;
    }
    const { personId } = found;
    for (const { eventId, head, text } of filled) {
      const statuses = statusesOf(text);
      const [status, another] = statuses;
      if (status === undefined) problems.push({ kind: "status", line, head, text });
      else if (another !== undefined) problems.push({ kind: "letter", line, head, text, statuses });
      else marks.push({ eventId, personId, status });
    }
  }
  return { kind: "read", marks, problems, learners: find.found(), sessions: columns.length };
}
type WhoPlaces = Record<WhoColumn, number | null>;

function columnsOf(heads: readonly string[], words: TableWords) {
  const { who: known, others: without } = words.heads;
  const named = heads.map((head, index) => ({ head: head.trim(), key: plain(head), index }));
  const indexOf = (names: readonly string[]) => {
    const keys = new Set(names.map(plain));
    return named.find(({ key }) => keys.has(key))?.index ?? null;
  };
  const who: WhoPlaces = {
    id: indexOf(known.id),
    number: indexOf(known.number),
    mail: indexOf(known.mail),
    name: indexOf(known.name),
    given: indexOf(known.given),
    family: indexOf(known.family),
  };
  const places = new Set(Object.values(who));
  const others = new Set(["", ...without].map(plain));
  const sessionsNamed = sessionFinder(words);
  const columns: { index: number; eventId: string; head: string }[] = [];
  const problems: TableProblem[] = [];
  for (const { head, key, index } of named) {
    if (places.has(index)) continue;
    const { all, byDate } = sessionsNamed(head);
    const [found] = all;
    if (found === undefined) {
      if (!others.has(key)) problems.push({ kind: "no-session", head });
    } else if (all.length > 1) problems.push(severalSessions(head, all, byDate));
    else if (columns.some(({ eventId }) => eventId === found.eventId))
      problems.push({ kind: "column-again", head });
    else columns.push({ index, eventId: found.eventId, head });
  }
  return { who, columns, problems };
}

type Session = TableWords["sessions"][number];

/** @returns a function that finds the sessions a column's head may mean: by its words, or by its date. */
function sessionFinder({ sessions, calendar }: TableWords) {
  const sessionsOf = new Map<string, Set<Session>>();
  for (const session of sessions)
    for (const name of session.names.map(plain))
      sessionsOf.set(name, (sessionsOf.get(name) ?? new Set()).add(session));
  return (head: string): { all: readonly Session[]; byDate: boolean } => {
    const named = sessionsOf.get(plain(head));
    if (named !== undefined) return { all: [...named], byDate: false };
    const fits = dateReader(head, calendar);
    return { all: sessions.filter(({ start }) => start !== null && fits(start)), byDate: true };
  };
}

function severalSessions(head: string, found: readonly Session[], byDate: boolean): TableProblem {
  const dates = new Set(found.flatMap(({ start }) => start?.date ?? []));
  return byDate && dates.size > 1
    ? { kind: "dates", head, dates: [...dates].sort() }
    : { kind: "sessions", head };
}

/** The statuses that a cell may mean: words of all languages, and letters of the language in which the heads are. */
function statusReader(heads: readonly string[], { languages, statuses }: TableWords) {
  const keys = new Set(heads.map(plain));
  const spoken = languages.map(({ heads: own, letters }) => ({
    letters,
    count: new Set(own.map(plain).filter((head) => keys.has(head))).size,
  }));
  const longest = Math.max(...spoken.map(({ count }) => count));
  const meanings = new Map<string, Set<KnownStatus>>();
  for (const { letters, count } of spoken)
    for (const [letter, status] of count === longest ? letters : [])
      meanings.set(plain(letter), (meanings.get(plain(letter)) ?? new Set()).add(status));
  const byWord = new Map(statuses.toReversed().map(([text, status]) => [plain(text), [status]]));
  return (text: string): readonly KnownStatus[] =>
    byWord.get(plain(text)) ?? [...(meanings.get(plain(text)) ?? [])];
}

type Learner = TableWords["learners"][number];
/** `names`: possible full names from the columns, the most likely first. */
type Who = { id: string; number: string; mail: string; names: readonly string[] };
type NotFound = { kind: "nobody" | "nobody-by-id" | "several" | "again"; text: string };

function whoIn(cells: readonly string[], { id, number, mail, name, given, family }: WhoPlaces): Who {
  const [first, last, whole] = [given, family, name].map((index) => textAt(cells, index));
  // Next to "Vorname", "Name" is the family name.
  const joined = [first, last || whole].filter(Boolean).join(" ");
  const names = [joined, whole ?? ""].filter((one) => one !== "");
  return {
    id: textAt(cells, id),
    // "ID" may mean either, if no other column does.
    number: textAt(cells, number ?? id),
    mail: textAt(cells, mail),
    names: [...new Set(names)],
  };
}

/** Finds each learner only once. */
function learnerFinder(learners: readonly Learner[]) {
  const by = (keyOf: (learner: Learner) => string) => Map.groupBy(learners, keyOf);
  const [bySub, byMail] = [by(({ sub }) => sub), by(({ email }) => plain(email ?? ""))];
  const [byName, byWords] = [by(({ name }) => nameKey(name)), by(({ name }) => wordsKey(name))];
  const byNumber = by(({ number }) => plain(number ?? ""));
  // Empty values, of a learner or on a line, identify nobody.
  for (const known of [bySub, byMail, byNumber, byName, byWords]) known.delete("");
  const seen = new Set<string>();
  const byIds = ({ id, number, names }: Who): readonly Learner[] | undefined => {
    const found = [...new Set([...(bySub.get(id) ?? []), ...(byNumber.get(plain(number)) ?? [])])];
    const keys = new Set(names.map(nameKey));
    const called = found.length < 2 ? [] : found.filter(({ name }) => keys.has(nameKey(name)));
    if (found.length === 0) return undefined;
    return called.length === 1 ? called : found;
  };
  const find = (who: Who): Learner | NotFound => {
    const { mail, names } = who;
    const id = who.id || who.number;
    // A name exactly as written wins over the same name in reverse order.
    const [found, another] =
      [
        byIds(who),
        ...[who.id, mail, ...names].map((text) => byMail.get(plain(text))),
        ...names.map((name) => byName.get(nameKey(name))),
        ...names.map((name) => byWords.get(wordsKey(name))),
      ].find((some) => some !== undefined) ?? [];
    const text = names[0] ?? (mail || id);
    if (found === undefined) return id === "" ? { kind: "nobody", text } : { kind: "nobody-by-id", text: id };
    if (another !== undefined) return { kind: "several", text };
    if (seen.has(found.personId)) return { kind: "again", text: found.name };
    seen.add(found.personId);
    return found;
  };
  return Object.assign(find, { found: () => seen.size });
}

function textAt(cells: readonly string[], index: number | null): string {
  return index === null ? "" : (cells[index] ?? "").trim();
}

/** Makes "Adler, Ann" and "Ann Adler" the same. */
function nameKey(name: string): string {
  const [family = "", ...given] = name.split(",");
  return plain([...given, family].join(" "));
}

function wordsKey(name: string): string {
  return nameKey(name).split(" ").toSorted().join(" ");
}

/** Names of months (1 to 12), short and long, and words next to a date, such as days of the week. */
export type CalendarWords = { months: ReadonlyMap<string, number>; beside: ReadonlySet<string> };

/** How texts in a table are compared: by what people see, whatever the keyboard, dash or quotation mark. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\u2018\u2019\u02BC`´]/gu, "'")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim();
}

type Reading = { year: number | null; month: number; day: number };

/**
 * Whether a heading may mean a session's start: a date as spreadsheets show it ("13.09.2026", "9/13/26", "13-Sep", "Sun 13 September 2026
 * 10:00"), in every order that its numbers allow.
 */
function dateReader(head: string, words: CalendarWords): (start: WallTime) => boolean {
  const text = plain(plainDigits(head));
  const atEnd = /(?:[ ,]|(?<=\d)t)(\d{1,2}:\d\d)(?::\d\d)?$/u.exec(text);
  const clock = atEnd?.[1] ?? null;
  const dates = readingsOf(text.slice(0, atEnd?.index), words).map(endOfDate);
  return ({ date, time }) =>
    dates.some((one) => date.endsWith(one)) && (clock === null || clock.padStart(5, "0") === time);
}

/** "2026-09-13", or "-09-13" without a year. */
function endOfDate({ year, month, day }: Reading): string {
  const digits = (number: number, count: number) => String(number).padStart(count, "0");
  return `${year === null ? "" : digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

function readingsOf(text: string, { months, beside }: CalendarWords): Reading[] {
  const tokens = text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((token) => token !== "" && (months.has(token) || !beside.has(token)));
  const numbers = tokens.filter((token) => /^\d{1,4}$/.test(token));
  const named = new Set(tokens.filter((token) => !numbers.includes(token)).map((token) => months.get(token)));
  if (named.has(undefined) || named.size > 1) return [];
  const [month] = named;
  return month === undefined ? ordersOf(numbers) : ordersWithMonth(month, numbers);
}

/** What two or three numbers may mean: day first, month first, year first. */
function ordersOf([a = "", b = "", c = "", ...more]: readonly string[]): Reading[] {
  if (b === "" || more.length > 0) return [];
  const read = (year: string, month: string, day: string) => ({
    year: year === "" ? null : fullYear(year),
    month: Number(month),
    day: Number(day),
  });
  if (a.length > 2) return [read(a, b, c)];
  const short = [read(c, b, a), read(c, a, b)];
  return c.length === 2 ? [...short, read(a, b, c)] : short;
}

function ordersWithMonth(month: number, [a = "", b = "", ...more]: readonly string[]): Reading[] {
  if (a === "" || more.length > 0) return [];
  const read = (year: string, day: string) => ({
    year: year === "" ? null : fullYear(year),
    month,
    day: Number(day),
  });
  return a.length > 2 ? [read(a, b)] : [read(b, a)];
}

function fullYear(typed: string): number {
  return typed.length === 2 ? 2_000 + Number(typed) : Number(typed);
}
