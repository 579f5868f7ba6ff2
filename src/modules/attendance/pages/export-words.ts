import type { App } from "../../../app.ts";
import { personName } from "../../../domain/person-name.ts";
import { courseNameOf, type CourseWords } from "../../../web/course-words.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import type { DayRange } from "../../scheduling/rules/day-range.ts";

export type ExportWordsDeps = Pick<App, "people" | "clock">;

/** What a table that is taken away is about: the course, whom, which sessions, who made it when, whose clock. */
export async function exportWords(
  { people, clock }: ExportWordsDeps,
  { session, course }: InstructorVisit,
  words: CourseWords,
  { sectionId, days }: { sectionId: string | null; days: DayRange },
): Promise<string[]> {
  const { t, times } = words;
  const [reader] = await people.findMany([session.personId]);
  const name = reader === undefined ? t("grades.files.about.somebody") : personName(reader, "instructor");
  const section = words.sections.find((one) => one.lmsSectionId === sectionId);
  const now = clock.now();
  return [
    courseNameOf(t, course),
    ...(section === undefined ? [] : [sectionLabel(t, words.sectionKind, section)]),
    daysText(words, days),
    t("grades.files.about.by", { name, when: times.text(now) }),
    t("sessions.zone.shown", { zone: times.place(now) }),
  ];
}

function daysText({ t }: CourseWords, { from, to }: DayRange): string {
  if (from === null && to === null) return t("grades.files.about.all");
  if (from === null) return t("grades.files.about.until", { to: dayText(t, to ?? "") });
  if (to === null) return t("grades.files.about.since", { from: dayText(t, from) });
  return t("grades.files.about.between", { from: dayText(t, from), to: dayText(t, to) });
}

/** A day is the same one everywhere. */
function dayText(t: CourseWords["t"], day: string): string {
  return courseTimes({ timeZone: "UTC" }, t.locale).date(Date.parse(day));
}
