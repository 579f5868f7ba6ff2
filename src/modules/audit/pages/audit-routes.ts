import express, { Router } from "express";
import { z } from "zod";
import { type AuditKind, auditKinds, type CourseAuditEntry } from "../rules/course-audit.ts";
import { listCourseAudit } from "../list-course-audit.ts";
import { personName } from "../../../domain/person-name.ts";
import type { CourseAuditStore } from "../store/course-audit-store.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { PersonStore } from "../../members/store/person-store.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { courseTimes, type CourseTimes } from "../../../web/course-times.ts";
import { instructorVisit, mayIn } from "../../../web/instructor-visit.ts";
import { statusView } from "../../../web/status-view.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type AuditRoutesDeps = {
  courseAudit: Pick<CourseAuditStore, "list">;
  courses: CourseStore;
  people: Pick<PersonStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

const carried = z.object({
  before: z.string().max(300).catch(""),
  person: z.string().max(100).catch(""),
  kind: z.string().max(40).catch(""),
});

const kinds = Object.keys(auditKinds).filter(isKind);

function isKind(text: string): text is AuditKind {
  return text in auditKinds;
}

/**
 * POST /course/audit: what was changed in a course, newest first; only what concerns one learner with `person`, only one
 * kind of deeds with `kind`. For instructors; whoever may not see grades sees no deeds about attendance and grades.
 */
export function auditRoutes(deps: AuditRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/audit", form, async (request, response) => {
    const { session, course } = await instructorVisit(deps, request, "settings");
    const { before, person, kind: wanted } = carried.parse(request.body);
    const t = deps.translatorOf(session.locale);
    const times = courseTimes(course, t.locale);
    const personId = person === "" ? null : person;
    const seesGrades = mayIn(session, course, "grades");
    const offered = seesGrades ? kinds : kinds.filter((one) => one !== "attendance" && one !== "grades");
    const kind = offered.find((one) => one === wanted) ?? null;
    const all = seesGrades ? undefined : offered.flatMap((one) => [...auditKinds[one]]);
    const what = kind === null ? all : auditKinds[kind];
    const filter = { registrationId: course.registrationId, courseId: course.id, personId, what };
    const { entries, olderThan } = await listCourseAudit(deps, filter, before === "" ? null : before);
    const about = personId === null ? null : await deps.people.find(personId);
    const courseName = courseNameOf(t, course);
    response.render("course/audit", {
      t,
      title: t("register.audit.title", { course: courseName }),
      courseName,
      session: await deps.sessions.issue(session),
      zone: times.zone,
      person: personId,
      kind: kind ?? "",
      kinds: (["", ...offered] as const).map((value) => ({
        value,
        label: t(value === "" ? "settings.changes.everything" : `settings.changes.kinds.${value}`),
        chosen: value === (kind ?? ""),
      })),
      // Whose name it is stands in the lines already; somebody of another course has none.
      about: entries.length === 0 || about === null ? null : personName(about),
      entries: entries.map((entry) => entryView(t, times, entry)),
      first: before === "",
      olderThan,
    });
  });
  return router;
}

function entryView(t: Translate, times: CourseTimes, entry: CourseAuditEntry) {
  const { by, on, session, what, count } = entry;
  return {
    at: new Date(entry.at).toISOString(),
    when: times.text(entry.at),
    by: by.name ?? t("register.someInstructor"),
    what: t(`register.audit.what.${what}`),
    on:
      on === null
        ? count === null
          ? null
          : t("register.audit.learners", { count, number: numberText(t, count) })
        : { personId: on.personId, name: on.name ?? t("register.audit.unnamed") },
    session:
      session === null
        ? null
        : [
            session.title ?? t("review.untitled"),
            ...(session.startsAt === null ? [] : [times.text(session.startsAt)]),
          ].join(", "),
    change: changeText(t, entry),
    reason: entry.reason,
  };
}

/** "Late → Present"; what came from nothing or went to nothing says so. */
function changeText(t: Translate, { what, before, after }: CourseAuditEntry): string | null {
  const isStatus = what.startsWith("attendance-");
  const words = (text: string | null) => {
    if (text === null) return t(isStatus ? "register.notMarked" : "register.audit.nothing");
    return isStatus ? statusView(t, text).text : text;
  };
  if (what === "attendance-set-all" || what === "attendance-blanks-filled")
    return after === null ? t("register.audit.classroomHolds") : words(after);
  if (before === null && after === null) return null;
  return t("register.audit.change", { before: words(before), after: words(after) });
}
