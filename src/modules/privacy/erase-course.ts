import type { App } from "../../app.ts";
import type { Erasure } from "./rules/erasure.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { enqueueErasure, type EnqueueErasureDeps } from "./enqueue-erasure.ts";

export type EraseCourseDeps = EnqueueErasureDeps & Pick<App, "courses" | "personalRecords">;

const maxMatches = 5_000;

/**
 * Enqueues the erasure of a course with all attendance and scores in it. Its people stay while they are in another
 * course, and go later otherwise. The next launch begins with a new Space; the old one stays in the classroom, which
 * has no call to remove it.
 * @param unopenedSince For retention: the course stays if it is opened after this (ms).
 * @throws NamedError "no-such-course"
 */
export async function eraseCourse(
  deps: EraseCourseDeps,
  courseId: string,
  unopenedSince?: number,
): Promise<Erasure> {
  const course = await deps.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId, environment, spaceId, title } = course;
  const fields = async (model: string, field: string) =>
    (await deps.personalRecords.list(model, { courseId }, "", maxMatches)).flatMap((row) => {
      const value = row[field];
      return typeof value === "string" ? [value] : [];
    });
  const spaceIds = [
    ...(spaceId === null ? [] : [spaceId]),
    ...(await fields("FormerSpace", "spaceId")),
    ...(await deps.personalRecords.distinct("CourseLink", "choice.spaceId", { registrationId, courseId })),
  ];
  const eventIds = [
    ...(await fields("ClassroomEvent", "eventId")),
    ...(await fields("SessionPlan", "eventId")),
  ];
  return enqueueErasure(
    deps,
    {
      kind: "course",
      registrationId,
      courseId,
      environment,
      spaceIds: [...new Set(spaceIds)],
      eventIds: [...new Set(eventIds)],
      ...(unopenedSince === undefined ? {} : { unopenedSince }),
    },
    title,
  );
}

export function unknownCourse(): NamedError {
  return refusal("no-such-course", {
    status: 404,
  });
}
