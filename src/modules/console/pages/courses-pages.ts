import { Router } from "express";
import { settingOf } from "../../../domain/account.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { courseName } from "../../courses/rules/course.ts";
import { scoreTones } from "../../grading/pages/grades-view.ts";
import { rosterProblemText } from "../../members/pages/people-view.ts";
import { courseDeeds, type CourseDetails, doAgain, showCourse } from "../../operations/courses.ts";
import { findCourses, type FoundCourse } from "../../operations/search-console.ts";
import { countSessions, endSessionsOfCourse } from "../../operations/sessions.ts";
import { unknownCourse } from "../../privacy/erase.ts";
import {
  answerSpaceRequest,
  approveSpace,
  closeSpace,
  type ListedRequest,
  type ListedRight,
  listSpaces,
  withdrawSpace,
} from "../../spaces/decide-spaces.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { addressWith, chosen } from "./fields.ts";
import { type Gate, narrowed, type OpenTo, type Visit } from "./gate.ts";
import { rosterTones, type SessionsView, sessionsView } from "./in-words.ts";
import type { ConsoleFrame } from "./partials.ts";

export type CoursesPage = ConsoleFrame & {
  typed: string;
  /** Of this LMS; null for all. */
  lms: string | null;
  registrations: { id: string; name: string }[];
  rows: (Omit<FoundCourse, "members"> & { members: string; tone: Tone })[];
  next: string | null;
  first: boolean;
};

export type CoursePage = ConsoleFrame &
  Omit<CourseDetails, "scores" | "elsewhere"> & {
    sessions: SessionsView;
    /** Its Space is at an address that is none of the classroom's. */
    elsewhereText: string | null;
    rosterTone: Tone;
    /** Empty where the list of people was read. */
    rosterProblemText: string;
    spaceUrl: string | null;
    scores: { tone: Tone; label: string; number: string; link: string }[];
    scoresLink: string;
    number: (value: number) => string;
    note: (typeof notes)[number] | null;
  };

const coursesPage = defineView<CoursesPage>("admin/courses");
const coursePage = defineView<CoursePage>("admin/course");

/** Messages under `console.courses.notes`, shown once. */
const notes = ["roster", "sync", "resend", "underWay", "signedOut"] as const;

export function coursesPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  const ofItsLms: OpenTo = async ({ part }) => (await deps.courses.find(part("id")))?.registrationId ?? null;
  router.get(
    "/courses",
    gate.page((visit) => showFound(deps, visit), narrowed),
  );
  router.get(
    "/courses/:id",
    gate.page((visit) => showOne(deps, visit), ofItsLms),
  );
  router.post(
    "/courses/:id/again",
    gate.action(async (visit) => {
      const id = visit.part("id");
      const deed = chosen(visit.field("what"), courseDeeds);
      const begun = await doAgain({ ...deps, ...visit.by }, id, deed);
      visit.goTo(`/admin/courses/${id}`, begun ? deed : "underWay");
    }, ofItsLms),
  );
  router.post(
    "/courses/:id/sign-out",
    gate.action(async ({ part, by, goTo }) => {
      await endSessionsOfCourse({ ...deps, ...by }, part("id"));
      goTo(`/admin/courses/${part("id")}`, "signedOut");
    }, ofItsLms),
  );
  return router;
}

async function showFound(deps: ConsoleApp, { request, show, t, within }: Visit): Promise<void> {
  const typed = asked(request.query["q"]);
  const registrations = within === null ? await deps.registrations.list() : [];
  const lms = registrations.find(({ id }) => id === request.query["lms"])?.id ?? null;
  const from = asked(request.query["from"]);
  const found = await findCourses(deps, {
    typed,
    registrationId: within ?? lms,
    from: from === "" ? null : from,
  });
  const next =
    found.next === null ? null : new URLSearchParams({ q: typed, lms: lms ?? "", from: found.next });
  show({
    view: coursesPage,
    title: t("console.areas.courses"),
    area: "courses",
    model: {
      typed,
      lms,
      registrations: registrations.map(({ id, name }) => ({ id, name })),
      rows: found.rows.map((row) => ({
        ...row,
        members: numberText(t, row.members),
        tone: row.grades === null ? "none" : scoreTones[row.grades],
      })),
      next: next === null ? null : `/admin/courses?${next.toString()}`,
      first: from === "",
    },
  });
}

/** Operators read what to set, an LMS's administrators that an operator has to. */
function elsewhereText(
  deps: ConsoleApp,
  t: Visit["t"],
  { course: { environment }, elsewhere: origin }: Pick<CourseDetails, "course" | "elsewhere">,
  within: string | null,
): string | null {
  if (origin === null) return null;
  if (within !== null) return t("errors.space-elsewhere");
  const named = { origin, appUrl: deps.appUrlOf(environment), variable: settingOf(environment, "APP_URL") };
  return t("console.classroom.elsewhere", named);
}

async function showOne(deps: ConsoleApp, { request, show, part, t, within }: Visit): Promise<void> {
  const { sharing, scores, elsewhere, ...details } = await showCourse(deps, part("id"));
  const { course, roster } = details;
  const { registrationId, id: courseId } = course;
  const sessions = await countSessions(deps, { registrationId, courseId });
  const scoresIn = (state: string) =>
    addressWith("/admin/deliveries", {
      state: state === "left" ? "held" : state,
      lms: within === null ? course.registrationId : "",
      course: course.id,
    });
  show({
    view: coursePage,
    title: courseName(course),
    area: "courses",
    model: {
      ...details,
      // Courses of other LMSs that use the same Space are hidden.
      sharing: sharing.filter(({ registrationId }) => within === null || registrationId === within),
      sessions: sessionsView(t, sessions, { of: "course", action: `/admin/courses/${courseId}/sign-out` }),
      elsewhereText: elsewhereText(deps, t, { course, elsewhere }, within),
      rosterTone: roster === null ? "none" : rosterTones[roster.state],
      rosterProblemText: roster === null ? "" : rosterProblemText(t, roster),
      spaceUrl:
        course.spaceId === null
          ? null
          : `${deps.appUrlOf(course.environment)}/spaces/${encodeURIComponent(course.spaceId)}`,
      scores: (["refused", "held", "waiting", "left", "delivered"] as const).map((state) => ({
        tone: scoreTones[state],
        label: t(`console.courses.scoreStates.${state}`),
        number: numberText(t, scores[state]),
        link: scoresIn(state),
      })),
      scoresLink: scoresIn(
        (["refused", "held", "waiting", "delivered"] as const).find((state) => scores[state] > 0) ??
          "refused",
      ),
      number: (value: number) => numberText(t, value),
      note: notes.find((one) => one === request.query["note"]) ?? null,
    },
  });
}

/** At most as long as a title. */
function asked(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string" && value.length <= 2_000) return value.trim();
  throw refusal("bad-request", { status: 400 });
}

/** Spaces that this tool did not make for a course. */
export type SpacesPage = ConsoleFrame & {
  requests: ListedRequest[];
  /** `how`: by which right. */
  given: (ListedRight & { how: string })[];
  closed: { spaceId: string; closedAt: number | null }[];
  note: (typeof spaceNotes)[number] | null;
  good: boolean;
};

const spacesPage = defineView<SpacesPage>("admin/spaces");

const here = "/admin/spaces";
/** Messages under `console.spaces.notes`, shown once. */
const spaceNotes = [
  "approved",
  "refused",
  "late",
  "operator",
  "closed",
  "ownOnly",
  "withdrawn",
  "closedNow",
] as const;

/** Spaces that this tool did not make for a course: who wants which, who has which, and what is closed. */
export function spacesPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  const ofRequest: OpenTo = async ({ part }) =>
    (await deps.spaceRequests.find(part("id")))?.registrationId ?? null;
  const ofCourse: OpenTo = async ({ part }) => (await deps.courses.find(part("id")))?.registrationId ?? null;
  router.get(
    "/spaces",
    gate.page((visit) => show(deps, visit), narrowed),
  );
  router.post(
    "/spaces/requests/:id",
    gate.action(async ({ part, field, by, within, goTo }) => {
      const answer = chosen(field("answer"), ["approve", "refuse"] as const);
      goTo(here, await answerSpaceRequest({ ...deps, ...by }, part("id"), answer, within));
    }, ofRequest),
  );
  router.post(
    "/courses/:id/spaces",
    gate.action(async ({ part, field, by, within, goTo }) => {
      const what = chosen(field("what"), ["approve", "withdraw"] as const);
      const course = await deps.courses.find(part("id"));
      if (course === null) throw unknownCourse();
      const as = { ...deps, ...by };
      if (what === "approve") goTo(here, await approveSpace(as, course, field("space"), within));
      else goTo(here, (await withdrawSpace(as, course, field("space"))) ? "withdrawn" : "late");
    }, ofCourse),
  );
  router.post(
    "/spaces/close",
    gate.action(async ({ field, by, goTo }) => {
      const environment = chosen(field("environment"), deps.accounts.ids());
      await closeSpace({ ...deps, ...by }, { environment, spaceId: field("space") });
      goTo(here, "closedNow");
    }),
  );
  return router;
}

async function show(deps: ConsoleApp, { request, show: render, t, within }: Visit): Promise<void> {
  const { requests, given, closed } = await listSpaces(deps, within);
  const note = spaceNotes.find((one) => one === request.query["note"]) ?? null;
  render({
    view: spacesPage,
    title: t("console.areas.spaces"),
    area: "spaces",
    model: {
      requests,
      given: given.map((right) => ({ ...right, how: howText(t, right) })),
      closed: closed.map(({ spaceId, closed }) => ({ spaceId, closedAt: closed?.at ?? null })),
      note,
      good: note === "approved" || note === "withdrawn" || note === "refused" || note === "closedNow",
    },
  });
}

function howText(t: Visit["t"], { way, decidedBy, through }: ListedRight): string {
  if (way === "approved") return t(`console.spaces.ways.${decidedBy ?? "operator"}`);
  return through === null
    ? t("console.spaces.ways.provenGone")
    : t("console.spaces.ways.proven", { course: through });
}
