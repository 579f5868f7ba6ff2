import type { Response } from "express";
import { timesAt } from "../../../domain/entry-window.ts";
import { spaceUrl } from "../../../domain/join-url.ts";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import type { CourseStore } from "../store/course-store.ts";
import { entryWindowEvents, type EntryStateDeps, entryWindowOf } from "../../joining/entry-state.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { SectionStore } from "../../members/store/section-store.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { type IsSpaceOrigin, originElsewhere } from "../../spaces/space-elsewhere.ts";
import { showTold, type ShowToldDeps } from "../../spaces/show-told.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { addressPreview } from "./settings-preview.ts";
import { toldLines } from "./settings-told.ts";
import {
  type FieldChange,
  type FormProblems,
  sectionsIn,
  settingsFields,
  type SettingsForm,
} from "./settings-form.ts";
import {
  choicesOf,
  entryStateText,
  type FieldsFrom,
  type FieldWords,
  lmsLines,
  problemText,
  type SettingsScope,
  valueText,
} from "./settings-view.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";

export type SettingsPageDeps = EntryStateDeps &
  ShowToldDeps & {
    sections: Pick<SectionStore, "listOf">;
    courses: Pick<CourseStore, "formerSpaces" | "standing" | "keptElsewhere">;
    isSpaceOrigin: IsSpaceOrigin;
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
  /** The addresses of what was typed are asked for. */
  previewed?: boolean;
  /** What became of a change of the course's Space; null for nothing. */
  space?: "linked" | "made" | "tooLate" | null;
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
  const { stored, form = stored, problems = {}, saved = false, conflict = null } = shown;
  const from: FieldsFrom = { ...(await wordsFrom(deps, course)), scope, course, link, form, problems };
  const courseName = nameOf(t, course);
  const shownLink = scope === "link" ? link : null;
  response.render("course/settings", {
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
    spaceNote: shown.space == null ? null : t(`settings.space.notes.${shown.space}`),
    previewed: shown.previewed ?? false,
    wrong: wrongView(t, problems),
    preview: previewOf(deps, t, { session, course, link, scope }, form),
    conflict: conflictView(t, from, conflict),
    form,
    ...fieldsView(t, from),
    ...(await stateView(deps, t, course, shownLink)),
  });
}

/** What values are told from, beside the form. */
export async function wordsFrom(
  deps: Pick<SettingsPageDeps, "registrations" | "sections">,
  { registrationId, id }: Course,
): Promise<Pick<FieldsFrom, "sectionKind" | "sections">> {
  const { sections: sectionKind } = capabilitiesOf(await deps.registrations.find(registrationId));
  return { sectionKind, sections: await deps.sections.listOf(registrationId, id) };
}

/** The addresses that a form would lead to, as settings-preview.ejs shows them. */
export function previewOf(
  deps: Pick<SettingsPageDeps, "appUrlOf">,
  t: Translate,
  visit: SettingsVisit,
  form: SettingsForm,
) {
  return addressPreview(t, { ...visit, appUrl: deps.appUrlOf(visit.course.environment), form });
}

/** Renders what "Reset" would change, with the button that does it. Nothing is changed yet. */
export async function renderReset(
  deps: SettingsPageDeps,
  { session, course, link, scope }: SettingsVisit,
  changes: readonly FieldWords[],
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const courseName = nameOf(t, course);
  response.render("course/settings-reset", {
    t,
    title: t("settings.title", { course: courseName }),
    courseName,
    scope,
    session: await deps.sessions.issue(session),
    revision: (scope === "link" && link !== null ? link : course).settingsRevision,
    changes,
  });
}

/** What is wrong, first things first, each with the field that it is about. */
function wrongView(t: Translate, problems: FormProblems) {
  return settingsFields.flatMap((field) => {
    const text = problemText(t, problems[field]);
    // The list of sections is a group of boxes, which has an id of its own.
    return text === null ? [] : [{ field, label: t(`settings.fields.${field}.label`), text }];
  });
}

/** The fields and what is wrong with them. */
function fieldsView(t: Translate, from: FieldsFrom) {
  const { form, problems, sectionKind } = from;
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
      label: sectionLabel(t, sectionKind, section),
      ticked: ticked.includes(section.lmsSectionId),
    })),
    sectionsProblem: problemText(t, problems.sections),
    invitedOnly: form.access === "invited-only",
    locksAnything: (from.course.locked ?? []).length > 0,
  };
}

/** What is so whatever the form says: the door now, the Space, the LMS's word. */
async function stateView(deps: SettingsPageDeps, t: Translate, course: Course, link: SettingsVisit["link"]) {
  return {
    door: entryStateText(t, courseTimes(course, t.locale), await entryState(deps, course, link)),
    oneSession: link?.choice.kind === "session",
    space: await spaceView(deps, t, course, link),
    told: toldLines(t, await showTold(deps, course, link)),
    asksAccess: link === null ? course.spaceId !== null : link.choice.kind === "space",
    asksNewSpace: link === null && course.spaceId === null,
    lms: link === null ? null : lmsLines(t, link),
  };
}

export function nameOf(t: Translate, { title, label }: Course): string {
  return title || label || t("product.name");
}

function isDifferent(link: SettingsVisit["link"]): boolean {
  if (link === null) return false;
  const { settings, customSettings, door } = link;
  return [settings, customSettings, door].some((part) => Object.keys(part).length > 0);
}

async function entryState(deps: SettingsPageDeps, course: Course, link: SettingsVisit["link"]) {
  const entryWindow = entryWindowOf(course, link);
  const { events, oneSession } = await entryWindowEvents(deps, course, link);
  return timesAt({ entryWindow, events, oneSession, now: deps.clock.now() });
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
async function spaceView(deps: SettingsPageDeps, t: Translate, course: Course, link: SettingsVisit["link"]) {
  const addressOf = (spaceId: string) => spaceUrl(deps.appUrlOf(course.environment), spaceId);
  if (link?.choice.kind === "space") {
    const { spaceId } = link.choice;
    const shut = await shutText(deps, t, course, spaceId);
    const text = t("settings.space.linked", { address: addressOf(spaceId) });
    return { text, address: null, former: [], shut };
  }
  const former = (await deps.courses.formerSpaces(course)).map(addressOf);
  if (course.spaceId === null) {
    const name = await originElsewhere(deps, course);
    const shut = name === null ? null : t("home.attention.items.space-elsewhere", { name });
    return { text: name === null ? t("settings.space.notMade") : null, address: null, former, shut };
  }
  const shut = await shutText(deps, t, course, course.spaceId);
  return { text: t("settings.space.made"), address: addressOf(course.spaceId), former, shut };
}

/** Why nobody enters a Space; null where people do. */
async function shutText(
  { courses }: { courses: Pick<CourseStore, "standing"> },
  t: Translate,
  course: Course,
  spaceId: string,
): Promise<string | null> {
  const standing = await courses.standing(course, spaceId);
  if (standing === "usable") return null;
  if (standing === "no-right") return t("errors.space-not-approved");
  return `${t("choose.opens.shut.not-own")} ${t("choose.ownOnly")}`;
}
