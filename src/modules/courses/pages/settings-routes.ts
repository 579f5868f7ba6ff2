import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { afterConflict, formOfText } from "../../../settings/forms.ts";
import { page } from "../../../web/answer.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
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
  formOfPosted,
  rulesOfCourseForm,
  rulesOfLinkForm,
  settingsFields,
  type SettingsForm,
} from "./settings-form.ts";
import {
  previewOf,
  resetPage,
  revisionOf,
  settingsPage,
  type SettingsShown,
  type SettingsVisit,
  storedForm,
  wordsFrom,
} from "./settings-page.ts";
import { settingsRead, settingsScope, settingsVisit, shownRevision, typedIn } from "./settings-read.ts";
import { differenceWords, type FieldWords, type SettingsPreview } from "./settings-view.ts";

const previewView = defineView<SettingsPreview>("course/settings-preview");

const shape = z.object({
  scope: settingsScope,
  revision: shownRevision,
  seen: z.unknown().optional(),
  asked: z.literal("new-space").nullable().catch(null),
  act: z.enum(["save", "reset-now"]).catch("save"),
  /** "preview": the page's script asks for the addresses alone. */
  part: z.enum(["all", "preview"]).catch("all"),
});

type Posted = z.infer<typeof shape> & { form: SettingsForm };

/** For instructors. /preview shows the addresses of what was typed; /space is about the Space of the whole course. */
export function settingsRoutes(app: App): Router {
  const pages = coursePages(app);
  const posts = {
    who: "settings",
    fields: (posted: unknown): Posted => ({ ...shape.parse(posted), form: formOfPosted(posted) }),
    form: { maxBytes: 128 * 1024 },
  } as const;
  const scoped = (posted: unknown) => shape.pick({ scope: true }).parse(posted);
  const settings = pages.read(...settingsRead(app));
  const path = "/course/settings/preview";
  // For the page's script, which asks while an instructor types.
  pages.change(
    path,
    { ...posts, takes: ({ part }) => part === "preview" },
    async ({ visit: who, fields, t }) => {
      const visit = await settingsVisit(app, who, fields.scope);
      return page(previewView, { preview: previewOf(app, t, visit, typedIn(visit, fields.form)) });
    },
  );
  pages.typed(path, { ...posts, typedAt: "/course/settings" }, async ({ visit: who, fields }) => {
    const visit = await settingsVisit(app, who, fields.scope);
    if (fields.revision !== revisionOf(visit))
      return settingsPage(app, visit, conflictAt(visit, fields, typedIn(visit, fields.form)));
    return settingsPage(app, visit, { form: typedIn(visit, fields.form), previewed: true });
  });
  pages.read(
    "/course/settings/reset",
    { who: "settings", fields: scoped },
    async ({ visit: who, fields }) => {
      const visit = await settingsVisit(app, who, fields.scope);
      return resetPage(app, visit, await resetWords(app, visit));
    },
  );
  pages.change("/course/settings/save", posts, async ({ visit: who, fields }) => {
    const visit = await settingsVisit(app, who, fields.scope);
    const typed = typedIn(visit, fields.form);
    const outcome = await save(app, visit, fields, typed);
    if (outcome.kind === "refused")
      return settingsPage(app, visit, { form: typed, problems: outcome.problems });
    const now = await freshly(app, visit);
    if (outcome.kind === "conflict") {
      const visitNow = await settingsVisit(app, now, fields.scope);
      return settingsPage(app, visitNow, conflictAt(visitNow, fields, typed));
    }
    await app.sessions.typed.drop(visit.session, "/course/settings");
    const isTooLate = fields.asked !== null && outcome.kind === "for-next-space";
    return settings.after({ scope: visit.scope }, { saved: true, space: isTooLate ? "tooLate" : null });
  });
  return pages.router;
}

async function resetWords(app: App, visit: SettingsVisit): Promise<FieldWords[]> {
  const { course, link, scope, session } = visit;
  const after =
    scope === "link" && link !== null
      ? formOfLink(course, firstRulesOfLink(link))
      : formOfCourse(firstRulesOfCourse(course, await app.institutionDefaults.find(course.registrationId)));
  const t = app.translatorOf(session.locale);
  return differenceWords(t, await wordsFrom(app, course), storedForm(visit), after);
}

type Outcome = { kind: SettingsOutcome } | { kind: "refused"; problems: FormProblems };

async function save(
  app: App,
  visit: SettingsVisit,
  { act, revision, asked }: Posted,
  typed: SettingsForm,
): Promise<Outcome> {
  const { course, link, scope } = visit;
  const resets = act === "reset-now";
  try {
    if (scope === "link" && link !== null) {
      const read = resets ? firstLink(link) : rulesOfLinkForm(typed, link);
      if (read.rules === null) return { kind: "refused", problems: read.problems };
      return await kept(app, visit, formOfLink(course, read.rules), async () =>
        (await changeLinkSettings(app, course, link, revision, read.rules)) ? "saved" : "conflict",
      );
    }
    const read = resets ? await firstCourse(app, course) : rulesOfCourseForm(typed);
    if (read.rules === null) return { kind: "refused", problems: read.problems };
    const rules = asked !== null || resets ? withoutAccess(read.rules) : read.rules;
    return await kept(app, visit, formOfCourse({ ...course, ...rules }), () =>
      changeCourseSettings(app, course, revision, rules),
    );
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "section-unknown")
      return { kind: "refused", problems: { sections: "sections" } };
    throw thrown;
  }
}

/** Where the page did not ask who gets in, the Space that is made meanwhile says it. */
function withoutAccess({ spaceAccess: _access, ...rules }: CourseRules): CourseRules {
  return rules;
}

async function firstCourse(app: App, course: Course) {
  const defaults = await app.institutionDefaults.find(course.registrationId);
  return { rules: firstRulesOfCourse(course, defaults), problems: null };
}

const firstLink = (link: CourseLink) => ({ rules: firstRulesOfLink(link), problems: null });

/** Saves, with a line of the trail for each setting. */
async function kept(
  app: App,
  visit: SettingsVisit,
  after: SettingsForm,
  change: () => Promise<SettingsOutcome>,
): Promise<Outcome> {
  const kind = await change();
  if (kind === "conflict") return { kind };
  const { course, session } = visit;
  // The trail has one language, whatever its readers'.
  const t = app.translatorOf(null);
  const words = differenceWords(t, await wordsFrom(app, course), storedForm(visit), after);
  for (const line of words)
    await writeCourseAudit(app, course, session.personId, {
      what: "settings-changed",
      before: t(`settings.audit.${visit.scope}`, { setting: line.label, value: line.was }),
      after: line.now,
    });
  return { kind };
}

async function freshly(app: App, { session, course }: InstructorVisit): Promise<InstructorVisit> {
  return { session, course: (await app.courses.find(course.id)) ?? course };
}

/** @param visit With what is stored now. */
function conflictAt(visit: SettingsVisit, posted: Posted, typed: SettingsForm): SettingsShown {
  const now = storedForm(visit);
  const before = formOfText(settingsFields, posted.seen);
  const shown = posted.act === "save" ? typed : (before ?? now);
  const { form, changes } = afterConflict(settingsFields, before, shown, now);
  return { form, conflict: { changes, now, before } };
}
