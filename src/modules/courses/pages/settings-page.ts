import { z } from "zod";
import type { App } from "../../../app.ts";
import { timesAt } from "../../../domain/entry.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import type { CourseLink } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { entryWindowEvents } from "../../joining/entry-target.ts";
import { seenRevision } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import type { TypedForm } from "../../../web/page-news.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { linkOfCourse } from "../../links/links.ts";
import { firstRulesOfCourse, firstRulesOfLink } from "../change-settings.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { originElsewhere } from "../../spaces/space-rights.ts";
import { showSpaceList } from "../../spaces/space-list.ts";
import {
  addressPreview,
  choicesOf,
  differenceWords,
  entryStateText,
  type FieldsFrom,
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
  formOfPosted,
  sectionsIn,
  type SettingsField,
  settingsFields,
  type SettingsForm,
} from "./settings-form.ts";
import { inLink, isLocked } from "../../../settings/in-effect.ts";
import { afterConflict, type FieldChange, formOfText, withoutLocked } from "../../../settings/forms.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";

export type SettingsVisit = {
  session: Session;
  course: Course;
  link: CourseLink | null;
  scope: SettingsScope;
};

const shape = z.object({
  scope: z.enum(["course", "link"]).catch("course"),
  revision: seenRevision,
  seen: z.unknown().optional(),
  asked: z.literal("new-space").nullable().catch(null),
  act: z.enum(["save", "reset-now"]).catch("save"),
  /** "preview": the page's script asks only for the addresses. */
  part: z.enum(["all", "preview"]).catch("all"),
});
export const scopeShape = shape.pick({ scope: true });

export type PostedSettings = ReturnType<typeof postedSettings>;

function postedSettings(posted: unknown) {
  return { ...shape.parse(posted), form: formOfPosted(posted) };
}

/** What the page says after a change. tooLate: the change was about how to make the Space, but the Space exists by now. */
const settingsNews = z.object({
  saved: z.boolean(),
  space: z.enum(["linked", "made", "tooLate"]).nullable(),
});

/** `form`: as typed, if it isn't saved (yet). */
type SettingsMessage = Partial<z.infer<typeof settingsNews>> & {
  form?: SettingsForm;
  problems?: FormProblems;
  previewed?: boolean;
  conflict?: { changes: FieldChange<SettingsField>[]; now: SettingsForm; before: SettingsForm | null };
};

export type SettingsPage = PageOf<typeof settingsModel>;

export const settingsPath = "/course/settings";

/** Also the target of other modules' changes. */
export const settingsPage = {
  who: "settings",
  fields: postedSettings,
  form: { maxBytes: 128 * 1024 },
  news: settingsNews,
  address: ({ scope }: Pick<PostedSettings, "scope">) => ({ scope }),
  isForm: true,
  view: defineView<SettingsPage>("course/settings"),
  model: settingsModel,
} as const;

/** A link's settings can only be reached if that link opened the page. */
export async function settingsVisit(
  app: App,
  { session, course }: InstructorVisit,
  scope: SettingsScope,
): Promise<SettingsVisit> {
  const link = await linkOfCourse(app, course, session.courseLinkId);
  return { session, course, link, scope: link === null ? "course" : scope };
}

/** What was typed, without what is locked. */
export function typedIn(visit: SettingsVisit, typed: SettingsForm): SettingsForm {
  return withoutLocked(typed, storedForm(visit), visit.course.locked);
}

/** What was typed into this form but not saved, if the stored settings are still those it was shown with. */
function typedStill(visit: SettingsVisit, typed: TypedForm | null): SettingsForm | null {
  if (typed === null) return null;
  const { scope, revision, form } = postedSettings(typed.posted);
  return scope === visit.scope && revision === revisionOf(visit) ? typedIn(visit, form) : null;
}

/** @param visit With what is stored now. */
export function conflictAt(visit: SettingsVisit, posted: PostedSettings): SettingsMessage {
  const now = storedForm(visit);
  const before = formOfText(settingsFields, posted.seen);
  const own = posted.act === "save" ? typedIn(visit, posted.form) : (before ?? now);
  const { form, changes } = afterConflict(settingsFields, before, own, now);
  return { form, conflict: { changes, now, before } };
}

/** Shows the stored settings, or what was typed with its problems. */
async function settingsModel(
  app: App,
  context: PageContext<"settings", Pick<PostedSettings, "scope">>,
  given: SettingsMessage | null,
) {
  const { t, sections, sectionKind } = context.words;
  const message = given ?? {};
  const visit = await settingsVisit(app, context.visit, context.fields.scope);
  const { course, link, scope } = visit;
  const stored = storedForm(visit);
  const typed = message.form === undefined ? typedStill(visit, context.typed) : null;
  const form = message.form ?? typed ?? stored;
  const { problems = {} } = message;
  const lmsName = (await app.registrations.find(course.registrationId))?.name ?? "";
  const from: FieldsFrom = { lmsName, sections, sectionKind, scope, course, link, form, problems };
  return {
    title: t("settings.title", { course: courseNameOf(t, course) }),
    scope,
    /** A link opened the page, and can have its own settings. */
    hasLink: link !== null,
    linkDiffers: scope === "course" && isDifferent(link),
    revision: revisionOf(visit),
    /** The stored form, as text. */
    seen: JSON.stringify(stored),
    /** The form is as it was left when the reader went to look at another page. */
    isTyped: typed !== null,
    ...messageView(t, from, message),
    preview: previewOf(app, t, visit, form),
    form,
    switches: scope === "course" ? switches.map((one) => switchView(t, from, one)) : [],
    ...fieldsView(context.words, from),
    ...(await stateView(app, context.words, course, scope === "link" ? link : null)),
  };
}

function messageView(
  t: Translate,
  from: FieldsFrom,
  { saved = false, space = null, previewed = false, conflict }: SettingsMessage,
) {
  return {
    saved,
    spaceNote: space === null ? null : t(`settings.space.notes.${space}`),
    previewed,
    wrong: wrongView(t, from.problems),
    conflict: conflict === undefined ? null : { changes: conflictLines(t, from, conflict) },
  };
}

const switches = [
  { name: "checkIn", id: "check-in", lead: "checkIn.switch.lead" },
  { name: "learnerWords", id: "words", lead: "words.lead" },
] as const;

/** What else learners may do. `lockedBy`: who decides it instead of the course. */
function switchView(
  t: Translate,
  { course, lmsName }: FieldsFrom,
  { name, id, lead }: (typeof switches)[number],
) {
  return {
    id,
    action: `/${id}/switch`,
    heading: t(`institution.rules.${name}`),
    lead: t(lead),
    on: course[name],
    is: t(`checkIn.switch.${course[name] ? "on" : "off"}`),
    lockedBy: isLocked(course, name) ? t("settings.locked.by", { name: lmsName }) : null,
  };
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
) {
  return addressPreview(t, { ...visit, appUrl: app.appUrlOf(visit.course.environment), form });
}

export type SettingsResetPage = PageOf<typeof resetModel>;

/** Shows what resetting would change, without changing anything. */
export async function resetModel(app: App, context: PageContext<"settings", Pick<PostedSettings, "scope">>) {
  const { t } = context.words;
  const visit = await settingsVisit(app, context.visit, context.fields.scope);
  const { course, link, scope } = visit;
  const after =
    scope === "link" && link !== null
      ? formOfLink(course, firstRulesOfLink(link))
      : formOfCourse(firstRulesOfCourse(course, await app.institutionDefaults.find(course.registrationId)));
  return {
    title: t("settings.title", { course: courseNameOf(t, course) }),
    scope,
    revision: revisionOf(visit),
    changes: differenceWords(t, context.words, storedForm(visit), after),
  };
}

/** Problems in the order of the page, each with its field. */
function wrongView(t: Translate, problems: FormProblems) {
  return settingsFields.flatMap((field) => {
    const text = problemText(t, problems[field]);
    // The checkboxes of sections form a group with its own id.
    return text === null ? [] : [{ field, label: t(`settings.fields.${field}.label`), text }];
  });
}

function fieldsView({ t, label }: PageWords, from: FieldsFrom) {
  const { form, problems } = from;
  const ticked = sectionsIn(form);
  return {
    choices: choicesOf(t, from),
    minutes: (["minutesBefore", "minutesAfter"] as const).map((name) => ({
      name,
      value: form[name],
      problem: problemText(t, problems[name]),
    })),
    sections: from.sections.map(({ lmsSectionId: id }) => ({
      id,
      label: label(id),
      ticked: ticked.includes(id),
    })),
    sectionsProblem: problemText(t, problems.sections),
    invitedOnly: form.access === "invited-only",
  };
}

/** What the page shows besides the form: the entry window now, the Space, the LMS's parameters. */
async function stateView(app: App, { t, times }: PageWords, course: Course, link: CourseLink | null) {
  return {
    entryState: entryStateText(t, times, await entryState(app, course, link)),
    oneSession: link?.choice.kind === "session",
    space: await spaceView(app, t, course, link),
    spaceList: spaceListLines(t, await showSpaceList(app, course, link)),
    asksAccess: link === null ? course.spaceId !== null : link.choice.kind === "space",
    asksNewSpace: link === null && course.spaceId === null,
    lms: link === null ? null : lmsLines(t, link),
  };
}

function isDifferent(link: CourseLink | null): boolean {
  if (link === null) return false;
  const { settings, customSettings, door } = link;
  return [settings, customSettings, door].some((part) => Object.keys(part).length > 0);
}

async function entryState(app: App, course: Course, link: CourseLink | null) {
  const { door: entryWindow } = inLink(course, link);
  const { events, oneSession } = await entryWindowEvents(app, course, link);
  return timesAt({ entryWindow, events, oneSession, now: app.clock.now() });
}

function conflictLines(
  t: Translate,
  from: FieldsFrom,
  { changes, now, before }: NonNullable<SettingsMessage["conflict"]>,
): string[] {
  if (before === null) return [];
  return changes.map(({ field }) =>
    t("settings.conflict.change", {
      field: t(`settings.fields.${field}.label`),
      now: valueText(t, from, field, now),
      was: valueText(t, from, field, before),
    }),
  );
}

async function spaceView(app: App, t: Translate, course: Course, link: CourseLink | null) {
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

/** Null if people can enter. */
async function shutText({ courses }: App, t: Translate, course: Course, spaceId: string) {
  const rightState = await courses.rightState(course, spaceId);
  if (rightState === "usable") return null;
  if (rightState === "no-right") return t("errors.space-not-approved");
  return `${t("choose.opens.shut.not-own")} ${t("choose.ownOnly")}`;
}
