import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Person } from "../../../domain/course.ts";
import { personName } from "../../../domain/person-name.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { choosableMembers } from "../choose-member.ts";
import { linkedSections } from "../linked-sections.ts";
import { listUnmatched } from "../list-unmatched.ts";
import { unmatchedKeptMs } from "../rules/unmatched.ts";
import { waitForMatches } from "../wait-for-matches.ts";
import { unmatchedView } from "./unmatched-view.ts";

export type UnmatchedPage = CourseFrame &
  ReturnType<typeof unmatchedView> & {
    /** How many wait, where some do. */
    heading: string;
    zone: string;
    days: number;
    news: string | null;
    /** Nothing was changed. */
    bad: boolean;
    /** The answers are applied to earlier reports, too. */
    applied: boolean;
    problem: ProblemView | null;
  };

type ProblemView =
  | { userId: string; kind: "nobody"; personId: null; name: null }
  | { userId: string; kind: "has-another"; personId: string; name: string };

/** What a change says on the page; it names people by their id. */
export const unmatchedNews = z.union([
  z.object({ what: z.enum(["matched", "undone"]), userId: z.string(), personId: z.string() }),
  z.object({ what: z.enum(["ours", "oursUndone", "notOurs", "shown", "aside", "gone"]) }),
]);
export type UnmatchedNews = z.infer<typeof unmatchedNews>;

/** Nobody was chosen, or the person has a user already and it is to be confirmed. */
export type UnmatchedProblem =
  { userId: string; kind: "nobody" } | { userId: string; kind: "has-another"; person: Person };

const unmatchedPageView = defineView<UnmatchedPage>("course/unmatched");

const statuses = { nobody: 422, "has-another": 409 } as const;

/** The page after a change, or with a question about a user. */
export async function unmatchedPage(
  app: App,
  visit: InstructorVisit,
  { news = null, problem = null }: { news?: UnmatchedNews | null; problem?: UnmatchedProblem | null },
): Promise<PageAnswer> {
  const { course } = visit;
  const words = await courseWords(app, visit);
  const { t, times } = words;
  const applied = news === null || (await waitForMatches(app, course));
  const unmatched = await listUnmatched(app, course);
  const members =
    unmatched.users.length + unmatched.visitors.length === 0 ? [] : await choosableMembers(app, course);
  const waiting = unmatched.users.filter(({ aside }) => !aside).length;
  return page(
    unmatchedPageView,
    {
      title: t("unmatched.title", { course: courseNameOf(t, course) }),
      heading:
        waiting === 0
          ? t("unmatched.heading")
          : t("unmatched.count", { count: waiting, number: numberText(t, waiting) }),
      zone: times.place(app.clock.now()),
      days: unmatchedKeptMs / (24 * 3_600_000),
      ...unmatchedView(words, unmatched, members, await linkedSections(app, course)),
      news: news === null ? null : await newsText(app, t, news),
      bad: problem !== null || news?.what === "gone",
      applied,
      problem: problem === null ? null : problemView(problem),
    },
    problem === null ? {} : { status: statuses[problem.kind] },
  );
}

async function newsText({ people }: Pick<App, "people">, t: Translate, news: UnmatchedNews): Promise<string> {
  if (!("personId" in news)) return t(`unmatched.news.${news.what}`);
  const person = await people.find(news.personId);
  const name = person === null ? "" : personName(person);
  return t(`unmatched.news.${news.what}`, { user: news.userId, name });
}

function problemView(problem: UnmatchedProblem): ProblemView {
  if (problem.kind === "nobody") return { ...problem, personId: null, name: null };
  const { userId, kind, person } = problem;
  return { userId, kind, personId: person.id, name: personName(person) };
}
