import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import type { CourseAuditFacts } from "../audit/rules/course-audit.ts";
import { auditedPerson, type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import type { Delivery } from "./rules/delivery.ts";
import { scoreStateOf } from "./rules/score-state.ts";
import type { DeliveryStore } from "./store/delivery-store.ts";
import type { ResendStore } from "./store/regrade-store.ts";

type Place = Pick<Course, "id" | "registrationId">;

export type SendAgainDeps = CourseAuditDeps &
  Pick<App, "deliveries" | "columns" | "resends" | "people" | "wake"> & {
    /** A paused LMS is asked at once on request. */
    pauses: Pick<LmsPauses, "tryNow">;
  };

/** Tries what waits or was refused; resolves when each was tried, in a few seconds at most. @param actor Person id. */
export async function syncCourse(deps: SendAgainDeps, course: Place, actor: string): Promise<void> {
  await deps.pauses.tryNow(course.registrationId);
  await deps.columns.lookAgain(
    { registrationId: course.registrationId, courseId: course.id },
    deps.clock.now(),
  );
  await deps.deliveries.retryCourse(course.registrationId, course.id, deps.clock.now());
  deps.wake("deliveries");
  deps.wake("columns");
  await writeCourseAudit(deps, course, actor, { what: "scores-synced" });
  await waitForScores(deps, course);
}

/**
 * Also scores that arrived; teachers' grades stay. Continues after a restart. @param actor Person id. @returns false
 * without effect while one is under way
 */
export async function resendCourse(deps: SendAgainDeps, course: Place, actor: string): Promise<boolean> {
  if ((await resendProgress(deps, course))?.state === "running") return false;
  const place = { registrationId: course.registrationId, courseId: course.id };
  const now = deps.clock.now();
  await deps.resends.begin(place, deps.ids.id("rsd"), now);
  await deps.pauses.tryNow(course.registrationId);
  await deps.columns.lookAgain(place, now);
  await deps.deliveries.resendCourse(place, now);
  await deps.resends.keepTotal(place, now, await deps.deliveries.countAgain(place));
  deps.wake("deliveries");
  await writeCourseAudit(deps, course, actor, { what: "scores-resent" });
  return true;
}

/** Resolves when tried, in seconds at most. @param deliveryId Ignored when held or elsewhere. @param actor Person id. */
export async function resendScore(
  deps: SendAgainDeps,
  course: Place,
  deliveryId: string,
  actor: string,
): Promise<void> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const [delivery] = await deps.deliveries.findMany(place, [deliveryId]);
  if (delivery === undefined) return;
  await deps.pauses.tryNow(course.registrationId);
  await deps.columns.lookAgain(place, deps.clock.now());
  if ((await deps.deliveries.resend(place, [deliveryId], deps.clock.now())) === 0) return;
  deps.wake("deliveries");
  const person = await deps.people.find(delivery.personId);
  const on = person === null ? { personId: delivery.personId, name: null } : auditedPerson(person);
  await writeCourseAudit(deps, course, actor, { what: "score-resent", on });
  await waitForScores(deps, course);
}

export type ResendProgress = {
  state: "running" | "done";
  done: number;
  total: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
};

/** Null when never requested. Scores refused again count as done. */
export async function resendProgress(
  deps: { resends: Pick<ResendStore, "find">; deliveries: Pick<DeliveryStore, "countAgain"> },
  course: Place,
): Promise<ResendProgress | null> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const resend = await deps.resends.find(place);
  if (resend === null) return null;
  const left = await deps.deliveries.countAgain(place);
  const total = Math.max(resend.total ?? 0, left);
  return { state: left > 0 ? "running" : "done", done: total - left, total, startedAt: resend.startedAt };
}

export type ResolveConflictDeps = CourseAuditDeps & AnswerConflictDeps & Pick<App, "deliveries">;

type HeldDecision = {
  deliveryId: string;
  answer: "send-ours" | "leave-theirs";
  /** Person id. */
  actor: string;
};

/** Resolves when ours was tried, after a few seconds at most. @param points Writes a score for the trail: "95 of 100". */
export async function resolveConflict(
  deps: ResolveConflictDeps,
  course: Place,
  { deliveryId, answer, actor }: HeldDecision,
  points: (grade: { score: number | null; maximum: number } | null) => string,
): Promise<void> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const [delivery] = await deps.deliveries.findMany(place, [deliveryId]);
  if (delivery === undefined || delivery.state !== "held") return;
  if (answer === "leave-theirs" && scoreStateOf(delivery) === "left") return;
  if ((await answerConflict(deps, course, [deliveryId], answer)) === 0) return;
  const person = await deps.people.find(delivery.personId);
  const on = person === null ? { personId: delivery.personId, name: null } : auditedPerson(person);
  await writeCourseAudit(deps, course, actor, { ...heldChange(delivery, answer, points), on });
  if (answer === "send-ours") await waitForScores(deps, course);
}

function heldChange(
  { desired, foreign }: Delivery,
  answer: HeldDecision["answer"],
  points: Parameters<typeof resolveConflict>[3],
): CourseAuditFacts {
  const [ours, theirs] = [points(desired), points(foreign)];
  return answer === "send-ours"
    ? { what: "score-overruled", before: theirs, after: ours }
    : { what: "score-left", before: ours, after: theirs };
}

type AnswerConflictDeps = Pick<App, "deliveries" | "wake" | "clock">;

/** Sends ours over teachers' grades, or leaves those for good. Ignores ids not held here. @returns how many there were */
export async function answerConflict(
  deps: AnswerConflictDeps,
  course: Place,
  deliveryIds: readonly string[],
  answer: "send-ours" | "leave-theirs",
): Promise<number> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const now = deps.clock.now();
  if (answer === "leave-theirs") return deps.deliveries.leave(place, deliveryIds, now);
  const count = await deps.deliveries.overrule(place, deliveryIds, now);
  if (count > 0) deps.wake("deliveries");
  return count;
}

type WaitForScoresDeps = Pick<App, "clock"> & {
  deliveries: Pick<DeliveryStore, "countDue">;
};

/** Of a page (ms), and how often it looks. */
const waitMs = 3_000;
const pollMs = 100;

/** Once each, so that the next page shows the outcome; those of a slow gradebook are shown as on their way. */
export async function waitForScores(deps: WaitForScoresDeps, course: Place): Promise<void> {
  const { deliveries, clock } = deps;
  const begun = clock.now();
  while ((await deliveries.countDue(course.registrationId, course.id, begun)) > 0) {
    if (clock.now() - begun >= waitMs) return;
    await clock.sleep(pollMs);
  }
}
