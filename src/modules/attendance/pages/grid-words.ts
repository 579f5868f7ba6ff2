import { type CourseWords, courseWords } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { type ReaderFormat, readerFormat } from "../../../web/course-times.ts";
import type { AttendanceApp } from "./attendance-app.ts";

export type GridWords = CourseWords & { format: ReaderFormat; now: number };

export async function gridWords(app: AttendanceApp, visit: InstructorVisit): Promise<GridWords> {
  const words = await courseWords(app, visit);
  const format = readerFormat(words.t, words.times.zone);
  return { ...words, format, now: app.clock.now() };
}
