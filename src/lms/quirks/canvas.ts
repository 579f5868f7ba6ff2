import type { ScoreOutcome } from "../score-outcome.ts";
import type { PlatformManners } from "./platform-manners.ts";

const submission = "https://canvas.instructure.com/lti/submission";

/** Hosts of Canvas's cloud: one issuer for all institutions, endpoints on a host of their own. */
export const canvasCloudHosts: ReadonlyMap<string, readonly string[]> = new Map([
  ["https://canvas.instructure.com", ["https://sso.canvaslms.com", "https://canvas.instructure.com"]],
  [
    "https://canvas.beta.instructure.com",
    ["https://sso.beta.canvaslms.com", "https://canvas.beta.instructure.com"],
  ],
  [
    "https://canvas.test.instructure.com",
    ["https://sso.test.canvaslms.com", "https://canvas.test.instructure.com"],
  ],
]);

/** How Canvas differs from the standard. */
export const canvasManners: PlatformManners = {
  lineItemsPageSize: "100",
  scoreBody: (body, { comment, lastComment }) => {
    // Every post with a comment adds one more; every post without this mark opens a new attempt.
    const { comment: sent, ...rest } = body;
    const repeated = sent === undefined || (lastComment !== undefined && lastComment === comment);
    return { ...rest, ...(repeated ? {} : { comment: sent }), [submission]: { new_submission: false } };
  },
  judgeScore: ({ status, text }) => {
    if (status === 400 && /timestamp/i.test(text)) return { kind: "conflict" };
    if (status === 412) return { kind: "gone" };
    if (status !== 422 && status !== 403) return null;
    return explained(text);
  },
};

const reasons: readonly [RegExp, string, string][] = [
  [
    /concluded/i,
    "course-concluded",
    "The course has ended in Canvas, so its gradebook takes no more grades.",
  ],
  [
    /not a student|not found in course/i,
    "not-gradable",
    "Canvas does not accept a grade for this person: they are not an active student of the course, or the course is not published.",
  ],
  [
    /unpublished|not published/i,
    "column-unpublished",
    "The assignment is not published in Canvas. Publish it, then send the grade again.",
  ],
  [/grading period/i, "grading-period-closed", "The grading period is closed in Canvas."],
  [/attempt/i, "attempts-exhausted", "The assignment allows no further attempts in Canvas."],
];

function explained(text: string): ScoreOutcome | null {
  const found = reasons.find(([pattern]) => pattern.test(text));
  return found === undefined ? null : { kind: "refused", code: found[1], reason: found[2] };
}
