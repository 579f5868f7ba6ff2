import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import { timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { byteOrderMark } from "../../../web/csv-line.ts";
import type { Translate } from "../../../web/translate.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { fileName } from "../../../web/lines-file.ts";

/** Lines come in bunches, so that not every one is a write of its own. */
export type Lines = AsyncGenerator<string>;

/**
 * Sends a file of a course for spreadsheets, written while it is read.
 * @param name What it is about; the course and today's date in its zone go into the file's name, too.
 */
export async function sendLines(
  deps: { clock: Clock },
  t: Translate,
  course: Course,
  name: string,
  lines: Lines,
  response: Response,
): Promise<void> {
  const zone = timeZoneOf(course.timeZone ?? "") ?? "UTC";
  const { date } = wallTimeOf(deps.clock.now(), zone);
  const parts = [courseNameOf(t, course), name, date];
  response.attachment(`${fileName(parts)}.csv`);
  response.type("text/csv; charset=utf-8");
  try {
    await pipeline(Readable.from(withMark(lines), { objectMode: false }), response);
  } catch (thrown) {
    // Whoever closes the window while a file comes in has no more to be told.
    if (!hasCode(thrown, "ERR_STREAM_PREMATURE_CLOSE")) throw thrown;
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === code;
}

async function* withMark(lines: Lines): Lines {
  yield byteOrderMark;
  yield* lines;
}
