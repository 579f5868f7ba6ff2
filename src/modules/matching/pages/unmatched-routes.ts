import { dayMs } from "../../../kernel/clock.ts";
import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Person } from "../../../domain/course.ts";
import { personName } from "../../../domain/person.ts";
import { NamedError } from "../../../kernel/errors.ts";
import {
  listUnmatched,
  type Matched,
  type Unmatched,
  type UnmatchedEvent,
  type UnmatchedUser,
  waitForMatches,
} from "../list-unmatched.ts";
import {
  answerEvent,
  type Choosable,
  choosableMembers,
  linkedSections,
  type LinkedSections,
  matchUser,
  undoEvent,
  undoMatch,
} from "../match-user.ts";
import { unmatchedRetentionMs } from "../rules/records.ts";
import { sectionsOfSession, type SessionWords } from "../../scheduling/pages/sessions-view.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { inList, isolated, numberText, statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";

const id = z.string().max(300).catch("");
const shape = z.object({ user: id, person: id, match: id, event: id, confirmed: id, act: id });
type Posted = z.infer<typeof shape>;

/** The page of people that the classroom reported, but that match nobody in the course. */
export function unmatchedRoutes(app: App): Router {
  const pages = coursePages(app);
  const statusOf = (news: UnmatchedNews | null) => (news?.what === "gone" ? 409 : 200);
  pages
    .page("/course/unmatched", {
      who: "grades",
      fields: shape,
      news: unmatchedNews,
      view: defineView<UnmatchedPage>("course/unmatched"),
      model: unmatchedModel,
    })
    .act("/course/unmatched/person", {
      who: "corrections",
      run: async ({ visit, fields, after, again }) => {
        const { news, problem } = await match(app, visit, fields);
        return problem === undefined
          ? after(news, statusOf(news))
          : again({ what: "problem", problem }, statuses[problem.kind]);
      },
    })
    .act("/course/unmatched/undo", {
      who: "corrections",
      run: async ({ visit, fields, after }) => {
        const news = await undo(app, visit, fields);
        return after(news, statusOf(news));
      },
    })
    .act("/course/unmatched/aside", {
      who: "corrections",
      run: async ({ visit: { course }, fields: { user, act }, after }) => {
        const back = act === "back";
        await app.unmatchedAttendance.putAside(course.id, user, back ? null : app.clock.now());
        return after({ what: back ? "shown" : "aside" });
      },
    })
    .act("/course/unmatched/event", {
      who: "corrections",
      run: async ({ visit, fields, after }) => {
        const news = await event(app, visit, fields);
        return after(news, statusOf(news));
      },
    });
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
    const request = { userId: user, personId: person, confirmed: confirmed === person };
    const matched = await matchUser(app, course, session.personId, request);
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
  const chosen = [...answers].find(([act]) => act === posted.act)?.[1];
  if (chosen === undefined) return null;
  const answered = await answerEvent(app, course, session.personId, posted.event, chosen.answer);
  return answered ? { what: chosen.what } : gone;
}

/** What the page says after a change. It names people by their id. */
const unmatchedNews = z.union([
  z.object({ what: z.enum(["matched", "undone"]), userId: z.string(), personId: z.string() }),
  z.object({ what: z.enum(["ours", "oursUndone", "notOurs", "shown", "aside", "gone"]) }),
]);
type UnmatchedNews = z.infer<typeof unmatchedNews>;

/** Nobody was chosen, or the person already has a user, which must be confirmed. */
type UnmatchedProblem =
  | { userId: string; kind: "nobody" }
  | { userId: string; kind: "has-another"; person: Person };

const statuses = { nobody: 422, "has-another": 409 } as const;

export type UnmatchedPage = PageOf<typeof unmatchedModel>;

/** The page after a change, or with a question about a user. */
async function unmatchedModel(
  app: App,
  { visit: { course }, words }: PageContext<"grades", Posted>,
  outcome: UnmatchedNews | { what: "problem"; problem: UnmatchedProblem } | null,
) {
  const { t, number } = words;
  const problem = outcome?.what === "problem" ? outcome.problem : null;
  const news = outcome === null || outcome.what === "problem" ? null : outcome;
  /** The answers are also applied to earlier reports. */
  const applied = news === null || (await waitForMatches(app, course));
  const unmatched = await listUnmatched(app, course);
  const members =
    unmatched.users.length + unmatched.visitors.length === 0 ? [] : await choosableMembers(app, course);
  const waiting = unmatched.users.filter(({ aside }) => !aside).length;
  return {
    title: t("unmatched.title", { course: courseNameOf(t, course) }),
    heading:
      waiting === 0
        ? t("unmatched.heading")
        : t("unmatched.count", { count: waiting, number: number(waiting) }),
    days: unmatchedRetentionMs / dayMs,
    ...unmatchedView(words, unmatched, members, await linkedSections(app, course)),
    news: news === null ? null : await newsText(app, t, news),
    bad: problem !== null || news?.what === "gone",
    applied,
    problem: problem === null ? null : problemView(problem),
  };
}

async function newsText({ people }: Pick<App, "people">, t: Translate, news: UnmatchedNews): Promise<string> {
  if (!("personId" in news)) return t(`unmatched.news.${news.what}`);
  const person = await people.find(news.personId);
  const name = person === null ? "" : personName(person);
  return t(`unmatched.news.${news.what}`, { user: news.userId, name });
}

type ProblemView =
  | { userId: string; kind: "nobody"; personId: null; name: null }
  | { userId: string; kind: "has-another"; personId: string; name: string };

function problemView(problem: UnmatchedProblem): ProblemView {
  if (problem.kind === "nobody") return { ...problem, personId: null, name: null };
  const { userId, kind, person } = problem;
  return { userId, kind, personId: person.id, name: personName(person) };
}

const maxNamed = 5;

function unmatchedView(
  words: SessionWords,
  unmatched: Unmatched,
  members: readonly Choosable[],
  linked: LinkedSections,
) {
  const { t, times } = words;
  const attended = unmatched.users.map(({ sessions, ...user }) => ({
    ...user,
    mayBeAside: true,
    sessions: sessions.map(({ title, startsAt, status }) =>
      [title ?? t("common.untitledSession"), whenText(t, times, startsAt), statusView(t, status).text].join(
        ", ",
      ),
    ),
  }));
  const visited = unmatched.visitors.map(({ userId, classes }) => ({
    userId,
    aside: false,
    mayBeAside: false,
    sessions: classes.map(({ startsAt }) => inList(t, [t("unplanned.sessionTitle"), times.text(startsAt)])),
  }));
  const users = [...attended, ...visited]
    .map((user) => userView(words, user, members, linked))
    // People with known facts first.
    .sort((one, other) => Number(one.from === null) - Number(other.from === null));
  const eventViews = (events: readonly UnmatchedEvent[]) =>
    events
      .map((event) => eventView(words, event, linked.ofCohorts(event.cohortIds)))
      .sort((one, other) => Number(one.forCohort === null) - Number(other.forCohort === null));
  return {
    users: users.filter(({ aside }) => !aside),
    aside: users.filter(({ aside }) => aside),
    events: eventViews(unmatched.events),
    hidden: eventViews(unmatched.hidden),
    matches: unmatched.matches.map(({ match, person, ...decision }) => ({
      id: match.id,
      userId: match.userId,
      name: personName(person),
      ...decisionView(t, times, decision),
    })),
    ours: unmatched.ours.map(({ eventId, title, startsAt, ...decision }) => ({
      eventId,
      session: inList(t, [isolated(t, title ?? t("common.untitledSession")), whenText(t, times, startsAt)]),
      ...decisionView(t, times, decision),
    })),
  };
}

function decisionView(t: Translate, times: CourseTimes, { at, by }: Matched) {
  const when = times.text(at);
  const decided =
    by === null
      ? t("unmatched.matches.when", { when })
      : t("unmatched.matches.by", { name: personName(by, "instructor"), when });
  return { decided };
}

function whenText(t: Translate, times: CourseTimes, startsAt: number | null): string {
  return startsAt === null ? t("unmatched.events.noTime") : times.text(startsAt);
}

/** Offers members of sections whose cohort the user is in first, except those who are in it with another user. */
function userView(
  words: SessionWords,
  {
    userId,
    aside,
    mayBeAside,
    sessions,
  }: Pick<UnmatchedUser, "userId" | "aside"> & { mayBeAside: boolean; sessions: readonly string[] },
  members: readonly Choosable[],
  { ofUser }: LinkedSections,
) {
  const { t } = words;
  const sectionIds = ofUser(userId);
  const sections = sectionsOfSession(words, sectionIds);
  const near = new Set(
    members.filter(
      (member) =>
        member.sectionIds.some((id) => sectionIds.includes(id)) &&
        member.userIds.every((own) => ofUser(own).length === 0),
    ),
  );
  const group = (label: string, is: (member: Choosable) => boolean) => ({
    label,
    members: members.filter(is).map(({ personId, name }) => ({ personId, name })),
  });
  const groups = [
    ...(sections === null ? [] : [group(sections, (member) => near.has(member))]),
    group(t("unmatched.people.without"), (member) => !member.hasUser && !near.has(member)),
    group(t("unmatched.people.with"), (member) => member.hasUser && !near.has(member)),
  ];
  return {
    userId,
    from: sections === null ? null : t("unmatched.people.fromCohort", { sections }),
    groups: groups.filter((each) => each.members.length > 0),
    aside,
    mayBeAside,
    count: t("common.sessionCount", { count: sessions.length, number: numberText(t, sessions.length) }),
    sessions: sessions.slice(0, maxNamed).map((text) => ({ text })),
    more: sessions.length > maxNamed ? sessions.length - maxNamed : null,
  };
}

function eventView(
  words: SessionWords,
  { eventId, title, startsAt, people }: UnmatchedEvent,
  sectionIds: readonly string[],
) {
  const { t, times } = words;
  const sections = sectionsOfSession(words, sectionIds);
  return {
    forCohort: sections === null ? null : t("unmatched.events.forCohort", { sections }),
    eventId,
    title: title ?? t("common.untitledSession"),
    when: whenText(t, times, startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    people: t("unmatched.events.attended", { count: people, number: numberText(t, people) }),
  };
}
