import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { knownStatuses } from "../../../src/domain/attendance.ts";
import {
  type LastAttendanceFilter,
  type LastAttendanceRow,
  pageOfLastAttendance,
} from "../../../src/modules/attendance/learners-of-courses.ts";
import { plainName } from "../../../src/domain/person.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";
import { eventOf } from "../../support/builders/event.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";

const day = 86_400_000;
const term = { from: "2026-09-14", to: "2026-12-18" };
const now = Date.parse("2026-12-01T12:00:00Z");
const zones = ["Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland", null];
const courses = 6;
const learners = 30;
const sessions = 7;

let opened: Awaited<ReturnType<typeof openEmptyStores>>;
const heard: Heard[] = [];

/** What a classroom or a person reported, as it was sent. */
type Heard = { course: string; person: string; session: string; startsAt: number } & (
  | { by: "webhook"; status: string; at: number }
  | { by: "correction"; status: string | null; at: number }
  | { by: "code"; at: number }
  | { by: "presence"; ms: number }
);

const asked = (change: Partial<LastAttendanceFilter> = {}): LastAttendanceFilter => ({
  registrationId: "reg_1",
  course: "",
  days: term,
  only: null,
  ...change,
});

/** Every page, and how many attendance records were read together at most. */
async function report(change: Partial<LastAttendanceFilter> = {}) {
  const rows: LastAttendanceRow[] = [];
  const read: number[] = [];
  const { attendance } = opened.stores;
  const listOfPeople: typeof attendance.listOfPeople = async (...of) => {
    const found = await attendance.listOfPeople(...of);
    read.push(found.length);
    return found;
  };
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const app = { ...opened.stores, attendance: { ...attendance, listOfPeople }, clock };
  let courses = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await pageOfLastAttendance(app, asked(change), cursor ?? null);
    if (cursor === undefined) courses = page.courses;
    rows.push(...page.rows);
    cursor = page.next;
  }
  return { rows, courses, most: Math.max(0, ...read) };
}

beforeAll(async () => {
  opened = await openEmptyStores();
  const random = seededRandom(37);
  const one = <T>(of: readonly T[]): T => {
    const found = of[Math.floor(random() * of.length)];
    if (found === undefined) throw new Error("nothing to choose from");
    return found;
  };
  for (let n = 0; n < learners; n += 1)
    await recordPerson(opened.stores.people, `per_${n}`, { sub: `sub-${n}`, name: `Learner ${n}` });
  for (let c = 0; c < courses; c += 1) {
    const course = `crs_${c}`;
    const key = { registrationId: c === 5 ? "reg_2" : "reg_1", courseId: course };
    await opened.stores.courses.record(
      { registrationId: key.registrationId, deploymentId: "1", contextId: course },
      launchedCourse({ title: `Biology ${c}`, label: `BIO-${c}` }),
      newCourse(course),
    );
    const zone = zones[c % zones.length] ?? null;
    if (zone !== null) await opened.stores.courses.setTimeZone(course, zone);
    for (let n = 0; n < learners; n += 1)
      await opened.stores.members.recordLaunch(
        { ...key, personId: `per_${n}` },
        { role: "learner", testUser: false, student: true, listName: plainName(`${n}`), lastLaunchAt: 1 },
        [],
        `mem_${c}_${n}`,
      );
    for (let s = 0; s < sessions; s += 1) {
      // Course 4 was taught a year ago.
      const startsAt =
        Date.parse("2026-09-10T00:00:00Z") +
        s * 14 * day +
        Math.floor(random() * day) -
        (c === 4 ? 365 * day : 0);
      const session = `event_${c}_${s}`;
      await opened.stores.events.save(eventOf({ eventId: session, courseId: course, startsAt }));
      for (let n = 0; n < learners; n += 1) {
        const about = { course, person: `per_${n}`, session, startsAt };
        // Every tenth learner never comes.
        const status = () => (n % 10 === 0 ? "ABSENT" : one([...knownStatuses, "LEFT"]));
        for (let more = random(); more > 0.35; more = random()) {
          const at = startsAt + Math.floor(random() * day);
          const kinds: readonly Heard[] = [
            { ...about, by: "webhook", status: status(), at },
            { ...about, by: "webhook", status: status(), at },
            {
              ...about,
              by: "correction",
              status: n % 10 === 0 ? "ABSENT" : one([...knownStatuses, null]),
              at,
            },
            ...(n % 10 === 0 ? [] : [{ ...about, by: "code" as const, at }]),
            { ...about, by: "presence", ms: n % 10 === 0 ? 20_000 : Math.floor(random() * 4) * 40_000 },
          ];
          const told = one(kinds);
          heard.push(told);
          await tell(key, told);
        }
      }
    }
  }
}, 120_000);
afterAll(() => opened.close());

async function tell(course: { registrationId: string; courseId: string }, told: Heard): Promise<void> {
  const key = { ...course, personId: told.person, eventId: told.session };
  const first = { id: `att_${told.session}_${told.person}`, sectionIds: [] };
  const { attendance } = opened.stores;
  const said = { notes: null, updatedBy: null };
  if (told.by === "webhook")
    await attendance.record(key, { ...said, status: told.status, at: told.at }, first);
  else if (told.by === "code") await attendance.checkIn(key, { status: "PRESENT", at: told.at }, first);
  else if (told.by === "correction") {
    const status = knownStatuses.find((known) => known === told.status) ?? null;
    await attendance.correct(key, { status, notes: null, reason: null, by: "teacher", at: told.at }, first);
  } else {
    const { startsAt, ms } = told;
    await attendance.see(key, { startsAt, endsAt: startsAt + 3_600_000, ms, stays: [] }, first);
  }
}

/** The same, counted from what was sent, without the tool's code. @returns "first last attended" by course and person */
function counted(): Map<string, string> {
  const days = new Map<string, string[]>();
  const bySession = Map.groupBy(heard, ({ session, person }) => `${session} ${person}`);
  for (const all of bySession.values()) {
    const [{ course, person, startsAt } = { course: "", person: "", startsAt: 0 }] = all;
    const zone = zones[Number(course.slice(4)) % zones.length] ?? "UTC";
    const date = new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(startsAt);
    if (startsAt > now || date < term.from || date > term.to || !wasThere(all)) continue;
    const key = `${course} ${person}`;
    days.set(key, [...(days.get(key) ?? []), date].sort());
  }
  return new Map(
    [...days].map(([key, dates]) => [key, `${dates[0] ?? ""} ${dates.at(-1) ?? ""} ${dates.length}`]),
  );
}

function wasThere(all: readonly Heard[]): boolean {
  const latest = <T extends { at: number }>(of: readonly T[]) => of.toSorted((a, b) => b.at - a.at)[0];
  const correction = latest(all.flatMap((one) => (one.by === "correction" ? [one] : [])));
  const holds = (status: string) => status === "PRESENT" || status === "LATE";
  if (correction !== undefined && correction.status !== null) return holds(correction.status);
  const report = latest(all.flatMap((one) => (one.by === "webhook" ? [one] : [])));
  if (all.some(({ by }) => by === "code") && (report === undefined || report.status === "ABSENT"))
    return true;
  if (report !== undefined && report.status !== "LEFT") return holds(report.status);
  const seen = all.findLast((one) => one.by === "presence");
  return seen?.by === "presence" && seen.ms >= 60_000;
}

test("the report of a term matches what was sent", async () => {
  const { rows, courses: looked, most } = await report();
  expect(rows).toHaveLength(4 * learners);
  expect(looked).toBeGreaterThan(0);
  const expected = counted();
  const found = rows.map(({ course, person, days: { first, last, attended } }) => {
    const key = `${course.id} ${person.id}`;
    return [key, attended === 0 ? undefined : `${first?.date ?? ""} ${last?.date ?? ""} ${attended}`];
  });
  expect(new Set(found.map(([key]) => key)).size).toBe(rows.length);
  for (const [key = "", text] of found) expect([key, text]).toEqual([key, expected.get(key)]);
  // A hundred learners of one course are in memory, however long the term.
  expect(most).toBeLessThanOrEqual(100 * sessions);
});

test("the report lists who never attended by a date", async () => {
  const never = await report({ only: "never" });
  const nobody = never.rows.map(({ course, person }) => `${course.id} ${person.id}`);
  const expected = counted();
  expect(nobody.length).toBeGreaterThanOrEqual(4 * 3);
  for (const key of nobody) expect(expected.has(key)).toBe(false);
  const early = await report({ only: "never", days: { ...term, to: "2026-09-30" } });
  expect(early.rows.length).toBeGreaterThan(nobody.length);
});

test.each([
  ["crs_2", 1],
  ["biology 3", 1],
  ["BIO-", 4],
  ["chemistry", 0],
  ["crs_5", 0],
])("courses called %s: %d", async (course, count) => {
  const { rows } = await report({ course });
  expect(new Set(rows.map((row) => row.course.id)).size).toBe(count);
});

test("a term without sessions has no courses, and another LMS has its own", async () => {
  expect((await report({ days: { from: "2020-01-01", to: "2020-06-30" } })).courses).toBe(0);
  const other = await report({ registrationId: "reg_2" });
  expect(new Set(other.rows.map(({ course }) => course.id))).toEqual(new Set(["crs_5"]));
});

test("an erased person is in no report, nor on a page that continues after them", async () => {
  const { stores } = opened;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const gone = "per_7";
  for (const model of ["Member", "Attendance"])
    await collectionsByModel(opened.connection)(model).deleteMany({ personId: gone });
  // The page that would continue after them begins the course again.
  const page = await pageOfLastAttendance({ ...stores, clock }, asked({ course: "crs_0" }), `crs_0~${gone}`);
  const listed = new Set(page.rows.map(({ person }) => person.id));
  expect(listed.has(gone)).toBe(false);
  expect(listed.size).toBe(learners - 1);
});
