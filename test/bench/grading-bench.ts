import { keepPresence } from "../../src/modules/attendance/session-minutes.ts";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { defaultGradePolicy, type GradePolicy } from "../../src/domain/grade-policy.ts";
import type { SessionWorth } from "../../src/domain/grade-working.ts";
import { previewPolicy } from "../../src/modules/grading/change-policy.ts";
import { type GradingCourse, openGradingCourse, policyWith } from "../support/builders/grading-course.ts";
import { eventId, personIdOf, seedGrading } from "../support/builders/seed-grading.ts";
import { type BenchRow, timeRow, timed } from "./bench-row.ts";

const sessions = 60;
/** `kept` is the time within which the minutes of 1,000 people must be stored. */
const limits = { webhook: 50, policy: 5_000, kept: 5_000 };
const minute = 60_000;
const byMinutes: SessionWorth = {
  kind: "minutes",
  fullFrom: 90,
  tolerance: 5,
  below: "share",
  hidden: "counted",
};

/**
 * Computing grades in one course of 10,000 learners and 60 sessions, and in one of a tenth of that size: after one webhook, for everybody
 * after a change of the policy (including one to minutes), and after a session whose minutes are stored. The bench `pages` measures pages.
 * Takes about two minutes, most of it to write 600,000 records.
 */
export async function benchGrading(sizes: readonly number[] = [1_000, 10_000]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const learners of sizes) rows.push(...(await benchCourse(learners)));
  return rows;
}

async function benchCourse(learners: number): Promise<BenchRow[]> {
  const course = await openGradingCourse();
  const of = `${learners.toLocaleString("en")} learners x ${sessions} sessions`;
  const rows: BenchRow[] = [];
  try {
    await seedGrading(course, { learners, sessions });
    const times = await webhooks(course, learners, 100);
    rows.push(
      timeRow(`recompute after one webhook, median; ${of}`, times[50] ?? NaN, limits.webhook),
      timeRow(`recompute after one webhook, the slowest of 100; ${of}`, times[99] ?? NaN, limits.webhook),
    );
    const halved = policyWith({ credit: { PRESENT: 50, LATE: 40, ABSENT: 0, EXCUSED: null } });
    rows.push(...(await policyChange(course, "first scores of everybody", halved, of)));
    rows.push(...(await policyChange(course, "policy changed, every score changes", defaultGradePolicy, of)));
    const planned = policyWith({ denominator: { kind: "planned" }, dropLowest: 2, comment: true });
    rows.push(
      ...(await policyChange(course, "policy changed to planned sessions and comments", planned, of)),
    );
    rows.push(...(await policyChange(course, "computed again, nothing changes", planned, of)));
    const minutes = policyWith({ worth: byMinutes, comment: true });
    rows.push(...(await policyChange(course, "policy changed to minutes and comments", minutes, of)));
    const share = { kind: "share", percent: 75, before: "sent" } as const;
    const completing = policyWith({ worth: byMinutes, comment: true, completion: share });
    rows.push(...(await policyChange(course, "a rule for completion added, scores stay", completing, of)));
    const kept = await keptMinutes(course, learners);
    const keptLimit = (limits.kept * learners) / 1_000;
    rows.push(timeRow(`minutes of one more session kept; ${of}`, kept, keptLimit));
    const preview = await timed(async () => previewPolicy(course.deps, await course.course(), halved));
    rows.push(timeRow(`difference shown before a change; ${of}`, preview, limits.policy));
    return rows;
  } finally {
    await course.close();
  }
}

/** Stores a webhook's fact and computes its score, for some learners. Milliseconds, the shortest first. */
async function webhooks(course: GradingCourse, learners: number, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const personId = personIdOf((n * 7919) % learners);
    times.push(
      await timed(async () => {
        await course.fact(personId, eventId(n % sessions), "LATE");
        await course.grade(personId);
      }),
    );
  }
  return times.sort((a, b) => a - b);
}

/** Everybody attended a session of an hour: milliseconds until it is stored and their scores are computed. */
async function keptMinutes(course: GradingCourse, learners: number): Promise<number> {
  const startsAt = course.clock.now();
  const session = { environment: "production" as const, eventId: "one-more" };
  await course.stores.events.save({
    ...session,
    spaceId: "space",
    title: "One more",
    startsAt,
    endsAt: startsAt + 60 * minute,
    cancelled: false,
    courseId: course.key.courseId,
    readAt: 1,
  });
  for (let n = 0; n < learners; n += 1) {
    const tab = { tab: `tab-${n}`, room: "room" };
    const from = { ...tab, at: startsAt + (n % 20) * minute, kind: "join" as const };
    const to = { ...tab, at: startsAt + (60 - (n % 7)) * minute, kind: "leave" as const };
    const of = { environment: session.environment, spaceId: "space", sessionId: "session-1" };
    await course.stores.presences.note({ ...of, userId: `user-${n}` }, [from, to], false);
  }
  course.pass(120 * minute);
  return timed(async () => {
    await keepPresence(course.deps, session);
    await course.regrade();
  });
}

async function policyChange(course: GradingCourse, what: string, policy: GradePolicy, of: string) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const took = await timed(async () => {
    await course.setPolicy(policy);
    await course.regrade();
  });
  delay.disable();
  return [
    timeRow(`${what}; ${of}`, took, limits.policy),
    timeRow(`${what}: longest stall of the event loop`, delay.max / 1e6, 250),
  ];
}
