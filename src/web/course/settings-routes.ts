import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { linkOfCourse } from "../../features/courses/change-link.ts";
import {
  changeCourseSettings,
  changeLinkSettings,
  type ChangeSettingsDeps,
  firstRulesOfCourse,
  firstRulesOfLink,
} from "../../features/courses/change-settings.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseLinkStore } from "../../storage/course-link-store.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { Sessions } from "../session.ts";
import type { TranslatorOf } from "../translate.ts";
import {
  afterConflict,
  type FormProblems,
  formOfCourse,
  formOfLink,
  formOfPosted,
  formOfText,
  rulesOfCourseForm,
  rulesOfLinkForm,
  type SettingsForm,
} from "./settings-form.ts";
import {
  renderSettings,
  type SettingsPageDeps,
  type SettingsShown,
  type SettingsVisit,
} from "./settings-page.ts";

export type SettingsRoutesDeps = ChangeSettingsDeps &
  SettingsPageDeps & {
    courses: CourseStore;
    courseLinks: CourseLinkStore;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

/** What the page's forms bring besides the settings themselves. */
const visitShape = z.object({
  session: z.unknown().optional(),
  scope: z.enum(["course", "link"]).catch("course"),
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .catch(-1),
  seen: z.unknown().optional(),
  act: z.enum(["save", "reset"]).catch("save"),
});

/** POST /course/settings shows the page, /course/settings/save changes settings. For instructors. */
export function settingsRoutes(deps: SettingsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "128kb" });
  router.post("/course/settings", form, async (request, response) => {
    const { visit } = await visitOf(deps, request);
    await show(deps, visit, response);
  });
  router.post("/course/settings/save", form, async (request, response) => {
    const { visit, posted } = await visitOf(deps, request);
    const typed = formOfPosted(request.body);
    const outcome = await save(deps, visit, posted, typed);
    if (outcome.kind === "saved") {
      await show(deps, await freshly(deps, visit), response, { saved: true });
    } else if (outcome.kind === "refused") {
      response.status(422);
      await show(deps, visit, response, { form: typed, problems: outcome.problems });
    } else {
      response.status(409);
      const now = await freshly(deps, visit);
      await show(deps, now, response, conflictAt(now, posted, typed));
    }
  });
  return router;
}

type Posted = z.infer<typeof visitShape>;

async function visitOf(
  deps: SettingsRoutesDeps,
  request: Request,
): Promise<{ visit: SettingsVisit; posted: Posted }> {
  const posted = visitShape.parse(request.body ?? {});
  const session = await deps.sessions.read(posted.session);
  const course = await deps.courses.find(session.courseId);
  if (session.role !== "instructor" || course === null) {
    throw new NamedError("instructors-only", "Only instructors of this course can do this.", { status: 403 });
  }
  const link = await linkOfCourse(deps, course, session.courseLinkId);
  return { visit: { session, course, link, scope: link === null ? "course" : posted.scope }, posted };
}

type Outcome = { kind: "saved" } | { kind: "conflict" } | { kind: "refused"; problems: FormProblems };

async function save(
  deps: SettingsRoutesDeps,
  visit: SettingsVisit,
  { act, revision }: Posted,
  typed: SettingsForm,
): Promise<Outcome> {
  const { course, link, scope } = visit;
  try {
    if (scope === "link" && link !== null) {
      const read = act === "reset" ? firstLink(link) : rulesOfLinkForm(typed, link);
      if (read.rules === null) return { kind: "refused", problems: read.problems };
      return kept(await changeLinkSettings(deps, course, link, revision, read.rules));
    }
    const read = act === "reset" ? firstCourse(course) : rulesOfCourseForm(typed);
    if (read.rules === null) return { kind: "refused", problems: read.problems };
    return kept(await changeCourseSettings(deps, course, revision, read.rules));
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "section-unknown")
      return { kind: "refused", problems: { sections: "sections" } };
    throw thrown;
  }
}

const firstCourse = (course: Course) => ({ rules: firstRulesOfCourse(course), problems: null });
const firstLink = (link: CourseLink) => ({ rules: firstRulesOfLink(link), problems: null });

function kept(done: boolean): Outcome {
  return { kind: done ? "saved" : "conflict" };
}

/** The same page with what is stored now. */
async function freshly(deps: SettingsRoutesDeps, visit: SettingsVisit): Promise<SettingsVisit> {
  const course = (await deps.courses.find(visit.course.id)) ?? visit.course;
  return { ...visit, course, link: await linkOfCourse(deps, course, visit.session.courseLinkId) };
}

function conflictAt(visit: SettingsVisit, posted: Posted, typed: SettingsForm): SettingsShown {
  const now = formNow(visit);
  const before = formOfText(posted.seen);
  const { form, changes } = afterConflict(before, posted.act === "reset" ? (before ?? now) : typed, now);
  return { form, conflict: { changes, now, before } };
}

function formNow({ course, link, scope }: SettingsVisit): SettingsForm {
  return scope === "link" && link !== null ? formOfLink(course, link) : formOfCourse(course);
}

async function show(
  deps: SettingsRoutesDeps,
  visit: SettingsVisit,
  response: Response,
  shown: SettingsShown = {},
): Promise<void> {
  await renderSettings(deps, visit, { ...shown, stored: formNow(visit) }, response);
}
