import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Delivery } from "./rules/delivery.ts";
import { auditedPerson, type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { answerConflict, type AnswerConflictDeps } from "./answer-conflict.ts";
import { heldChange } from "./resolve-conflict.ts";
import { countCompared, type CountComparedDeps } from "./restored-scores.ts";
import { waitForScores } from "./wait-for-scores.ts";

export type DecideRestoredDeps = CourseAuditDeps &
  CountComparedDeps &
  AnswerConflictDeps &
  Pick<App, "deliveries" | "people">;

export type RestoredDecision = {
  /** "all": every differing one. Those that no longer differ are ignored. */
  deliveryIds: readonly string[] | "all";
  answer: "send-ours" | "leave-theirs";
  /** Person id. */
  actor: string;
};

/** Differing scores shown, and decided, at a time. */
export const maxDiffering = 500;

/**
 * Carries out a decision about scores that differ since a restore. Resolves when ours were tried, after a few seconds at most. @param
 * points Writes a score for the trail: "95 of 100". @returns how many there were
 */
export async function decideRestored(
  deps: DecideRestoredDeps,
  course: Pick<Course, "id" | "registrationId">,
  { deliveryIds, answer, actor }: RestoredDecision,
  points: (grade: { score: number | null; maximum: number } | null) => string,
): Promise<number> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  let decided = 0;
  for (;;) {
    const differing = await deps.deliveries.listDiffering(place, maxDiffering);
    const meant = deliveryIds === "all" ? differing : differing.filter(({ id }) => deliveryIds.includes(id));
    if (meant.length === 0) break;
    const ids = meant.map(({ id }) => id);
    // The trail first: a line too many is better than one missing.
    await writeTrail(deps, course, actor, { meant, answer, points });
    const answered = await answerConflict(deps, course, ids, answer);
    decided += answered;
    if (deliveryIds !== "all" || answered === 0 || differing.length < maxDiffering) break;
  }
  if (decided > 0 && answer === "send-ours") await waitForScores(deps, course);
  await countCompared(deps, place);
  return decided;
}

async function writeTrail(
  deps: DecideRestoredDeps,
  course: Pick<Course, "id" | "registrationId">,
  actor: string,
  {
    meant,
    answer,
    points,
  }: {
    meant: readonly Delivery[];
    answer: RestoredDecision["answer"];
    points: Parameters<typeof decideRestored>[3];
  },
): Promise<void> {
  const ids = [...new Set(meant.map(({ personId }) => personId))];
  const people = new Map((await deps.people.findMany(ids)).map((person) => [person.id, person]));
  for (const delivery of meant) {
    const person = people.get(delivery.personId);
    const on = person === undefined ? { personId: delivery.personId, name: null } : auditedPerson(person);
    await writeCourseAudit(deps, course, actor, { ...heldChange(delivery, answer, points), on });
  }
}
