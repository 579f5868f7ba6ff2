import type { Router } from "express";
import type { App } from "../../../app.ts";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { page } from "../../../web/answer.ts";
import { showPage } from "../../../web/declared-page.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { defineView } from "../../../web/view.ts";
import { writeCourseAudit } from "../../audit/audit.ts";
import {
  changeCourseSettings,
  changeLinkSettings,
  type CourseRules,
  firstRulesOfCourse,
  firstRulesOfLink,
  type SettingsOutcome,
} from "../change-settings.ts";
import {
  type FormProblems,
  formOfCourse,
  formOfLink,
  rulesOfCourseForm,
  rulesOfLinkForm,
  type SettingsForm,
} from "./settings-form.ts";
import {
  conflictAt,
  type PostedSettings,
  previewOf,
  resetModel,
  revisionOf,
  scopeShape,
  settingsPage,
  settingsPath,
  type SettingsResetPage,
  settingsVisit,
  type SettingsVisit,
  storedForm,
  typedIn,
  wordsFrom,
} from "./settings-page.ts";
import { differenceWords, type SettingsPreview } from "./settings-view.ts";

const previewView = defineView<SettingsPreview>("course/settings-preview");

/** For instructors. /preview shows the addresses for what was typed. /space is about the Space of the whole course. */
export function settingsRoutes(app: App): Router {
  const pages = coursePages(app);
  const previewPath = "/course/settings/preview";
  // For the page's script, which asks while an instructor types.
  pages.change(
    previewPath,
    { ...settingsPage, takes: ({ part }) => part === "preview" },
    async ({ visit, fields, t }) => {
      const at = await settingsVisit(app, visit, fields.scope);
      return page(previewView, { preview: previewOf(app, t, at, typedIn(at, fields.form)) });
    },
  );
  pages.typed(previewPath, { ...settingsPage, typedAt: settingsPath }, async (context) => {
    const { visit, fields } = context;
    const at = await settingsVisit(app, visit, fields.scope);
    const isStale = fields.revision !== revisionOf(at);
    const message = isStale ? conflictAt(at, fields) : { form: typedIn(at, fields.form), previewed: true };
    return { ...(await showPage(app, context, settingsPage, message)), status: isStale ? 409 : 200 };
  });
  pages.page("/course/settings/reset", {
    who: "settings",
    fields: scopeShape,
    view: defineView<SettingsResetPage>("course/settings-reset"),
    model: resetModel,
  });
  pages.page(settingsPath, settingsPage).act("/course/settings/save", {
    who: "settings",
    run: async ({ visit, fields, after, again }) => {
      const at = await settingsVisit(app, visit, fields.scope);
      const form = typedIn(at, fields.form);
      const outcome = await save(app, at, fields, form);
      if (outcome.kind === "refused") return again({ form, problems: outcome.problems }, 422);
      if (outcome.kind === "conflict") {
        const course = (await app.courses.find(visit.course.id)) ?? visit.course;
        return again(conflictAt(await settingsVisit(app, { ...visit, course }, fields.scope), fields), 409);
      }
      await app.sessions.typed.drop(visit.session, settingsPath);
      const isTooLate = fields.asked !== null && outcome.kind === "for-next-space";
      return after({ saved: true, space: isTooLate ? "tooLate" : null }, 200, { scope: at.scope });
    },
  });
  return pages.router;
}

type Outcome = { kind: SettingsOutcome } | { kind: "refused"; problems: FormProblems };

async function save(
  app: App,
  visit: SettingsVisit,
  { act, revision, asked }: PostedSettings,
  typed: SettingsForm,
): Promise<Outcome> {
  const { course, link, scope } = visit;
  const resets = act === "reset-now";
  try {
    if (scope === "link" && link !== null) {
      const read = resets ? firstLink(link) : rulesOfLinkForm(typed, link);
      if (read.rules === null) return { kind: "refused", problems: read.problems };
      return await saveWithTrail(app, visit, formOfLink(course, read.rules), async () =>
        (await changeLinkSettings(app, course, link, revision, read.rules)) ? "saved" : "conflict",
      );
    }
    const read = resets ? await firstCourse(app, course) : rulesOfCourseForm(typed);
    if (read.rules === null) return { kind: "refused", problems: read.problems };
    const rules = asked !== null || resets ? withoutAccess(read.rules) : read.rules;
    return await saveWithTrail(app, visit, formOfCourse({ ...course, ...rules }), () =>
      changeCourseSettings(app, course, revision, rules),
    );
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "section-unknown")
      return { kind: "refused", problems: { sections: "sections" } };
    throw thrown;
  }
}

/** If the page didn't ask who gets in, the Space that has been made since decides. */
function withoutAccess({ spaceAccess: _access, ...rules }: CourseRules): CourseRules {
  return rules;
}

async function firstCourse(app: App, course: Course) {
  const defaults = await app.institutionDefaults.find(course.registrationId);
  return { rules: firstRulesOfCourse(course, defaults), problems: null };
}

const firstLink = (link: CourseLink) => ({ rules: firstRulesOfLink(link), problems: null });

/** Saves the settings, with a line in the change log for each. */
async function saveWithTrail(
  app: App,
  visit: SettingsVisit,
  after: SettingsForm,
  change: () => Promise<SettingsOutcome>,
): Promise<Outcome> {
  const kind = await change();
  if (kind === "conflict") return { kind };
  const { course, session } = visit;
  const t = app.translatorOf(course.language);
  const words = differenceWords(t, await wordsFrom(app, course), storedForm(visit), after);
  for (const line of words)
    await writeCourseAudit(app, course, session.personId, {
      what: "settings-changed",
      before: t(`settings.audit.${visit.scope}`, { setting: line.label, value: line.was }),
      after: line.now,
    });
  return { kind };
}
