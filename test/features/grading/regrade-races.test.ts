import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import {
  countedSessions,
  gradesByColumn,
  plannedFor,
} from "../../../src/modules/attendance/rules/attendance-summary.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { regradeCourse } from "../../../src/modules/grading/regrade.ts";
import { listSessions } from "../../../src/modules/scheduling/list-sessions.ts";
import {
  type GradingCourse,
  openGradingCourse,
  policyWith,
  ruleWith,
} from "../../support/builders/grading-course.ts";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { createInterleaver } from "../../support/builders/interleave.ts";

const statuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED", "UNHEARD_OF"];
const people = ["ann", "bob"];
const policies: GradePolicy[] = [
  defaultGradePolicy,
  policyWith({ credit: { PRESENT: 50, LATE: 40, ABSENT: 0, EXCUSED: null } }),
  policyWith({ denominator: { kind: "planned" }, dropLowest: 1 }),
  { kind: "column-per-session", ...ruleWith({}) },
  { kind: "no-grades" },
];
const drawn = [
  "attendance",
  "attendanceSummaries",
  "regrades",
  "courses",
  "members",
  "deliveries",
  "columns",
] as const;

let one: GradingCourse;
let other: GradingCourse;
beforeAll(async () => {
  one = await openGradingCourse();
  other = await openGradingCourse(one.databaseUrl, one.time);
});
beforeEach(() => one.empty());
afterAll(async () => {
  await other.close();
  await one.close();
});

/** What the gradebook should hold, from the facts and the policy in the end. */
async function truth(): Promise<Record<string, number | null>> {
  const { policy } = await one.course();
  const sessions = await listSessions(one.deps, await one.course());
  const scores: Record<string, number | null> = {};
  for (const personId of people) {
    const { registrationId, courseId } = one.key;
    const records = await one.stores.attendance.listOfPeople(registrationId, courseId, [personId]);
    const counted = countedSessions(records);
    if (counted.length === 0) continue;
    const planned = plannedFor(sessions, { sectionIds: [] }, counted);
    for (const [column, { score }] of gradesByColumn(policy, counted, planned, new Set()))
      scores[`${personId} ${column}`] = score;
  }
  return scores;
}

/** The gradebook of an LMS that accepts everything. */
function openGradebook() {
  const cells: Record<string, string> = {};
  return {
    cells,
    deliver: async () => {
      for (const sent of await one.deliver()) {
        const score = sent.lastIndexOf(" ");
        cells[sent.slice(0, score)] = sent.slice(score + 1);
      }
    },
  };
}

test.each([1, 2, 3, 4])(
  "facts, policies and sessions that change at once in two processes give the scores of the last of each (%i)",
  async (seed) => {
    const random = seededRandom(seed);
    const whole = (below: number) => Math.floor(random() * below);
    const gradebook = openGradebook();
    for (const personId of people) await one.learner(personId);
    let at = 0;
    for (let round = 1; round <= 8; round += 1) {
      const { stores, inTurn, run } = createInterleaver(random);
      const fact = (thread: number) => {
        const course = thread % 2 === 0 ? one : other;
        const deps = stores(thread, course.deps, drawn);
        const personId = people[whole(people.length)] ?? "ann";
        const [event, status, written] = [`e${whole(4)}`, statuses[whole(5)] ?? "", (at += 1)];
        return async () => {
          await inTurn(thread, () => course.fact(personId, event, status, written));
          await gradeMembers(deps, course.place, [course.person(personId)]);
        };
      };
      const change = (thread: number) => {
        const policy = policies[whole(policies.length)] ?? defaultGradePolicy;
        const [event, cancelled] = [`e${whole(6)}`, random() < 0.3];
        const ofSessions = random() < 0.2;
        return () =>
          inTurn(thread, () => (ofSessions ? one.sessionChanged(event, cancelled) : one.setPolicy(policy)));
      };
      const worker = (thread: number) => {
        const course = thread % 2 === 0 ? one : other;
        const deps = stores(thread, course.deps, drawn);
        return async () => {
          for (let looks = 0; looks < 4; looks += 1) await regradeCourse(deps);
        };
      };
      const kinds = [fact, fact, fact, fact, change, change, worker, worker];
      await run([...kinds.map((kind, thread) => kind(thread)), () => inTurn(99, gradebook.deliver)]);

      await one.regrade();
      const wanted = await truth();
      const scores = Object.entries(wanted).filter(([, score]) => score !== null);
      expect(await one.scores()).toEqual(Object.fromEntries(scores));
      // What another process enqueued is found a second after an empty look (storage/due-heads).
      await expect
        .poll(async () => {
          one.pass(1_000);
          await gradebook.deliver();
          return Object.keys(wanted).map((column) => [column, gradebook.cells[column] ?? "null"]);
        })
        .toEqual(Object.entries(wanted).map(([column, score]) => [column, String(score)]));
    }
  },
);
