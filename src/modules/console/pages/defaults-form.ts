import { z } from "zod";
import { minutesFrom, alwaysOpen } from "../../../domain/entry.ts";
import { defaultGradePolicy } from "../../../domain/grade-policy.ts";
import {
  type EntryWindowTimes,
  type InstitutionDefaults,
  nothingSet,
  type PolicyPart,
  policyParts,
  type PolicyValues,
  ruleNames,
  type RuleName,
  setNames,
} from "../../../domain/institution-defaults.ts";
import {
  defaultUnplannedRule,
  type InstitutionUnplanned,
  readUnplannedRule,
  sameRule,
} from "../../../domain/unplanned-rule.ts";
import {
  type InstitutionReminders,
  type InstitutionWeekly,
  noWeeklyMails,
  readReminderMinutes,
  readWeekly,
} from "../../../domain/mails.ts";
import { otherStaff, type OtherStaff, type StaffLevel, staffLevels } from "../../../domain/course-rights.ts";
import { joinQuestions, type JoinSettings, settingsOfAnswer } from "../../../domain/join-settings.ts";
import { firstValues } from "../../courses/change-settings.ts";
import {
  formOfPolicy,
  formOfPosted as gradingPosted,
  type GradingForm,
  type GradingProblem,
  type GradingProblems,
  partOf,
  withoutLocked,
} from "../../grading/pages/grading-form.ts";
import { policyOfForm } from "../../grading/pages/read-grading-form.ts";
import {
  type FormProblems,
  formOfCourse,
  formOfPosted as settingsPosted,
  readNewSpace,
  type SettingsForm,
} from "../../courses/pages/settings-form.ts";

/** Not set, a default that courses may change, or locked. */
export const ruleStates = ["", "default", "locked"] as const;
export type RuleState = (typeof ruleStates)[number];

/** Spaces made for the courses and approved ones, or the first alone. */
export const spacesRules = ["approved", "own"] as const;
type SpacesRule = (typeof spacesRules)[number];

export type DefaultsForm = {
  states: Readonly<Record<RuleName, RuleState>>;
  settings: SettingsForm;
  grading: GradingForm;
  spaces: SpacesRule;
  staff: Readonly<Record<OtherStaff, StaffLevel>>;
  unplanned: InstitutionUnplanned;
  checkIn: "on" | "off";
  reminders: InstitutionReminders;
  weekly: InstitutionWeekly;
};

/** What is wrong with the fields, by the pages whose fields they are. */
export type DefaultsProblems = { settings: FormProblems; grading: GradingProblems };

/** Values that are not set show what the tool begins with. */
export function formOfDefaults(defaults: InstitutionDefaults): DefaultsForm {
  const values = firstValues(defaults);
  const set = setNames(defaults);
  // Without grades there is no policy; what is set all the same is shown.
  const rule = firstValues({ ...defaults, policy: { ...defaults.policy, kind: "one-column" } }).policy;
  return {
    states: statesFrom((name) =>
      !set.includes(name) ? "" : defaults.locked.includes(name) ? "locked" : "default",
    ),
    settings: formOfCourse({ ...values, spaceAccess: "unknown" }),
    grading: { ...formOfPolicy(rule), kind: values.policy.kind },
    spaces: defaults.ownSpacesOnly ? "own" : "approved",
    staff: levelsFrom((role) => defaults.staff[role]),
    unplanned: defaults.unplanned ?? defaultUnplannedRule,
    checkIn: defaults.checkIn === true ? "on" : "off",
    reminders: defaults.reminders ?? { minutes: 0, locked: false },
    weekly: defaults.weekly ?? { ...noWeeklyMails, locked: false },
  };
}

function statesFrom(stateOf: (name: RuleName) => RuleState): Record<RuleName, RuleState> {
  const plain = Object.fromEntries(ruleNames.map((name) => [name, stateOf(name)]));
  return statesShape.parse(plain);
}

const level = z.enum(staffLevels).catch("arrange");
const levelsShape = z.record(z.enum(otherStaff), level);

function levelsFrom(levelOf: (role: OtherStaff) => unknown): Record<OtherStaff, StaffLevel> {
  return levelsShape.parse(Object.fromEntries(otherStaff.map((role) => [role, levelOf(role)])));
}

const spacesRule = z.enum(spacesRules).catch("approved");
const state = z.enum(ruleStates).catch("");
const statesShape = z.record(z.enum(ruleNames), state);

/** How a value stands is in the field "state-" with its name. */
export function defaultsPosted(body: unknown): DefaultsForm {
  const fields = new Map(Object.entries(typeof body === "object" && body !== null ? body : {}));
  return {
    states: statesFrom((name) => state.parse(fields.get(`state-${name}`))),
    settings: settingsPosted(body),
    grading: gradingPosted(body),
    spaces: spacesRule.parse(fields.get("spaces")),
    staff: levelsFrom((role) => fields.get(`staff-${role}`)),
    unplanned: {
      ...(readUnplannedRule({
        answer: String(fields.get("unplanned-answer")),
        presentFrom: String(fields.get("unplanned-presentFrom")),
        lateAfter: String(fields.get("unplanned-lateAfter")),
      }) ?? defaultUnplannedRule),
      locked: fields.get("unplanned-locked") === "yes",
    },
    checkIn: fields.get("checkIn") === "on" ? "on" : "off",
    reminders: {
      minutes: readReminderMinutes(String(fields.get("reminders-minutes"))) ?? 0,
      locked: fields.get("reminders-locked") === "yes",
    },
    weekly: {
      ...(readWeekly({
        digest: String(fields.get("weekly-digest")),
        low: String(fields.get("weekly-low")),
      }) ?? noWeeklyMails),
      locked: fields.get("weekly-locked") === "yes",
    },
  };
}

type Read =
  { defaults: InstitutionDefaults; problems: null } | { defaults: null; problems: DefaultsProblems };

/** Problems in values that are not set do not matter. */
export function defaultsOfForm(form: DefaultsForm, seen: { registrationId: string; revision: number }): Read {
  const isSet = (name: RuleName) => form.states[name] !== "";
  const problems: DefaultsProblems = { settings: {}, grading: {} };
  const newSpace = isSet("newSpace") ? readNewSpace(form.settings, problems.settings) : null;
  const defaults: InstitutionDefaults = {
    ...nothingSet(seen.registrationId),
    revision: seen.revision,
    settings: readSettings(form, problems.settings),
    doorTimes: isSet("doorTimes") ? readTimes(form.settings, problems.settings) : null,
    newSpace,
    checkIn: isSet("checkIn") ? form.checkIn === "on" : null,
    policy: readPolicy(form, problems.grading),
    locked: ruleNames.filter((name) => form.states[name] === "locked"),
    ownSpacesOnly: form.spaces === "own",
    staff: Object.fromEntries(otherStaff.flatMap((role) => said(role, form.staff[role]))),
    unplanned:
      sameRule(form.unplanned, defaultUnplannedRule) && form.unplanned.locked !== true
        ? null
        : form.unplanned,
    reminders: form.reminders.minutes === 0 && !form.reminders.locked ? null : form.reminders,
    weekly: !form.weekly.digest && form.weekly.low === 0 && !form.weekly.locked ? null : form.weekly,
  };
  const wrong = Object.keys(problems.settings).length + Object.keys(problems.grading).length;
  return wrong === 0 ? { defaults, problems: null } : { defaults: null, problems };
}

/** Arranging is what they may anyway. */
function said(role: OtherStaff, level: StaffLevel): [OtherStaff, StaffLevel][] {
  return level === "arrange" ? [] : [[role, level]];
}

function readSettings(
  { states, settings: form }: DefaultsForm,
  problems: FormProblems,
): Partial<JoinSettings> {
  const settings: Partial<JoinSettings> = {};
  for (const question of joinQuestions) {
    if (states[question] === "") continue;
    const read = settingsOfAnswer(question, form[question]);
    if (read === null) problems[question] = "choose";
    else Object.assign(settings, read);
  }
  return settings;
}

function readTimes(form: SettingsForm, problems: FormProblems): EntryWindowTimes | null {
  const { opens } = form;
  const minutesBefore = minutesFrom(form.minutesBefore);
  const minutesAfter = minutesFrom(form.minutesAfter);
  if (opens === "always")
    return {
      opens,
      minutesBefore: minutesBefore ?? alwaysOpen.minutesBefore,
      minutesAfter: minutesAfter ?? alwaysOpen.minutesAfter,
    };
  if (opens !== "around-sessions") {
    problems.opens = "choose";
    return null;
  }
  if (minutesBefore === null) problems.minutesBefore = "minutes";
  if (minutesAfter === null) problems.minutesAfter = "minutes";
  return minutesBefore === null || minutesAfter === null ? null : { opens, minutesBefore, minutesAfter };
}

/** The parts that are set, read as if the others were the tool's own. */
function readPolicy({ states, grading: form }: DefaultsForm, problems: GradingProblems): PolicyValues {
  const unset = policyParts.filter((part) => states[part] === "");
  const whole = withoutLocked(form, formOfPolicy(defaultGradePolicy), unset);
  const kind = readKind(whole.kind);
  if (kind === null) problems.kind = "choose";
  // Also beside "no grades": courses that give grades all the same begin with these.
  const read = policyOfForm({ ...whole, kind: "one-column" });
  const found: [string, GradingProblem][] = Object.entries(read.problems ?? {});
  for (const [field, problem] of found)
    if (isField(whole, field) && !unset.includes(partOf(field))) problems[field] = problem;
  if (read.policy === null || read.policy.kind === "no-grades" || kind === null) return {};
  const values: Required<PolicyValues> = { ...read.policy, kind };
  const set = Object.entries(values).filter(([part]) => isPart(part) && !unset.includes(part));
  return Object.fromEntries(set);
}

function readKind(kind: string): Required<PolicyValues>["kind"] | null {
  return kind === "one-column" || kind === "column-per-session" || kind === "no-grades" ? kind : null;
}

function isField(form: GradingForm, field: string): field is keyof GradingForm {
  return field in form;
}

function isPart(name: string): name is PolicyPart {
  return policyParts.some((part) => part === name);
}
