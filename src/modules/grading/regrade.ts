import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import type { App } from "../../app.ts";
import { leaseMs, withClaim, workOnDue } from "../../kernel/with-claim.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { messageOf } from "../../kernel/errors.ts";
import { peopleWithJoinsOrExcuses } from "./counting-facts.ts";
import { gradeMembers, type GradingApp, scoreLearners, scoreSummaries } from "./grade-members.ts";
import type { Regrade } from "./rules/records.ts";
import type { RegradeStore } from "./store/regrade-store.ts";
import { enqueueColumnUpdates } from "./update-columns.ts";

/**
 * Makes a change that nothing repeats after a crash (unlike webhooks) and sets the scores that follow from it. First stores a note: if this
 * process ends, another one sets the scores within seconds. Scores of some people are set when this resolves; those of the whole course
 * are computed in the background.
 * @param change If it throws, scores are computed anyway, because a part may be stored.
 */
export async function gradeAfterChange<T>(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId">,
  concerned: readonly Pick<Person, "id" | "sub">[] | "everybody",
  change: () => Promise<T>,
): Promise<T> {
  const { pendingRegrades, clock } = app;
  const id = app.ids.id("prg");
  await pendingRegrades.note({
    id,
    ...keyOfCourse(course),
    personIds: concerned === "everybody" ? null : concerned.map((person) => person.id),
    dueAt: clock.now() + leaseMs,
  });
  return whileNoted(app, id, async () => {
    const result = await change();
    if (concerned === "everybody") await enqueueRegrade(app, course.id);
    else await gradeMembers(app, course, concerned);
    return result;
  });
}

/** Removes the note when the work is done. */
function whileNoted<T>(app: GradingApp, id: string, work: () => Promise<T>): Promise<T> {
  const { pendingRegrades } = app;
  const note = { until: Infinity, extend: (until: number) => pendingRegrades.postpone(id, until) };
  return withClaim(app, note, async () => {
    const result = await work();
    await pendingRegrades.remove(id);
    return result;
  });
}

/** Computes scores for a process that left a note and ended too early. @returns false if none are overdue */
export async function runPendingRegrades(app: GradingApp): Promise<boolean> {
  const { pendingRegrades, clock } = app;
  const now = clock.now();
  const pending = await pendingRegrades.claimDue(now, now + leaseMs);
  if (pending === null) return false;
  const { id, courseId, registrationId, personIds } = pending;
  await whileNoted(app, id, async () => {
    if (personIds === null) return enqueueRegrade(app, courseId);
    await gradeMembers(app, { id: courseId, registrationId }, await app.people.findMany(personIds));
  });
  return true;
}

/** Makes all scores of a course be computed again. Call it once the change is stored; the request is stored when this resolves. */
export async function enqueueRegrade(app: GradingApp, courseId: string): Promise<void> {
  const course = await app.courses.find(courseId);
  if (course === null) return;
  const key = { registrationId: course.registrationId, courseId };
  await app.regrades.enqueue(key, app.ids.id("rgr"), app.clock.now());
  app.wake("regrades");
}

/** In milliseconds; longer than it takes to take over a roster. */
const waitMs = 60_000;

/** One regrade for many changes. @returns `before`, to call before each change; `after`, to call after the last. */
export function regradeAfterChanges(app: GradingApp, course: Pick<Course, "id" | "registrationId">) {
  let id: string | null = null;
  return {
    before: async () => {
      const dueAt = app.clock.now() + waitMs;
      if (id !== null) {
        await app.pendingRegrades.postpone(id, dueAt);
        return;
      }
      id = app.ids.id("prg");
      await app.pendingRegrades.note({ id, ...keyOfCourse(course), personIds: null, dueAt });
    },
    after: async () => {
      if (id === null) return;
      await enqueueRegrade(app, course.id);
      await app.pendingRegrades.remove(id);
    },
  };
}

/** What computing a whole course's scores needs. `ending` aborts when this process ends; then another process does the rest. */
export type RegradeApp = GradingApp & Pick<App, "logger"> & { ending: AbortSignal };

/** Learners in one step. Each has one score, or one for each session. */
const stepSize = 150;
const smallStepSize = 10;
const maxPauseMs = 10 * 60_000;

/**
 * Computes the scores of the course that has been due longest, under a claim, in steps. After a crash, another process continues within
 * seconds; a new request starts again. Facts may change at the same time: see `scoreLearners`. @returns false if none is due
 */
export async function regradeCourse(app: RegradeApp): Promise<boolean> {
  const { regrades, clock, logger } = app;
  const begun = clock.now();
  return workOnDue(app, regrades, async (regrade, holder) => {
    // Continues where another process stopped with the same request.
    const { underWay, wanted: revision, cursor, graded } = regrade;
    const progress = underWay === revision ? { cursor, graded } : fromTheFirst;
    const work = { regrade, holder, revision, ...progress };
    const putBack = (dueAt: number, problem: string | null) =>
      regrades.postpone(regrade.id, holder, { revision: work.revision, dueAt, problem });
    try {
      const end = await worked(app, work);
      if (end === "ending") await putBack(clock.now(), null);
      const took = { course: regrade.courseId, end, learners: work.graded, ms: clock.now() - begun };
      logger.info(took, "course regraded");
    } catch (thrown) {
      logger.error({ course: regrade.courseId, error: messageOf(thrown) }, "regrading a course failed");
      const pause = Math.min(2 ** Math.min(regrade.attempts, 10) * 1_000, maxPauseMs);
      await putBack(clock.now() + pause, messageOf(thrown));
    }
  });
}

type Work = { regrade: Regrade; holder: string; revision: number; cursor: string; graded: number };

const fromTheFirst = { cursor: "", graded: 0 };

async function worked(app: RegradeApp, work: Work): Promise<"done" | "lost" | "ending"> {
  const { regrade, holder } = work;
  const courseKey = { registrationId: regrade.registrationId, courseId: regrade.courseId };
  const total = await app.attendanceSummaries.count(courseKey);
  for (;;) {
    if (app.ending.aborted) return "ending";
    if (work.cursor === "") await refreshFacts(app, work);
    const { revision } = work;
    const more = await step(app, work);
    const { cursor, graded } = work;
    const latest = await app.regrades.progress(regrade.id, holder, {
      underWay: revision,
      cursor,
      graded,
      total: Math.max(total, graded),
    });
    if (latest === null) return "lost";
    if (latest !== revision) Object.assign(work, fromTheFirst, { revision: latest });
    else if (!more) {
      await enqueueColumnUpdates(app, courseKey);
      await app.regrades.finish(regrade.id, holder, revision, app.clock.now());
      return "done";
    }
    await letOthersRun();
  }
}

/** Sessions may have been made on, or moved into, days for which an office excused somebody. */
async function refreshFacts(app: RegradeApp, { regrade: { registrationId, courseId } }: Work): Promise<void> {
  const course = { registrationId, id: courseId };
  const personIds = await peopleWithJoinsOrExcuses(app, course);
  if (personIds.length > 0) await gradeMembers(app, course, await app.people.findMany(personIds), "regraded");
}

/** @returns false after the last learners. */
async function step(app: RegradeApp, work: Work): Promise<boolean> {
  const { registrationId, courseId } = work.regrade;
  const course = { registrationId, id: courseId };
  const policy = (await app.courses.find(courseId))?.policy;
  const size = policy?.kind === "column-per-session" ? smallStepSize : stepSize;
  const summaries = await app.attendanceSummaries.listAfter({ registrationId, courseId }, work.cursor, size);
  const across = await scoreSummaries(app, course, {
    regrade: work.revision,
    summaries,
    leavers: "kept",
    sending: "regraded",
  });
  await scoreLearners(app, course, across, "regraded");
  if (summaries.length > 0) app.wake("deliveries");
  work.cursor = summaries.at(-1)?.personId ?? work.cursor;
  work.graded += summaries.length;
  return summaries.length === size;
}

/** How many courses are done between two saves of the progress. */
const batchSize = 50;

/**
 * Enqueues regrades after a change by the institution, in order of course ids. After a crash, another process continues within seconds; a
 * further change starts again. @returns false if there is nothing to do
 */
export async function regradeInstitution(app: GradingApp & Pick<App, "institutionDefaults">) {
  const { institutionDefaults, clock } = app;
  const holder = app.ids.id("hold");
  const now = clock.now();
  const claimed = await institutionDefaults.claimRegrade(holder, now, now + leaseMs);
  if (claimed === null) return false;
  const { registrationId } = claimed;
  const extend = (until: number) => institutionDefaults.extendRegrade(registrationId, holder, until);
  try {
    await withClaim(app, { until: now + leaseMs, extend }, async () => {
      let last = claimed.regradedUpTo;
      for (;;) {
        const ids = await app.courses.idsAfter(registrationId, last, batchSize);
        for (const id of ids) await enqueueRegrade(app, id);
        last = ids.at(-1) ?? last;
        const upTo = ids.length < batchSize ? null : last;
        if (!(await institutionDefaults.regraded(claimed, holder, upTo)) || upTo === null) return;
      }
    });
  } finally {
    await institutionDefaults.releaseRegrade(registrationId, holder);
  }
  return true;
}

export type RegradeProgress = {
  /** waiting: not begun · failed: will be retried. */
  state: "none" | "waiting" | "running" | "done" | "failed";
  /** Learners done; 0 of 0 until the total is known. */
  graded: number;
  total: number;
  /** When the latest complete regrade ended (ms). */
  finishedAt: number | null;
};

function stateOf({ done, wanted, problem, underWay }: Regrade): RegradeProgress["state"] {
  if (done === wanted) return "done";
  if (problem !== null) return "failed";
  return underWay === wanted ? "running" : "waiting";
}

export async function regradeProgress(
  app: { regrades: Pick<RegradeStore, "find"> },
  course: Pick<Course, "id" | "registrationId">,
): Promise<RegradeProgress> {
  const regrade = await app.regrades.find(keyOfCourse(course));
  if (regrade === null) return { state: "none", graded: 0, total: 0, finishedAt: null };
  const { finishedAt } = regrade;
  const begun = regrade.underWay === regrade.wanted;
  const progress = begun ? { graded: regrade.graded, total: regrade.total ?? 0 } : { graded: 0, total: 0 };
  return { state: stateOf(regrade), ...progress, finishedAt };
}
