import { z } from "zod";
import {
  isTime,
  maxOccurrences,
  type Recurrence,
  type SeriesEnd,
  type Weekday,
  weekdays,
} from "../rules/recurrence.ts";
import { type WallTime, zoneOfCity } from "../rules/time-zone.ts";
import { maxTitleLength } from "../rules/course-session.ts";
import { cutTo, isDate, showsNothing, wholeNumber } from "../../../kernel/text.ts";

/** As it was typed; every field is text. */
export type PlanForm = ReturnType<typeof planFormOf>;

/** Named like its message. */
export type PlanProblem =
  | "title"
  | "date"
  | "time"
  | "zone"
  | "minutes"
  | "interval"
  | "count"
  | "until"
  | "sections"
  | "space"
  | "none"
  | "empty";

export type PlanRead = NonNullable<ReturnType<typeof readPlanForm>["plan"]>;

const text = (longest: number) =>
  z
    .string()
    .transform((value) => cutTo(value.trim(), longest))
    .catch("");
/** A field that a form may have several times. */
export const texts = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .catch([])
  .transform((all) => all.slice(0, 500));

/** Whether the form was sent: then a box that isn't ticked means "no". */
const formShape = z.object({
  title: text(maxTitleLength + 1),
  date: text(20),
  time: text(20),
  /** A city, as `cityWithOffset` writes it, or an IANA name; empty: the course's zone. */
  zone: text(80),
  minutes: text(10),
  repeats: z.enum(["once", "day", "week", "weekdays"]).catch("once"),
  interval: text(10),
  day: texts,
  end: z.enum(["count", "until"]).catch("count"),
  count: text(10),
  until: text(20),
  who: z.enum(["all", "some"]).catch("all"),
  section: texts,
  counts: z.string().optional().catch(undefined),
  space: text(200),
});

const anyForm = formShape.catch(formShape.parse({}));

/** Missing and strange fields are empty. */
export function planFormOf(body: unknown) {
  const { day, section, counts, ...fields } = anyForm.parse(body);
  return {
    ...fields,
    days: weekdays.filter((each) => day.includes(each)),
    sections: section,
    counts: counts !== undefined,
  };
}

/** With the first date's weekday ticked. */
export function freshPlanForm({ date, time }: WallTime, title: string, zone: string): PlanForm {
  const usual = { minutes: "60", interval: "1", count: "10", counts: true, days: [dayOf(date)] };
  return { ...planFormOf({}), ...usual, title, date, time, zone };
}

/** `known`: the ids of the course's sections, and of its Spaces besides its own. */
export function readPlanForm(
  form: PlanForm,
  timeZone: string,
  known: { sections: readonly string[]; spaces: readonly string[] },
) {
  const sectionIds = form.who === "all" ? [] : form.sections.filter((id) => known.sections.includes(id));
  const minutes = wholeNumber(form.minutes);
  const zone = form.zone === "" ? timeZone : zoneOfCity(form.zone);
  const checks: [PlanProblem, boolean][] = [
    ["title", !showsNothing(form.title) && form.title.length <= maxTitleLength],
    ["date", isDate(form.date)],
    ["time", isTime(form.time)],
    ["zone", zone !== null],
    ["minutes", minutes >= 1 && minutes <= 1_440],
    ...(form.repeats === "once" ? [] : checksOfSeries(form)),
    ["sections", form.who === "all" || sectionIds.length > 0],
    ["space", form.space === "" || known.spaces.includes(form.space)],
  ];
  const problems = checks.filter(([, holds]) => !holds).map(([name]) => name);
  if (problems.length > 0 || zone === null) return { plan: null, problems };
  const { title, date, time, counts } = form;
  const times = { date, time, minutes, timeZone: zone };
  const spaceId = form.space === "" ? null : form.space;
  return {
    plan: { title, times, recurrence: recurrenceOf(form), sectionIds, counts, spaceId },
    problems: null,
  };
}

function checksOfSeries(form: PlanForm): [PlanProblem, boolean][] {
  const interval = wholeNumber(form.interval);
  const count = wholeNumber(form.count);
  return [
    ["interval", form.repeats === "weekdays" || (interval >= 1 && interval <= 52)],
    form.end === "count"
      ? ["count", count >= 1 && count <= maxOccurrences]
      : ["until", isDate(form.until) && form.until >= form.date],
  ];
}

function recurrenceOf(form: PlanForm): Recurrence {
  const interval = wholeNumber(form.interval);
  const end: SeriesEnd =
    form.end === "count"
      ? { kind: "count", count: wholeNumber(form.count) }
      : { kind: "until", date: form.until };
  switch (form.repeats) {
    case "once":
      return { every: "once" };
    case "day":
      return { every: "day", interval, end };
    case "weekdays":
      return { every: "week", interval: 1, days: weekdays.slice(0, 5), end };
    case "week":
      return { every: "week", interval, days: form.days.length > 0 ? form.days : [dayOf(form.date)], end };
  }
}

function dayOf(date: string): Weekday {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return weekdays[(day + 6) % 7] ?? "MO";
}
