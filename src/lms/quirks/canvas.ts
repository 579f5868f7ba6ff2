import type { LmsReply } from "../requester.ts";
import type { PlatformManners } from "./platform-manners.ts";

const submission = "https://canvas.instructure.com/lti/submission";

/**
 * Canvas's older way to say "slow down": status 403 and a line of plain text. A 403 with JSON means that
 * something is not allowed, and waiting would not help.
 */
export function isCanvasThrottle({ status, text }: LmsReply): boolean {
  return status === 403 && /^[^{[]*rate limit exceeded/i.test(text);
}

/**
 * How Canvas differs from the standard. What no manner can mend: a score that is sent takes "excused" off the
 * student again, and AGS can neither set nor read that mark. So a score goes out only when it has changed.
 */
export const canvasManners: PlatformManners = {
  gradebook: {
    tells: "scored-only",
    tellsZero: true,
    // Excusing somebody empties their score, too; that is all a tool can see of it.
    emptyIsTeachers: true,
    sendingEndsExcused: true,
    keepsTeachersGrade: false,
    // lti/result.rb: what a tool sent is told as it was sent; only what a person typed in is scaled to that maximum.
    resultsIn: "as-sent",
  },
  resultsPageSize: "100",
  // Becomes the due date, by which Canvas sorts; other LMSs would take no scores after it.
  lineItemDates: ({ endsAt }) => (endsAt === null ? {} : { endDateTime: new Date(endsAt).toISOString() }),
  explainRefusal: ({ status, text }) => (status === 422 || status === 403 ? explained(text) : null),
  longestLabel: 255,
  // doc/api/throttling.md: told with every answer to which throttling applies.
  quotaLeft: ({ headers }) => {
    const told = Number.parseFloat(headers.get("x-rate-limit-remaining") ?? "");
    return Number.isFinite(told) ? told : null;
  },
  showsTiedColumnsOnly: false,
  lineItemsPageSize: "100",
  scoreBody: (body, { comment, lastComment }) => {
    // Every post with a comment adds one more; every post without this mark opens a new attempt.
    const { comment: sent, ...rest } = body;
    const repeated = sent === undefined || (lastComment !== undefined && lastComment === comment);
    return { ...rest, ...(repeated ? {} : { comment: sent }), [submission]: { new_submission: false } };
  },
  contentItem: (item, targets) => {
    // Without a size Canvas keeps the frame low; where it takes no frame, the link opens a tab of its own.
    if (targets.includes("iframe")) return { ...item, iframe: { width: 900, height: 700 } };
    return targets.includes("window") ? { ...item, window: { targetName: "_blank" } } : item;
  },
  courseUrl: (returnUrl) => {
    // .../courses/7/external_content/success/external_tool_redirect is made for Canvas's own dialogs.
    const course = /^(\/courses\/\d+)\/external_content\//.exec(returnUrl.pathname)?.[1];
    return course === undefined ? null : new URL(`${returnUrl.origin}${course}`);
  },
  judgeScore: ({ status, text }) => {
    if (status === 400 && /timestamp/i.test(text)) return { kind: "conflict" };
    if (status === 412) return { kind: "gone" };
    if (![400, 403, 422].includes(status)) return null;
    const told = explained(text);
    return told === null ? null : { kind: "refused", ...told };
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
  [
    /not applicable/i,
    "not-applicable",
    "In Canvas this assignment is not for this person: it is assigned to others only. Assign it to everybody, then send the grade again.",
  ],
  [
    /moderat/i,
    "being-moderated",
    "The assignment is being moderated in Canvas and takes no grades until its grades are released there. Then send the grade again.",
  ],
  [
    /grading period/i,
    "grading-period-closed",
    "The grading period of this column is closed in Canvas, so it takes no more grades. An administrator can open it again.",
  ],
  [/attempt/i, "attempts-exhausted", "The assignment allows no further attempts in Canvas."],
];

function explained(text: string): { code: string; reason: string } | null {
  const found = reasons.find(([pattern]) => pattern.test(text));
  return found === undefined ? null : { code: found[1], reason: found[2] };
}
