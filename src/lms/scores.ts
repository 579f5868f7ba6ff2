import { z } from "zod";
import type { Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import { retryAfterMs } from "../kernel/outside-reply.ts";
import type { GradebookGrade } from "../modules/grading/rules/compare-with-gradebook.ts";
import { pausedUntil } from "../modules/registration/rules/registration.ts";
import { identifierOrNumber, known, points } from "./claims.ts";
import { productOf } from "./products/products.ts";
import { isRedirect, isThrottled, type LmsReply, unreadable } from "./requester.ts";
import { gradeScopesFor, scopes as scope } from "./scopes.ts";
import { type ServiceCalls, withPath, withQuery } from "./service-calls.ts";

/** The complete state of one person's score. The LMS clears what is left out. */
export type ScoreToSend = {
  sub: string;
  /** Null clears the score that the tool sent before. */
  score: number | null;
  maximum: number;
  comment: string | null;
  /** The activity isn't completed yet; left out: it is completed. */
  inProgress?: boolean;
  /**
   * The comment we sent before, if known. Canvas adds a comment with every post, so we don't repeat an unchanged one. Moodle deletes a
   * comment that isn't repeated, so there we always send it.
   */
  lastComment?: string | null;
  /** When the score was computed (ms); at least a second after the previous score. */
  at: number;
};

export type ScoreOutcome =
  | { kind: "accepted" }
  /** The LMS has a score with this or a later timestamp. Check the result before believing it. */
  | { kind: "conflict" }
  /** The LMS asks for a pause; null if it doesn't say how long. */
  | { kind: "busy"; retryAfterMs: number | null }
  /** The LMS accepts nothing from us until this moment (ms), whatever the score. */
  | { kind: "paused"; code: string; until: number }
  /** A person must fix something. */
  | { kind: "refused"; code: string }
  | { kind: "gone" }
  | { kind: "unreachable"; code: string };

export type ScoreTarget = { registration: Registration; lineItemUrl: string; scopes: readonly string[] };

/** A person's grade as the LMS reports it; a teacher may have changed it. */
export type ScoreResult = GradebookGrade & { sub: string };

export type Scores = ReturnType<typeof createScores>;

const scoreType = "application/vnd.ims.lis.v1.score+json";
const resultsType = "application/vnd.ims.lis.v2.resultcontainer+json";

const result = z
  .object({
    userId: identifierOrNumber,
    resultScore: points.nullable().catch(null),
    // A missing maximum means 1 (AGS 2.0, section 3.3).
    resultMaximum: points.pipe(z.number().nonnegative()).catch(1),
    comment: z.string().nullish().catch(null),
  })
  .transform(({ userId, resultScore, resultMaximum, comment }): ScoreResult => ({
    sub: userId,
    score: resultScore,
    maximum: resultMaximum,
    comment: comment ?? null,
  }));

/** The score and result services (AGS 2.0, sections 3.3 and 3.4). */
export function createScores(deps: { calls: ServiceCalls; clock: Clock }) {
  const { calls, clock } = deps;
  const results = async (target: ScoreTarget, sub?: string): Promise<ScoreResult[]> => {
    const to = {
      registration: target.registration,
      scopes: gradeScopesFor(target.scopes, [scope.resultReadOnly]),
    };
    // No limit of our own, because Moodle answers 404 to it.
    const limit = sub === undefined ? productOf(target.registration).scores.resultsPageSize : undefined;
    const url = withQuery(withPath(target.lineItemUrl, "results"), { user_id: sub, limit });
    const request = { url, accept: resultsType, what: "the grades of a column" };
    return calls.pages(to, request, resultsOf);
  };
  return {
    /** Sends one score. Never throws for anything that an LMS may answer. */
    send: async (target: ScoreTarget, score: ScoreToSend) => {
      try {
        const to = {
          registration: target.registration,
          scopes: gradeScopesFor(target.scopes, [scope.score]),
        };
        const reply = await calls.call(to, {
          method: "POST",
          url: withPath(target.lineItemUrl, "scores"),
          headers: { "content-type": scoreType },
          body: JSON.stringify(productOf(target.registration).scores.body(standardBody(score), score)),
        });
        return aboveMaximum(score, outcomeOf(target, reply, clock.now()));
      } catch (thrown) {
        if (!(thrown instanceof NamedError)) throw thrown;
        return outcomeOfError(thrown);
      }
    },
    /** Null if the LMS has none. @throws NamedError */
    readResult: async (target: ScoreTarget, sub: string) =>
      (await results(target, sub)).find((one) => one.sub === sub) ?? null,
    /** All results of the column. @throws NamedError */
    readResults: (target: ScoreTarget) => results(target),
    canReadResults: (granted: readonly string[]) => granted.includes(scope.resultReadOnly),
  };
}

/**
 * A score as the standard wants it. Its grading is final even while the activity is in progress: the standard separates the two, and
 * LMSs clear the grade for any other progress of grading.
 */
function standardBody({
  sub,
  score,
  maximum,
  comment,
  inProgress = false,
  at,
}: ScoreToSend): Record<string, unknown> {
  const common = {
    userId: sub,
    timestamp: new Date(at).toISOString(),
    ...(comment === null || comment === "" ? {} : { comment }),
  };
  return score === null
    ? { ...common, activityProgress: "Initialized", gradingProgress: "NotReady" }
    : {
        ...common,
        scoreGiven: score,
        scoreMaximum: maximum,
        activityProgress: inProgress ? "InProgress" : "Completed",
        gradingProgress: "FullyGraded",
      };
}

function outcomeOf({ registration }: ScoreTarget, reply: LmsReply, now: number): ScoreOutcome {
  const { status } = reply;
  if (status >= 200 && status < 300) return { kind: "accepted" };
  if (isThrottled(reply)) return { kind: "busy", retryAfterMs: retryAfterMs(reply, now) };
  const particular = productOf(registration).scores.outcome(reply);
  if (particular !== null) return particular;
  if (status === 409) return { kind: "conflict" };
  if (status === 404 || status === 410) return { kind: "gone" };
  const failure = outcomeOfFailure(reply, now);
  if (failure !== null) return failure;
  return { kind: "refused", code: `lms-status-${status}` };
}

/** Some LMSs refuse scores above the maximum (Moodle cuts them, Canvas counts them as extra credit). */
function aboveMaximum({ score, maximum }: ScoreToSend, outcome: ScoreOutcome): ScoreOutcome {
  const isAbove = score !== null && score > maximum;
  const isRefused = outcome.kind === "refused" && /^lms-status-4(00|22)$/.test(outcome.code);
  return isAbove && isRefused ? { kind: "refused", code: "over-maximum" } : outcome;
}

/** The outcome if the LMS may still accept the same score later; null for other replies. */
function outcomeOfFailure(reply: LmsReply, now: number): ScoreOutcome | null {
  const { status } = reply;
  const wait = status === 503 ? retryAfterMs(reply, now) : null;
  if (wait !== null) return { kind: "busy", retryAfterMs: wait };
  if (status >= 500 || status === 408) return { kind: "unreachable", code: "lms-failed" };
  return isRedirect(reply) ? { kind: "unreachable", code: "lms-moved" } : null;
}

/** What an error without a reply means for a score. */
function outcomeOfError(thrown: NamedError): ScoreOutcome {
  const { temporary, details, code } = thrown;
  const until = pausedUntil(thrown);
  if (until !== null) return { kind: "paused", code, until };
  if (!temporary) return { kind: "refused", code };
  const wait = details["retryAfterMs"];
  return typeof wait === "number" ? { kind: "busy", retryAfterMs: wait } : { kind: "unreachable", code };
}

/** @throws NamedError, because a page that isn't a list must not count as "nobody has a grade" */
function resultsOf(page: unknown): ScoreResult[] {
  if (!Array.isArray(page)) throw unreadable("a list of grades", { temporary: true });
  return page.flatMap((entry) => known(result, entry));
}
