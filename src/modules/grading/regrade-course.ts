import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { messageOf } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import type { InstitutionRegrade } from "../courses/store/institution-stores.ts";
import { enqueueRegrade, type EnqueueRegradeDeps } from "./grade-after-change.ts";
import { type GradeMemberDeps, gradeMembers, scoreLearners, scoreSummaries } from "./grade-members.ts";
import type { Regrade } from "./rules/records.ts";
import type { RegradeStore } from "./store/regrade-store.ts";
import { enqueueColumnUpdates, type EnqueueColumnUpdatesDeps } from "./update-columns.ts";

export type RegradeCourseDeps = GradeMemberDeps &
  EnqueueColumnUpdatesDeps &
  Pick<App, "regrades" | "attendanceSummaries" | "people" | "logger"> & {
    /** Aborted when this process ends; another one does the rest. */
    ending: AbortSignal;
  };

/** Learners in one step; each has one score or one for each session. */
const stepSize = 150;
const smallStepSize = 10;
const maxPauseMs = 10 * 60_000;

/**
 * Of the course due longest, under a claim, in steps. After a crash another process continues within seconds; a new
 * request starts anew. Concurrent changes of facts are safe: see `scoreLearners`. @returns false when none is due.
 */
export async function regradeCourse(deps: RegradeCourseDeps): Promise<boolean> {
  const { regrades, clock, logger } = deps;
  const holder = deps.ids.id("hold");
  const begun = clock.now();
  const regrade = await regrades.claimDue(holder, begun, begun + leaseMs);
  if (regrade === null) return false;
  const work: Work = { regrade, holder, revision: regrade.wanted, ...progressOf(regrade) };
  try {
    const end = await withClaim(
      deps,
      { until: begun + leaseMs, extend: (until) => regrades.extend(regrade.id, holder, until) },
      () => worked(deps, work),
    );
    if (end === "ending") await putBack(deps, work, clock.now(), null);
    const took = { course: regrade.courseId, end, learners: work.graded, ms: clock.now() - begun };
    logger.info(took, "course regraded");
  } catch (thrown) {
    logger.error({ course: regrade.courseId, error: messageOf(thrown) }, "regrading a course failed");
    const pause = Math.min(2 ** Math.min(regrade.attempts, 10) * 1_000, maxPauseMs);
    await putBack(deps, work, clock.now() + pause, messageOf(thrown));
  }
  return true;
}

type Work = {
  regrade: Regrade;
  holder: string;
  revision: number;
  cursor: string;
  graded: number;
};

type End = "done" | "lost" | "ending";

const fromTheFirst = { cursor: "", graded: 0 };

/** Where another process stopped with the same request. */
function progressOf({ underWay, wanted, cursor, graded }: Regrade): { cursor: string; graded: number } {
  return underWay === wanted ? { cursor, graded } : fromTheFirst;
}

async function worked(deps: RegradeCourseDeps, work: Work): Promise<End> {
  const { regrade, holder } = work;
  const place = { registrationId: regrade.registrationId, courseId: regrade.courseId };
  if (regrade.done === 0 && work.cursor === "") await standUp(deps, place);
  const total = await deps.attendanceSummaries.count(place);
  for (;;) {
    if (deps.ending.aborted) return "ending";
    const { revision } = work;
    const more = await step(deps, work);
    const { cursor, graded } = work;
    const wanted = await deps.regrades.progress(regrade.id, holder, {
      underWay: revision,
      cursor,
      graded,
      total: Math.max(total, graded),
    });
    if (wanted === null) return "lost";
    if (wanted !== revision) Object.assign(work, fromTheFirst, { revision: wanted });
    else if (!more) {
      await enqueueColumnUpdates(deps, place);
      await deps.regrades.finish(regrade.id, holder, revision, deps.clock.now());
      return "done";
    }
    await letOthersRun();
  }
}

/** @returns false after the last learners. */
async function step(deps: RegradeCourseDeps, work: Work): Promise<boolean> {
  const { registrationId, courseId } = work.regrade;
  const course = { registrationId, id: courseId };
  const size =
    (await deps.courses.find(courseId))?.policy.kind === "column-per-session" ? smallStepSize : stepSize;
  const summaries = await deps.attendanceSummaries.listAfter({ registrationId, courseId }, work.cursor, size);
  const across = await scoreSummaries(deps, course, {
    ...{ regrade: work.revision, summaries },
    ...{ leavers: "kept", sending: "regraded" },
  });
  await scoreLearners(deps, course, across, "regraded");
  if (summaries.length > 0) deps.wake("deliveries");
  work.cursor = summaries.at(-1)?.personId ?? work.cursor;
  work.graded += summaries.length;
  return summaries.length === size;
}

/** Facts of earlier versions have no attendance summaries. */
async function standUp(
  deps: RegradeCourseDeps,
  place: Pick<Regrade, "registrationId" | "courseId">,
): Promise<void> {
  let last = "";
  for (;;) {
    const members = await deps.members.listAfter(place, last, stepSize);
    const ids = members.map(({ personId }) => personId);
    const summarized = new Set(
      (await deps.attendanceSummaries.findMany(place, ids)).map(({ personId }) => personId),
    );
    const without = ids.filter((id) => !summarized.has(id));
    const records = await deps.attendance.listOfPeople(place.registrationId, place.courseId, without);
    const people = await deps.people.findMany([...new Set(records.map(({ personId }) => personId))]);
    await gradeMembers(deps, { registrationId: place.registrationId, id: place.courseId }, people);
    if (members.length < stepSize) return;
    last = ids.at(-1) ?? last;
    await letOthersRun();
  }
}

async function putBack(
  deps: RegradeCourseDeps,
  { regrade, holder, revision }: Work,
  dueAt: number,
  problem: string | null,
): Promise<void> {
  await deps.regrades.postpone(regrade.id, holder, { revision, dueAt, problem });
}

type RegradeInstitutionDeps = Omit<EnqueueRegradeDeps, "courses"> &
  Pick<App, "institutionDefaults" | "courses" | "clock" | "ids">;

/** Courses between two notes of progress. */
const batchSize = 50;

/**
 * After a change by its institution, by course id. After a crash another process continues within seconds; a further
 * change starts anew. @returns false when there is nothing to do.
 */
export async function regradeInstitution(deps: RegradeInstitutionDeps): Promise<boolean> {
  const { institutionDefaults, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const claimed = await institutionDefaults.claimRegrade(holder, now, now + leaseMs);
  if (claimed === null) return false;
  const { registrationId } = claimed;
  try {
    await withClaim(
      deps,
      {
        until: now + leaseMs,
        extend: (until) => institutionDefaults.extendRegrade(registrationId, holder, until),
      },
      () => passedOn(deps, claimed, holder),
    );
  } finally {
    await institutionDefaults.releaseRegrade(registrationId, holder);
  }
  return true;
}

async function passedOn(deps: RegradeInstitutionDeps, claimed: InstitutionRegrade, holder: string) {
  let last = claimed.regradedUpTo;
  for (;;) {
    const ids = await deps.courses.idsAfter(claimed.registrationId, last, batchSize);
    for (const id of ids) await enqueueRegrade(deps, id);
    last = ids.at(-1) ?? last;
    const upTo = ids.length < batchSize ? null : last;
    if (!(await deps.institutionDefaults.regraded(claimed, holder, upTo)) || upTo === null) return;
  }
}

export type RegradeProgress = {
  /** waiting: not begun · failed: to be retried. */
  state: "none" | "waiting" | "running" | "done" | "failed";
  /** 0 of 0 until known. */
  graded: number;
  total: number;
  /** Of the latest complete one (ms). */
  finishedAt: number | null;
};

export async function regradeProgress(
  deps: { regrades: Pick<RegradeStore, "find"> },
  course: Pick<Course, "id" | "registrationId">,
): Promise<RegradeProgress> {
  const regrade = await deps.regrades.find({ registrationId: course.registrationId, courseId: course.id });
  if (regrade === null) return { state: "none", graded: 0, total: 0, finishedAt: null };
  const { finishedAt } = regrade;
  const begun = regrade.underWay === regrade.wanted;
  const progress = begun ? { graded: regrade.graded, total: regrade.total ?? 0 } : { graded: 0, total: 0 };
  const state =
    regrade.done === regrade.wanted
      ? "done"
      : regrade.problem !== null
        ? "failed"
        : begun
          ? "running"
          : "waiting";
  return { state, ...progress, finishedAt };
}
