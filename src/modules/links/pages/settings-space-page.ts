import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import { spaceUrl } from "../../../domain/join-url.ts";
import { type LinkSpaceDeps, mostCounted, sessionsTiedTo } from "../link-space.ts";
import { originElsewhere } from "../../spaces/space-elsewhere.ts";
import { knownSpaces } from "../../spaces/usable-space.ts";
import type { SpaceRequestStore } from "../../spaces/store/space-request-store.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import { sayError } from "../../../web/say-error.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { formOfCourse, type SettingsForm } from "../../courses/pages/settings-form.ts";
import { nameOf, type SettingsPageDeps } from "../../courses/pages/settings-page.ts";
import { choicesOf } from "../../courses/pages/settings-view.ts";

export type SpacePageDeps = LinkSpaceDeps &
  SettingsPageDeps & { spaceRequests: Pick<SpaceRequestStore, "listOfCourse"> };

/** So many of the latest requests are shown. */
const mostRequests = 10;

type Visit = { session: Session; course: Course };

/** The page of the choice: as typed, with what is wrong with it. */
export type SpaceChoiceShown = Pick<SettingsForm, "newAccess" | "newWaiting"> & {
  typed: string;
  /** The id chosen from the list. */
  known: string;
  problem: "missing" | "unreadable" | "own" | { said: NamedError } | null;
  /** Somebody else has given the course another Space meanwhile. */
  late: boolean;
};

/** Renders the two ways to another Space. Nothing is changed yet. */
export async function renderSpaceChoice(
  deps: SpacePageDeps,
  visit: Visit,
  shown: SpaceChoiceShown,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const frame = await frameOf(deps, visit);
  const { t } = frame;
  const appUrl = deps.appUrlOf(course.environment).replace(/\/+$/, "");
  const known = await knownSpaces(deps, course, session.personId);
  const former = await formerChoices(deps, t, course);
  const requests = await shownRequests(deps, course);
  response.render("course/settings-space", {
    ...frame,
    ...shown,
    problem: problemText(t, shown.problem, appUrl),
    spaces: [...former, ...known.map(({ spaceId, course: other }) => ({ spaceId, name: nameOf(t, other) }))],
    elsewhere: course.spaceId === null ? await originElsewhere(deps, course) : null,
    ownOnly: course.ownSpacesOnly === true,
    requests: requests.map(({ spaceId, state }) => ({
      address: spaceUrl(appUrl, spaceId),
      state,
      text: t(`choose.requests.${state}`),
    })),
    begins: `${appUrl}/spaces/`,
    choices: newSpaceChoices(t, course, shown),
  });
}

/** Spaces that the course had before and may use. */
async function formerChoices({ courses }: SpacePageDeps, t: Translate, course: Course) {
  const former = await courses.formerSpaces(course);
  const usable = await Promise.all(former.map((spaceId) => courses.mayUse(course, spaceId)));
  return former
    .filter((_spaceId, at) => usable[at])
    .map((spaceId) => ({ spaceId, name: t("choose.formerSpace", { spaceId }) }));
}

/** The latest requests, without those that were approved and whose Space was taken away since. */
async function shownRequests({ spaceRequests, courses }: SpacePageDeps, course: Course) {
  const requests = await spaceRequests.listOfCourse(course.registrationId, course.id, mostRequests);
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

/** What would become of the course's Space. */
export type SpaceChangeShown =
  | { kind: "link"; spaceId: string; sharedWith: readonly Course[]; unsaid: boolean }
  | ({ kind: "new" } & Pick<SettingsForm, "newAccess" | "newWaiting">);

/** Renders what another Space would mean, with the button that does it. Nothing is changed yet. */
export async function renderSpaceChange(
  deps: SpacePageDeps,
  visit: Visit,
  change: SpaceChangeShown,
  response: Response,
): Promise<void> {
  const frame = await frameOf(deps, visit);
  const { t } = frame;
  const { course } = visit;
  const link = change.kind === "link" ? change : null;
  const shared = link?.sharedWith ?? [];
  response.render("course/settings-space-change", {
    ...frame,
    kind: change.kind,
    after: link === null ? null : spaceUrl(deps.appUrlOf(course.environment), link.spaceId),
    spaceId: link?.spaceId ?? "",
    sharedWith: shared.map((other) => nameOf(t, other)),
    unsaid: link?.unsaid ?? false,
    newAccess: change.kind === "new" ? change.newAccess : "",
    newWaiting: change.kind === "new" ? change.newWaiting : "",
    facts: [...(await oldFacts(deps, t, course)), ...newFacts(t, change)],
  });
}

/** What becomes of the Space that the course has now. */
async function oldFacts(deps: SpacePageDeps, t: Translate, course: Course): Promise<string[]> {
  if (course.spaceId === null) return [];
  const coming = await sessionsTiedTo(deps, course);
  const facts = [t("settings.space.change.kept"), t("settings.space.change.grades")];
  if (coming > 0)
    facts.push(
      t(`settings.space.change.${coming < mostCounted ? "coming" : "manyComing"}`, { count: coming }),
    );
  return [...facts, t("settings.space.change.inside")];
}

/** What is known, and not, of the one that it would have. */
function newFacts(t: Translate, change: SpaceChangeShown): string[] {
  if (change.kind === "link") return [t("settings.space.change.unchecked")];
  const { newAccess } = change;
  const facts = [t.dynamic(`settings.space.change.access.${newAccess}`) ?? newAccess];
  if (change.newWaiting === "yes") facts.push(t("settings.space.change.waiting"));
  return [...facts, t("settings.space.change.forGood")];
}

function newSpaceChoices(t: Translate, course: Course, shown: SpaceChoiceShown) {
  const form = { ...formOfCourse(course), newAccess: shown.newAccess, newWaiting: shown.newWaiting };
  const from = {
    scope: "course",
    course,
    link: null,
    sectionKind: "groups",
    sections: [],
    form,
    problems: {},
  };
  return choicesOf(t, { ...from, scope: "course", sectionKind: "groups" });
}

async function frameOf(deps: SpacePageDeps, { session, course }: Visit) {
  const t = deps.translatorOf(session.locale);
  const courseName = nameOf(t, course);
  const now = course.spaceId;
  return {
    t,
    title: t("settings.space.change.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    seen: now ?? "",
    before: now === null ? null : spaceUrl(deps.appUrlOf(course.environment), now),
  };
}
