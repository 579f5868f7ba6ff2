// From: gradebookservices.php (`result_for_json`), measured.
import { lti } from "./lti-names.ts";
import type { Grade } from "./lms-records.ts";
import { columnOfCall, columnUrl } from "./moodle-columns.ts";
import type { MoodleCall } from "./moodle-call.ts";
import type { ServiceAnswer } from "./service-answer.ts";

/** GET of a column's results: what counts now, the teacher's value included. `limit` breaks Moodle: 404 and HTML. */
export function answerResults(call: MoodleCall): ServiceAnswer {
  const found = columnOfCall(call);
  if ("refusal" in found) return found.refusal;
  if (call.query.has("limit")) {
    return {
      status: 404,
      reason: "Not Found",
      type: "text/html; charset=utf-8",
      body: '<!DOCTYPE html>\n<html lang="en"><head><title>Error</title></head><body><p>Error reading from database</p></body></html>',
    };
  }
  const { column } = found;
  const itemUrl = columnUrl(call.lms, column, call.tool);
  const resultsUrl = itemUrl.replace("/lineitem?", "/lineitem/results?");
  const wanted = call.query.get("user_id");
  const results = [...call.lms.world.grades.values()]
    .filter((grade) => grade.columnId === column.id && (wanted === null || grade.personId === wanted))
    .map((grade) => (call.lms.quirks.zeroUnreported && grade.final === 0 ? { ...grade, final: null } : grade))
    .filter((grade) => grade.final !== null || grade.listedWhenEmpty)
    .map((grade) => ({
      id: `${resultsUrl}&user_id=${grade.personId}`,
      userId: grade.personId,
      ...valueOf(grade, grade.rawMaximum ?? column.scoreMaximum, itemUrl),
    }));
  return {
    status: 200,
    type: `${lti.media.results}; charset=utf-8`,
    body: JSON.stringify(results),
  };
}

/**
 * A person with an empty grade is listed with an id alone. The score is in the column's present points, the maximum the one of the last
 * write (gradebookservices.php, `result_for_json`: `finalgrade` and `rawgrademax`).
 */
function valueOf(grade: Grade, resultMaximum: number, scoreOf: string): Record<string, unknown> {
  if (grade.final === null) return {};
  return {
    resultScore: grade.final,
    resultMaximum,
    ...(grade.feedback === null ? {} : { comment: grade.feedback }),
    scoreOf,
    timestamp: new Date(grade.modifiedAt * 1000).toISOString().replace(".000Z", "+00:00"),
  };
}
