import type { Course } from "../domain/course.ts";
import type { Clock } from "../kernel/clock.ts";
import { timeZoneOf, wallTimeOf } from "../modules/scheduling/rules/time-zone.ts";
import { type Answer, file } from "./answer.ts";
import { courseNameOf } from "./course-words.ts";
import { byteOrderMark } from "./csv-line.ts";
import type { Translate } from "./translate.ts";

/** Lines come in bunches, so that not every one is a write of its own. */
export type Lines = AsyncGenerator<string>;

/**
 * A file of a course for spreadsheets, sent while it is read.
 * @param name What it is about; the course and today's date in its zone go into the file's name, too.
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

/** What no file system takes is left out. */
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
