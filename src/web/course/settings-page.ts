import type { Response } from "express";
import { timesAt } from "../../domain/door.ts";
import { spaceUrl } from "../../domain/join-url.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { doorEvents, type DoorOfDeps, doorSettingsOf } from "../../features/joining/door-of.ts";
import type { RegistrationStore } from "../../storage/registration-store.ts";
import type { SectionStore } from "../../storage/section-store.ts";
import type { Session, Sessions } from "../session.ts";
import type { Translate, TranslatorOf } from "../translate.ts";
import { sectionLabel } from "./people-view.ts";
import { type FieldChange, type FormProblems, sectionsIn, type SettingsForm } from "./settings-form.ts";
import {
  choicesOf,
  doorNow,
  type FieldsFrom,
  lmsLines,
  problemText,
  type SettingsScope,
  valueText,
} from "./settings-view.ts";

export type SettingsPageDeps = DoorOfDeps & {
  sections: Pick<SectionStore, "listOf">;
  registrations: Pick<RegistrationStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
  appUrlOf: (environment: Course["environment"]) => string;
};

/** Who is at the page, and whose settings it is about. */
export type SettingsVisit = {
  session: Session;
  course: Course;
  link: CourseLink | null;
  scope: SettingsScope;
};

/** What the page says beside the settings as they are. */
export type SettingsShown = {
  form?: SettingsForm;
  problems?: FormProblems;
  saved?: boolean;
  /** What somebody else changed; null when nobody did. */
  conflict?: { changes: FieldChange[]; now: SettingsForm; before: SettingsForm | null } | null;
};

/** Renders the settings page: as stored, or as typed with what is wrong with it. */
export async function renderSettings(
  deps: SettingsPageDeps,
  { session, course, link, scope }: SettingsVisit,
  shown: SettingsShown & { stored: SettingsForm },
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const family = (await deps.registrations.find(course.registrationId))?.family ?? "other";
  const sections = await deps.sections.listOf(course.registrationId, course.id);
  const { stored, form = stored, problems = {}, saved = false, conflict = null } = shown;
  const from: FieldsFrom = { scope, course, link, family, sections, form, problems };
  const courseName = nameOf(t, course);
  const shownLink = scope === "link" ? link : null;
  response.set("Cache-Control", "no-store").render("course/settings", {
    t,
    title: t("settings.title", { course: courseName }),
    courseName,
    scope,
    session: await deps.sessions.issue(session),
    hasLink: link !== null,
    linkDiffers: scope === "course" && isDifferent(link),
    revision: (shownLink ?? course).settingsRevision,
    seen: JSON.stringify(stored),
    saved,
    failed: Object.keys(problems).length > 0,
    conflict: conflictView(t, from, conflict),
    form,
    ...fieldsView(t, from),
    ...(await stateView(deps, t, course, shownLink)),
  });
}

/** The fields and what is wrong with them. */
function fieldsView(t: Translate, from: FieldsFrom) {
  const { form, problems, family } = from;
  const ticked = sectionsIn(form);
  return {
    choices: choicesOf(t, from),
    minutes: (["minutesBefore", "minutesAfter"] as const).map((name) => ({
      name,
      value: form[name],
      problem: problemText(t, problems[name]),
    })),
    sections: from.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, family, section),
      ticked: ticked.includes(section.lmsSectionId),
    })),
    sectionsProblem: problemText(t, problems.sections),
    invitedOnly: form.access === "invited-only",
  };
}

/** What is so whatever the form says: the door now, the Space, the LMS's word. */
async function stateView(deps: SettingsPageDeps, t: Translate, course: Course, link: SettingsVisit["link"]) {
  return {
    door: doorNow(t, await doorState(deps, course, link)),
    oneSession: link?.choice.kind === "session",
    space: spaceText(t, deps.appUrlOf(course.environment), course, link),
    asksAccess: link === null || link.choice.kind === "space",
    lms: link === null ? null : lmsLines(t, link),
  };
}

function nameOf(t: Translate, { title, label }: Course): string {
  return title || label || t("product");
}

function isDifferent(link: SettingsVisit["link"]): boolean {
  if (link === null) return false;
  const { settings, customSettings, door } = link;
  return [settings, customSettings, door].some((part) => Object.keys(part).length > 0);
}

async function doorState(deps: SettingsPageDeps, course: Course, link: SettingsVisit["link"]) {
  const door = doorSettingsOf(course, link);
  const { events, oneSession } = await doorEvents(deps, course, link);
  return timesAt({ door, events, oneSession, now: deps.clock.now() });
}

function conflictView(
  t: Translate,
  from: FieldsFrom,
  conflict: NonNullable<SettingsShown["conflict"]> | null,
): { changes: string[] } | null {
  if (conflict === null) return null;
  const { changes, now, before } = conflict;
  if (before === null) return { changes: [] };
  return {
    changes: changes.map(({ field }) =>
      t("settings.conflict.change", {
        field: t(`settings.fields.${field}.label`),
        now: valueText(t, from, field, now),
        was: valueText(t, from, field, before),
      }),
    ),
  };
}

/** What is known of the Space that the course or the link opens. */
function spaceText(t: Translate, appUrl: string, course: Course, link: SettingsVisit["link"]): string {
  if (link?.choice.kind === "space")
    return t("settings.space.linked", { address: spaceUrl(appUrl, link.choice.spaceId) });
  return t(`settings.space.${course.spaceId === null ? "notMade" : "made"}`);
}
