import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { officeId } from "../../../domain/counting-facts.ts";
import { personName } from "../../../domain/person.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { mayIn } from "../../../web/visits.ts";
import { isolated, statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { listCourseAudit } from "../audit.ts";
import {
  type AuditedPerson,
  type AuditedSession,
  type AuditKind,
  auditKinds,
  type CourseAuditEntry,
  isAuditedRecording,
  ruleId,
} from "../rules/course-audit.ts";

const carried = z.object({
  before: z.string().max(300).catch(""),
  person: z.string().max(100).catch(""),
  kind: z.string().max(40).catch(""),
});

const kinds = Object.keys(auditKinds).filter((text): text is AuditKind => text in auditKinds);

/**
 * The change log, newest first. `person` narrows it to one learner, `kind` to one kind. For instructors. Readers without a right to grades
 * don't see entries about attendance and grades.
 */
export function auditRoutes(app: App): Router {
  const pages = coursePages(app);
  pages.page("/course/audit", {
    who: "settings",
    fields: carried,
    address: ({ before, person, kind }) => ({ before, person, kind }),
    form: { maxBytes: 16 * 1024 },
    view: defineView<AuditPage>("course/audit"),
    model: auditModel,
  });
  return pages.router;
}

export type AuditPage = PageOf<typeof auditModel>;

async function auditModel(
  app: App,
  { visit: { session, course }, fields, words }: PageContext<"settings", z.infer<typeof carried>>,
) {
  const { t } = words;
  const { before, person, kind: asked } = fields;
  const personId = person === "" ? null : person;
  const seesGrades = mayIn(session, course, "grades");
  const offered = seesGrades ? kinds : kinds.filter((one) => one !== "attendance" && one !== "grades");
  const kind = offered.find((one) => one === asked) ?? null;
  const all = seesGrades ? undefined : offered.flatMap((one) => [...auditKinds[one]]);
  const what = kind === null ? all : auditKinds[kind];
  const filter = { registrationId: course.registrationId, courseId: course.id, personId, what };
  const { entries, olderThan } = await listCourseAudit(app, filter, before === "" ? null : before);
  const about = personId === null ? null : await app.people.find(personId);
  return {
    title: t("register.audit.title", { course: courseNameOf(t, course) }),
    person: personId,
    kind: kind ?? "",
    kinds: (["", ...offered] as const).map((value) => ({
      value,
      label: t(value === "" ? "common.all" : `settings.changes.kinds.${value}`),
      current: value === (kind ?? ""),
    })),
    // If there are no lines, the page names nobody, because the person may belong to another course.
    about: entries.length === 0 || about === null ? null : personName(about),
    days: [...Map.groupBy(entries, ({ at }) => words.times.date(at))].map(([day, some]) => ({
      day,
      entries: some.map((entry) => entryView(words, entry)),
    })),
    first: before === "",
    /** Where the next older page begins. Null on the last page. */
    olderThan,
  };
}

function entryView({ t, times, iso, number }: PageWords, entry: CourseAuditEntry) {
  const { by, on, session, what, count } = entry;
  const learners = count === null ? null : t("common.learnerCount", { count, number: number(count) });
  return {
    at: iso(entry.at),
    when: times.clock(entry.at),
    by: authorText(t, by),
    what: t(`register.audit.what.${what}`),
    on: on === null ? learners : (on.name ?? t("register.audit.unnamed")),
    session: session === null ? null : sessionText(t, times, session),
    change: changeText(t, entry),
    reason: entry.reason,
  };
}

function authorText(t: Translate, { personId, name }: AuditedPerson): string {
  if (personId === ruleId) return t("register.bulk.classroom");
  return personId === officeId ? t("register.office") : (name ?? t("register.someInstructor"));
}

/** "Lecture 3, Tue 24 Nov 2026, 10:00", or "Recording of Tue 24 Nov 2026, 10:00" for a recording without a title. */
function sessionText(t: Translate, times: CourseTimes, session: AuditedSession): string {
  const title = session.title ?? t("common.untitledSession");
  if (session.startsAt === null) return title;
  const when = times.text(session.startsAt);
  if (session.title === null && isAuditedRecording(session)) return t("recordings.untitled", { when });
  return t("alerts.session", { title: isolated(t, title), when });
}

/** A text such as "Late → Present". */
function changeText(t: Translate, { what, before, after }: CourseAuditEntry): string | null {
  const isStatus = what.startsWith("attendance-");
  const words = (text: string | null) => {
    if (text === null) return t(isStatus ? "register.notMarked" : "register.audit.nothing");
    return isStatus ? statusView(t, text).text : text;
  };
  if (what === "attendance-set-all" || what === "attendance-blanks-filled")
    return after === null ? t("register.bulk.classroom") : words(after);
  if (before === null && after === null) return null;
  if (before === null && !isStatus) return after;
  if (isStatus && before === after) return t("register.audit.noteOnly", { status: words(after) });
  return t("register.audit.change", { before: words(before), after: words(after) });
}
