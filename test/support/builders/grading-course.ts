import type { KnownStatus } from "../../../src/domain/attendance.ts";
import { defaultGradePolicy, type GradePolicy, type GradingRule } from "../../../src/domain/grade-policy.ts";
import { plainName } from "../../../src/domain/person.ts";
import { afterAttempt } from "../../../src/modules/grading/after-attempt.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { quietMs } from "../../../src/modules/grading/rules/delivery.ts";
import { enqueueRegrade, type RegradeApp, regradeCourse } from "../../../src/modules/grading/regrade.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { LmsPauses } from "../../../src/lms/lms-pauses.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { openEmptyStores, type StoresFrom } from "./open-empty-stores.ts";
import { launchedCourse, newCourse } from "./launched-course.ts";
import { required } from "../required.ts";
import { eventOf } from "./event.ts";

/** A rule like the default one, with a change. */
export function ruleWith(change: Partial<GradingRule>): GradingRule {
  const { kind: _kind, ...rule } = defaultGradePolicy;
  return { ...rule, ...change };
}

/** The default policy with a change. */
export function policyWith(change: Partial<GradingRule>): GradePolicy {
  return { kind: "one-column", ...ruleWith(change) };
}

const firstDay = Date.UTC(2026, 8, 14, 9);

export type GradingCourse = Awaited<ReturnType<typeof openGradingCourse>>;

/**
 * A course whose attendance becomes scores, without a gradebook to send them to: a test sends them itself. Its clock stands still until a
 * test lets time pass, except for a millisecond at each reading, so that later events have later times. @param from See `openEmptyStores`.
 * @param time The time of another course on the same database (ms), so that both share a clock.
 */
export async function openGradingCourse(from?: StoresFrom, time = { now: firstDay }) {
  const logger = createLogger("silent");
  const opened = await openEmptyStores(from);
  const { stores, connection, databaseUrl } = opened;
  const key = { registrationId: "reg_1", courseId: "crs_1" };
  const clock = { ...systemClock, now: () => (time.now += 1) };
  const deps: RegradeApp & { pauses: Pick<LmsPauses, "tryNow"> } & typeof stores = {
    ...stores,
    // No LMS is unreachable.
    pauses: { tryNow: () => Promise.resolve() },
    wake: () => undefined,
    clock,
    ids: randomIds,
    logger,
    translatorOf: createTranslator(),
    ending: new AbortController().signal,
  };
  const record = () =>
    stores.courses.record(
      { registrationId: key.registrationId, deploymentId: "1", contextId: "ctx" },
      launchedCourse(),
      newCourse(key.courseId),
    );
  await record();
  const course = async () => {
    return required(await stores.courses.find(key.courseId));
  };
  const place = { id: key.courseId, registrationId: key.registrationId };
  const person = (personId: string) => ({ id: personId, sub: `sub-${personId}` });

  return {
    deps,
    stores,
    connection,
    databaseUrl,
    key,
    place,
    course,
    person,
    clock,
    time,
    /** Time passes. */
    pass: (ms: number) => {
      time.now += ms;
    },
    learner: (personId: string, sectionIds: readonly string[] = []) =>
      stores.members.recordLaunch(
        { ...key, personId },
        { role: "learner", testUser: false, student: true, listName: plainName(personId), lastLaunchAt: 1 },
        sectionIds,
        `mem_${personId}`,
      ),
    /** The classroom reports a status; nothing is computed. */
    fact: (personId: string, eventId: string, status: string, at = clock.now()) =>
      stores.attendance.record(
        { ...key, personId, eventId },
        { status, notes: null, at, updatedBy: null },
        { id: randomIds.id("att"), sectionIds: [] },
      ),
    correct: (personId: string, eventId: string, status: KnownStatus | null) =>
      stores.attendance.correct(
        { ...key, personId, eventId },
        { status, notes: null, reason: null, by: "teacher", at: clock.now() },
        { id: randomIds.id("att"), sectionIds: [] },
      ),
    /** A session is planned, or cancelled. */
    sessionChanged: async (eventId: string, cancelled = false) => {
      await stores.events.save(
        eventOf({ eventId, title: eventId, startsAt: 1, endsAt: 2, cancelled, courseId: key.courseId }),
      );
      await enqueueRegrade(deps, key.courseId);
    },
    grade: (personId: string) => gradeMembers(deps, place, [person(personId)]),
    /** An instructor saves a policy. */
    setPolicy: async (policy: GradePolicy) => {
      while (!(await stores.courses.changePolicy(key.courseId, (await course()).policyRevision, policy)));
      await enqueueRegrade(deps, key.courseId);
    },
    /** Processes every regrade that is due; then the time in which more might have come is over. */
    regrade: async () => {
      while (await regradeCourse(deps));
      time.now += quietMs;
    },
    /** What should be in the gradebook, by person and column; only scores. */
    scores: async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        (await stores.deliveries.listOfCourse(key.registrationId, key.courseId)).flatMap((one) =>
          one.desired === null || one.desired.score === null
            ? []
            : [[`${one.personId} ${one.columnKey}`, one.desired.score]],
        ),
      ),
    deliveryOf: (personId: string, columnKey = "attendance") =>
      stores.deliveries.find({ ...key, columnKey, personId }),
    /** The LMS takes every pending score. @returns who was sent what, in that order. */
    deliver: async (): Promise<string[]> => {
      const sent: string[] = [];
      const { deliveries } = stores;
      for (;;) {
        const now = clock.now();
        const holder = randomIds.id("hold");
        const claimed = await deliveries.claimDue(holder, now, now + leaseMs);
        if (claimed?.desired == null) return sent;
        const { desired } = claimed;
        if (!(await deliveries.sending(claimed.id, holder, desired, now))) {
          await deliveries.settle(claimed.id, holder, 0, {});
          continue;
        }
        sent.push(`${claimed.personId} ${claimed.columnKey} ${String(desired.score)}`);
        const attempt = { delivery: claimed, desired, lineItemUrl: null, points: null };
        const taken = afterAttempt(attempt, { kind: "accepted" }, { now, random: () => 0 });
        await deliveries.settle(claimed.id, holder, desired.revision, taken);
      }
    },
    /** Everything is deleted, as on the first day. */
    empty: async () => {
      time.now = firstDay;
      await opened.empty();
      await record();
    },
    close: opened.close,
  };
}
