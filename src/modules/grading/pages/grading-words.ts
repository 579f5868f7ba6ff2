import { knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import type { Denominator, Formula, Grade, GradePolicy, Grading } from "../../../domain/grade-policy.ts";
import { sumOf, weighedByMinutes } from "../../../domain/grade-sentence.ts";
import type { Completion, GradeWorking, SessionWorth } from "../../../domain/grade-working.ts";
import { gradeTogether } from "../../attendance/rules/attendance-summary.ts";
import type { ExampleLearner } from "../list-grades.ts";
import type { RegradeProgress } from "../regrade.ts";
import { type Column, sessionColumnLabel } from "../rules/column.ts";
import { causeOf, type Delivery, inPoints, isOfNoPoints, type SentScore } from "../rules/delivery.ts";
import type { ProofRow } from "../show-grades.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { MessageKey, Translate } from "../../../web/translate.ts";
import { inList, numberText } from "../../../web/page-text.ts";

/** A policy in sentences, always in the same order: the change log keeps them, and a preview shows those that differ. */
export function policyWords(t: Translate, policy: GradePolicy): string[] {
  if (policy.kind === "no-grades") return [t("grading.policy.columns.no-grades")];
  return [
    t(`grading.policy.columns.${policy.kind}`, { count: policy.points }),
    creditWords(t, policy),
    ...(policy.worth.kind === "minutes" ? [worthWords(t, policy.worth)] : []),
    ...(policy.kind === "one-column" ? optionWords(t, policy) : []),
    ...(policy.comment ? [t("grading.policy.comment")] : []),
  ];
}

export function creditWords(t: Translate, { credit }: Pick<Grading, "credit">): string {
  const parts = knownStatuses.map((one) => {
    const status = t(`review.statuses.${one}`);
    const percent = credit[one];
    return percent === null
      ? t("grading.policy.leftOut", { status })
      : t("grading.policy.credit", { status, percent });
  });
  return `${inList(t, parts)}.`;
}

export function worthWords(t: Translate, worth: SessionWorth): string {
  if (worth.kind === "status") return t("grading.policy.worth.status");
  const { fullFrom: percent, tolerance: count, below, hidden } = worth;
  return [
    t(`grading.policy.worth.minutes.${below}`, { percent }),
    ...(count === 0 ? [] : [t("grading.policy.worth.tolerance", { count })]),
    ...(hidden === "taken-off" ? [t("grading.policy.worth.hidden")] : []),
    t("grading.policy.worth.unknown"),
  ].join(" ");
}

export function denominatorWords(t: Translate, denominator: Denominator): string {
  const count = denominator.kind === "fixed" ? denominator.sessions : 0;
  return t(`grading.policy.denominator.${denominator.kind}`, { count });
}

export function formulaWords(t: Translate, formula: Formula): string {
  const percent = formula.kind === "mean" ? 0 : formula.percent;
  return t(`grading.policy.formula.${formula.kind}`, { percent });
}

/** What completes the activity, and what happens to the grade before that. */
export function completionWords(t: Translate, completion: Completion): string {
  if (completion.kind === "score") return t("grading.policy.completion.score");
  const what =
    completion.kind === "sessions"
      ? t("grading.policy.completion.sessions", { count: completion.sessions })
      : t("grading.policy.completion.share", { percent: completion.percent });
  return `${what} ${t(`grading.policy.completion.before.${completion.before}`)}`;
}

function optionWords(t: Translate, policy: Grading): string[] {
  const { denominator, dropLowest, minimumSessions, formula, completion } = policy;
  // Points are taken off for missed sessions, so nothing is divided.
  const words = formula.kind === "points-off" ? [] : [denominatorWords(t, denominator)];
  if (formula.kind !== "mean") words.push(formulaWords(t, formula));
  if (dropLowest > 0) words.push(t("grading.policy.dropLowest", { count: dropLowest }));
  if (minimumSessions > 1) words.push(t("grading.policy.minimum", { count: minimumSessions }));
  if (completion.kind !== "score") words.push(completionWords(t, completion));
  return words;
}

/** One sentence each for what counts, is left out or dropped, for the divisor and the sum. Empty without grades. */
export function workingWords(t: Translate, { working, score }: Grade): string[] {
  if (working === null) return [];
  const counted = t("grading.working.counted", { list: listOf(t, working) });
  const parts = [counted, ...leftOutWords(t, working)];
  if (working.counted === 0) return [t("grading.working.nothing"), ...leftOutWords(t, working)];
  if (working.noScore === "held-back") return [...parts, ...workedCompletion(t, working)];
  if (score === null) {
    const count = working.counted;
    return [...parts, t("grading.working.below", { count, minimum: working.minimum })];
  }
  return [
    ...parts,
    ...droppedWords(t, working),
    ...divisorWords(t, working),
    ...workedFormula(t, working),
    sumText(t, working, score),
    ...workedCompletion(t, working),
  ];
}

/** For a spreadsheet: the sum in plain characters, or in the reader's words why there is no score. */
export function explanationText(t: Translate, grade: Grade): string {
  if (grade.working === null) return t("grading.policy.columns.no-grades");
  return grade.score === null ? workingWords(t, grade).join(" ") : grade.explanation;
}

export function sumText(t: Translate, working: GradeWorking, score: number): string {
  return t("grading.working.sum", { explanation: sumInPrint(t, working, score) });
}

/** For pages. A comment in the gradebook has the sum in plain characters instead. */
export function sumInPrint(t: Translate, working: GradeWorking, score: number): string {
  const sum = sumOf(working, score, (number) => numberText(t, number));
  return sum.replaceAll("x", " × ").replaceAll(" / ", " ÷ ").replaceAll(" - ", " − ");
}

function workedCompletion(t: Translate, { completion }: GradeWorking): string[] {
  if (completion === null) return [];
  const { attended: count, needed, of, isReached, before } = completion;
  const open = before === "held" ? "held" : "open";
  const words = t(`grading.working.completion.${isReached ? "reached" : open}`, { count, needed });
  return [of === null ? words : `${words} ${t("grading.working.completion.of", { needed, of })}`];
}

/** For courses in which each session has its own column. */
function sessionsWords(t: Translate, { working }: Grade): string[] {
  if (working === null) return [];
  const list = listOf(t, working);
  return [
    list === "" ? t("grading.working.nothing") : t("grading.working.perSession", { list }),
    ...leftOutWords(t, working),
  ];
}

function listOf(t: Translate, { terms }: GradeWorking): string {
  const byStatus = terms.filter(({ byMinutes }) => byMinutes === undefined);
  const weighed = weighedByMinutes(terms);
  const list = byStatus.map(({ status, count, points }) =>
    t(`grading.working.${count === 1 ? "earnedOne" : "earned"}`, {
      count,
      points: numberText(t, points),
      status: t(`grading.working.words.${status}`),
    }),
  );
  if (weighed.count > 0) {
    const { count, points } = weighed;
    list.push(t("grading.working.byMinutes", { count, points: numberText(t, points) }));
  }
  return inList(t, list);
}

function leftOutWords(t: Translate, { leftOut, uncounted }: GradeWorking): string[] {
  const list = leftOut.map(({ status, count }) =>
    t("grading.working.leftOutItem", { count, status: t(`grading.working.words.${status}`) }),
  );
  const words = list.length === 0 ? [] : [t("grading.working.leftOut", { list: inList(t, list) })];
  return uncounted === 0 ? words : [...words, t("grading.working.uncounted", { count: uncounted })];
}

function droppedWords(t: Translate, { terms, divisor }: GradeWorking): string[] {
  const { dropped } = divisor;
  if (dropped === 0) return [];
  const droppedCount = terms.reduce((sum, term) => sum + term.dropped, 0);
  const words = t("grading.working.dropped", { count: dropped });
  return [droppedCount === dropped ? words : `${words} ${t("grading.working.droppedOpen")}`];
}

function workedFormula(t: Translate, { formula }: GradeWorking): string[] {
  if (formula.kind === "mean") return [];
  const percent = formula.percent;
  if (formula.kind === "points-off") return [t("grading.working.formula.points-off", { percent })];
  return [
    t(`grading.working.formula.${formula.kind}.${formula.isReached ? "reached" : "missed"}`, { percent }),
  ];
}

function divisorWords(t: Translate, { divisor, formula }: GradeWorking): string[] {
  if (formula.kind === "points-off") return [];
  const { basis, sessions, of, without, dropped, open } = divisor;
  const less = [
    without === 0 ? "" : t("grading.working.lessLeftOut", { count: without }),
    dropped === 0 ? "" : t("grading.working.lessDropped", { count: dropped }),
  ].join("");
  const words =
    basis === "counted" && dropped > 0
      ? t("grading.working.countedLess", { sessions, of, less })
      : t(`grading.working.dividedBy.${basis}`, { sessions, of, less });
  return [open === 0 ? words : `${words} ${t("grading.working.open", { count: open })}`];
}

/** A learner's grade under a policy, in words. */
type Example = { who: string; score: string | null; words: string[] };

export type ExampleModel = { example: Example };

export function exampleView(
  t: Translate,
  { name, counted, planned }: Pick<ExampleLearner, "name" | "counted" | "planned">,
  policy: GradePolicy,
): Example {
  const who = name === null ? t("grading.example.madeUp") : t("grading.example.real", { name });
  if (policy.kind === "no-grades") return { who, score: null, words: [t("grading.example.none")] };
  const grade = gradeTogether(policy, counted, planned);
  if (policy.kind === "column-per-session") return { who, score: null, words: sessionsWords(t, grade) };
  const score =
    grade.score === null
      ? t("common.noGrade")
      : t("grades.points", { score: numberText(t, grade.score), maximum: numberText(t, policy.points) });
  return { who, score, words: workingWords(t, grade) };
}

/** Progress of computing and sending after a change; null if there is none. */
export type ProgressView = {
  busy: boolean;
  text: string;
  /** Null for no bar, or if unknown. */
  progress: { value: number; max: number } | null;
};

/** @param waiting How many scores of the course still have to be sent. */
export function progressView(t: Translate, { state, graded, total }: RegradeProgress, waiting: number) {
  const quiet = { busy: true, progress: null };
  switch (state) {
    case "none":
      return null;
    case "waiting":
      return { ...quiet, text: t("grading.progress.soon") };
    case "failed":
      return { ...quiet, text: t("grading.progress.failed") };
    case "running":
      return {
        busy: true,
        text: t("grading.progress.computing", { done: numberText(t, graded), total: numberText(t, total) }),
        progress: total === 0 ? null : { value: graded, max: total },
      };
    case "done":
      return waiting > 0
        ? {
            ...quiet,
            text: t("grading.progress.sending", { count: waiting, number: numberText(t, waiting) }),
          }
        : { busy: false, text: t("grading.progress.done"), progress: null };
  }
}

/** Such as "93.33 / 100". @param grade Null if there is none. */
export function scoreText(
  t: Translate,
  grade: { score: number | null; maximum: number } | null,
  none: MessageKey = "grades.noScore",
): string {
  if (grade === null || grade.score === null) return t(none);
  const share = `${numberText(t, grade.score)} / ${numberText(t, grade.maximum)}`;
  // In a right-to-left text, the two numbers would otherwise change places.
  return t("language.direction") === "rtl" ? `\u2066${share}\u2069` : share;
}

/** Such as "93.33 of 100". */
export function pointsText(t: Translate, grade: { score: number | null; maximum: number } | null): string {
  if (grade === null || grade.score === null) return t("grades.noScore");
  return t("grades.points", { score: numberText(t, grade.score), maximum: numberText(t, grade.maximum) });
}

type Undelivered = Pick<Delivery, "state" | "accepted" | "foreign" | "unconfirmed" | "reason" | "refusal">;

/** Why a score isn't in the gradebook, or doesn't count there; null if there is nothing to say. */
export function whyText(t: Translate, delivery: Undelivered): string | null {
  if (delivery.state === "delivered" && isOfNoPoints(delivery)) return t("grades.noPoints.row");
  if (delivery.state === "held") return conflictText(t, delivery);
  const code = causeOf(delivery);
  return code === null ? null : causeText(t, code);
}

/** Describes a teacher's own grade, and the outcome of an answer to it. */
function conflictText(t: Translate, { foreign, accepted, unconfirmed }: Undelivered): string | null {
  if (foreign === null) return null;
  if (foreign.restoredAt !== undefined)
    return foreign.score === null
      ? t("grades.restored.whyEmpty")
      : t("grades.restored.whyDiffers", { theirs: pointsText(t, foreign) });
  if (foreign.score === null) return t("grades.why.removed");
  const theirs = pointsText(t, foreign);
  // The LMS accepted ours in the attempt that found it still shows theirs.
  if (accepted?.at === foreign.seenAt) return t("grades.why.kept", { theirs });
  if (accepted === null && unconfirmed.length === 0) return t("grades.why.notOurs", { theirs });
  return accepted === null || accepted.score === null
    ? t("grades.why.changed", { theirs })
    : t("grades.why.changedFrom", { theirs, ours: pointsText(t, accepted) });
}

/** Texts that several failures share. The statuses mean the same in every LMS. */
const sameWords = {
  access: ["lms-key-refused", "lms-token-refused", "lms-token-unavailable"],
  notAccepted: ["lms-status-400", "lms-status-422"],
  notAllowed: ["lms-not-allowed", "lms-status-401", "lms-status-403"],
  other: ["lms-not-found", "lms-refused"],
  unanswered: ["lms-failed", "lms-list-broken", "lms-moved", "lms-reply-unreadable", "lms-unreachable"],
};
const sayings = ["access", "notAccepted", "notAllowed", "other", "unanswered"] as const;

/** A reason in the reader's language, without the values that a log has. Any other code is a refusal. */
export function causeText(t: Translate, code: string): string {
  const words = sayings.find((one) => sameWords[one].includes(code));
  if (words !== undefined) return t(`grades.why.${words}`);
  return t.dynamic([`grades.why.${code}`, `errors.${code}`]) ?? t("grades.why.other");
}

/** The column's name in the gradebook; until we know it, a name in the reader's language. */
export function columnName(
  t: Translate,
  course: Pick<Course, "timeZone">,
  session: Pick<CourseSession, "title" | "startsAt"> | null,
  column: Pick<Column, "label"> | null,
): string {
  if (session !== null) return sessionColumnLabel(session, course.timeZone);
  return column?.label ?? t("choose.attendance");
}

/** Our grade as the gradebook shows it: the points it had on arrival, out of the column's present points. */
export function gradeInGradebook({
  delivery: { accepted },
  column,
}: Pick<ProofRow, "delivery" | "column">): Pick<SentScore, "score" | "maximum"> | null {
  if (accepted?.score == null || accepted.points === undefined) return accepted;
  const { score, maximum, points, lineItemUrl = null } = accepted;
  const inGradebook = inPoints({ score, maximum }, points);
  const same = column !== null && column.lineItemUrl === lineItemUrl;
  return { ...inGradebook, maximum: (same ? column.points : null) ?? points };
}
