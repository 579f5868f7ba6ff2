import { compareText } from "../../../kernel/lists.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { Course } from "../../../domain/course.ts";
import { ruleDefaults } from "../../../domain/grade-policy.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";

export function courseName({ title, label, contextId }: Pick<Course, "title" | "label" | "contextId">) {
  return title || label || contextId;
}

/** Items of an instructor's home page, each with one sentence and one button, in their order within an urgency. */
export const attentionKinds = [
  "space-refused",
  "space-not-own",
  "space-elsewhere",
  "event-no-show",
  "event-declined",
  "scores-overdue",
  "scores-refused",
  "column-missing",
  "column-emptied",
  "column-without-points",
  "cohort-deleted",
  "sessions-stuck",
  "class-unplanned",
  "session-ended",
  "attendance-open",
  "words-open",
  "scores-held",
  "scores-kept",
  "column-offered",
  "column-second",
  "unmatched",
  "roster-unreadable",
  "alert-other",
  "invited-only",
  "recordings-ready",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** now: people are affected · soon: it stays until a person acts · know: for information. */
export const urgencies = ["now", "soon", "know"] as const;
export type Urgency = (typeof urgencies)[number];

export type AttentionItem = {
  kind: AttentionKind;
  urgency: Urgency;
  /** 1 if nothing is counted. {@link inOrder} drops items with 0. */
  number: number;
  name: string | null;
  /** When it is or was (ms). Null if a time makes no sense. */
  at: number | null;
  /** When an unplanned class ended (ms). */
  until?: number;
  /** The session whose register resolves it. */
  eventId?: string;
  /** Learners of a register that isn't complete. */
  register?: { expected: number; recorded: number };
  /** Recordings that can be published from the list itself. `revision`: that of the decision the page showed. */
  recordings?: { recordingId: string; revision: number; name: string | null; at: number }[];
};

/** Sorts by urgency, kind, larger number, name and time, so the input's order doesn't matter. */
export function inOrder(items: readonly AttentionItem[]): AttentionItem[] {
  return items.filter(({ number }) => number > 0).sort(byUrgency);
}

function byUrgency(one: AttentionItem, other: AttentionItem): number {
  return (
    urgencies.indexOf(one.urgency) - urgencies.indexOf(other.urgency) ||
    attentionKinds.indexOf(one.kind) - attentionKinds.indexOf(other.kind) ||
    other.number - one.number ||
    // Null comes first, before every value.
    Number(one.name !== null) - Number(other.name !== null) ||
    compareText(one.name ?? "", other.name ?? "") ||
    Number(one.at !== null) - Number(other.at !== null) ||
    (one.at ?? 0) - (other.at ?? 0)
  );
}

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";

/** LTI Core 1.3, A.2.1 and A.2.2. */
const administrating = new Set([
  `${vocabulary}/institution/person#Administrator`,
  `${vocabulary}/system/person#Administrator`,
  `${vocabulary}/system/person#SysAdmin`,
]);

/** Accepts full role names only, so no course administrators (membership#Administrator). Gives no rights in a course. */
export function administersLms(roles: readonly string[]): boolean {
  return roles.some((role) => administrating.has(role));
}

/** How long after the launch an administrator may continue to the console (ms). */
export const consoleLinkLifetimeMs = 60 * 60_000;

export function letsAdministratorsIn({
  active,
  administratorsEnter = false,
}: Pick<Registration, "active" | "administratorsEnter">): boolean {
  return active && administratorsEnter;
}

export type Notice = {
  registrationId: string;
  deploymentId: string;
  /** The LMS's id. Repetitions have the same id and another nonce. */
  id: string;
  nonce: string;
  type: string;
  meaning: NoticeMeaning;
};

/** Types without a meaning here are accepted and counted. */
export type NoticeMeaning =
  /** Content of the courses `origins` was copied into the course `contextId`, which may be new. */
  | { kind: "course-copied"; contextId: string; origins: readonly string[] }
  | { kind: "hello" }
  | { kind: "other" };

export const courseCopyNotice = "LtiContextCopyNotice";
/** The LMS's test of a receiver. */
export const helloNotice = "LtiHelloWorldNotice";

export type CopyEvidence = {
  /** Context ids of every launch (`Context.id.history`), newest first. */
  history: readonly string[];
  /** Context ids from notices (LtiContextCopyNotice). */
  noticed: readonly string[];
  /** Our id of the course whose copied link came along. */
  madeIn: string | null;
};

/** The scope in which course ids are unique. */
type IdsHold = Pick<LmsCapabilities, "idsHoldWithin">;

/** What a copy may take over: never Space, members, grades, sections or cohorts. */
type CopiedSettings = Pick<Course, "settings" | "policy" | "door" | "checkIn">;

/**
 * Returns the nearest known course from which this one was copied. Copied values (custom values, link addresses, column ids) are only evidence
 * of a template, never identity (LTI Core 1.3, 3.2 and 4.2).
 * @param candidates Courses that the evidence names. Others are ignored.
 */
export function nearestSource(
  course: Course,
  product: IdsHold,
  evidence: CopyEvidence,
  candidates: readonly Course[],
): Course | null {
  const possible = candidates.filter((candidate) => mayBeSource(course, product, candidate));
  const byContext = (contextId: string) =>
    possible.find((one) => one.contextId === contextId && one.deploymentId === course.deploymentId) ??
    possible.find((one) => one.contextId === contextId);
  for (const contextId of [...evidence.history, ...evidence.noticed]) {
    const found = byContext(contextId);
    if (found !== undefined) return found;
  }
  return possible.find(({ id }) => id === evidence.madeIn) ?? null;
}

/** In the same deployment if context ids are unique only there. Never across registrations, whose ids may collide. */
export function mayBeSource(course: Course, product: IdsHold, candidate: Course): boolean {
  if (candidate.id === course.id || candidate.registrationId !== course.registrationId) return false;
  return candidate.deploymentId === course.deploymentId || product.idsHoldWithin === "registration";
}

/** The course after it has taken another course's settings, without sections, which belong to one course. */
export function withSettingsOf(source: CopiedSettings, course: Course): Course {
  const { settings, policy, door, checkIn } = source;
  return { ...course, settings, policy, checkIn, door: { ...door, sectionIds: course.door.sectionIds } };
}

/** The settings to compare, without what has no effect: minutes of an entry that is always open, and options that session columns don't have. */
export function comparable({ settings, policy, door, checkIn }: CopiedSettings) {
  const { opens, minutesBefore, minutesAfter } = door;
  return {
    checkIn,
    settings,
    door: opens === "always" ? { opens } : { opens, minutesBefore, minutesAfter },
    policy:
      policy.kind === "column-per-session" ? { ...policy, ...ruleDefaults, worth: policy.worth } : policy,
  };
}
