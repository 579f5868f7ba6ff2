import type { Course } from "../../../domain/course.ts";
import { type ChangeLinkDeps } from "../../links/change-link.ts";
import { listAttention, type ListAttentionDeps } from "../list-attention.ts";
import { offerCopiedSettings, type OfferCopiedSettingsDeps } from "../offer-copied-settings.ts";
import { presentAnswers } from "../answer-set-up.ts";
import { showNextClass, type ShowNextClassDeps } from "../show-next-class.ts";
import { showGradeSummary, type ShowGradeSummaryDeps } from "../../grading/show-grade-summary.ts";
import type { EntryTarget } from "../../joining/find-target.ts";
import { showSessions, type ShowSessionsDeps } from "../../scheduling/show-sessions.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { EventStore } from "../../scheduling/store/event-store.ts";
import { hiddenAreas, mayIn } from "../../../web/instructor-visit.ts";
import { hereText } from "../../presence/pages/presence-view.ts";
import type { CountHereDeps } from "../../presence/here-now.ts";
import type { OfLms } from "./learner-home.ts";
import type { CourseFrame, EnterButton, HereNow } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { defineView } from "../../../web/view.ts";
import { embedsSpace } from "../../joining/pages/entry-as-shown.ts";
import type { Translate } from "../../../web/translate.ts";
import { askingPanel, type CopiedPanel } from "./copied-panel.ts";
import { attentionView, gradesBadge, isSeenWithout, nextClassView } from "./home-view.ts";
import { showsAdminLink } from "./admin-link.ts";
import { type LinkChange, type LinkOpens, linkOpens } from "./link-opens.ts";
import { type SetUpNews, type SetUpView, setUpView } from "./set-up-view.ts";
import { courseNameOf, courseWords, type CourseWordsDeps } from "../../../web/course-words.ts";

export type InstructorHomeDeps = CourseWordsDeps &
  ShowSessionsDeps &
  ShowNextClassDeps &
  ShowGradeSummaryDeps &
  ListAttentionDeps &
  OfferCopiedSettingsDeps &
  ChangeLinkDeps &
  CountHereDeps & {
    courses: CourseStore;
    events: EventStore;
    spaceOrigins: readonly string[];
  };

export type HomeShown = { change?: LinkChange; panel?: CopiedPanel; news?: SetUpNews };

export type InstructorHome = CourseFrame &
  EnterButton &
  HereNow & {
    /** Areas that the reader's role does not include. */
    hides: readonly string[];
    consoleWay: boolean;
    copied: CopiedPanel | null;
    news: string | null;
    /** Null where they are not asked now. */
    setUp: SetUpView | null;
    next: ReturnType<typeof nextClassView>;
    /** Null for whoever may not see grades. */
    grades: ReturnType<typeof gradesBadge> | null;
    attention: ReturnType<typeof attentionView>[];
    opens: LinkOpens | null;
  };

const homeView = defineView<InstructorHome>("launch/enter");

/**
 * The way into the Space first, then what comes next, grades and what needs attention. Of a new course the first questions are
 * asked here, until an instructor answers them or puts them off.
 */
export async function instructorHomePage(
  deps: InstructorHomeDeps,
  session: Session,
  target: Pick<EntryTarget, "course" | "settings" | "entry"> & OfLms,
  shown: HomeShown,
): Promise<PageAnswer> {
  const { course } = target;
  const mayCorrect = mayIn(session, course, "corrections");
  const hides = hiddenAreas(session, course);
  const [words, timetable, grades, copied, opens] = await Promise.all([
    courseWords(deps, { session, course }, target.registration),
    showSessions(deps, course),
    showGradeSummary(deps, course),
    mayCorrect ? copiedPanel(deps, deps.translatorOf(session.locale), course) : null,
    linkOpens(deps, deps.translatorOf(session.locale), session, course, shown.change ?? null),
  ]);
  const { t } = words;
  const asks = Object.keys(shown).length === 0 && copied === null && isToBeAsked(course);
  const [next, attention] = await Promise.all([
    showNextClass(deps, course, timetable),
    listAttention(deps, course, { grades, timetable }),
  ]);
  const panel = shown.panel ?? copied;
  return page(homeView, {
    title: t("enter.title", { course: courseNameOf(t, course) }),
    access: null, // Instructors are told where one of them said so: on the settings page, and below.
    embeds: embedsSpace(target) ? deps.spaceOrigins : null,
    consoleWay: showsAdminLink(deps, session),
    opensItself: false,
    copied: panel,
    news: shown.news === undefined ? null : t(`home.news.${shown.news}`),
    setUp: asks ? setUpView(t, course, presentAnswers(course), { mayCorrect }) : null,
    next: nextClassView(words, course, next),
    hides,
    grades: hides.includes("grades") ? null : gradesBadge(t, course, grades),
    attention: attention
      .filter((item) => isSeenWithout(hides, item) && !(asks && item.kind === "set-up"))
      .map((item) => attentionView(words, item)),
    opens,
    hereNow: await hereText(deps, t, course),
  });
}

/** A course of an earlier version that was set up otherwise is left alone. */
function isToBeAsked({ setUp, settingsRevision, policyRevision }: Course): boolean {
  return (setUp === "open" || setUp === "asked") && settingsRevision === 0 && policyRevision === 0;
}

async function copiedPanel(
  deps: OfferCopiedSettingsDeps,
  t: Translate,
  course: Course,
): Promise<CopiedPanel | null> {
  const offer = await offerCopiedSettings(deps, course);
  return offer === null ? null : askingPanel(t, offer);
}
