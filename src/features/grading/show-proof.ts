import { attendanceColumn, type Column, eventOfColumn } from "../../domain/column.ts";
import { type CourseSession, unknownSession } from "../../domain/course-session.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { Delivery } from "../../domain/delivery.ts";
import { toldName } from "../../domain/person-name.ts";
import { type ScoreCounts, type ScoreState, scoreStateOf, scoreStates } from "../../domain/score-state.ts";
import type { Section } from "../../domain/section.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { ColumnStore } from "../../storage/column-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { ListedMember, MemberStore } from "../../storage/member-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { SectionStore } from "../../storage/section-store.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";

export type ShowProofDeps = ListSessionsDeps & {
  deliveries: Pick<DeliveryStore, "listOfCourse">;
  columns: Pick<ColumnStore, "listOfCourse">;
  members: Pick<MemberStore, "findMany">;
  people: Pick<PersonStore, "findMany">;
  sections: Pick<SectionStore, "listOf">;
};

/** Which lines of the proof are wanted. */
export type ProofFilter = {
  state: ScoreState | null;
  /** The LMS's id; null for everybody. */
  sectionId: string | null;
  /** Part of a name or of the LMS's user id; empty for everybody. */
  search: string;
  /** Counted from 1. */
  page: number;
};

/** One learner's score in one column, and what the gradebook has of it. */
export type ProofRow = {
  delivery: Delivery;
  state: ScoreState;
  /** Null when the LMS withholds names. */
  name: string | null;
  sectionIds: readonly string[];
  /** Whether they are in the course. */
  active: boolean;
  /** The session whose own column it is; null for the column of all attendance. */
  session: CourseSession | null;
  /** The column as it is known now; null before there is one. */
  column: Column | null;
};

/** What the gradebook has of a course's scores. */
export type Proof = {
  rows: ProofRow[];
  /** As it was understood: a section or page that does not exist (any more) is left out. */
  filter: ProofFilter;
  pages: number;
  /** Lines that fit the filter, on all pages. */
  listed: number;
  /** Of the whole course. */
  counts: ScoreCounts;
  sections: readonly Section[];
};

/** A list that is longer than this is shown in pages. */
const longest = 150;
const perPage = 100;
const slice = 500;

/** A page of what the gradebook has of each learner's scores; what needs somebody comes first. Read in bulk. */
export async function showProof(deps: ShowProofDeps, course: Course, wanted: ProofFilter): Promise<Proof> {
  const { rows, sections } = await everyProofRow(deps, course);
  const known = sections.some(({ lmsSectionId }) => lmsSectionId === wanted.sectionId);
  const filter = { ...wanted, sectionId: known ? wanted.sectionId : null };
  const fitting = rows.filter((row) => fits(row, filter));
  const pages = fitting.length > longest ? Math.ceil(fitting.length / perPage) : 1;
  const page = Math.min(Math.max(1, wanted.page), pages);
  return {
    rows: pages === 1 ? fitting : fitting.slice((page - 1) * perPage, page * perPage),
    filter: { ...filter, page },
    pages,
    listed: fitting.length,
    counts: countsOf(rows),
    sections,
  };
}

/** All lines of a course's proof in the order of the list. */
export async function everyProofRow(
  deps: ShowProofDeps,
  course: Course,
): Promise<{ rows: ProofRow[]; sections: Section[] }> {
  const { registrationId, id: courseId } = course;
  const [all, columns, sessions, sections] = await Promise.all([
    deps.deliveries.listOfCourse(registrationId, courseId),
    deps.columns.listOfCourse(registrationId, courseId),
    listSessions(deps, course),
    deps.sections.listOf(registrationId, courseId),
  ]);
  const deliveries = all.filter(isNews);
  const { people, members } = await peopleOf(deps, course, deliveries);
  const columnOf = new Map(columns.map((column) => [column.key, column]));
  const sessionOf = new Map(sessions.map((session) => [session.eventId, session]));
  const rows = deliveries.map((delivery): ProofRow => {
    const person = people.get(delivery.personId);
    const member = members.get(delivery.personId);
    const eventId = eventOfColumn(delivery.columnKey);
    return {
      delivery,
      state: scoreStateOf(delivery),
      name: person === undefined ? null : toldName(person),
      sectionIds: member?.sectionIds ?? [],
      active: member?.active ?? false,
      session: eventId === null ? null : (sessionOf.get(eventId) ?? unknownSession(eventId)),
      column: columnOf.get(delivery.columnKey) ?? null,
    };
  });
  return { rows: sorted(rows), sections };
}

/** A column that is not filled and never was is no news. */
export function isNews({ columnKey, state, accepted }: Delivery): boolean {
  return columnKey === attendanceColumn || state !== "idle" || accepted !== null;
}

async function peopleOf(
  deps: ShowProofDeps,
  { id: courseId, registrationId }: Course,
  deliveries: readonly Delivery[],
): Promise<{ people: Map<string, Person>; members: Map<string, ListedMember> }> {
  const ids = [...new Set(deliveries.map(({ personId }) => personId))];
  const people = new Map<string, Person>();
  const members = new Map<string, ListedMember>();
  for (let from = 0; from < ids.length; from += slice) {
    const some = ids.slice(from, from + slice);
    for (const person of await deps.people.findMany(some)) people.set(person.id, person);
    for (const member of await deps.members.findMany({ registrationId, courseId }, some))
      members.set(member.personId, member);
    await letOthersRun();
  }
  return { people, members };
}

/** What needs somebody first, then by name, those without one last; the columns of one person in the order of time. */
function sorted(rows: readonly ProofRow[]): ProofRow[] {
  const text = new Intl.Collator("en", { numeric: true });
  const orders: ((a: ProofRow, b: ProofRow) => number)[] = [
    (a, b) => urgencyOf(a.state) - urgencyOf(b.state),
    (a, b) => Number(a.name === null) - Number(b.name === null),
    (a, b) => text.compare(a.name ?? a.delivery.sub, b.name ?? b.delivery.sub),
    (a, b) => text.compare(a.delivery.personId, b.delivery.personId),
    (a, b) => startOf(a) - startOf(b),
    (a, b) => text.compare(a.delivery.columnKey, b.delivery.columnKey),
  ];
  return [...rows].sort((a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

/** What needs nobody and is not on its way is in one order. */
function urgencyOf(state: ScoreState): number {
  return Math.min(scoreStates.indexOf(state), scoreStates.indexOf("left"));
}

function startOf({ session }: ProofRow): number {
  return session?.startsAt ?? 0;
}

function fits({ state, sectionIds, name, delivery }: ProofRow, filter: ProofFilter): boolean {
  if (filter.state !== null && state !== filter.state) return false;
  if (filter.sectionId !== null && !sectionIds.includes(filter.sectionId)) return false;
  const part = searchable(filter.search);
  return part === "" || searchable(name ?? "").includes(part) || delivery.sub === filter.search.trim();
}

/** Letters without case and accents: "Muller" finds "Müller". */
function searchable(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

function countsOf(rows: readonly ProofRow[]): ScoreCounts {
  const counts = { held: 0, refused: 0, waiting: 0, left: 0, delivered: 0, idle: 0 };
  for (const { state } of rows) counts[state] += 1;
  return counts;
}
