import type { RegistrationSubject } from "./rules/erasure.ts";
import type { EraseDeps } from "./erase-step.ts";

/** Running work may add to the LMS after the first records are gone. Ten thousand courses take about a megabyte. */
export async function withCoursesAndSpaces(
  { personalRecords }: EraseDeps,
  what: { kind: "registration" } & RegistrationSubject,
): Promise<{ kind: "registration" } & RegistrationSubject> {
  const { registrationId } = what;
  const own = { registrationId };
  const now = await personalRecords.distinct("Course", "_id", own);
  const courseIds = [...new Set([...(what.courseIds ?? []), ...now])];
  const spaceIds = new Set([
    ...(what.spaceIds ?? []),
    ...(await personalRecords.distinct("Course", "spaceId", own)),
    ...(await personalRecords.distinct("CourseLink", "choice.spaceId", own)),
  ]);
  for (let from = 0; from < courseIds.length; from += batchSize) {
    const courseId = { $in: courseIds.slice(from, from + batchSize) };
    for (const id of await personalRecords.distinct("FormerSpace", "spaceId", { courseId })) spaceIds.add(id);
  }
  return { ...what, courseIds, spaceIds: [...spaceIds] };
}

const batchSize = 1_000;
