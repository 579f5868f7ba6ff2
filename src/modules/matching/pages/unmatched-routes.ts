import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { readNews } from "../../../web/page-news.ts";
import { answerEvent, undoEvent } from "../answer-event.ts";
import { listUnmatched } from "../list-unmatched.ts";
import { matchUser, undoMatch } from "../match-user.ts";
import { type UnmatchedNews, unmatchedNews, unmatchedPage, type UnmatchedProblem } from "./unmatched-page.ts";

const id = z.string().max(300).catch("");
const shape = z.object({ user: id, person: id, match: id, event: id, confirmed: id, act: id });
type Posted = z.infer<typeof shape>;

/** /course/unmatched, and the answers: /undo, /person, /aside and /event below it. For instructors. */
export function unmatchedRoutes(app: App): Router {
  const pages = coursePages(app);
  const corrections = { who: "corrections", fields: (posted: unknown) => shape.parse(posted) } as const;
  const list = pages.read(
    "/course/unmatched",
    { who: "grades", fields: noFields, news: readNews(unmatchedNews) },
    ({ visit }, news) => unmatchedPage(app, visit, { news }),
  );
  const after = (news: UnmatchedNews | null) => list.after({}, news, news?.what === "gone" ? 409 : 200);
  pages.change("/course/unmatched/person", corrections, async ({ visit, fields }) => {
    const { news, problem } = await match(app, visit, fields);
    return problem === undefined ? after(news) : unmatchedPage(app, visit, { problem });
  });
  pages.change("/course/unmatched/undo", corrections, async ({ visit, fields }) =>
    after(await undo(app, visit, fields)),
  );
  pages.change("/course/unmatched/aside", corrections, async ({ visit, fields: { user, act } }) => {
    const back = act === "back";
    await app.unmatchedAttendance.putAside(visit.course.id, user, back ? null : app.clock.now());
    return after({ what: back ? "shown" : "aside" });
  });
  pages.change("/course/unmatched/event", corrections, async ({ visit, fields }) =>
    after(await event(app, visit, fields)),
  );
  return pages.router;
}

const gone = { what: "gone" } as const;

async function match(
  app: App,
  { course, session }: InstructorVisit,
  { user, person, confirmed }: Posted,
): Promise<{ news: UnmatchedNews; problem?: never } | { news?: never; problem: UnmatchedProblem }> {
  if (person === "") return { problem: { userId: user, kind: "nobody" } };
  // Only users in this course's own attendance and classes may be matched here.
  const { users, visitors } = await listUnmatched(app, course);
  if (![...users, ...visitors].some(({ userId }) => userId === user)) return { news: gone };
  try {
    const wanted = { userId: user, personId: person, confirmed: confirmed === person };
    const matched = await matchUser(app, course, session.personId, wanted);
    if (matched.kind === "has-another")
      return { problem: { userId: user, kind: "has-another", person: matched.person } };
    return { news: { what: "matched", userId: user, personId: matched.person.id } };
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "user-matched-already") return { news: gone };
    throw thrown;
  }
}

async function undo(app: App, { course, session }: InstructorVisit, posted: Posted): Promise<UnmatchedNews> {
  const known = await app.userMatches.listOfCourse(course.registrationId, course.id);
  const userId = known.find((one) => one.id === posted.match)?.userId ?? "";
  const person = await undoMatch(app, course, session.personId, posted.match);
  return person === null ? gone : { what: "undone", userId, personId: person.id };
}

const answers = new Map([
  ["ours", { answer: "ours", what: "ours" }],
  ["not-ours", { answer: "not-ours", what: "notOurs" }],
  ["show", { answer: "open", what: "shown" }],
] as const);

async function event(
  app: App,
  { course, session }: InstructorVisit,
  posted: Posted,
): Promise<UnmatchedNews | null> {
  if (posted.act === "undo") {
    const undone = await undoEvent(app, course, session.personId, posted.event);
    return undone ? { what: "oursUndone" } : gone;
  }
  const said = [...answers].find(([act]) => act === posted.act)?.[1];
  if (said === undefined) return null;
  const kept = await answerEvent(app, course, session.personId, posted.event, said.answer);
  return kept ? { what: said.what } : gone;
}
