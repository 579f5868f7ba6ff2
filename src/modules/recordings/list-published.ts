import type { Course, Member } from "../../domain/course.ts";
import { isForMember } from "../scheduling/list-sessions.ts";
import { type CourseRecording, listOnlyRecordings, type ListRecordingsDeps } from "./list-recordings.ts";

/**
 * Of sessions for this member, latest first; where several sessions are possible, all must be for them. For
 * instructors: all that learners of some section see.
 */
export async function listPublished(
  deps: ListRecordingsDeps,
  course: Course,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): Promise<CourseRecording[]> {
  const recordings = await listOnlyRecordings(deps, course);
  return recordings.filter((recording) => isPublishedFor(recording, member));
}

export function isPublishedFor(
  { shown, session, mayBeForSome }: Pick<CourseRecording, "shown" | "session" | "mayBeForSome">,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): boolean {
  if (shown !== "published") return false;
  switch (session.kind) {
    case "none":
      return !mayBeForSome || member.role === "instructor";
    case "one":
      return isForMember(session.session, member);
    case "several":
      return session.sessions.every((each) => isForMember(each, member));
  }
}
