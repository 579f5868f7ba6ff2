import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { isDate, isTime } from "../rules/recurrence.ts";
import { maxTitleLength } from "../rules/session-title.ts";
import { wallTimeOf } from "../rules/time-zone.ts";
import type { SessionChange } from "../session-step.ts";
import { factsOf, type SessionRecord } from "../session-record.ts";
import { cutTo, showsNothing, wholeNumber } from "../../../kernel/text.ts";

const text = z
  .string()
  .transform((value) => cutTo(value.trim(), maxTitleLength + 1))
  .catch("");
const texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]);

export const changeShape = z.object({
  key: z.string().max(300).catch(""),
  act: z.enum(["show", "save", "cancel"]).catch("show"),
  scope: z.enum(["one", "following", "all"]).catch("one"),
  /** As seen: somebody may have changed it since. */
  revision: z.coerce.number().int().catch(-1),
  title: text,
  /** Without fields for times where they cannot be changed. */
  date: text,
  time: text,
  minutes: text,
  who: z.enum(["all", "some"]).catch("all"),
  section: texts,
  counts: z.string().optional().catch(undefined),
});

export type PostedChange = z.infer<typeof changeShape>;

export type ChangeForm = Pick<
  PostedChange,
  "title" | "date" | "time" | "minutes" | "who" | "section" | "scope"
> & { counts: boolean };

export type ChangeProblem = "title" | "date" | "time" | "minutes" | "sections";

export function changeFormOf(posted: PostedChange): ChangeForm {
  const { title, date, time, minutes, who, section, scope, counts } = posted;
  return { title, date, time, minutes, who, section, scope, counts: counts !== undefined };
}

export function changeFormAsIs(record: SessionRecord, course: Course): ChangeForm {
  const { sectionIds = [], counts = true } = record.plan ?? {};
  return {
    title: factsOf(record).title ?? "",
    ...timesAsAre(record, course),
    who: sectionIds.length === 0 ? "all" : "some",
    section: [...sectionIds],
    scope: "one",
    counts,
  };
}

function timesAsAre(record: SessionRecord, course: Course): Pick<ChangeForm, "date" | "time" | "minutes"> {
  const { startsAt, endsAt } = factsOf(record);
  if (startsAt === null) return { date: "", time: "", minutes: "" };
  const minutes = endsAt === null ? "" : String(Math.round((endsAt - startsAt) / 60_000));
  return { ...wallTimeOf(startsAt, zoneOf(course)), minutes };
}

function zoneOf({ timeZone }: Course): string {
  return timeZone ?? "UTC";
}

/** What differs from what is stored, or what is wrong. @param known The ids of the course's sections. */
export function readChange(
  typed: ChangeForm,
  stored: ChangeForm,
  course: Course,
  known: readonly string[],
): { change: SessionChange; problems: null } | { change: null; problems: ChangeProblem[] } {
  const sectionIds = sectionsOf(typed, stored, known);
  const problems = [...problemsOf(typed, sectionIds), ...problemsOfTimes(typed)];
  if (problems.length > 0) return { change: null, problems };
  const isRenamed = typed.title !== stored.title && !showsNothing(typed.title);
  const { counts } = typed;
  return {
    change: {
      ...(isRenamed ? { title: typed.title } : {}),
      ...timesOf(typed, stored, zoneOf(course)),
      own: { sectionIds, counts },
    },
    problems: null,
  };
}

/** Where no section is known there was none to choose, so nothing changes. */
function sectionsOf(typed: ChangeForm, stored: ChangeForm, known: readonly string[]): string[] {
  if (known.length === 0) return stored.section;
  return typed.who === "all" ? [] : typed.section.filter((id) => known.includes(id));
}

function problemsOf(typed: ChangeForm, sectionIds: readonly string[]): ChangeProblem[] {
  return [
    ...(typed.title.length > maxTitleLength ? (["title"] as const) : []),
    ...(typed.who === "some" && sectionIds.length === 0 ? (["sections"] as const) : []),
  ];
}

function hasTimes({ date, time, minutes }: ChangeForm): boolean {
  return date !== "" || time !== "" || minutes !== "";
}

function problemsOfTimes(typed: ChangeForm): ChangeProblem[] {
  if (!hasTimes(typed)) return [];
  const minutes = wholeNumber(typed.minutes);
  return [
    ...(isDate(typed.date) ? [] : (["date"] as const)),
    ...(isTime(typed.time) ? [] : (["time"] as const)),
    ...(minutes >= 1 && minutes <= 1_440 ? [] : (["minutes"] as const)),
  ];
}

/** A date is one session's only. */
function timesOf(typed: ChangeForm, stored: ChangeForm, timeZone: string): Pick<SessionChange, "times"> {
  const fields = ["date", "time", "minutes"] as const;
  if (!hasTimes(typed) || fields.every((name) => typed[name] === stored[name])) return {};
  const date = typed.scope === "one" ? typed.date : null;
  return { times: { date, time: typed.time, minutes: wholeNumber(typed.minutes), timeZone } };
}
