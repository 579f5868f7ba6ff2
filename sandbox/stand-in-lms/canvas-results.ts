// From: results_controller.rb, result.rb.
import { canvasAddresses } from "./canvas-claims.ts";
import { pageLinks, pageOf } from "./canvas-call.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { canvasIds } from "./canvas-ids.ts";
import { canvasColumnOf } from "./canvas-line-items.ts";
import type { Grade } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import type { ServiceAnswer } from "./service-answer.ts";

/** What the tool sent, as it sent it; a teacher's grade in the same scale (result.rb, `scaled_result_score`: not where a side is 0). */
function scoreOf(grade: Grade, points: number): { resultScore: number | null; resultMaximum: number } {
  const { final, sent, overridden } = grade;
  if (final === null || sent === undefined)
    return { resultScore: final, resultMaximum: sent?.maximum ?? points };
  const { given, maximum } = sent;
  const scaled = points === 0 || maximum === 0 ? final : (final * maximum) / points;
  return { resultScore: overridden ? scaled : given, resultMaximum: maximum };
}

/** GET of results: only people the tool has ever scored, paged like everything; nothing tells who is excused. */
export function answerCanvasResults(call: CanvasCall): ServiceAnswer {
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const url = canvasAddresses(call.lms.url, call.course.id).lineItem(column.id);
  const user = call.query.get("user_id");
  const wanted = user === null ? null : canvasIds.numberOf(user);
  const grades = [...call.lms.world.grades.values()].filter(
    (grade) =>
      grade.columnId === column.id && grade.listedWhenEmpty && (wanted === null || wanted === grade.personId),
  );
  const page = pageOf(call, grades);
  const results = page.items.map((grade) => ({
    id: `${url}/results/${grade.personId}`,
    userId: canvasIds.person(grade.personId),
    ...scoreOf(grade, column.scoreMaximum),
    ...(grade.feedback === null ? {} : { comment: grade.feedback }),
    scoreOf: url,
  }));
  return {
    status: 200,
    type: `${lti.media.results}; charset=utf-8`,
    headers: { link: pageLinks(`${url}/results`, call.query, page) },
    body: JSON.stringify(results),
  };
}
