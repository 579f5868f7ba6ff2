import type { Course } from "../domain/course.ts";
import type { Clock } from "../kernel/clock.ts";
import { timeZoneOf, wallTimeOf } from "../modules/scheduling/rules/time-zone.ts";
import { type Answer, file } from "./answer.ts";
import { courseNameOf } from "./course-words.ts";
import { byteOrderMark } from "./csv-line.ts";
import type { Translate } from "./translate.ts";

/** Several lines a piece, so that not each is a write of its own. */
export type Lines = AsyncGenerator<string>;

/**
 * A course's file for spreadsheets, sent while it is read.
 * @param name What it is about; the file's name also gets the course and the date in its zone.
 */
export function linesFile(
  { clock }: { clock: Clock },
  t: Translate,
  course: Course,
  name: string,
  lines: Lines,
): Answer {
  const zone = timeZoneOf(course.timeZone ?? "") ?? "UTC";
  const { date } = wallTimeOf(clock.now(), zone);
  const parts = [courseNameOf(t, course), name, date];
  return file(`${fileName(parts)}.csv`, "text/csv; charset=utf-8", withMark(lines));
}

/** Without characters that a file system refuses. */
export function fileName(parts: readonly string[]): string {
  return parts
    .join(" ")
    .replace(/[\p{C}/\\:*?"<>|%]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 150);
}

async function* withMark(lines: Lines): Lines {
  yield byteOrderMark;
  yield* lines;
}
