import type { Router } from "express";
import { settingOf } from "../../../domain/account.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { courseName } from "../../courses/rules/course.ts";
import { scoreTones } from "../../grading/pages/grades-overview.ts";
import { rosterProblemText } from "../../members/pages/people-view.ts";
import { repeatableActions, type CourseDetails, repeatAction, showCourse } from "../../operations/courses.ts";
import { findCourses } from "../../operations/search-console.ts";
import { endSessionsOfCourse } from "../../operations/change-registration.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, ofCourse, type Visit } from "./gate.ts";
import { rosterTones, sessionsView } from "./in-words.ts";
import { type ListContext, consoleList } from "./list.ts";
import { lmsChoice, table, whenOrNever } from "./list-view.ts";
import type { PageOf } from "./partials.ts";
import { addressWith, chosen } from "./requests.ts";

export type CoursePage = PageOf<typeof courseModel>;

const coursePage = defineView<CoursePage>("admin/course");

/** Messages under `console.courses.notes`, each shown once. */
const notes = ["roster", "sync", "resend", "underWay", "signedOut"] as const;

export function coursesPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/courses",
    area: "courses",
    openTo: narrowed,
    read: ({ q, lms }) => ({ q: typedIn(q), lms: typedIn(lms) }),
    rows: (context) => foundCourses(app, context),
    around: ({ t, query: { q } }, { registrations, known }) => ({
      filter: {
        fields: [
          { name: "q", label: t("console.courses.search"), value: q, maxLength: maxTyped },
          ...lmsChoice(t("console.courses.lms"), known ?? "", registrations, t("console.courses.everyLms")),
        ],
        button: t("console.courses.find"),
        hint: t("console.courses.hint"),
      },
      empty: t(q === "" ? "console.courses.none" : "console.courses.notFound"),
      older: t("console.courses.more"),
    }),
  });
  const { page, action } = gate.routes(ofCourse(app), router);
  page("/courses/:id", async (visit) => {
    const model = await courseModel(app, visit);
    visit.show({ view: coursePage, title: courseName(model.course), area: "courses", model });
  });
  action("/courses/:id/again", async (visit) => {
    const id = visit.part("id");
    const what = chosen(visit.field("what"), repeatableActions);
    const begun = await repeatAction({ ...app, ...visit.by }, id, what);
    visit.goTo(`/admin/courses/${id}`, begun ? what : "underWay");
  });
  action("/courses/:id/sign-out", async ({ part, by, goTo }) => {
    await endSessionsOfCourse({ ...app, ...by }, part("id"));
    goTo(`/admin/courses/${part("id")}`, "signedOut");
  });
  return router;
}

async function foundCourses(
  app: ConsoleApp,
  { t, query: { q, lms }, cursor, visit: { within } }: ListContext<{ q: string; lms: string }>,
) {
  const registrations = within === null ? await app.registrations.list() : [];
  const known = registrations.find(({ id }) => id === lms)?.id ?? null;
  const { rows, next } = await findCourses(app, { typed: q, registrationId: within ?? known, from: cursor });
  const label = t(q === "" ? "console.courses.latest" : "console.courses.found");
  return {
    registrations,
    known,
    next,
    tables: [
      table({ label, heading: label, rows }, ({ column, plain, end }) => [
        plain(t("console.courses.course"), ({ course, lms: name }) => [
          { text: courseName(course), link: `/admin/courses/${course.id}` },
          [course.label, name].filter((text) => text !== "").join(" · "),
          course.spaceId === null
            ? null
            : { label: t("console.courses.space"), text: course.spaceId, code: true },
        ]),
        end(t("console.courses.members"), ({ members }) => numberText(t, members)),
        column(t("console.facts.lastLaunch"), ({ lastLaunchAt }) => whenOrNever(t, lastLaunchAt)),
        column(t("nav.grades"), ({ grades }) => ({
          text: t(`console.courses.gradeStates.${grades ?? "none"}`),
          pill: grades === null ? "none" : scoreTones[grades],
        })),
      ]),
    ],
  };
}

/** Tells operators what to set, and an LMS's administrators that an operator has to. */
function elsewhereText(
  app: ConsoleApp,
  t: Visit["t"],
  { course: { environment }, elsewhere: origin }: Pick<CourseDetails, "course" | "elsewhere">,
  within: string | null,
): string | null {
  if (origin === null) return null;
  if (within !== null) return t("errors.space-elsewhere");
  const named = { origin, appUrl: app.appUrlOf(environment), variable: settingOf(environment, "APP_URL") };
  return t("console.classroom.elsewhere", named);
}

async function courseModel(app: ConsoleApp, { note, part, t, within }: Visit) {
  const { sharing, scores, elsewhere, ...details } = await showCourse(app, part("id"));
  const { course, roster } = details;
  const { registrationId, id: courseId } = course;
  const sessions = await app.browserSessions.countLive({ registrationId, courseId }, app.clock.now());
  const scoresIn = (state: string) =>
    addressWith("/admin/deliveries", {
      state: state === "left" ? "held" : state,
      lms: within === null ? course.registrationId : "",
      course: course.id,
    });
  return {
    ...details,
    // Hides courses of other LMSs that use the same Space.
    sharing: sharing.filter(({ registrationId }) => within === null || registrationId === within),
    sessions: sessionsView(t, sessions, { of: "course", action: `/admin/courses/${courseId}/sign-out` }),
    /** Its Space's address isn't one of the classroom's. */
    elsewhereText: elsewhereText(app, t, { course, elsewhere }, within),
    rosterTone: roster === null ? "none" : rosterTones[roster.state],
    /** Empty if the roster was read. */
    rosterProblemText: roster === null ? "" : rosterProblemText(t, roster),
    spaceUrl:
      course.spaceId === null
        ? null
        : `${app.appUrlOf(course.environment)}/spaces/${encodeURIComponent(course.spaceId)}`,
    scores: (["refused", "held", "waiting", "left", "delivered"] as const).map((state) => ({
      tone: scores[state] === 0 ? ("none" as const) : scoreTones[state],
      label: t(`console.courses.scoreStates.${state}`),
      number: numberText(t, scores[state]),
      link: scoresIn(state),
    })),
    scoresLink: scoresIn(
      (["refused", "held", "waiting", "delivered"] as const).find((state) => scores[state] > 0) ?? "refused",
    ),
    number: (value: number) => numberText(t, value),
    note: note(notes),
  };
}

/** At most as long as a title (UTF-16 units). */
const maxTyped = 2_000;

function typedIn(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string" && value.length <= maxTyped) return value.trim();
  throw refusal("bad-request", { status: 400 });
}
