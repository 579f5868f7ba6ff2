import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { CourseAuditFacts } from "../audit/rules/course-audit.ts";
import type { Delivery } from "./rules/delivery.ts";
import { scoreStateOf } from "./rules/score-state.ts";
import { auditedPerson, type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { answerConflict, type AnswerConflictDeps } from "./answer-conflict.ts";
import { waitForScores } from "./wait-for-scores.ts";

export type ResolveConflictDeps = CourseAuditDeps & AnswerConflictDeps & Pick<App, "deliveries">;

export type HeldDecision = {
  deliveryId: string;
  answer: "send-ours" | "leave-theirs";
  /** Person id. */
  actor: string;
};

/** Resolves when ours was tried, after a few seconds at most. @param points Writes a score for the trail: "95 of 100". */
export async function resolveConflict(
  deps: ResolveConflictDeps,
  course: Pick<Course, "id" | "registrationId">,
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

export function heldChange(
  { desired, foreign }: Delivery,
  answer: HeldDecision["answer"],
  points: Parameters<typeof resolveConflict>[3],
): CourseAuditFacts {
  const [ours, theirs] = [points(desired), points(foreign)];
  return answer === "send-ours"
    ? { what: "score-overruled", before: theirs, after: ours }
    : { what: "score-left", before: ours, after: theirs };
}
