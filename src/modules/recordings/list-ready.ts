import type { Course } from "../../domain/course.ts";
import { isReady } from "./rules/recording.ts";
import { type CourseRecording, listRecordings, type ListRecordingsDeps } from "./list-recordings.ts";

/** Ready recordings that nobody has decided about, the latest first. */
export async function listReady(deps: ListRecordingsDeps, course: Course): Promise<CourseRecording[]> {
  const { recordings } = await listRecordings(deps, course);
  return recordings.filter(({ state, shown }) => shown === null && isReady(state));
}
