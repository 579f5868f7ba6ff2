import { type Course, isReplaced } from "../../domain/course.ts";
import type { App } from "../../app.ts";
import { fullName } from "../../domain/person.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { readRoster } from "../members/roster-readings.ts";
import { cursorOf, cursorText } from "./paging.ts";

type ReadinessApp = Pick<
  App,
  "courses" | "registrations" | "rosterSyncs" | "members" | "people" | "sections" | "columns"
>;

export type CourseReadiness = Awaited<ReturnType<typeof readinessOf>>;
export type ReadinessQuery = {
  registrationId: string | null;
  /** Only courses that lack something. */
  onlyGaps: boolean;
};

/** How many courses are looked at for one page. */
const pageSize = 50;
/** How many people's names are counted: an LMS withholds everybody's names, or nobody's. */
const maxPeople = 200;

/** Uses what is stored about each course, opened last first, without asking the LMS. @param from Where the page before ended. */
export async function listReadiness(
  app: ReadinessApp,
  { registrationId, onlyGaps }: ReadinessQuery,
  from: string | null,
): Promise<{ rows: CourseReadiness[]; next: string | null }> {
  const found = await app.courses.listLatest(registrationId, cursorOf(from), pageSize);
  const rows: CourseReadiness[] = [];
  for (const { course: listed, lastLaunchAt } of found) {
    const course = await app.courses.find(listed.id);
    const row = course === null ? null : await readinessOf(app, course, lastLaunchAt);
    if (row?.isReached === true && (!onlyGaps || row.gaps.length > 0)) rows.push(row);
    await letOthersRun();
  }
  const last = found.at(-1);
  if (last === undefined || found.length < pageSize) return { rows, next: null };
  return { rows, next: cursorText({ at: last.lastLaunchAt ?? 0, id: last.course.id }) };
}

async function readinessOf(app: ReadinessApp, course: Course, lastLaunchAt: number | null) {
  const { registrationId, id: courseId } = course;
  const key = { registrationId, courseId };
  const [registration, roster, { members, total }, sections, columns] = await Promise.all([
    app.registrations.find(registrationId),
    app.rosterSyncs.find(registrationId, courseId),
    app.members.page(key, null, { skip: 0, limit: maxPeople }),
    app.sections.listOf(registrationId, courseId),
    app.columns.listOfCourse(registrationId, courseId),
  ]);
  const present = members.filter(({ active, testUser }) => active && !testUser);
  const people = await app.people.findMany(present.map(({ personId }) => personId));
  const product = capabilitiesOf(registration);
  const facts = {
    listsPeople: course.membershipsUrl !== null,
    rosterReadAt: roster?.doneAt ?? null,
    rosterFailed: roster?.state === "failed",
    people: people.length,
    // Members who are in the course now come first.
    isPart: total > maxPeople && members.every(({ active }) => active),
    named: people.filter((one) => fullName(one) !== null).length,
    mailed: people.filter(({ email }) => email !== null).length,
    sections: sections.length,
    everybodyHasSection: product.sections === "sections",
    hasColumn: columns.some(({ lineItemUrl }) => lineItemUrl !== null),
    wantsColumn: course.policy.kind !== "no-grades",
    mayHaveColumn: course.lineItemsUrl !== null && course.gradeScopes.length > 0,
  };
  // Nobody reaches a course that was opened under both of two registrations that were joined later.
  const isReached = !isReplaced(course);
  const lms = registration?.name ?? "";
  return { course, isReached, lastLaunchAt, lms, product, roster, facts, gaps: gapsOf(facts) };
}

/** The pause between two readings (ms), so an LMS isn't asked for all courses at once. */
const paceMs = 2_000;

/**
 * Reads the rosters of a page's courses again, in the background and one after another. Readings that already wait or run stay as they are.
 * @returns how many courses there are, and where the next page begins
 */
export async function readRostersAgain(
  app: ReadinessApp & AuditApp & Pick<App, "wake">,
  query: ReadinessQuery,
  from: string | null,
): Promise<{ asked: number; next: string | null }> {
  const { rows, next } = await listReadiness(app, query, from);
  const now = app.clock.now();
  const readings = rows
    .filter(({ facts }) => facts.listsPeople)
    .map(({ course: { registrationId, id: courseId } }, at) => ({
      registrationId,
      courseId,
      dueAt: now + at * paceMs,
    }));
  for (const { dueAt: _dueAt, ...key } of readings) await app.rosterSyncs.open(key, now);
  await app.rosterSyncs.schedule(readings);
  app.wake(readRoster);
  const { registrationId } = query;
  if (readings.length > 0)
    await writeAudit(app, { what: "roster-asked-for", registrationId, on: String(readings.length) });
  return { asked: readings.length, next };
}

/** What a course may lack. A gap that causes others comes before them. */
const gaps = ["not-told", "failed", "unread", "names", "email", "sections", "column"] as const;
export type Gap = (typeof gaps)[number];

export type ReadinessFacts = {
  /** A launch said where the roster is. */
  listsPeople: boolean;
  /** When it was last completely read (ms). */
  rosterReadAt: number | null;
  /** Its latest reading failed. */
  rosterFailed: boolean;
  /** Of those in the course now, at most a few hundred. */
  people: number;
  /** There are more. */
  isPart: boolean;
  named: number;
  mailed: number;
  sections: number;
  /** Its LMS puts everybody into a section (Canvas). Groups (Moodle) may be missing. */
  everybodyHasSection: boolean;
  hasColumn: boolean;
  wantsColumn: boolean;
  /** Launches allow the gradebook, so the column is made with the first score. */
  mayHaveColumn: boolean;
};

export function gapsOf(facts: ReadinessFacts): Gap[] {
  const { listsPeople, rosterFailed, people } = facts;
  // In every LMS some people have none. If most have none, the LMS withholds them.
  const withheld = (known: number) => people > 0 && known * 2 < people;
  const lacks: Record<Gap, boolean> = {
    "not-told": !listsPeople,
    failed: listsPeople && rosterFailed,
    unread: listsPeople && !rosterFailed && facts.rosterReadAt === null,
    names: withheld(facts.named),
    email: withheld(facts.mailed),
    sections: facts.everybodyHasSection && people > 0 && facts.sections === 0,
    column: facts.wantsColumn && !facts.hasColumn && !facts.mayHaveColumn,
  };
  return gaps.filter((gap) => lacks[gap]);
}
