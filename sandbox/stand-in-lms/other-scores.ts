// From: AGS 2.0, 3.3 and 3.4.
import { z } from "zod";
import { findGrade, putGrade, toFiveDecimals } from "./gradebook.ts";
import { enrolmentOf } from "./lms-world.ts";
import type { Column, Grade } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { otherError } from "./other-call.ts";
import type { OtherCall } from "./other-call.ts";
import { otherColumnOf } from "./other-line-items.ts";
import { otherAddresses, otherIds } from "./other-names.ts";
import { parseJson } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const scoreSchema = z
  .looseObject({
    userId: z.string(),
    timestamp: z.iso.datetime({ offset: true }),
    activityProgress: z.enum(["Initialized", "Started", "InProgress", "Submitted", "Completed"]),
    gradingProgress: z.enum(["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]),
    scoreGiven: z.number().nonnegative().nullish(),
    scoreMaximum: z.number().positive().nullish(),
    comment: z.string().nullish(),
  })
  .refine(({ scoreGiven, scoreMaximum }) => scoreGiven == null || scoreMaximum != null);

/** As AGS 2.0: no `scoreGiven` clears, a score that is not final is only noted, a time not later than the last is 409. */
export function answerOtherScores(call: OtherCall): ServiceAnswer {
  if (call.method !== "POST") return otherError(405, "Method not allowed.");
  const found = otherColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const sent = scoreSchema.safeParse(parseJson(call.body));
  if (!sent.success) return otherError(400, "The score cannot be read.");
  const { column } = found;
  const score = sent.data;
  const personId = otherIds.numberOf(score.userId);
  if (enrolmentOf(call.course, personId)?.role !== "student") return otherError(400, "No such learner.");
  const earlier = findGrade(call.lms.world, column.id, personId);
  if (earlier !== undefined && Date.parse(score.timestamp) / 1000 <= earlier.modifiedAt) {
    return otherError(409, "A later score is known.");
  }
  const final = score.gradingProgress === "FullyGraded" || score.scoreGiven == null;
  if (final) putGrade(call.lms.world, gradeAfter(score, column, personId, earlier));
  // Open edX: plugin/views.py, LtiAgsLineItemViewset.scores.
  if (call.lms.quirks.openEdx) return { status: 201, type: "application/json", body: call.body };
  return call.lms.turned.has("scoresAnswerNothing")
    ? { status: 200, type: "application/json", body: JSON.stringify({ accepted: true }) }
    : { status: 204, type: "application/json", body: "" };
}

/** A teacher's own grade stays. */
function gradeAfter(
  { timestamp, scoreGiven, scoreMaximum, comment }: z.output<typeof scoreSchema>,
  column: Column,
  personId: string,
  earlier: Grade | undefined,
): Grade {
  const scale = column.scoreMaximum / (scoreMaximum ?? 1);
  const raw = scoreGiven == null ? null : toFiveDecimals(scoreGiven * scale);
  return {
    columnId: column.id,
    personId,
    raw,
    final: earlier?.overridden === true ? earlier.final : raw,
    feedback: comment ?? null,
    overridden: earlier?.overridden ?? false,
    attempts: 0,
    modifiedAt: Date.parse(timestamp) / 1000,
    listedWhenEmpty: false,
  };
}

export function answerOtherResults(call: OtherCall): ServiceAnswer {
  const found = otherColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const user = call.query.get("user_id");
  const url = otherAddresses(call.lms.url, call.course.id).lineItem(column.id);
  const results = [...call.lms.world.grades.values()]
    .filter(({ columnId, final }) => columnId === column.id && final !== null)
    .filter(({ personId }) => user === null || personId === otherIds.numberOf(user))
    .map(({ personId, final, feedback }) => ({
      id: url.replace("?", `/results/${personId}?`),
      scoreOf: url,
      userId: otherIds.person(personId),
      ...(call.lms.turned.has("resultsNameMaximum")
        ? { resultScore: (final ?? 0) / column.scoreMaximum }
        : { resultScore: final, resultMaximum: column.scoreMaximum }),
      comment: feedback,
    }));
  return { status: 200, type: lti.media.results, body: JSON.stringify(results) };
}
