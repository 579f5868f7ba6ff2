import { type Course, keyOfCourse } from "../../domain/course.ts";
import type { App } from "../../app.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import type { CourseAuditFacts } from "../audit/rules/course-audit.ts";
import { auditedById, writeCourseAudit } from "../audit/audit.ts";
import { type Delivery, scoreStateOf } from "./rules/delivery.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";
import type { ResendStore } from "./store/regrade-store.ts";

type CourseRef = Pick<Course, "id" | "registrationId">;

/** What instructors' answers about the gradebook, and "Send again", need. */
export type AnswersApp = Pick<
  App,
  "clock" | "columns" | "courseAudit" | "deliveries" | "ids" | "people" | "resends" | "wake"
> & {
  /** A paused LMS is asked immediately when an instructor requests it. */
  pauses: Pick<LmsPauses, "tryNow">;
};

/** Sends waiting and refused scores now. Resolves when each was tried, or after a few seconds. @param actor Person id. */
export async function syncCourse(app: AnswersApp, course: CourseRef, actor: string): Promise<void> {
  await app.pauses.tryNow(course.registrationId);
  await app.columns.checkAgain(keyOfCourse(course), app.clock.now());
  await app.deliveries.retryCourse(course.registrationId, course.id, app.clock.now());
  app.wake("deliveries");
  app.wake("columns");
  await writeCourseAudit(app, course, actor, { what: "scores-synced" });
  await waitForScores(app, course);
}

/**
 * Sends all scores again, even those that arrived. Teachers' grades stay. Continues after a restart. @param actor Person id. @returns false,
 * without effect, if this is already under way
 */
export async function resendCourse(app: AnswersApp, course: CourseRef, actor: string): Promise<boolean> {
  if ((await resendProgress(app, course))?.state === "running") return false;
  const courseKey = keyOfCourse(course);
  const now = app.clock.now();
  await app.resends.begin(courseKey, app.ids.id("rsd"), now);
  await app.pauses.tryNow(course.registrationId);
  await app.columns.checkAgain(courseKey, now);
  await app.deliveries.resendCourse(courseKey, now);
  await app.resends.keepTotal(courseKey, now, await app.deliveries.countAgain(courseKey));
  app.wake("deliveries");
  await writeCourseAudit(app, course, actor, { what: "scores-resent" });
  return true;
}

/**
 * Sends one score again. Resolves when it was tried, or after a few seconds. @param deliveryId Ignored if held or elsewhere. @param actor
 * Person id.
 */
export async function resendScore(app: AnswersApp, course: CourseRef, deliveryId: string, actor: string) {
  const courseKey = keyOfCourse(course);
  const [delivery] = await app.deliveries.findMany(courseKey, [deliveryId]);
  if (delivery === undefined) return;
  await app.pauses.tryNow(course.registrationId);
  await app.columns.checkAgain(courseKey, app.clock.now());
  if ((await app.deliveries.resend(courseKey, [deliveryId], app.clock.now())) === 0) return;
  app.wake("deliveries");
  const on = await auditedById(app, delivery.personId);
  await writeCourseAudit(app, course, actor, { what: "score-resent", on });
  await waitForScores(app, course);
}

/**
 * Sends grades that were kept back until somebody releases them. Repeatable. @param deliveryId Null for all.
 * @param actor Person id. @returns how many there were
 */
export async function releaseGrades(
  app: AnswersApp,
  course: CourseRef,
  deliveryId: string | null,
  actor: string,
): Promise<number> {
  const courseKey = keyOfCourse(course);
  const count = await app.deliveries.releaseKept(courseKey, deliveryId, app.clock.now());
  if (count === 0) return 0;
  app.wake("deliveries");
  const [delivery] = deliveryId === null ? [] : await app.deliveries.findMany(courseKey, [deliveryId]);
  const on = delivery === undefined ? null : await auditedById(app, delivery.personId);
  await writeCourseAudit(app, course, actor, { what: "grades-released", on, count });
  await waitForScores(app, course);
  return count;
}

export type ResendProgress = { state: "running" | "done"; done: number; total: number; startedAt: number };

/** Progress of sending all scores again; null if nobody requested it. Scores that are refused again count as done. */
export async function resendProgress(
  app: { resends: Pick<ResendStore, "find">; deliveries: Pick<DeliveryStore, "countAgain"> },
  course: CourseRef,
): Promise<ResendProgress | null> {
  const courseKey = keyOfCourse(course);
  const resend = await app.resends.find(courseKey);
  if (resend === null) return null;
  const left = await app.deliveries.countAgain(courseKey);
  const total = Math.max(resend.total ?? 0, left);
  return { state: left > 0 ? "running" : "done", done: total - left, total, startedAt: resend.startedAt };
}

type ConflictAnswer = { deliveryId: string; answer: "send-ours" | "leave-theirs"; actor: string };

/** Answers conflicts. Resolves when ours were tried, or after a few seconds. @param points Writes a score for the change log: "95 of 100". */
export async function resolveConflict(
  app: AnswersApp,
  course: CourseRef,
  { deliveryId, answer, actor }: ConflictAnswer,
  points: (grade: { score: number | null; maximum: number } | null) => string,
): Promise<void> {
  const courseKey = keyOfCourse(course);
  const [delivery] = await app.deliveries.findMany(courseKey, [deliveryId]);
  if (delivery === undefined || delivery.state !== "held") return;
  if (answer === "leave-theirs" && scoreStateOf(delivery) === "left") return;
  if ((await answerConflict(app, course, [deliveryId], answer)) === 0) return;
  const on = await auditedById(app, delivery.personId);
  await writeCourseAudit(app, course, actor, { ...conflictChange(delivery, answer, points), on });
  if (answer === "send-ours") await waitForScores(app, course);
}

function conflictChange(
  { desired, foreign }: Delivery,
  answer: ConflictAnswer["answer"],
  points: Parameters<typeof resolveConflict>[3],
): CourseAuditFacts {
  const [ours, theirs] = [points(desired), points(foreign)];
  return answer === "send-ours"
    ? { what: "score-overruled", before: theirs, after: ours }
    : { what: "score-left", before: ours, after: theirs };
}

/** Sends ours over teachers' grades, or leaves those for good. Ignores ids that aren't held here. @returns how many there were */
export async function answerConflict(
  app: AnswersApp,
  course: CourseRef,
  deliveryIds: readonly string[],
  answer: "send-ours" | "leave-theirs",
): Promise<number> {
  const courseKey = keyOfCourse(course);
  const now = app.clock.now();
  if (answer === "leave-theirs") return app.deliveries.leave(courseKey, deliveryIds, now);
  const count = await app.deliveries.overrule(courseKey, deliveryIds, now);
  if (count > 0) app.wake("deliveries");
  return count;
}

/** How long a page waits for an outcome (ms), and how often it checks. */
const waitMs = 3_000;
const pollMs = 100;

/** Waits until each score was tried once, so the next page shows the outcome. With a slow gradebook, the page shows them as under way. */
export async function waitForScores(
  app: Pick<App, "clock"> & { deliveries: Pick<DeliveryStore, "countDue"> },
  course: CourseRef,
): Promise<void> {
  const { deliveries, clock } = app;
  const begun = clock.now();
  while ((await deliveries.countDue(course.registrationId, course.id, begun)) > 0) {
    if (clock.now() - begun >= waitMs) return;
    await clock.sleep(pollMs);
  }
}
