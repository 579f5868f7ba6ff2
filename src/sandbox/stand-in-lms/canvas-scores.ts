import { z } from "zod";
import { canvasAddresses } from "./canvas-claims.ts";
import { canvasError } from "./canvas-call.ts";
import { canvasIds } from "./canvas-ids.ts";
import { canvasColumnOf } from "./canvas-line-items.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { findGrade, putGrade, toFiveDecimals } from "./gradebook.ts";
import type { Column, Grade } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import { parseJson } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const extension = "https://canvas.instructure.com/lti/submission";

const scoreSchema = z.looseObject({
  userId: z.coerce.string(),
  timestamp: z.string(),
  activityProgress: z.enum(["Initialized", "Started", "InProgress", "Submitted", "Completed"]),
  gradingProgress: z.enum(["NotReady", "Failed", "Pending", "PendingManual", "FullyGraded"]),
  scoreGiven: z.number().nullish(),
  scoreMaximum: z.number().nullish(),
  comment: z.string().nullish(),
  [extension]: z
    .looseObject({
      new_submission: z.boolean().default(true),
      preserve_score: z.boolean().default(false),
      prioritize_non_tool_grade: z.boolean().default(false),
      submission_type: z.string().default("external_tool"),
    })
    .prefault({}),
});
type Score = z.output<typeof scoreSchema>;

/** POST of one score: an attempt by default, comments that pile up, and clearing by anything unfinished. */
export function answerCanvasScores(call: CanvasCall): ServiceAnswer {
  if (call.method !== "POST") return canvasError(404, "not_found", "The specified resource does not exist.");
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const personId = studentOf(call, parseJson(call.body));
  if (personId === null) {
    return canvasError(422, "unprocessable_entity", "User not found in course or is not a student");
  }
  const parsed = scoreSchema.safeParse(parseJson(call.body));
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
    return canvasError(400, "bad_request", `param is missing or invalid: ${fields}`);
  }
  const score = parsed.data;
  const earlier = findGrade(call.lms.world, column.id, personId);
  const refusal = refusalOf(score, column, earlier);
  if (refusal !== null) return refusal;
  putGrade(call.lms.world, gradeAfter(score, column, personId, earlier));
  const resultUrl = `${canvasAddresses(call.lms.url, call.course.id).lineItem(column.id)}/results/${personId}`;
  return {
    status: 200,
    type: `${lti.media.score}; charset=utf-8`,
    body: JSON.stringify({ resultUrl, [extension]: { content_items: [] } }),
  };
}

/** The student meant by `userId` (the `sub`, or Canvas's own number), when they are active in the course. */
function studentOf(call: CanvasCall, sent: unknown): string | null {
  const parsed = z.looseObject({ userId: z.coerce.string() }).safeParse(sent);
  if (!parsed.success) return null;
  const { userId } = parsed.data;
  const enrolment = call.course.enrolments.find(
    ({ personId, role, suspended }) =>
      role === "student" && !suspended && (personId === userId || canvasIds.person(personId) === userId),
  );
  return enrolment?.personId ?? null;
}

function refusalOf(score: Score, column: Column, earlier: Grade | undefined): ServiceAnswer | null {
  const sentAt = Date.parse(score.timestamp) / 1000;
  if (Number.isNaN(sentAt))
    return canvasError(400, "bad_request", "Provided timestamp is not valid ISO 8601");
  if (earlier !== undefined && sentAt < earlier.modifiedAt) {
    return canvasError(400, "bad_request", "Provided timestamp before last updated timestamp");
  }
  const { scoreGiven, scoreMaximum } = score;
  if (scoreGiven == null) return null;
  if (scoreMaximum == null) return unprocessable("ScoreMaximum must be present when ScoreGiven is");
  if (scoreGiven < 0 || scoreMaximum < 0) return unprocessable("Scores must be zero or more");
  if (scoreMaximum === 0 && column.scoreMaximum !== 0)
    return unprocessable("ScoreMaximum must be greater than 0");
  return null;
}

function unprocessable(message: string): ServiceAnswer {
  return canvasError(422, "unprocessable_entity", message);
}

function gradeAfter(score: Score, column: Column, personId: string, earlier: Grade | undefined): Grade {
  const before = earlier ?? emptyGrade(column.id, personId);
  const after: Grade = {
    ...before,
    feedback: joined(before.feedback, score.comment ?? null),
    attempts: before.attempts + (makesAttempt(score) ? 1 : 0),
    modifiedAt: Date.parse(score.timestamp) / 1000,
  };
  const { preserve_score: preserve, prioritize_non_tool_grade: yieldToOthers } = score[extension];
  if (preserve || (yieldToOthers && before.final !== null)) return after;
  const graded = score.gradingProgress === "FullyGraded" || score.gradingProgress === "PendingManual";
  const value = graded ? scaled(score, column) : null;
  // A teacher's grade is not protected: this score takes its place.
  return { ...after, raw: value, final: value, overridden: false };
}

function emptyGrade(columnId: string, personId: string): Grade {
  return {
    columnId,
    personId,
    raw: null,
    final: null,
    feedback: null,
    overridden: false,
    attempts: 0,
    modifiedAt: 0,
    listedWhenEmpty: true,
  };
}

/** Unless told otherwise every score hands in a new submission. */
function makesAttempt(score: Score): boolean {
  const { new_submission: wanted, submission_type: type } = score[extension];
  return wanted && type !== "none" && score.activityProgress !== "Initialized";
}

/** Comments pile up; the same one twice is there twice. */
function joined(earlier: string | null, comment: string | null): string | null {
  return comment === null ? earlier : earlier === null ? comment : `${earlier}\n${comment}`;
}

function scaled(score: Score, column: Column): number | null {
  const { scoreGiven, scoreMaximum } = score;
  if (scoreGiven == null || scoreMaximum == null) return null;
  return scoreMaximum === 0 ? 0 : toFiveDecimals((scoreGiven * column.scoreMaximum) / scoreMaximum);
}

/** GET of results: only people the tool has ever scored, paged like everything. */
export function answerCanvasResults(call: CanvasCall): ServiceAnswer {
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const url = canvasAddresses(call.lms.url, call.course.id).lineItem(column.id);
  const wanted = call.query.get("user_id");
  const results = [...call.lms.world.grades.values()]
    .filter((grade) => grade.columnId === column.id && grade.listedWhenEmpty)
    .filter(({ personId }) => wanted === null || wanted === personId || wanted === canvasIds.person(personId))
    .map((grade) => ({
      id: `${url}/results/${grade.personId}`,
      userId: canvasIds.person(grade.personId),
      resultScore: grade.final,
      resultMaximum: column.scoreMaximum,
      ...(grade.feedback === null ? {} : { comment: grade.feedback }),
      scoreOf: url,
    }));
  return { status: 200, type: `${lti.media.results}; charset=utf-8`, body: JSON.stringify(results) };
}
