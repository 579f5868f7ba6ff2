import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import type { CourseAuditFacts } from "../../audit/rules/course-audit.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import { linkOfCourse } from "../../links/change-link.ts";
import {
  changeCourseSettings,
  changeLinkSettings,
  type ChangeSettingsDeps,
  firstRulesOfCourse,
  firstRulesOfLink,
} from "../change-settings.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../../audit/write-course-audit.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { CourseLinkStore } from "../../links/store/course-link-store.ts";
import type { CourseStore } from "../store/course-store.ts";
import type { InstitutionDefaultsStore } from "../store/institution-defaults-store.ts";
import type { Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
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
  withoutLocked,
} from "./settings-form.ts";
import {
  previewOf,
  renderReset,
  renderSettings,
  type SettingsPageDeps,
  type SettingsShown,
  type SettingsVisit,
  wordsFrom,
} from "./settings-page.ts";
import { differenceWords, type FieldWords } from "./settings-view.ts";

export type SettingsRoutesDeps = ChangeSettingsDeps &
  CourseAuditDeps &
  SettingsPageDeps & {
    institutionDefaults: Pick<InstitutionDefaultsStore, "find">;
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
  /** The page asked how the Space is to be made. */
  asked: z.literal("new-space").nullable().catch(null),
  act: z.enum(["save", "reset", "reset-now"]).catch("save"),
  /** The page's script asks for the addresses alone. */
  part: z.enum(["all", "preview"]).catch("all"),
});

/**
 * POST /course/settings shows the page, /preview the addresses that what was typed would lead to, /save changes settings,
 * /space is about the Space of the whole course. For instructors.
 */
export function settingsRoutes(deps: SettingsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "128kb" });
  router.post("/course/settings", form, async (request, response) => {
    const { visit } = await visitOf(deps, request);
    await show(deps, visit, response);
  });
  router.post("/course/settings/preview", form, async (request, response) => {
    const { visit, posted } = await visitOf(deps, request);
    const typed = typedIn(visit, request);
    if (posted.part === "all") {
      await show(deps, visit, response, { form: typed, previewed: true });
      return;
    }
    const t = deps.translatorOf(visit.session.locale);
    response.render("course/settings-preview", { t, preview: previewOf(deps, t, visit, typed) });
  });
  router.post("/course/settings/save", form, async (request, response) => {
    const { visit, posted } = await visitOf(deps, request);
    if (posted.act === "reset") {
      await renderReset(deps, visit, await resetWords(deps, visit), response);
      return;
    }
    const typed = typedIn(visit, request);
    const outcome = await save(deps, visit, posted, typed);
    if (outcome.kind === "saved") {
      const now = await freshly(deps, visit);
      const tooLate = posted.asked !== null && now.course.spaceId !== null;
      await show(deps, now, response, { saved: true, space: tooLate ? "tooLate" : null });
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

/** What was typed; of what is locked nothing. */
function typedIn(visit: SettingsVisit, request: Request): SettingsForm {
  return withoutLocked(formOfPosted(request.body), formNow(visit), visit.course.locked);
}

/** What a reset would change, in words. */
async function resetWords(deps: SettingsRoutesDeps, visit: SettingsVisit): Promise<FieldWords[]> {
  const { course, link, scope, session } = visit;
  const after =
    scope === "link" && link !== null
      ? formOfLink(course, firstRulesOfLink(link))
      : formOfCourse(firstRulesOfCourse(course, await deps.institutionDefaults.find(course.registrationId)));
  const t = deps.translatorOf(session.locale);
  return differenceWords(t, await wordsFrom(deps, course), formNow(visit), after);
}

type Posted = z.infer<typeof visitShape>;

async function visitOf(
  deps: SettingsRoutesDeps,
  request: Request,
): Promise<{ visit: SettingsVisit; posted: Posted }> {
  const posted = visitShape.parse(request.body ?? {});
  const { session, course } = await instructorVisit(deps, request, "settings");
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
  const resets = act === "reset-now";
  try {
    if (scope === "link" && link !== null) {
      const read = resets ? firstLink(link) : rulesOfLinkForm(typed, link);
      if (read.rules === null) return { kind: "refused", problems: read.problems };
      return await kept(deps, visit, formOfLink(course, read.rules), () =>
        changeLinkSettings(deps, course, link, revision, read.rules),
      );
    }
    const read = resets ? await firstCourse(deps, course) : rulesOfCourseForm(typed);
    if (read.rules === null) return { kind: "refused", problems: read.problems };
    return await kept(deps, visit, formOfCourse({ ...course, ...read.rules }), () =>
      changeCourseSettings(deps, course, revision, read.rules),
    );
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "section-unknown")
      return { kind: "refused", problems: { sections: "sections" } };
    throw thrown;
  }
}

async function firstCourse(deps: SettingsRoutesDeps, course: Course) {
  const defaults = await deps.institutionDefaults.find(course.registrationId);
  return { rules: firstRulesOfCourse(course, defaults), problems: null };
}

const firstLink = (link: CourseLink) => ({ rules: firstRulesOfLink(link), problems: null });

/** Saves and tells the course's trail what became another, each setting by itself. */
async function kept(
  deps: SettingsRoutesDeps,
  visit: SettingsVisit,
  after: SettingsForm,
  change: () => Promise<boolean>,
): Promise<Outcome> {
  if (!(await change())) return { kind: "conflict" };
  const { course, session } = visit;
  // The trail is one for all instructors of a course, whatever language they read.
  const t = deps.translatorOf(null);
  const words = differenceWords(t, await wordsFrom(deps, course), formNow(visit), after);
  for (const line of words) await writeCourseAudit(deps, course, session.personId, auditLine(t, visit, line));
  return { kind: "saved" };
}

function auditLine(
  t: Translate,
  { scope }: SettingsVisit,
  { label, was, now }: FieldWords,
): CourseAuditFacts {
  return {
    what: "settings-changed",
    before: t(`settings.audit.${scope}`, { setting: label, value: was }),
    after: now,
  };
}

/** The same page with what is stored now. */
async function freshly(deps: SettingsRoutesDeps, visit: SettingsVisit): Promise<SettingsVisit> {
  const course = (await deps.courses.find(visit.course.id)) ?? visit.course;
  return { ...visit, course, link: await linkOfCourse(deps, course, visit.session.courseLinkId) };
}

function conflictAt(visit: SettingsVisit, posted: Posted, typed: SettingsForm): SettingsShown {
  const now = formNow(visit);
  const before = formOfText(posted.seen);
  const { form, changes } = afterConflict(before, posted.act === "save" ? typed : (before ?? now), now);
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
