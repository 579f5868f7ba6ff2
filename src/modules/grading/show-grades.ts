import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import type { App } from "../../app.ts";
import { fullName, listNameOf, plainName } from "../../domain/person.ts";
import { scopeInCourse } from "../../domain/person-scope.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byKey, compareText, medianOf, slicesOf } from "../../kernel/lists.ts";
import { type Clock, dayMs } from "../../kernel/clock.ts";
import type { ListedMember } from "../members/store/member-store.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import { type Column, eventOfColumn } from "./rules/column.ts";
import { type Delivery, isNews, type ScoreState, scoreStateOf, urgencyOf } from "./rules/delivery.ts";
import type { ListedDelivery } from "./store/delivery-rows.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";

export type GradeSummaryApp = Pick<App, "clock" | "deliveries" | "unsentAlarmAfter">;

export type GradeSummary = Awaited<ReturnType<typeof showGradeSummary>>;

/** Costs a few counts, whatever the size of the course. */
export async function showGradeSummary(app: GradeSummaryApp, course: Pick<Course, "id" | "registrationId">) {
  const courseKey = keyOfCourse(course);
  const [counts, unsent] = await Promise.all([
    app.deliveries.countOfCourse(courseKey),
    oldestUnsent(app, course),
  ]);
  return { counts, unsent };
}

const maxArrivals = 2_000;

export type ArrivalTimes = Awaited<ReturnType<typeof arrivalTimes>>;

/** How long grades took from the mark to the gradebook, from stored facts. @param within An LMS or a course; null for all. */
export async function arrivalTimes(
  { deliveries, clock }: Pick<App, "clock" | "deliveries">,
  within: { registrationId: string; courseId?: string } | null,
) {
  const asked = { since: clock.now() - dayMs, limit: maxArrivals };
  const tookMs = await deliveries.arrivals(within, asked);
  const sorted = tookMs.toSorted((one, other) => one - other);
  // Within the last day, and at most the latest `maxArrivals`.
  return { arrived: sorted.length, medianMs: medianOf(sorted), slowestMs: sorted.at(-1) ?? null };
}

/** Since when the oldest unsent score has waited (ms), and whether that is too long. */
export async function oldestUnsent(
  app: { deliveries: Pick<DeliveryStore, "unsentOfCourse">; unsentAlarmAfter: number; clock: Clock },
  course: Pick<Course, "id" | "registrationId">,
) {
  const { oldest, waiting } = await app.deliveries.unsentOfCourse(keyOfCourse(course));
  const tooLong = oldest !== null && app.clock.now() - oldest > app.unsentAlarmAfter;
  return { since: oldest, tooLong, waiting };
}

export type ProofApp = Pick<
  App,
  "columns" | "deliveries" | "events" | "members" | "people" | "registrations" | "sections" | "sessionPlans"
>;

export type ProofFilter = {
  state: ScoreState | null;
  sectionId: string | null;
  /** Words of a name, or the LMS's user id. */
  search: string;
  page: number;
};

export type ProofRow = {
  delivery: Delivery;
  state: ScoreState;
  name: string | null;
  listName: string;
  sectionIds: readonly string[];
  active: boolean;
  /** Null for the attendance column. */
  session: CourseSession | null;
  column: Column | null;
};

const maxWholeSize = 150;
const pageSize = 100;
const batchSize = 500;

/** A page of learners' scores; those that need a person come first. Reads only what is shown. */
export async function showProof(app: ProofApp, course: Course, requested: ProofFilter) {
  const courseKey = keyOfCourse(course);
  const sections = await app.sections.listOf(courseKey.registrationId, courseKey.courseId);
  const known = sections.some(({ lmsSectionId }) => lmsSectionId === requested.sectionId);
  /** Drops a section or page that doesn't exist. */
  const filter = { ...requested, sectionId: known ? requested.sectionId : null };
  const narrowed = { state: filter.state, personIds: await personIdsOf(app, course, filter) };
  const [listed, counts] = await Promise.all([
    app.deliveries.countListed(courseKey, narrowed),
    app.deliveries.countByScoreState(courseKey),
  ]);
  const pages = listed > maxWholeSize ? Math.ceil(listed / pageSize) : 1;
  const page = Math.min(Math.max(1, requested.page), pages);
  const part =
    pages === 1 ? { skip: 0, limit: maxWholeSize } : { skip: (page - 1) * pageSize, limit: pageSize };
  const found = await app.deliveries.page(courseKey, narrowed, part);
  const rows = await rowsOf(
    app,
    course,
    found.map(({ delivery }) => delivery),
  );
  await putRight(app, found, rows);
  const inTime = pages === 1 ? rows : await wholePeople(app, course, narrowed.state, rows);
  return { rows: sorted(inTime), filter: { ...filter, page }, pages, listed, counts, sections };
}

export async function everyProofRow(app: ProofApp, course: Course): Promise<ProofRow[]> {
  const all = await app.deliveries.listOfCourse(course.registrationId, course.id);
  return sorted(await rowsOf(app, course, all.filter(isNews)));
}

async function personIdsOf(app: ProofApp, course: Course, { sectionId, search }: ProofFilter) {
  const words = plainName(search)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, 8);
  if (sectionId === null && words.length === 0) return null;
  const found = await app.members.searchIds(keyOfCourse(course), { sectionId, words });
  const sub = search.trim();
  const named = sub === "" ? undefined : await personIdOf(app, course, sub);
  if (named === undefined) return found;
  const [member] = await app.members.findMany(keyOfCourse(course), [named]);
  const fits = sectionId === null || (member?.sectionIds.includes(sectionId) ?? false);
  return fits ? [...found, named] : found;
}

async function personIdOf({ registrations, people }: ProofApp, course: Course, sub: string) {
  const peopleKey = scopeInCourse(await registrations.find(course.registrationId), course);
  return (await people.idsOf(peopleKey, [sub])).get(sub);
}

function listNameIn({ sub }: Delivery, member: ListedMember | undefined, person: Person | undefined): string {
  if (member !== undefined && member.listName !== "") return member.listName;
  return listNameOf(person ?? { name: null, givenName: null, familyName: null, sub });
}

/** Stored positions that are wrong, after a change of name or by another process, are corrected when shown. */
async function putRight(
  { deliveries }: ProofApp,
  found: readonly ListedDelivery[],
  rows: readonly ProofRow[],
): Promise<void> {
  const nameOf = new Map(rows.map(({ delivery, listName }) => [delivery.id, listName]));
  await deliveries.putInOrder(
    found.flatMap(({ delivery, listName, urgency }) => {
      const name = nameOf.get(delivery.id) ?? listName ?? "";
      return name === listName && urgency === urgencyOf(delivery) ? [] : [{ delivery, listName: name }];
    }),
  );
}

/** Each person's columns by time. The store orders them by key, so a person who is split between pages is read completely. */
async function wholePeople(
  app: ProofApp,
  course: Course,
  state: ScoreState | null,
  rows: readonly ProofRow[],
): Promise<ProofRow[]> {
  const visible = [...rows];
  const border = new Map(
    [rows[0], rows.at(-1)].flatMap((row) => (row === undefined ? [] : [[groupOf(row), row]])),
  );
  for (const [group, { delivery }] of border) {
    const first = visible.findIndex((row) => groupOf(row) === group);
    const number = visible.filter((row) => groupOf(row) === group).length;
    const own = await app.deliveries.listAllOfPeople(keyOfCourse(course), [delivery.personId]);
    if (own.length === number) continue;
    const all = (await rowsOf(app, course, own.filter(isNews))).filter(
      (row) => groupOf(row) === group && (state === null || row.state === state),
    );
    const keys = all.map((row) => row.delivery.columnKey).sort();
    const from = keys.indexOf(visible[first]?.delivery.columnKey ?? "");
    if (from < 0 || all.length === number) continue;
    visible.splice(first, number, ...sorted(all).slice(from, from + number));
  }
  return visible;
}

function groupOf({ delivery }: ProofRow): string {
  return `${String(urgencyOf(delivery))} ${delivery.personId}`;
}

async function rowsOf(app: ProofApp, course: Course, deliveries: readonly Delivery[]): Promise<ProofRow[]> {
  const { registrationId, courseId } = keyOfCourse(course);
  const [columns, sessions, { people, members }] = await Promise.all([
    app.columns.listOfCourse(registrationId, courseId),
    listSessions(app, course),
    peopleOf(app, course, deliveries),
  ]);
  const columnOf = byKey(columns, ({ key }) => key);
  const sessionOf = byKey(sessions, ({ eventId }) => eventId);
  return deliveries.map((delivery): ProofRow => {
    const person = people.get(delivery.personId);
    const member = members.get(delivery.personId);
    const eventId = eventOfColumn(delivery.columnKey);
    return {
      delivery,
      state: scoreStateOf(delivery),
      name: person === undefined ? null : fullName(person),
      listName: listNameIn(delivery, member, person),
      sectionIds: member?.sectionIds ?? [],
      active: member?.active ?? false,
      session: eventId === null ? null : (sessionOf.get(eventId) ?? unknownSession(eventId)),
      column: columnOf.get(delivery.columnKey) ?? null,
    };
  });
}

async function peopleOf(
  app: ProofApp,
  { id: courseId, registrationId }: Pick<Course, "id" | "registrationId">,
  deliveries: readonly Delivery[],
): Promise<{ people: Map<string, Person>; members: Map<string, ListedMember> }> {
  const ids = [...new Set(deliveries.map(({ personId }) => personId))];
  const people = new Map<string, Person>();
  const members = new Map<string, ListedMember>();
  for (const batch of slicesOf(ids, batchSize)) {
    for (const person of await app.people.findMany(batch)) people.set(person.id, person);
    for (const member of await app.members.findMany({ registrationId, courseId }, batch))
      members.set(member.personId, member);
    await letOthersRun();
  }
  return { people, members };
}

function sorted(rows: readonly ProofRow[]): ProofRow[] {
  const orders: ((a: ProofRow, b: ProofRow) => number)[] = [
    (a, b) => urgencyOf(a.delivery) - urgencyOf(b.delivery),
    (a, b) => compareText(a.listName, b.listName),
    (a, b) => compareText(a.delivery.personId, b.delivery.personId),
    (a, b) => startOf(a) - startOf(b),
    (a, b) => compareText(a.delivery.columnKey, b.delivery.columnKey),
  ];
  return [...rows].sort((a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

function startOf({ session }: ProofRow): number {
  return session?.startsAt ?? 0;
}
