import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { auditedPerson, type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { resendProgress } from "./resend-progress.ts";
import { waitForScores } from "./wait-for-scores.ts";

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
