import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Asked } from "../../../web/course-pages.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { type PageAsked, showPage } from "../../../web/declared-page.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { hiddenAreas, mayIn } from "../../../web/visits.ts";
import type { AttentionItem, AttentionKind } from "../../courses/rules/course.ts";
import { showGradeSummary } from "../../grading/show-grades.ts";
import type { EntryTarget } from "../../joining/entry-target.ts";
import { closedByAccount } from "../../joining/pages/closed-entry.ts";
import { embedsSpace, entryTargetFor } from "../../joining/pages/space-page.ts";
import { hereView } from "../../presence/pages/presence-view.ts";
import { outcomes, recordingNotice } from "../../recordings/pages/recordings-view.ts";
import { showSessions } from "../../scheduling/show-sessions.ts";
import { joinedTooLate } from "../../spaces/space-list.ts";
import { listFirstSteps } from "../set-up.ts";
import { listAttention, showNextClass } from "../home.ts";
import { copiedPanel, type LinkRefused, linkOpens, showsAdminLink } from "./home-panels.ts";
import {
  attentionView,
  comingView,
  gradesView,
  heroView,
  isSeenWithout,
  lastRegistersView,
  stepsView,
} from "./home-view.ts";
import { learnerHome } from "./learner-home.ts";

/** What a change says on an instructor's home. */
export const homeNews = z.union([
  z.object({ what: z.literal("link-changed") }),
  z.object({ what: z.literal("copied"), outcome: z.enum(["taken", "declined", "late"]) }),
  z.object({ what: z.literal("recording"), recording: z.string(), revision: z.number(), outcome: outcomes }),
  z.object({ what: z.literal("set-up"), answer: z.enum(["saved", "later", "hidden"]) }),
]);
export type HomeMessage = z.infer<typeof homeNews> | LinkRefused;

export type HomeAsked = Asked<"anybody", unknown>;

/**
 * The first page of a course, with the way into the Space: an instructor's home, or a learner's. What only instructors
 * see needs a whole session. @param known Where a launch leads, which it has just read.
 */
export async function homePage(app: App, asked: HomeAsked, message: HomeMessage | null, known?: EntryTarget) {
  const { session } = asked.visit;
  const target = known ?? (await entryTargetFor(app, session, asked.browser, "as-set"));
  return session.role === "instructor" && session.only !== "entry"
    ? showPage(app, asked, instructorHome, { target, message })
    : showPage(app, asked, learnerHome, target);
}

export type InstructorHome = PageOf<typeof instructorModel>;

const instructorHome = { view: defineView<InstructorHome>("launch/enter"), model: instructorModel };

/** The session that is on or next with the way into the Space, then what needs a person, what comes, grades, and first steps. */
async function instructorModel(
  app: App,
  { visit: { session }, words }: PageAsked<"anybody", unknown>,
  { target, message }: { target: EntryTarget; message: HomeMessage | null },
) {
  const { course } = target;
  const { t, times, now } = words;
  const mayCorrect = mayIn(session, course, "corrections");
  const hides = hiddenAreas(session, course);
  const sessions = showSessions(app, course);
  const summary = showGradeSummary(app, course);
  const seesGrades = !hides.includes("grades");
  const [timetable, grades, copied, opens, next, attention, steps, hereNow, late] = await Promise.all([
    sessions,
    summary,
    mayCorrect ? copiedPanel(app, t, course) : null,
    linkOpens(app, t, session, course, message),
    sessions.then((timetable) => showNextClass(app, course, timetable)),
    listAttention(app, course, { grades: summary, timetable: sessions }),
    sessions.then((timetable) => listFirstSteps(app, course, { seesGrades, timetable })),
    hereView(app, t, course),
    joinedTooLate(app, course, session.personId),
  ]);
  const listed = attention.filter(
    (item) => isSeenWithout(hides, item) && (mayCorrect || !forCorrections.has(item.kind)),
  );
  return {
    title: t("common.courseTitle", { course: courseNameOf(t, course) }),
    access: null, // Instructors see it on the settings page, where one of them said so, and below.
    /** Null where the Space opens a tab. */
    embeds: embedsSpace(target) ? app.spaceOriginsOf(course.environment) : null,
    consoleWay: showsAdminLink(app, session),
    joins: false,
    opensItself: false,
    copied:
      message?.what === "copied"
        ? { answered: t(`copied.answered.${message.outcome}`), source: "", changes: [] }
        : copied,
    notice: noticeOf(t, message),
    published: publishedNow(message),
    shut: shutBy(t, app, target, showsAdminLink(app, session)),
    /** They may enter as a participant. */
    late: late ? t("spaceList.late") : null,
    hero: heroView(words, next, { checksIn: mayCorrect && course.checkIn }),
    zoneSentence: zoneText(t, course.timeZone, times, now),
    coming: comingView(words, next, timetable),
    /** Null for a reader who may not see grades. */
    grades: hides.includes("grades")
      ? null
      : gradesView(words, course, grades, attention.some(asksAboutGrades)),
    attention: listed.map((item) => attentionView(words, item)),
    lastRegisters: hides.includes("attendance") ? [] : lastRegistersView(words, timetable, listed),
    /** Null when they are done or hidden. */
    steps: stepsView(words, steps),
    opens,
    hereNow,
  };
}

function noticeOf(t: Translate, message: HomeMessage | null): Notice | null {
  if (message?.what === "set-up") return { tone: "good", text: t(`home.news.${message.answer}`) };
  return message?.what === "recording" ? recordingNotice(t, message.outcome) : null;
}

/** With the revision that this made: what a second click needs to hide it again. */
function publishedNow(message: HomeMessage | null) {
  if (message?.what !== "recording" || message.outcome !== "published") return null;
  return { recording: message.recording, revision: message.revision + 1 };
}

function asksAboutGrades({ kind }: AttentionItem): boolean {
  return kind === "column-emptied" || kind === "column-without-points" || kind === "scores-kept";
}

/** Staff who may only look are not asked. */
const forCorrections: ReadonlySet<AttentionKind> = new Set([
  "attendance-open",
  "class-unplanned",
  "session-ended",
]);

/** Nobody can enter: the course's account is paused, or has no addresses and key yet. Tells each person what they can do themselves. */
function shutBy(t: Translate, app: Pick<App, "accounts">, { course }: EntryTarget, administers: boolean) {
  const closed = closedByAccount(app, course);
  if (closed === null) return null;
  if (closed.because === "paused")
    return { heading: t("closed.paused.heading"), lead: t("closed.paused.lead") };
  const lead = t(administers ? "closed.notSetUp.administrator" : "closed.notSetUp.instructor");
  return { heading: t("closed.notSetUp.heading"), lead };
}
