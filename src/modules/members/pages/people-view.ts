import { classroomProblemText, inList, numberText } from "../../../web/page-text.ts";
import type { MessageKey, Translate } from "../../../web/translate.ts";
import type { Readiness } from "../people.ts";
import type { RosterSync } from "../rules/roster.ts";
import type { Headcount } from "../sections.ts";

/** A text such as "30 learners, 1 instructor". */
export function headcountText(t: Translate, { learners, instructors }: Headcount): string {
  const parts = [
    ...(learners > 0 ? [t("common.learnerCount", { count: learners, number: numberText(t, learners) })] : []),
    ...(instructors > 0
      ? [t("sections.instructors", { count: instructors, number: numberText(t, instructors) })]
      : []),
  ];
  return parts.length === 0 ? t("sections.nobody") : inList(t, parts);
}

/** Codes for which `rosterProblem` has sentences. */
const worded: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ["roster-not-told", "sections.roster.why.notListed"],
  ["lms-not-allowed", "sections.roster.why.notAllowed"],
  ["lms-token-refused", "sections.roster.why.notAllowed"],
  ["lms-not-found", "sections.roster.why.notFound"],
  ["unexpected", "sections.roster.why.unexpected"],
]);

/** The problem in the reader's language. Empty if there is none. Unknown codes, and English words with values, stay as stored. */
export function rosterProblemText(
  t: Translate,
  { problem, problemCode }: Pick<RosterSync, "problem" | "problemCode">,
): string {
  if (problem === null || problemCode === null) return problem ?? "";
  const key = worded.get(problemCode);
  const text = key === undefined ? t.dynamic(`errors.${problemCode}`) : t(key);
  return text === null || text.includes("{{") ? problem : text;
}

type SyncView = {
  phase: "none" | "soon" | "reading" | "done" | "failed";
  text: string;
  /** Null while unknown. */
  progress: { value: number; max: number } | null;
  /** When the list was last completely taken over (ms). */
  doneAt: number | null;
  /** When it's retried automatically (ms). */
  retryAt: number | null;
};

/** A reading that starts later than this (ms) isn't announced, as in the nightly round. */
const soonMs = 60_000;

export function syncView(t: Translate, sync: RosterSync | null, now: number): SyncView {
  const still = { progress: null, doneAt: sync?.doneAt ?? null, retryAt: null };
  if (sync === null) return { ...still, phase: "none", text: t("sections.roster.none") };
  if (sync.state === "running") return { ...still, phase: "reading", ...readingView(t, sync) };
  if (sync.state === "failed") {
    return { ...still, phase: "failed", text: rosterProblemText(t, sync), retryAt: sync.dueAt };
  }
  if (sync.state === "waiting" && (sync.dueAt ?? Infinity) - now < soonMs) {
    return { ...still, phase: "soon", text: t("sections.roster.soon") };
  }
  if (sync.doneAt === null) return { ...still, phase: "none", text: t("sections.roster.none") };
  return { ...still, phase: "done", text: t("sections.roster.done", { number: numberText(t, sync.listed) }) };
}

function readingView(t: Translate, sync: RosterSync): Pick<SyncView, "text" | "progress"> {
  if (sync.total === null) {
    return { text: t("sections.roster.listing", { listed: numberText(t, sync.listed) }), progress: null };
  }
  return {
    text: t("sections.roster.writing", {
      written: numberText(t, sync.written),
      total: numberText(t, sync.total),
    }),
    progress: { value: sync.written, max: Math.max(sync.total, 1) },
  };
}

/** How many people can enter now, and why others can't yet. Empty if nobody is expected. */
export function readinessTexts(t: Translate, readiness: Readiness): string[] {
  const { expected, ready, preparing, refused } = readiness;
  const problem = classroomProblemText(t, readiness.problem, readiness.problemCode);
  const refusal = classroomProblemText(t, readiness.refusal, readiness.refusalCode);
  if (expected === 0) return [];
  if (ready === expected) return [t("readiness.all", { count: ready, number: numberText(t, ready) })];
  const counted = (key: MessageKey, count: number, more: Record<string, string> = {}) =>
    count > 0 ? [t(key, { count, number: numberText(t, count), ...more })] : [];
  return [
    t("readiness.some", { ready: numberText(t, ready), expected: numberText(t, expected) }),
    ...counted("readiness.preparing", preparing),
    ...(problem === null ? [] : [t("readiness.heldUp", { problem })]),
    ...counted("readiness.refused", refused, { problem: refusal ?? "" }),
    ...counted("readiness.later", expected - ready - preparing - refused),
  ];
}
