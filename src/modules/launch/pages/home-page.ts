import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { type Answer, page, type PageAnswer } from "../../../web/answer.ts";
import { type After, type Asked, type CoursePages, noFields } from "../../../web/course-pages.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import { readNews } from "../../../web/page-news.ts";
import type { CourseFrame, EnterButton, HereNow } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { hiddenAreas, mayIn } from "../../../web/visits.ts";
import type { AttentionItem, AttentionKind } from "../../courses/rules/course.ts";
import { showGradeSummary } from "../../grading/show-grades.ts";
import type { EntryTarget } from "../../joining/entry-target.ts";
import { type AccountClosed, closedByAccount } from "../../joining/pages/closed-entry.ts";
import { embedsSpace, targetAsShown } from "../../joining/pages/space-page.ts";
import { hereView } from "../../presence/pages/presence-view.ts";
import { showSessions } from "../../scheduling/show-sessions.ts";
import { joinedTooLate } from "../../spaces/space-list.ts";
import { listFirstSteps, offerCopiedSettings } from "../set-up.ts";
import { listAttention, showNextClass } from "../home.ts";
import {
  answeredPanel,
  askingPanel,
  type CopiedPanel,
  type LinkChange,
  type LinkOpens,
  linkOpens,
  type SetUpNews,
  showsAdminLink,
} from "./home-panels.ts";
import { attentionView, comingView, gradesView, heroView, isSeenWithout, stepsView } from "./home-view.ts";
import { learnerHomePage, type OfLms } from "./learner-home.ts";

/** What a change says on an instructor's home. */
const homeNews = z.union([
  z.object({ what: z.literal("link-changed") }),
  z.object({ what: z.literal("copied"), outcome: z.enum(["taken", "declined", "late"]) }),
  z.object({ what: z.literal("set-up"), answer: z.enum(["saved", "later", "hidden"]) }),
]);
type HomeNews = z.infer<typeof homeNews>;

const path = "/course/home";

/** The page at /course/home, for `read`, and for changes that lead to it. */
export function homeRead(app: App) {
  return [
    path,
    { who: "anybody", fields: noFields, news: readNews(homeNews) },
    async ({ visit, browser, t }: Asked<"anybody", unknown>, news: HomeNews | null): Promise<Answer> => {
      const target = await targetAsShown(app, visit.session, browser, "as-set");
      return homePage(app, visit.session, target, news === null ? {} : shownOf(t, news));
    },
  ] as const;
}

/** What an instructor's change answers with: their home as it is now. */
export function homeAfter(app: App, pages: CoursePages, news: HomeNews | null): After {
  return pages.elsewhere(...homeRead(app)).after({}, news);
}

function shownOf(t: Translate, news: HomeNews): HomeShown {
  switch (news.what) {
    case "link-changed":
      return { change: { known: "", space: "", refused: null } };
    case "copied":
      return { panel: answeredPanel(t, news.outcome) };
    case "set-up":
      return { news: news.answer };
  }
}

/**
 * The first page of a course, with the way into the Space: an instructor's home, or a learner's. What only instructors
 * see needs a whole session.
 */
export function homePage(
  app: App,
  session: Session,
  target: EntryTarget & OfLms,
  shown: HomeShown = {},
): Promise<PageAnswer> {
  return session.role === "instructor" && session.only !== "entry"
    ? instructorHomePage(app, session, target, shown)
    : learnerHomePage(app, session, target);
}

type HomeShown = { change?: LinkChange; panel?: CopiedPanel; news?: SetUpNews };

export type InstructorHome = CourseFrame &
  EnterButton &
  HereNow & {
    /** Areas that the reader's role does not include. */
    hides: readonly string[];
    consoleWay: boolean;
    copied: CopiedPanel | null;
    news: string | null;
    /** Nobody can enter: the course's classroom account is paused, or has no addresses and key yet. Null: not so. */
    shut: { heading: string; lead: string } | null;
    /** They may enter as a participant. */
    late: string | null;
    hero: ReturnType<typeof heroView>;
    /** The zone of the times, as a sentence and as its name. */
    zone: string;
    zoneName: string;
    coming: ReturnType<typeof comingView>;
    /** Null for a reader who may not see grades. */
    grades: ReturnType<typeof gradesView> | null;
    attention: ReturnType<typeof attentionView>[];
    /** Null when they are done or hidden. */
    steps: ReturnType<typeof stepsView>;
    opens: LinkOpens | null;
  };

const homeView = defineView<InstructorHome>("launch/enter");

/** The session that is on or next with the way into the Space, then what needs a person, what comes, grades, and first steps. */
async function instructorHomePage(
  app: App,
  session: Session,
  target: Pick<EntryTarget, "course" | "settings" | "entry"> & OfLms,
  shown: HomeShown,
): Promise<PageAnswer> {
  const { course } = target;
  const mayCorrect = mayIn(session, course, "corrections");
  const hides = hiddenAreas(session, course);
  const [words, timetable, grades, copied, opens] = await Promise.all([
    courseWords(app, { session, course }, target.registration),
    showSessions(app, course),
    showGradeSummary(app, course),
    mayCorrect ? copiedPanel(app, app.translatorOf(session.locale), course) : null,
    linkOpens(app, app.translatorOf(session.locale), session, course, shown.change ?? null),
  ]);
  const { t, times, wording } = words;
  const [next, attention, steps, hereNow, late] = await Promise.all([
    showNextClass(app, course, timetable),
    listAttention(app, course, { grades, timetable }),
    listFirstSteps(app, course, { seesGrades: !hides.includes("grades"), timetable }),
    hereView(app, t, course),
    joinedTooLate(app, course, session.personId),
  ]);
  return page(homeView, {
    title: t("common.courseTitle", { course: courseNameOf(t, course) }),
    access: null, // Instructors see it on the settings page, where one of them said so, and below.
    embeds: embedsSpace(target) ? app.spaceOriginsOf(course.environment) : null,
    consoleWay: showsAdminLink(app, session),
    joins: false,
    opensItself: false,
    copied: shown.panel ?? copied,
    news: shown.news === undefined ? null : t(`home.news.${shown.news}`),
    shut: shutBy(t, closedByAccount(app, course), showsAdminLink(app, session)),
    late: late ? t("spaceList.late") : null,
    hero: heroView(words, next, app.clock.now(), { checksIn: mayCorrect && course.checkIn }),
    zone: zoneText(t, course.timeZone, times, app.clock.now()),
    zoneName: times.zone,
    coming: comingView(words, next, timetable),
    hides,
    grades: hides.includes("grades")
      ? null
      : gradesView(t, course, { ...grades, asks: attention.some(isAboutAllGrades) }, wording),
    attention: attention
      .filter((item) => isSeenWithout(hides, item) && (mayCorrect || !forCorrections.has(item.kind)))
      .map((item) => attentionView(words, item)),
    steps: stepsView(t, steps, wording),
    opens,
    hereNow,
  });
}

function isAboutAllGrades({ kind }: AttentionItem): boolean {
  return kind === "column-emptied" || kind === "column-without-points";
}

/** Staff who may only look are not asked. */
const forCorrections: ReadonlySet<AttentionKind> = new Set([
  "attendance-open",
  "class-unplanned",
  "session-ended",
]);

/** Tells each person what they can do themselves. */
function shutBy(t: Translate, closed: AccountClosed | null, administers: boolean): InstructorHome["shut"] {
  if (closed === null) return null;
  if (closed.because === "paused")
    return { heading: t("closed.paused.heading"), lead: t("closed.paused.lead") };
  const lead = t(administers ? "closed.notSetUp.administrator" : "closed.notSetUp.instructor");
  return { heading: t("closed.notSetUp.heading"), lead };
}

async function copiedPanel(
  app: Pick<App, "courses" | "courseCopies" | "registrations">,
  t: Translate,
  course: Course,
): Promise<CopiedPanel | null> {
  const offer = await offerCopiedSettings(app, course);
  return offer === null ? null : askingPanel(t, course, offer);
}
