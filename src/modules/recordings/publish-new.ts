import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { isReady } from "./rules/recording.ts";
import { coursesOfSpace, type CoursesOfSpaceDeps } from "./courses-of-space.ts";
import { type CourseRecording, listRecordings, type ListRecordingsDeps } from "./list-recordings.ts";

export type PublishNewDeps = ListRecordingsDeps & CoursesOfSpaceDeps & Pick<App, "recordingDecisions">;

/** Where a course chose so: those ready, known since that choice, and not decided about. Repeatable. */
export async function publishNew(
  deps: PublishNewDeps,
  environment: Course["environment"],
  spaceId: string,
): Promise<void> {
  const courses = await coursesOfSpace(deps, environment, spaceId);
  const owners = courses.filter((course) => course.spaceId === spaceId).length;
  for (const course of courses) {
    const { choice, since } = await deps.recordingDecisions.ruleOf(course.id);
    if (choice !== "published") continue;
    const { recordings } = await listRecordings(deps, course);
    const fresh = recordings.filter(
      (one) =>
        one.spaceId === spaceId && one.revision === 0 && one.firstSeenAt >= since && isReady(one.state),
    );
    for (const recording of fresh.filter((one) => isCertain(one, owners))) {
      const { registrationId, id: courseId } = course;
      const { recordingId } = recording;
      await deps.recordingDecisions.publishAtOnce({ registrationId, courseId, environment, recordingId });
    }
  }
}

/** Where several courses own a Space, nothing is published that may be another one's; nor what may be for some sections. */
function isCertain({ session, mayBeForSome }: CourseRecording, owners: number): boolean {
  return !mayBeForSome && (owners < 2 || session.kind === "one");
}
