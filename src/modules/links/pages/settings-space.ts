import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { openSpace } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { spaceUrl } from "../../../domain/join-settings.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { withoutTrailingSlashes } from "../../../kernel/text.ts";
import { isLocked } from "../../../settings/in-effect.ts";
import { type Acted, type After, type RequestContext, coursePages } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { formStatus, type PageContext, showPage } from "../../../web/declared-page.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import {
  formOfCourse,
  type FormProblems,
  newSpaceFields,
  readNewSpace,
  type SettingsForm,
} from "../../courses/pages/settings-form.ts";
import { settingsPage, settingsPath } from "../../courses/pages/settings-page.ts";
import { choicesOf } from "../../courses/pages/settings-view.ts";
import { originElsewhere, provenSpaces, spaceRefusals } from "../../spaces/space-rights.ts";
import { linkSpace, maxCounted, nameSpace, renewSpace, sessionsTiedTo } from "../link-space.ts";

const text = z.string().max(2_000).catch("");
const shape = z.object({
  act: z.enum(["show", "look", "look-new", "link", "make"]).catch("show"),
  known: text,
  space: text,
  /** The Space that was seen. Empty for none. */
  seen: text,
  share: z.literal("yes").nullable().catch(null),
  newAccess: text,
  newWaiting: text,
});
type Posted = z.infer<typeof shape>;
type SpaceContext = RequestContext<"settings", Posted>;

/** Gives the whole course another Space, after a question. For instructors. */
export function settingsSpaceRoutes(app: App): Router {
  const pages = coursePages(app);
  const path = "/course/settings/space";
  const posts = { who: "settings", fields: shape, form: { maxBytes: 128 * 1024 } } as const;
  const settings = pages.elsewhere(settingsPath, settingsPage);
  const done: Done = (space) => settings.after({}, { saved: false, space });
  pages.change(path, { ...posts, takes: ({ act }) => act !== "show" }, async (context) => {
    try {
      return await answer(app, context, done);
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem === null) throw thrown;
      return showPage(app, context, choicePage, { ...typedIn(context.fields), problem });
    }
  });
  pages.page(path, { ...posts, ...choicePage });
  return pages.router;
}

/** What an instructor can correct on the page. */
function problemOf(thrown: unknown): SpaceChoice["problem"] {
  if (!(thrown instanceof NamedError)) return null;
  if (thrown.code === "space-unreadable") return "unreadable";
  return spaceRefusals.includes(thrown.code) ? thrown : null;
}

/** Leads to the settings, which say what happened to the Space. */
type Done = (space: "linked" | "made") => After;

async function answer(app: App, context: SpaceContext, done: Done): Promise<Acted> {
  const { course, session } = context.visit;
  const { fields: posted } = context;
  const { personId } = session;
  const shows = (choice: SpaceChoice) => showPage(app, context, choicePage, choice);
  const asks = (change: SpaceChange) => showPage(app, context, changePage, change);
  // An address takes precedence over the list.
  const typed = posted.space.trim() === "" ? posted.known : posted.space;
  switch (posted.act) {
    case "show":
      return shows(emptyChoice);
    case "look": {
      if (typed === "") return shows({ ...typedIn(posted), problem: "missing" });
      const named = await nameSpace(app, course, personId, typed);
      return named.isOwn
        ? shows({ ...typedIn(posted), problem: "own" })
        : asks({ kind: "link", ...named, unsaid: false });
    }
    case "look-new":
      return asks({ kind: "new", ...newSpaceFields(newSpaceIn(course, posted)) });
    case "link":
      return link(app, context, done, typed);
    case "make":
      if (posted.seen === "") return shows(emptyChoice);
      if (posted.seen !== course.spaceId) return late(app, context);
      await renewSpace(app, course, { personId, seen: posted.seen, made: newSpaceIn(course, posted) });
      return done("made");
  }
}

async function link(app: App, context: SpaceContext, done: Done, typed: string): Promise<Acted> {
  const { course, session } = context.visit;
  const { seen, share } = context.fields;
  const { personId } = session;
  const decision = { personId, seen: seen === "" ? null : seen, mayShare: share === "yes" };
  const outcome = await linkSpace(app, course, { ...decision, typed });
  if (outcome === "late") return late(app, context);
  if (outcome === "linked") return done("linked");
  const named = await nameSpace(app, course, personId, typed);
  return showPage(app, context, changePage, { kind: "link", ...named, unsaid: true });
}

/** Another instructor has given the course another Space since. */
async function late(app: App, context: SpaceContext) {
  const { visit, fields } = context;
  const course = (await app.courses.find(visit.course.id)) ?? visit.course;
  const choice = { ...typedIn(fields), late: true };
  return showPage(app, { ...context, visit: { ...visit, course } }, choicePage, choice);
}

type SpaceChoice = Pick<SettingsForm, "newAccess" | "newWaiting"> & {
  typed: string;
  known: string;
  problem: "missing" | "unreadable" | "own" | NamedError | null;
  /** Another instructor has given the course another Space since. */
  late: boolean;
};

const emptyChoice: SpaceChoice = {
  typed: "",
  known: "",
  problem: null,
  late: false,
  ...newSpaceFields(openSpace),
};

function typedIn({ space, known, newAccess, newWaiting }: Posted): SpaceChoice {
  const fields = { newAccess: newAccess || "Public", newWaiting: newWaiting || "no" };
  return { ...emptyChoice, ...fields, typed: space, known };
}

/** Doesn't ask for what the institution has locked. */
function newSpaceIn(course: Course, posted: Posted) {
  if (isLocked(course, "newSpace")) return course.newSpace;
  const problems: FormProblems = {};
  const read = readNewSpace(posted, problems);
  if (Object.keys(problems).length === 0) return read ?? openSpace;
  throw refusal("bad-request", { status: 400 });
}

/** How many of the latest requests are shown. */
const maxRequests = 10;

export type SettingsSpacePage = PageOf<typeof choiceModel>;

const choicePage = { view: defineView<SettingsSpacePage>("course/settings-space"), model: choiceModel };

/** Changes nothing. */
async function choiceModel(
  app: App,
  { visit: { course, session }, words: { t } }: PageContext<"settings", unknown>,
  given: SpaceChoice | null,
) {
  const choice = given ?? emptyChoice;
  const appUrl = withoutTrailingSlashes(app.appUrlOf(course.environment));
  const known = await provenSpaces(app, course, session.personId);
  const former = await formerChoices(app, t, course);
  const requests = await openRequests(app, course);
  return {
    ...aboutSpace(app, t, course),
    httpStatus: formStatus(choice.late, choice.problem !== null),
    typed: choice.typed,
    known: choice.known,
    late: choice.late,
    problem: problemText(t, choice.problem, appUrl),
    spaces: [
      ...former,
      ...known.map(({ spaceId, course: other }) => ({ spaceId, name: courseNameOf(t, other) })),
    ],
    /** The origin of a Space that isn't used because it's elsewhere. */
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
    choices: newSpaceChoices(t, course, choice),
  };
}

async function formerChoices({ courses }: App, t: Translate, course: Course) {
  const former = await courses.formerSpaces(course);
  const usable = await courses.usableNow(course, former);
  return former
    .filter((spaceId) => usable.has(spaceId))
    .map((spaceId) => ({ spaceId, name: t("choose.formerSpace", { spaceId }) }));
}

/** Leaves out approved requests whose Space has since been taken away. */
async function openRequests({ spaceRequests, courses }: App, course: Course) {
  const requests = await spaceRequests.listOfCourse(course.registrationId, course.id, maxRequests);
  const approved = requests.flatMap(({ state, spaceId }) => (state === "approved" ? [spaceId] : []));
  const usable = await courses.usableOf(course, approved);
  return requests.filter(({ state, spaceId }) => state !== "approved" || usable.has(spaceId));
}

function problemText(t: Translate, problem: SpaceChoice["problem"], appUrl: string): string | null {
  if (problem === null) return null;
  return typeof problem === "string"
    ? t(`settings.space.problems.${problem}`, { appUrl })
    : sayError(t, problem);
}

type SpaceChange =
  | { kind: "link"; spaceId: string; sharedWith: readonly Course[]; unsaid: boolean }
  | ({ kind: "new" } & Pick<SettingsForm, "newAccess" | "newWaiting">);

export type SettingsSpaceChangePage = PageOf<typeof changeModel>;

const changePage = {
  view: defineView<SettingsSpaceChangePage>("course/settings-space-change"),
  model: changeModel,
};

/** Changes nothing. */
async function changeModel(
  app: App,
  { visit: { course }, words: { t } }: PageContext<"settings", unknown>,
  change: SpaceChange,
) {
  const link = change.kind === "link" ? change : null;
  const fresh = change.kind === "new" ? change : { newAccess: "", newWaiting: "" };
  return {
    ...aboutSpace(app, t, course),
    httpStatus: link?.unsaid === true ? 422 : 200,
    kind: change.kind,
    /** Address of the other Space. Null for a new one. */
    after: link === null ? null : spaceUrl(app.appUrlOf(course.environment), link.spaceId),
    spaceId: link?.spaceId ?? "",
    sharedWith: (link?.sharedWith ?? []).map((other) => courseNameOf(t, other)),
    unsaid: link?.unsaid ?? false,
    newAccess: fresh.newAccess,
    newWaiting: fresh.newWaiting,
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

function newFacts(t: Translate, change: SpaceChange): string[] {
  if (change.kind === "link") return [t("settings.space.change.unchecked")];
  const { newAccess } = change;
  const facts = [t.dynamic(`settings.space.change.access.${newAccess}`) ?? newAccess];
  if (change.newWaiting === "yes") facts.push(t("settings.space.change.waiting"));
  return [...facts, t("settings.space.change.forGood")];
}

function newSpaceChoices(t: Translate, course: Course, { newAccess, newWaiting }: SpaceChoice) {
  const form = { ...formOfCourse(course), newAccess, newWaiting };
  const from = { course, link: null, lmsName: "", sections: [], form, problems: {} };
  return choicesOf(t, { ...from, scope: "course", sectionKind: "groups" });
}

function aboutSpace(app: App, t: Translate, course: Course) {
  const now = course.spaceId;
  return {
    title: t("settings.space.change.title", { course: courseNameOf(t, course) }),
    /** Empty for none. */
    seen: now ?? "",
    before: now === null ? null : spaceUrl(app.appUrlOf(course.environment), now),
  };
}
