import { z } from "zod";
import type { App } from "../../../app.ts";
import { timesAt } from "../../../domain/entry.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { entryWindowEvents } from "../../joining/entry-target.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf, sectionLabel } from "../../../web/course-words.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { originElsewhere } from "../../spaces/space-rights.ts";
import { showSpaceList } from "../../spaces/space-list.ts";
import {
  type AddressPreview,
  addressPreview,
  choicesOf,
  entryStateText,
  type FieldsFrom,
  type FieldWords,
  lmsLines,
  problemText,
  type SettingsScope,
  spaceListLines,
  valueText,
} from "./settings-view.ts";
import {
  type FormProblems,
  formOfCourse,
  formOfLink,
  sectionsIn,
  type SettingsField,
  settingsFields,
  type SettingsForm,
} from "./settings-form.ts";
import { inLink, isLocked } from "../../../settings/in-effect.ts";
import type { FieldChange } from "../../../settings/forms.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";

export type SettingsVisit = {
  session: Session;
  course: Course;
  link: CourseLink | null;
  scope: SettingsScope;
};

/** What a change says on the page. tooLate: how the Space is made was asked for, but there is one by now. */
export const settingsNews = z.object({
  saved: z.boolean(),
  space: z.enum(["linked", "made", "tooLate"]).nullable(),
});
export type SettingsNews = z.infer<typeof settingsNews>;

export type SettingsShown = {
  news?: SettingsNews | null;
  /** As typed, where it is not (yet) saved. */
  form?: SettingsForm;
  problems?: FormProblems;
  previewed?: boolean;
  /** The form is as it was left, to look at another page. */
  isTyped?: boolean;
  conflict?: { changes: FieldChange<SettingsField>[]; now: SettingsForm; before: SettingsForm | null } | null;
};

type CheckInOption = { value: "on" | "off"; label: string; chosen: boolean };

export type SettingsPage = CourseFrame &
  ReturnType<typeof fieldsView> &
  Awaited<ReturnType<typeof stateView>> & {
    scope: SettingsScope;
    /** The page was opened by a link, which can have its own settings. */
    hasLink: boolean;
    linkDiffers: boolean;
    revision: number;
    /** The stored form, as text. */
    seen: string;
    saved: boolean;
    spaceNote: string | null;
    previewed: boolean;
    isTyped: boolean;
    wrong: { field: SettingsField; label: string; text: string }[];
    preview: AddressPreview;
    conflict: { changes: string[] } | null;
    form: SettingsForm;
    /** Whether learners check in by a code; `lockedBy`: who decides that instead. Null on the page of a link. */
    checkIn: { is: string; options: CheckInOption[]; lockedBy: string | null } | null;
  };

const settingsView = defineView<SettingsPage>("course/settings");

/** As stored, or as typed with its problems. */
export async function settingsPage(
  app: App,
  visit: SettingsVisit,
  shown: SettingsShown = {},
): Promise<PageAnswer> {
  const { session, course, link, scope } = visit;
  const t = app.translatorOf(session.locale);
  const stored = storedForm(visit);
  const { form = stored, problems = {}, previewed = false, isTyped = false } = shown;
  const from: FieldsFrom = { ...(await wordsFrom(app, course)), scope, course, link, form, problems };
  const shownLink = scope === "link" ? link : null;
  return page(
    settingsView,
    {
      title: t("settings.title", { course: courseNameOf(t, course) }),
      scope,
      hasLink: link !== null,
      linkDiffers: scope === "course" && isDifferent(link),
      revision: revisionOf(visit),
      seen: JSON.stringify(stored),
      ...newsView(t, shown.news ?? null),
      previewed,
      isTyped,
      wrong: wrongView(t, problems),
      preview: previewOf(app, t, visit, form),
      conflict: conflictView(t, from, shown.conflict ?? null),
      form,
      checkIn: scope === "course" ? checkInView(t, from) : null,
      ...fieldsView(t, from),
      ...(await stateView(app, t, course, shownLink)),
    },
    statusOf(shown),
  );
}

function checkInView(t: Translate, { course, lmsName }: FieldsFrom): SettingsPage["checkIn"] {
  const lockedBy = isLocked(course, "checkIn") ? t("settings.locked.by", { name: lmsName }) : null;
  const is = course.checkIn ? "on" : "off";
  const options = (["off", "on"] as const).map((value) => ({
    ...{ value, label: t(`checkIn.switch.${value}`), chosen: value === is },
  }));
  return { is: t(`checkIn.switch.${is}`), options, lockedBy };
}

function newsView(t: Translate, news: SettingsNews | null): Pick<SettingsPage, "saved" | "spaceNote"> {
  if (news === null) return { saved: false, spaceNote: null };
  const { saved, space } = news;
  return { saved, spaceNote: space === null ? null : t(`settings.space.notes.${space}`) };
}

function statusOf({ conflict, problems }: SettingsShown): { status?: number } {
  if (conflict !== undefined && conflict !== null) return { status: 409 };
  return problems === undefined ? {} : { status: 422 };
}

export function revisionOf({ course, link, scope }: Omit<SettingsVisit, "session">): number {
  return ((scope === "link" ? link : null) ?? course).settingsRevision;
}

export function storedForm({ course, link, scope }: Omit<SettingsVisit, "session">): SettingsForm {
  return scope === "link" && link !== null ? formOfLink(course, link) : formOfCourse(course);
}

export async function wordsFrom(
  app: Pick<App, "registrations" | "sections">,
  { registrationId, id }: Course,
): Promise<Pick<FieldsFrom, "lmsName" | "sectionKind" | "sections">> {
  const registration = await app.registrations.find(registrationId);
  const { sections: sectionKind } = capabilitiesOf(registration);
  return {
    lmsName: registration?.name ?? "",
    sectionKind,
    sections: await app.sections.listOf(registrationId, id),
  };
}

export function previewOf(
  app: Pick<App, "appUrlOf">,
  t: Translate,
  visit: SettingsVisit,
  form: SettingsForm,
): AddressPreview {
  return addressPreview(t, { ...visit, appUrl: app.appUrlOf(visit.course.environment), form });
}

export type SettingsResetPage = CourseFrame & {
  scope: SettingsScope;
  revision: number;
  changes: readonly FieldWords[];
};

const resetView = defineView<SettingsResetPage>("course/settings-reset");

/** Changes nothing. */
export function resetPage(
  app: App,
  { session, course, link, scope }: SettingsVisit,
  changes: readonly FieldWords[],
): PageAnswer {
  const t = app.translatorOf(session.locale);
  return page(resetView, {
    title: t("settings.title", { course: courseNameOf(t, course) }),
    scope,
    revision: (scope === "link" && link !== null ? link : course).settingsRevision,
    changes,
  });
}

/** In the order of the page, each with its field. */
function wrongView(t: Translate, problems: FormProblems) {
  return settingsFields.flatMap((field) => {
    const text = problemText(t, problems[field]);
    // The boxes of sections form a group with its own id.
    return text === null ? [] : [{ field, label: t(`settings.fields.${field}.label`), text }];
  });
}

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
  };
}

/** Besides the form: the entry window now, the Space, the LMS's parameters. */
async function stateView(app: App, t: Translate, course: Course, link: SettingsVisit["link"]) {
  return {
    entryState: entryStateText(t, courseTimes(course, t.locale), await entryState(app, course, link)),
    oneSession: link?.choice.kind === "session",
    space: await spaceView(app, t, course, link),
    spaceList: spaceListLines(t, await showSpaceList(app, course, link)),
    asksAccess: link === null ? course.spaceId !== null : link.choice.kind === "space",
    asksNewSpace: link === null && course.spaceId === null,
    lms: link === null ? null : lmsLines(t, link),
  };
}

function isDifferent(link: SettingsVisit["link"]): boolean {
  if (link === null) return false;
  const { settings, customSettings, door } = link;
  return [settings, customSettings, door].some((part) => Object.keys(part).length > 0);
}

async function entryState(app: App, course: Course, link: SettingsVisit["link"]) {
  const { door: entryWindow } = inLink(course, link);
  const { events, oneSession } = await entryWindowEvents(app, course, link);
  return timesAt({ entryWindow, events, oneSession, now: app.clock.now() });
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

async function spaceView(app: App, t: Translate, course: Course, link: SettingsVisit["link"]) {
  const addressOf = (spaceId: string) => spaceUrl(app.appUrlOf(course.environment), spaceId);
  if (link?.choice.kind === "space") {
    const { spaceId } = link.choice;
    const shut = await shutText(app, t, course, spaceId);
    const text = t("settings.space.linked", { address: addressOf(spaceId) });
    return { text, address: null, former: [], shut };
  }
  const former = (await app.courses.formerSpaces(course)).map(addressOf);
  if (course.spaceId === null) {
    const name = await originElsewhere(app, course);
    const shut = name === null ? null : t("home.attention.items.space-elsewhere", { name });
    return { text: name === null ? t("settings.space.notMade") : null, address: null, former, shut };
  }
  const shut = await shutText(app, t, course, course.spaceId);
  return { text: t("settings.space.made"), address: addressOf(course.spaceId), former, shut };
}

/** Null where people can enter. */
async function shutText({ courses }: App, t: Translate, course: Course, spaceId: string) {
  const rightState = await courses.rightState(course, spaceId);
  if (rightState === "usable") return null;
  if (rightState === "no-right") return t("errors.space-not-approved");
  return `${t("choose.opens.shut.not-own")} ${t("choose.ownOnly")}`;
}
