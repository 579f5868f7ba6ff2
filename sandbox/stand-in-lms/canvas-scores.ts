// From: scores_controller.rb, gradebook_services.rb, submission.rb, abstract_assignment.rb (`save_grade_to_submission`).
import { z } from "zod";
import { canvasAddresses, canvasIds } from "./canvas-claims.ts";
import { canvasColumnOf, canvasError, notFound, unprocessable } from "./canvas-line-items.ts";
import { findGrade, noGrade, putGrade, toFiveDecimals } from "./gradebook.ts";
import { type Column, type Grade, isGradable } from "./lms-records.ts";
import { enrolmentOf } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import { jsonAnswer, parseJson, type ServiceAnswer, type ServiceCall } from "./services.ts";

export const submissionExtension = "https://canvas.instructure.com/lti/submission";

export const canvasScoreSchema = z.looseObject({
  userId: z.coerce.string(),
  timestamp: z.string(),
  activityProgress: z.enum(["Initialized", "Started", "InProgress", "Submitted", "Completed"]),
  gradingProgress: z.enum(["NotReady", "Failed", "Pending", "PendingManual", "FullyGraded"]),
  scoreGiven: z.number().nullish(),
  scoreMaximum: z.number().nullish(),
  comment: z.string().nullish(),
  submission: z.looseObject({ submittedAt: z.string().nullish() }).nullish(),
  [submissionExtension]: z
    .looseObject({
      new_submission: z.boolean().default(true),
      preserve_score: z.boolean().default(false),
      submission_type: z.enum(["none", "external_tool"]).default("external_tool"),
      submitted_at: z.string().nullish(),
    })
    .prefault({}),
});

export type CanvasScore = z.output<typeof canvasScoreSchema>;

/** No `scoreGiven`, or a progress other than FullyGraded and PendingManual, empties the cell; any score ends "excused". */
export function canvasGradeAfter(
  score: CanvasScore,
  column: Column,
  personId: string,
  earlier: Grade | undefined,
): Grade {
  const before = earlier ?? noGrade(column.id, personId);
  const after: Grade = {
    ...before,
    feedback: joined(before.feedback, score.comment ?? null),
    attempts: before.attempts + (makesAttempt(score) ? 1 : 0),
    modifiedAt: Date.parse(score.timestamp) / 1000,
    listedWhenEmpty: true,
  };
  if (score[submissionExtension].preserve_score) return after;
  const graded = score.gradingProgress === "FullyGraded" || score.gradingProgress === "PendingManual";
  const value = graded ? scaled(score, column) : null;
  // Neither a teacher's grade nor "excused" is protected: this score replaces them.
  const { scoreGiven: given, scoreMaximum: maximum } = score;
  const sent = given == null || maximum == null ? {} : { sent: { given, maximum } };
  return { ...after, ...sent, raw: value, final: value, overridden: false, excused: false };
}

/** By default every score submits a new submission. */
export function makesAttempt(score: CanvasScore): boolean {
  const { new_submission: wanted, submission_type: type } = score[submissionExtension];
  return wanted && type !== "none" && score.activityProgress !== "Initialized";
}

/** Comments accumulate; the same one sent twice is there twice. */
function joined(earlier: string | null, comment: string | null): string | null {
  if (comment === null || comment === "") return earlier;
  return earlier === null ? comment : `${earlier}\n${comment}`;
}

/** scores_controller.rb, `line_item_score_maximum_scale`: 0 in a column of 0 points; unchanged if the score's maximum is 0. */
function scaled(score: CanvasScore, column: Column): number | null {
  const { scoreGiven, scoreMaximum } = score;
  if (scoreGiven == null || scoreMaximum == null) return null;
  return scoreMaximum === 0 ? scoreGiven : toFiveDecimals((scoreGiven * column.scoreMaximum) / scoreMaximum);
}

/** POST of one score: an attempt by default, comments that accumulate, and clearing by anything unfinished. */
export function answerCanvasScores(call: ServiceCall): ServiceAnswer {
  if (call.method !== "POST") return notFound();
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const personId = studentOf(call, parseJson(call.body));
  if (personId === null) return unprocessable("User not found in course or is not a student");
  const parsed = canvasScoreSchema.safeParse(parseJson(call.body));
  if (!parsed.success) return unreadable(parsed.error);
  const score = parsed.data;
  const earlier = findGrade(call.lms.world, column.id, personId);
  const refusal = refusalOf(call, score, column, earlier);
  if (refusal !== null) return refusal;
  putGrade(call.lms.world, canvasGradeAfter(score, column, personId, earlier));
  const resultUrl = `${canvasAddresses(call.lms.url, call.course.id).lineItem(column.id)}/results/${personId}`;
  const type = `${lti.media.score}; charset=utf-8`;
  return jsonAnswer(200, { resultUrl, [submissionExtension]: { content_items: [] } }, { type });
}

function refusalOf(
  call: ServiceCall,
  score: CanvasScore,
  column: Column,
  earlier: Grade | undefined,
): ServiceAnswer | null {
  return (
    refusedDeleted(call, score, column, earlier) ??
    (column.published ? null : unprocessable("This assignment is unpublished")) ??
    (column.periodClosed === true
      ? unprocessable("The grading period of this assignment is closed")
      : null) ??
    refusedTimes(score, earlier, call.lms.clock.now()) ??
    refusedNumbers(score, column)
  );
}

/**
 * scores_controller.rb does not check whether the assignment is deleted; submission.rb, `can_autograde_symbolic_status`, refuses a changed
 * grade of a deleted submission or an unpublished assignment. Which one, and the status, are assumed (`canvasDeletedIsUnpublished`). An
 * unchanged grade is accepted.
 */
function refusedDeleted(
  { lms }: ServiceCall,
  { scoreGiven, scoreMaximum }: CanvasScore,
  column: Column,
  earlier: Grade | undefined,
): ServiceAnswer | null {
  if (column.deleted !== true) return null;
  const { given = null, maximum = null } = earlier?.sent ?? {};
  if (scoreGiven != null && given === scoreGiven && maximum === scoreMaximum) return null;
  return unprocessable(
    lms.quirks.deletedColumnSays === "unpublished"
      ? "This assignment is still unpublished"
      : "This assignment is not applicable to this student",
  );
}

/** The student that `userId` means (the `sub`, or Canvas's own number), if they are active in an open course. */
function studentOf(call: ServiceCall, sent: unknown): string | null {
  const parsed = z.looseObject({ userId: z.coerce.string() }).safeParse(sent);
  if (!parsed.success || !call.course.published) return null;
  const enrolment = enrolmentOf(call.course, canvasIds.numberOf(parsed.data.userId));
  if (enrolment === undefined || !isGradable(enrolment.role)) return null;
  return enrolment.personId;
}

/** A word that Canvas does not know is 422; a missing or unreadable value is 400. */
function unreadable(error: z.ZodError): ServiceAnswer {
  const fields = error.issues.map(({ path }) => path.join(".")).join(", ");
  const badWord = error.issues.every(({ code }) => code === "invalid_value");
  return badWord
    ? unprocessable(`Provided value is not allowed: ${fields}`)
    : canvasError(400, "bad_request", `param is missing or the value is empty or invalid: ${fields}`);
}

function refusedTimes(score: CanvasScore, earlier: Grade | undefined, now: number): ServiceAnswer | null {
  const sentAt = Date.parse(score.timestamp) / 1000;
  if (Number.isNaN(sentAt))
    return canvasError(400, "bad_request", "Provided timestamp is not valid ISO 8601");
  if (earlier !== undefined && sentAt < earlier.modifiedAt) {
    return canvasError(400, "bad_request", "Provided timestamp before last updated timestamp");
  }
  const submittedAt = score.submission?.submittedAt ?? score[submissionExtension].submitted_at ?? null;
  if (submittedAt === null) return null;
  const submitted = Date.parse(submittedAt);
  if (Number.isNaN(submitted))
    return canvasError(400, "bad_request", "Provided submitted_at is not a valid timestamp");
  return submitted > now + 60_000
    ? canvasError(400, "bad_request", "Provided submitted_at is in the future")
    : null;
}

function refusedNumbers({ scoreGiven, scoreMaximum }: CanvasScore, column: Column): ServiceAnswer | null {
  if (scoreGiven == null) return null;
  if (scoreMaximum == null) return unprocessable("ScoreMaximum must be present when ScoreGiven is present");
  if (scoreGiven < 0) return unprocessable("ScoreGiven must be greater than or equal to 0");
  if (scoreMaximum < 0) return unprocessable("ScoreMaximum must be greater than or equal to 0");
  if (scoreMaximum === 0 && column.scoreMaximum !== 0)
    return unprocessable("ScoreMaximum must be greater than 0");
  return null;
}
