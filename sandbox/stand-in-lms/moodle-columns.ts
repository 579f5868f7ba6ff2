// From: gradebookservices.php, measured.
import type { Lms } from "./lms.ts";
import type { Column, Tool } from "./lms-records.ts";
import { moodleAddresses } from "./moodle-addresses.ts";
import { moodleError } from "./moodle-call.ts";
import type { MoodleCall } from "./moodle-call.ts";
import { ownerOf } from "./service-access.ts";
import type { ServiceAnswer } from "./service-answer.ts";

export function columnOfCall(call: MoodleCall): { column: Column } | { refusal: ServiceAnswer } {
  const column = call.lms.world.columns.get(call.columnId);
  if (column?.courseId !== call.course.id) {
    return { refusal: moodleError(call, 404, `Not Found: Grade item ${call.columnId} doesn't exist`) };
  }
  if (ownerOf(call.lms, column) !== call.tool.id) return { refusal: moodleError(call, 403, "Forbidden") };
  return { column };
}

/** A column's address, query included. */
export function columnUrl(lms: Lms, column: Column, tool: Tool): string {
  return moodleAddresses(lms.url, column.courseId, tool.id).lineItem(column.id);
}
