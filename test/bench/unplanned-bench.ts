import { monitorEventLoopDelay } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { defaultGradePolicy } from "../../src/domain/grade-policy.ts";
import { defaultUnplannedRule } from "../../src/domain/unplanned-rule.ts";
import { inLanes } from "../../src/kernel/async.ts";
import { gradeAfterChange } from "../../src/modules/grading/regrade.ts";
import { answerClass } from "../../src/modules/unplanned/answer-class.ts";
import { findClasses } from "../../src/modules/unplanned/look-for-classes.ts";
import { settleNext } from "../../src/modules/unplanned/settle-class.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { openGradingCourse, policyWith } from "../support/builders/grading-course.ts";
import { seedGrading } from "../support/builders/seed-grading.ts";
import { type BenchRow, timed, timeRow } from "./bench-row.ts";

const sessions = 60;
const wantedMs = 5_000;
const wantedStallMs = 250;
const minute = 60_000;

/**
 * A class that nobody planned, of a course that is graded already: how long until it is a session and everybody's score is wanted,
 * beside a change of the policy in the same course, and for a tenth of the people. Takes about a minute.
 */
export async function benchUnplanned(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const people of [100, 1_000]) rows.push(...(await adoption(people)));
  return rows;
}

/** A course of so many learners with 60 graded sessions, who all were in its Space for an hour without a plan. */
async function classOf(people: number) {
  const course = await openGradingCourse();
  const { stores, key } = course;
  await seedGrading(course, { learners: people, sessions });
  await stores.courses.claimSpace(key.courseId, "bench", 0, 1);
  await stores.courses.keepSpace(key.courseId, "bench", "space");
  await course.setPolicy(defaultGradePolicy);
  await course.regrade();
  const began = course.clock.now();
  const visitors = Array.from({ length: people + 1 }, (_none, n) => n);
  await inLanes(32, visitors, async (n) => {
    const userId = n === people ? "a-stranger" : `user-${n}`;
    const session = { environment: "production" as const, spaceId: "space", sessionId: "session-1" };
    const sign = { tab: `tab-${n}`, room: "room" };
    const from = { ...sign, at: began + (n % 20) * minute, kind: "join" as const };
    const to = { ...sign, at: began + (60 - (n % 7)) * minute, kind: "leave" as const };
    await stores.presences.note({ ...session, userId }, [from, to], false);
  });
  course.pass(120 * minute);
  return course;
}

async function adoption(people: number): Promise<BenchRow[]> {
  const course = await classOf(people);
  const { stores, key } = course;
  const deps = {
    ...course.deps,
    ...{ onKind: () => undefined, translatorOf: createTranslator() },
    whileSessionsChange: <T>(of: { id: string; registrationId: string }, change: () => Promise<T>) =>
      gradeAfterChange(course.deps, of, "everybody", change),
  };
  const of = `${people.toLocaleString("en")} learners x ${sessions} sessions`;
  const only = async () => {
    const [found] = await stores.unplannedClasses.listOfCourse(key.courseId, 0, 1);
    if (found === undefined) throw new Error("no class was found");
    return found;
  };
  const answered = async (to: "class" | "none") => {
    const answer = { to, by: "per-Ina", rule: defaultUnplannedRule };
    if (!(await answerClass(deps, await course.course(), await only(), answer)))
      throw new Error("the answer did not count");
    while (await settleNext(deps));
    await course.regrade();
  };
  try {
    const graded = await course.scores();
    const look = await timed(() => findClasses(deps, { environment: "production", spaceId: "space" }, null));
    const { learners } = await only();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const made = await timed(() => answered("class"));
    delay.disable();
    const scores = await course.scores();
    const changed = Object.keys(graded).filter((one) => graded[one] !== scores[one]).length;
    const back = await timed(() => answered("none"));
    const same = isDeepStrictEqual(await course.scores(), graded);
    const policy = await timed(async () => {
      await course.setPolicy(policyWith({ credit: { PRESENT: 90, LATE: 40, ABSENT: 0, EXCUSED: null } }));
      await course.regrade();
    });
    return [
      timeRow(`unplanned class of ${learners} found by a look; ${of}`, look, wantedMs),
      timeRow(`made a session, until all scores are wanted (${changed} change); ${of}`, made, wantedMs),
      timeRow("made a session: longest stall of the event loop", delay.max / 1e6, wantedStallMs),
      timeRow(`taken back, until all scores are ${same ? "what they were" : "WRONG"}; ${of}`, back, wantedMs),
      timeRow(`beside it, policy changed, every score changes; ${of}`, policy, wantedMs),
    ];
  } finally {
    await course.close();
  }
}
