import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import { maxCounted, sessionsTiedTo } from "../link-space.ts";
import { originElsewhere, provenSpaces } from "../../spaces/space-rights.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { formOfCourse, type SettingsForm } from "../../courses/pages/settings-form.ts";
import { type Choices, choicesOf } from "../../courses/pages/settings-view.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";

/** The latest ones. */
const maxRequests = 10;

export type SettingsSpacePage = CourseFrame & Awaited<ReturnType<typeof choiceModel>>;
export type SettingsSpaceChangePage = CourseFrame & Awaited<ReturnType<typeof changeModel>>;

const choiceView = defineView<SettingsSpacePage>("course/settings-space");
const changeView = defineView<SettingsSpaceChangePage>("course/settings-space-change");

export type SpaceChoiceShown = Pick<SettingsForm, "newAccess" | "newWaiting"> & {
  typed: string;
  known: string;
  problem: "missing" | "unreadable" | "own" | { said: NamedError } | null;
  /** Another instructor has given the course another Space meanwhile. */
  late: boolean;
};

/** Changes nothing. */
export async function spaceChoicePage(
  app: App,
  visit: InstructorVisit,
  shown: SpaceChoiceShown,
): Promise<PageAnswer> {
  const status = shown.late ? { status: 409 } : shown.problem !== null ? { status: 422 } : {};
  return page(choiceView, await choiceModel(app, visit, shown), status);
}

async function choiceModel(app: App, { course, session }: InstructorVisit, shown: SpaceChoiceShown) {
  const t = app.translatorOf(session.locale);
  const appUrl = withoutTrailingSlashes(app.appUrlOf(course.environment));
  const known = await provenSpaces(app, course, session.personId);
  const former = await formerChoices(app, t, course);
  const requests = await shownRequests(app, course);
  return {
    ...frameOf(app, t, course),
    typed: shown.typed,
    known: shown.known,
    late: shown.late,
    problem: problemText(t, shown.problem, appUrl),
    spaces: [
      ...former,
      ...known.map(({ spaceId, course: other }) => ({ spaceId, name: courseNameOf(t, other) })),
    ],
    /** The origin of a Space that is not used because it is elsewhere. */
    elsewhere: course.spaceId === null ? await originElsewhere(app, course) : null,
    /** The institution lets courses use only Spaces that were made for them. */
    ownOnly: course.ownSpacesOnly === true,
    requests: requests.map(({ spaceId, state }) => ({
      address: spaceUrl(appUrl, spaceId),
      state,
      text: t(`choose.requests.${state}`),
    })),
    /** How addresses of Spaces begin. */
    begins: `${appUrl}/spaces/`,
    choices: newSpaceChoices(t, course, shown),
  };
}

async function formerChoices({ courses }: App, t: Translate, course: Course) {
  const former = await courses.formerSpaces(course);
  const usable = await Promise.all(former.map((spaceId) => courses.mayUse(course, spaceId)));
  return former
    .filter((_spaceId, at) => usable[at])
    .map((spaceId) => ({ spaceId, name: t("choose.formerSpace", { spaceId }) }));
}

/** Without those that were approved and whose Space was taken away since. */
async function shownRequests({ spaceRequests, courses }: App, course: Course) {
  const requests = await spaceRequests.listOfCourse(course.registrationId, course.id, maxRequests);
  const approved = requests.flatMap(({ state, spaceId }) => (state === "approved" ? [spaceId] : []));
  const usable = await courses.usableOf(course, approved);
  return requests.filter(({ state, spaceId }) => state !== "approved" || usable.has(spaceId));
}

function problemText(t: Translate, problem: SpaceChoiceShown["problem"], appUrl: string): string | null {
  if (problem === null) return null;
  return typeof problem === "string"
    ? t(`settings.space.problems.${problem}`, { appUrl })
    : sayError(t, problem.said);
}

type SpaceChangeShown =
  | { kind: "link"; spaceId: string; sharedWith: readonly Course[]; unsaid: boolean }
  | ({ kind: "new" } & Pick<SettingsForm, "newAccess" | "newWaiting">);

/** Changes nothing. */
export async function spaceChangePage(
  app: App,
  visit: InstructorVisit,
  change: SpaceChangeShown,
): Promise<PageAnswer> {
  const model = await changeModel(app, visit, change);
  return page(changeView, model, model.unsaid ? { status: 422 } : {});
}

async function changeModel(app: App, { session, course }: InstructorVisit, change: SpaceChangeShown) {
  const t = app.translatorOf(session.locale);
  const link = change.kind === "link" ? change : null;
  return {
    ...frameOf(app, t, course),
    kind: change.kind,
    /** Address of the other Space; null for a new one. */
    after: link === null ? null : spaceUrl(app.appUrlOf(course.environment), link.spaceId),
    spaceId: link?.spaceId ?? "",
    sharedWith: (link?.sharedWith ?? []).map((other) => courseNameOf(t, other)),
    unsaid: link?.unsaid ?? false,
    newAccess: change.kind === "new" ? change.newAccess : "",
    newWaiting: change.kind === "new" ? change.newWaiting : "",
    facts: [...(await oldFacts(app, t, course)), ...newFacts(t, change)],
  };
}

async function oldFacts(app: App, t: Translate, course: Course): Promise<string[]> {
  if (course.spaceId === null) return [];
  const coming = await sessionsTiedTo(app, course);
  const facts = [t("settings.space.change.kept"), t("settings.space.change.grades")];
  if (coming > 0)
    facts.push(
      t(`settings.space.change.${coming < maxCounted ? "coming" : "manyComing"}`, { count: coming }),
    );
  return [...facts, t("settings.space.change.inside")];
}

function newFacts(t: Translate, change: SpaceChangeShown): string[] {
  if (change.kind === "link") return [t("settings.space.change.unchecked")];
  const { newAccess } = change;
  const facts = [t.dynamic(`settings.space.change.access.${newAccess}`) ?? newAccess];
  if (change.newWaiting === "yes") facts.push(t("settings.space.change.waiting"));
  return [...facts, t("settings.space.change.forGood")];
}

function newSpaceChoices(t: Translate, course: Course, shown: SpaceChoiceShown): Choices {
  const form = { ...formOfCourse(course), newAccess: shown.newAccess, newWaiting: shown.newWaiting };
  const from = { course, link: null, lmsName: "", sections: [], form, problems: {} };
  return choicesOf(t, { ...from, scope: "course", sectionKind: "groups" });
}

function frameOf(app: App, t: Translate, course: Course) {
  const now = course.spaceId;
  return {
    title: t("settings.space.change.title", { course: courseNameOf(t, course) }),
    /** Empty for none. */
    seen: now ?? "",
    before: now === null ? null : spaceUrl(app.appUrlOf(course.environment), now),
  };
}
