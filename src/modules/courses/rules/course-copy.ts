import { knownStatuses, type KnownStatus } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import type { EntryWindow } from "../../../domain/entry.ts";
import {
  type Denominator,
  type Formula,
  type GradePolicy,
  ruleDefaults,
} from "../../../domain/grade-policy.ts";
import {
  type Completion,
  sameCompletion,
  sameWorth,
  type SessionWorth,
} from "../../../domain/grade-working.ts";
import { defaultJoinSettings, type JoinSettings } from "../../../domain/join-settings.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";

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
export type CopiedSettings = Pick<Course, "settings" | "policy" | "door" | "checkIn">;

/**
 * The nearest known course that this one was copied from. Copied values (custom values, link addresses, column ids) are
 * evidence of a template only, never identity (LTI Core 1.3, 3.2 and 4.2). @param candidates Courses named by the
 * evidence; others are ignored.
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

/** In the same deployment where context ids are unique only there; never across registrations, where ids may collide. */
export function mayBeSource(course: Course, product: IdsHold, candidate: Course): boolean {
  if (candidate.id === course.id || candidate.registrationId !== course.registrationId) return false;
  return candidate.deploymentId === course.deploymentId || product.idsHoldWithin === "registration";
}

export type SettingsDifference =
  | { kind: "setting"; name: keyof JoinSettings; value: boolean | string }
  | { kind: "entry-always" }
  | { kind: "entry-times"; minutesBefore: number; minutesAfter: number }
  | { kind: "check-in"; on: boolean }
  | { kind: "no-grades" }
  | { kind: "columns"; each: "course" | "session" }
  | { kind: "points"; points: number }
  | { kind: "credit"; status: KnownStatus; percent: number | null }
  | { kind: "worth"; worth: SessionWorth }
  | { kind: "denominator"; by: Denominator }
  | { kind: "drop-lowest"; sessions: number }
  | { kind: "minimum"; sessions: number }
  | { kind: "formula"; formula: Formula }
  | { kind: "completion"; completion: Completion }
  | { kind: "comment"; on: boolean };

export function settingsDifferences(present: CopiedSettings, offered: CopiedSettings): SettingsDifference[] {
  const names = Object.keys(defaultJoinSettings).filter(isSettingName);
  return [
    ...names.flatMap((name) => settingDifference(name, present, offered)),
    ...entryWindowDifference(present.door, offered.door),
    ...checkInDifference(present.checkIn === true, offered.checkIn === true),
    ...policyDifferences(present.policy, offered.policy),
  ];
}

function isSettingName(name: string): name is keyof JoinSettings {
  return name in defaultJoinSettings;
}

function settingDifference(
  name: keyof JoinSettings,
  present: CopiedSettings,
  offered: CopiedSettings,
): SettingsDifference[] {
  const value = offered.settings[name];
  return present.settings[name] === value ? [] : [{ kind: "setting", name, value }];
}

/** Sections are not copied. */
function entryWindowDifference(present: EntryWindow, offered: EntryWindow): SettingsDifference[] {
  const { opens, minutesBefore, minutesAfter } = offered;
  if (opens === "always") return present.opens === "always" ? [] : [{ kind: "entry-always" }];
  const same =
    present.opens === opens &&
    present.minutesBefore === minutesBefore &&
    present.minutesAfter === minutesAfter;
  return same ? [] : [{ kind: "entry-times", minutesBefore, minutesAfter }];
}

function checkInDifference(present: boolean, on: boolean): SettingsDifference[] {
  return present === on ? [] : [{ kind: "check-in", on }];
}

function policyDifferences(present: GradePolicy, offered: GradePolicy): SettingsDifference[] {
  if (offered.kind === "no-grades") return present.kind === "no-grades" ? [] : [{ kind: "no-grades" }];
  const before = present.kind === "no-grades" ? null : present;
  const credits = knownStatuses.filter((status) => before?.credit[status] !== offered.credit[status]);
  return [
    ...columnsDifference(before?.kind ?? "one-column", offered.kind),
    ...(before?.points === offered.points ? [] : [{ kind: "points" as const, points: offered.points }]),
    ...credits.map((status) => ({ kind: "credit" as const, status, percent: offered.credit[status] })),
    ...worthDifference((before ?? ruleDefaults).worth, offered.worth),
    ...optionDifferences(present, offered),
    ...(before?.comment === offered.comment ? [] : [{ kind: "comment" as const, on: offered.comment }]),
  ];
}

function columnsDifference(present: GradePolicy["kind"], offered: GradePolicy["kind"]): SettingsDifference[] {
  if (present === offered) return [];
  return [{ kind: "columns", each: offered === "column-per-session" ? "session" : "course" }];
}

function worthDifference(present: SessionWorth, worth: SessionWorth): SettingsDifference[] {
  return sameWorth(present, worth) ? [] : [{ kind: "worth", worth }];
}

/** Of a column for all sessions; without one before, compared with the defaults. */
function optionDifferences(present: GradePolicy, offered: GradePolicy): SettingsDifference[] {
  if (offered.kind !== "one-column") return [];
  const before = present.kind === "one-column" ? present : ruleDefaults;
  const { denominator, dropLowest, minimumSessions, formula, completion } = offered;
  const found: SettingsDifference[] = [];
  if (!sameDenominator(before.denominator, denominator)) found.push({ kind: "denominator", by: denominator });
  if (before.dropLowest !== dropLowest) found.push({ kind: "drop-lowest", sessions: dropLowest });
  if (before.minimumSessions !== minimumSessions) found.push({ kind: "minimum", sessions: minimumSessions });
  if (!sameFormula(before.formula, formula)) found.push({ kind: "formula", formula });
  if (!sameCompletion(before.completion, completion)) found.push({ kind: "completion", completion });
  return found;
}

function sameFormula(one: Formula, other: Formula): boolean {
  if (one.kind === "mean" || other.kind === "mean") return one.kind === other.kind;
  return one.kind === other.kind && one.percent === other.percent;
}

function sameDenominator(one: Denominator, other: Denominator): boolean {
  if (one.kind === "fixed" && other.kind === "fixed") return one.sessions === other.sessions;
  return one.kind === other.kind;
}
