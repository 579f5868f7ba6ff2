import express, { type Response, Router } from "express";
import { z } from "zod";
import { personName } from "../../../domain/person-name.ts";
import type { Person } from "../../../domain/course.ts";
import { answerEvent, type AnswerEventDeps, undoEvent } from "../answer-event.ts";
import { choosableMembers, type ChooseMemberDeps } from "../choose-member.ts";
import { listUnmatched, type ListUnmatchedDeps } from "../list-unmatched.ts";
import { linkedSections, type LinkedSectionsDeps } from "../linked-sections.ts";
import { matchUser, type MatchUserDeps, undoMatch } from "../match-user.ts";
import { waitForMatches, type WaitForMatchesDeps } from "../wait-for-matches.ts";
import { unmatchedKeptFor } from "../rules/unmatched.ts";
import type { Capability } from "../../../domain/staff-rights.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { UnmatchedAttendanceStore } from "../store/unmatched-attendance-store.ts";
import type { KeysUnder } from "../../../web/message-key.ts";
import { instructorVisit, type InstructorVisit } from "../../../web/instructor-visit.ts";
import { type SessionPageDeps } from "../../scheduling/pages/session-page.ts";
import { unmatchedView } from "./unmatched-view.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

export type UnmatchedRoutesDeps = ListUnmatchedDeps &
  MatchUserDeps &
  AnswerEventDeps &
  ChooseMemberDeps &
  WaitForMatchesDeps &
  LinkedSectionsDeps &
  SessionPageDeps & {
    courses: CourseStore;
    unmatchedAttendance: Pick<UnmatchedAttendanceStore, "putAside">;
  };

const id = z.string().max(300).catch("");
const carried = z.object({ user: id, person: id, match: id, event: id, confirmed: id, act: id });
type Posted = z.infer<typeof carried>;

/** What the page says about what was just pressed. */
type News = {
  text?: { key: KeysUnder<"unmatched.news">; values?: Record<string, string> };
  /** Why nothing was saved: nobody was chosen, or the person has a user and it is to be confirmed. */
  problem?: { userId: string; kind: "nobody" } | { userId: string; kind: "has-another"; person: Person };
  status?: number;
};

/**
 * POST /course/unmatched shows whom and what the classroom names that this course does not know; /course/unmatched/person,
 * /undo, /aside and /event keep what an instructor says about it. For instructors.
 */
export function unmatchedRoutes(deps: UnmatchedRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb" });
  type Act = (visit: InstructorVisit, posted: Posted) => Promise<News>;
  const page = (path: string, act: Act, needs: Capability = "corrections") =>
    router.post(path, form, async (request, response) => {
      const visit = await instructorVisit(deps, request, needs);
      await show(deps, visit, await act(visit, carried.parse(request.body)), response);
    });
  page("/course/unmatched", () => Promise.resolve({}), "grades");
  page("/course/unmatched/person", (visit, posted) => match(deps, visit, posted));
  page("/course/unmatched/undo", (visit, posted) => undo(deps, visit, posted));
  page("/course/unmatched/aside", async ({ course }, { user, act }) => {
    const back = act === "back";
    await deps.unmatchedAttendance.putAside(course.id, user, back ? null : deps.clock.now());
    return { text: { key: back ? "shown" : "aside" } };
  });
  page("/course/unmatched/event", (visit, posted) => event(deps, visit, posted));
  return router;
}

const gone: News = { text: { key: "gone" }, status: 409 };

async function match(
  deps: UnmatchedRoutesDeps,
  { course, session }: InstructorVisit,
  { user, person, confirmed }: Posted,
): Promise<News> {
  if (person === "") return { problem: { userId: user, kind: "nobody" }, status: 422 };
  // Only what this course's own attendance names may be matched here.
  const { users } = await listUnmatched(deps, course);
  if (!users.some(({ userId }) => userId === user)) return gone;
  try {
    const wanted = { userId: user, personId: person, confirmed: confirmed === person };
    const matched = await matchUser(deps, course, session.personId, wanted);
    if (matched.kind === "has-another") {
      return { problem: { userId: user, kind: "has-another", person: matched.person }, status: 409 };
    }
    return { text: { key: "matched", values: { user, name: personName(matched.person) } } };
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "user-matched-already") return gone;
    throw thrown;
  }
}

async function undo(
  deps: UnmatchedRoutesDeps,
  { course, session }: InstructorVisit,
  posted: Posted,
): Promise<News> {
  const known = await deps.userMatches.listOfCourse(course.registrationId, course.id);
  const user = known.find((one) => one.id === posted.match)?.userId ?? "";
  const person = await undoMatch(deps, course, session.personId, posted.match);
  return person === null ? gone : { text: { key: "undone", values: { user, name: personName(person) } } };
}

const answers = new Map([
  ["ours", { answer: "ours", key: "ours" }],
  ["not-ours", { answer: "not-ours", key: "notOurs" }],
  ["show", { answer: "open", key: "shown" }],
] as const);

async function event(
  deps: UnmatchedRoutesDeps,
  { course, session }: InstructorVisit,
  posted: Posted,
): Promise<News> {
  if (posted.act === "undo") {
    const undone = await undoEvent(deps, course, session.personId, posted.event);
    return undone ? { text: { key: "oursUndone" } } : gone;
  }
  const said = [...answers].find(([act]) => act === posted.act)?.[1];
  if (said === undefined) return {};
  const kept = await answerEvent(deps, course, session.personId, posted.event, said.answer);
  return kept ? { text: { key: said.key } } : gone;
}

async function show(
  deps: UnmatchedRoutesDeps,
  visit: InstructorVisit,
  { text, problem, status }: News,
  response: Response,
): Promise<void> {
  const { course, session } = visit;
  const words = await courseWords(deps, visit);
  const { t, times } = words;
  const applied = text === undefined || (await waitForMatches(deps, course));
  const unmatched = await listUnmatched(deps, course);
  const members = unmatched.users.length === 0 ? [] : await choosableMembers(deps, course);
  const courseName = courseNameOf(t, course);
  if (status !== undefined) response.status(status);
  response.render("course/unmatched", {
    t,
    title: t("unmatched.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    zone: times.zone,
    days: unmatchedKeptFor / (24 * 3_600_000),
    ...unmatchedView(words, unmatched, members, await linkedSections(deps, course)),
    news: text === undefined ? null : t(`unmatched.news.${text.key}`, text.values ?? {}),
    bad: status !== undefined,
    applied,
    problem:
      problem === undefined
        ? null
        : problem.kind === "nobody"
          ? { ...problem, personId: null, name: null }
          : {
              userId: problem.userId,
              kind: problem.kind,
              personId: problem.person.id,
              name: personName(problem.person),
            },
  });
}
