// From: gradebookservices.php, measured.
import { z } from "zod";
import { findGrade, putGrade, toFiveDecimals } from "./gradebook.ts";
import type { Column, Grade } from "./lms-records.ts";
import { enrolmentOf } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import { columnOfCall, moodleBadGateway, type MoodleCall, moodleError } from "./moodle-grades.ts";
import { parseJson, type ServiceAnswer } from "./services.ts";

const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const hasZone = /(Z|[+-]\d\d:?\d\d)$/;
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

/** What Moodle insists on; `activityProgress` is required but may be anything. */
const scoreSchema = z
  .looseObject({
    userId: z.union([z.string(), z.number()]).transform(String),
    timestamp: z.string().regex(isoTime),
    activityProgress: z.string(),
    gradingProgress: z.string(),
    scoreGiven: number.nullish(),
    scoreMaximum: number.nullish(),
    comment: z.string().nullish(),
  })
  .refine(({ scoreGiven, scoreMaximum }) => scoreGiven == null || scoreMaximum != null);

type Score = z.output<typeof scoreSchema>;

/** See the README of this folder for Moodle's rules. */
export function answerScores(call: MoodleCall): ServiceAnswer {
  if (call.method === "POST" && call.contentType !== lti.media.score) {
    return moodleError(call, 400, "No context or unsupported content type");
  }
  const found = columnOfCall(call);
  if ("refusal" in found) return found.refusal;
  if (call.method === "GET") return moodleError(call, 405, "Method Not Allowed");
  const { column } = found;
  const parsed = scoreSchema.safeParse(parseJson(call.body));
  if (!parsed.success) return scoreAnswer(400, `Incorrect score received${call.body}`);
  const score = parsed.data;
  if (!/^\d+$/.test(score.userId)) return moodleBadGateway;
  // Only students can be graded, including suspended ones; all others are an "incorrect score".
  if (enrolmentOf(call.course, score.userId)?.role !== "student") {
    return scoreAnswer(400, `Incorrect score received${call.body}`);
  }
  const earlier = findGrade(call.lms.world, column.id, score.userId);
  const sentAt = secondsOf(score.timestamp);
  if (earlier !== undefined && sentAt <= earlier.modifiedAt) {
    return scoreAnswer(
      409,
      `Refusing score with an earlier timestamp for item ${column.id} and user ${score.userId}`,
    );
  }
  if (column.locked) return scoreAnswer(500, "Internal Server Error");
  const now = Math.floor(call.lms.clock.now() / 1000);
  putGrade(call.lms.world, gradeAfter(column, score, earlier, { sentAt, now }));
  return scoreAnswer(200, "OK");
}

/** Scores are compared in whole seconds; a time without zone is interpreted as the server's, here UTC. */
function secondsOf(timestamp: string): number {
  const zoned = timestamp.length === 10 || hasZone.test(timestamp) ? timestamp : `${timestamp}Z`;
  return Math.floor(Date.parse(zoned) / 1000);
}

function gradeAfter(
  column: Column,
  score: Score,
  earlier: Grade | undefined,
  times: { sentAt: number; now: number },
): Grade {
  // Anything but FullyGraded loses its score, and a missing score clears the grade and its comment.
  const given = score.gradingProgress === "FullyGraded" ? (score.scoreGiven ?? null) : null;
  const raw = given === null ? null : rescaled(given, score.scoreMaximum ?? 0, column.scoreMaximum);
  const comment = raw === null ? null : (score.comment ?? null);
  const key = { columnId: column.id, personId: score.userId };
  // A teacher's own value is kept, with its comment and its time; the tool's score is kept underneath.
  const rawMaximum = column.scoreMaximum;
  if (earlier?.overridden === true) return { ...earlier, raw, rawMaximum };
  const standalone = column.coupledLinkId === null;
  return {
    ...key,
    raw,
    final: raw,
    rawMaximum,
    feedback: comment,
    overridden: false,
    attempts: 0,
    // Clearing a standalone column stores the server's time instead of the sent one.
    modifiedAt: raw === null && standalone ? times.now : times.sentAt,
    listedWhenEmpty: standalone || score.comment != null,
  };
}

/** Scaled to the column, then limited to its range; a maximum of 0 is not rescaled. */
function rescaled(given: number, sentMaximum: number, columnMaximum: number): number {
  const value = sentMaximum === 0 ? given : (given * columnMaximum) / sentMaximum;
  return toFiveDecimals(Math.min(Math.max(value, 0), Math.max(columnMaximum, 0)));
}

function scoreAnswer(status: number, reason: string): ServiceAnswer {
  const body = status === 200 ? "" : "[]";
  return { status, reason, type: `${lti.media.score}; charset=utf-8`, body };
}
