import { z } from "zod";
import type { App } from "../../../app.ts";
import type { RequestContext } from "../../../web/course-pages.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import { type PageContext, showPage } from "../../../web/declared-page.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { hiddenAreas, mayIn } from "../../../web/visits.ts";
import type { AttentionItem, AttentionKind } from "../../courses/rules/course.ts";
import { showGradeSummary } from "../../grading/show-grades.ts";
import { type EntryTarget, entryStateOf } from "../../joining/entry-target.ts";
import { closedByAccount, accessToShow, closedEntryView } from "../../joining/pages/closed-entry.ts";
import { embedsSpace, entryTargetFor } from "../../joining/pages/space-page.ts";
import { hereView } from "../../presence/pages/presence-view.ts";
import { outcomes, recordingNotice } from "../../recordings/pages/recordings-view.ts";
import { showSessions } from "../../scheduling/show-sessions.ts";
import { joinedTooLate } from "../../spaces/space-list.ts";
import { listFirstSteps } from "../set-up.ts";
import { listAttention, showNextClass, leadsInside } from "../home.ts";
import { copiedPanel, type LinkRefused, linkOpens, showsAdminLink } from "./home-panels.ts";
import {
  attentionView,
  comingView,
  gradesView,
  heroView,
  isSeenWithout,
  lastRegistersView,
  stepsView,
  whatIsOn,
} from "./home-view.ts";
import type { Config } from "../../../config.ts";
import { showMyAttendance } from "../../attendance/show-attendance.ts";
import { type CourseRecording, listPublished } from "../../recordings/list-recordings.ts";
import { gradeWords, stateForLearners, sumView } from "../../attendance/pages/my-attendance-view.ts";
import { calendarLinks } from "../../scheduling/pages/calendar-links.ts";
import { sessionLine } from "../../scheduling/pages/sessions-view.ts";
import { countHere } from "../../presence/presence-of-people.ts";
import { checkInField } from "../../check-in/pages/check-in-pages.ts";
import { myCheckIns } from "../../check-in/check-in.ts";
import { myMailKinds } from "../../mail/mail-choices.ts";
import type { Session } from "../../../web/session.ts";
import type { Course, Member } from "../../../domain/course.ts";
import type { EntryState } from "../../../domain/entry.ts";

/** What an instructor's home says after a change. */
export const homeNews = z.union([
  z.object({ what: z.literal("link-changed") }),
  z.object({ what: z.literal("copied"), outcome: z.enum(["taken", "declined", "late"]) }),
  z.object({ what: z.literal("recording"), recording: z.string(), revision: z.number(), outcome: outcomes }),
  z.object({ what: z.literal("set-up"), answer: z.enum(["saved", "later", "hidden"]) }),
]);
export type HomeMessage = z.infer<typeof homeNews> | LinkRefused;

export type HomeContext = RequestContext<"anybody", unknown>;

/**
 * The first page of a course, with the way into the Space: an instructor's home, or a learner's. Only a full session
 * sees what is for instructors. @param known Where the launch leads, if the launch has just read it.
 */
export async function homePage(
  app: App,
  context: HomeContext,
  message: HomeMessage | null,
  known?: EntryTarget,
) {
  const { session } = context.visit;
  const target = known ?? (await entryTargetFor(app, session, context.browser, "as-set"));
  return session.role === "instructor" && session.only !== "entry"
    ? showPage(app, context, instructorHome, { target, message })
    : showPage(app, context, learnerHome, target);
}

export type InstructorHome = PageOf<typeof instructorModel>;

const instructorHome = { view: defineView<InstructorHome>("launch/enter"), model: instructorModel };

/** Shows the session that is on or next, with the way into the Space, then what needs a person, what comes, grades, and first steps. */
async function instructorModel(
  app: App,
  { visit: { session }, words }: PageContext<"anybody", unknown>,
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
    /** Null if the Space opens in a tab. */
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
    /** The note that they may enter as a participant, or null. */
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
    /** Null if the steps are done or hidden. */
    steps: stepsView(words, steps),
    opens,
    hereNow,
  };
}

function noticeOf(t: Translate, message: HomeMessage | null): Notice | null {
  if (message?.what === "set-up") return { tone: "good", text: t(`home.news.${message.answer}`) };
  return message?.what === "recording" ? recordingNotice(t, message.outcome) : null;
}

/** With the revision that publishing made, so a second click can hide the recording again. */
function publishedNow(message: HomeMessage | null) {
  if (message?.what !== "recording" || message.outcome !== "published") return null;
  return { recording: message.recording, revision: message.revision + 1 };
}

function asksAboutGrades({ kind }: AttentionItem): boolean {
  return kind === "column-emptied" || kind === "column-without-points" || kind === "scores-kept";
}

/** Items for people who may correct. Staff who may only look aren't asked. */
const forCorrections: ReadonlySet<AttentionKind> = new Set([
  "attendance-open",
  "class-unplanned",
  "session-ended",
]);

/** Says why nobody can enter: the course's account is paused, or lacks its addresses and key. Tells each reader what they can do. */
function shutBy(t: Translate, app: Pick<App, "accounts">, { course }: EntryTarget, administers: boolean) {
  const closed = closedByAccount(app, course);
  if (closed === null) return null;
  if (closed.because === "paused")
    return { heading: t("closed.paused.heading"), lead: t("closed.paused.lead") };
  const lead = t(administers ? "closed.notSetUp.administrator" : "closed.notSetUp.instructor");
  return { heading: t("closed.notSetUp.heading"), lead };
}

type LearnerHomeApp = Pick<App, "accounts" | "courseLinks" | "courses" | "deployments"> &
  Pick<App, "people" | "registrations" | "sections"> &
  Pick<App, "events" | "excuses" | "members" | "sessionPlans" | "attendance" | "deliveries"> &
  Pick<App, "checkIns" | "presences" | "sessionEnds"> &
  Pick<App, "recordings" | "recordingDecisions" | "recordingSettingsOf" | "institutionDefaults"> &
  Pick<App, "appUrlOf" | "spaceOriginsOf" | "translatorOf" | "clock"> & { config: Pick<Config, "mail"> };

export type LearnerHome = PageOf<typeof learnerModel>;

export const learnerHome = { view: defineView<LearnerHome>("launch/enter-learner"), model: learnerModel };

/** How many sessions to show. All are on the page about sessions and attendance. */
const maxSessions = 3;
/** How many of the latest recordings to show. All are on a separate page. */
const maxRecordings = 3;

/**
 * Shows the way into the Space first, or why it's closed, then sessions, attendance and recordings. A session that may only enter sees just
 * the way in.
 */
async function learnerModel(
  app: LearnerHomeApp,
  { visit: { session }, words }: PageContext<"anybody", unknown>,
  target: EntryTarget,
) {
  const { course, member } = target;
  const { t } = words;
  const whole = session.only !== "entry";
  const own = whole ? member : null;
  const entry = await entryStateOf(app, target);
  const closed = closedByAccount(app, course) ?? (entry.state === "closed" ? entry : null);
  const checkIn = own === null ? null : await checkInView(app, words, course, own);
  const reader = { session, course, member, framed: true, shown: "tab" as const, returnUrl: null };
  return {
    title: t("common.courseTitle", { course: courseNameOf(t, course) }),
    consoleWay: showsAdminLink(app, session),
    /** False: the session may only enter. */
    whole,
    /** Null if the classroom is open. */
    closed: closed === null ? null : await closedEntryView(app, t, closed, reader),
    open: openText(words, entry),
    access: accessToShow(session, target),
    embeds: embedsSpace(target) ? app.spaceOriginsOf(course.environment) : null,
    opensItself: await opensItself(app, session, target, checkIn),
    joins: true,
    checkIn,
    /** How many people are in the Space. Null for nobody. */
    hereCount: whole && closed === null ? await hereText(app, words, course) : null,
    mine: own === null ? null : await mineView(app, words, target, own),
  };
}

/** Null if the learner isn't asked to check in and hasn't just done so. */
async function checkInView(app: LearnerHomeApp, { t, times }: PageWords, course: Course, member: Member) {
  const { asked, done } = checkInField(t, times, await myCheckIns(app, course, member));
  return asked.length + done.length === 0 ? null : { asked, done, typed: "", problem: null };
}

/** Until when the classroom is open. Null if it's closed, or open without an end, which the button says. */
function openText({ t, times }: PageWords, entry: EntryState): string | null {
  if (entry.state === "closed" || entry.until === null) return null;
  return t("mine.home.openUntil", { until: times.text(entry.until) });
}

/** Learners who are asked to check in sit in the room, so the classroom doesn't open automatically. */
async function opensItself(
  app: LearnerHomeApp,
  session: Session,
  target: EntryTarget,
  checkIn: { asked: readonly unknown[] } | null,
): Promise<boolean> {
  const isAsked = checkIn !== null && checkIn.asked.length > 0;
  return session.role !== "instructor" && !isAsked && (await leadsInside(app, session, target));
}

async function hereText(app: LearnerHomeApp, { t }: PageWords, course: Course): Promise<string | null> {
  const count = await countHere(app, course);
  return count === 0 ? null : t("presence.here", { count });
}

async function mineView(app: LearnerHomeApp, words: PageWords, target: EntryTarget, member: Member) {
  const { course } = target;
  const { t, zone } = words;
  const as = { ...member, role: target.entry.role };
  const [my, recordings, mails] = await Promise.all([
    showMyAttendance(app, course, as),
    listPublished(app, course, as),
    myMailKinds(app, course, as),
  ]);
  const [live] = my.live;
  const next = my.next.find(({ state }) => state !== "cancelled" && state !== "to-cancel");
  const named = { courseName: courseNameOf(t, course), courseUrl: course.courseUrl };
  const lines = [
    ...my.live.map((session) => ({ session, live: true })),
    ...my.next.map((session) => ({ session, live: false })),
  ].slice(0, maxSessions);
  const grade = gradeWords(words, my.attendance, my.notGraded, "self");
  const first = live ?? next;
  return {
    /** Null if no session is coming. */
    on: first === undefined ? null : whatIsOn(words, first, live !== undefined),
    sessions: lines.map(({ session, live }) => ({
      // Learners don't see what planners still have to do.
      ...sessionLine(words, { ...session, state: stateForLearners(session.state) }, live),
      calendars: calendarLinks(t, session, named),
    })),
    zoneSentence: t("sessions.zone.shown", { zone }),
    sum: sumView(t, my.counts, "self"),
    // Only the sum. The other steps are on the page of all sessions.
    grade: grade.note === null ? { ...grade, steps: grade.steps.slice(-1) } : grade,
    recordings: recordings
      .filter(({ state }) => state !== "unavailable")
      .slice(0, maxRecordings)
      .map((recording) => recordingRow(words, recording)),
    /** Whether the course sends e-mails to learners. */
    mails: mails.length > 0,
  };
}

function recordingRow({ t, times }: PageWords, { title, session, at }: CourseRecording) {
  const when = times.text(at);
  const ofSession = session.kind === "one" ? session.session.title : null;
  return { title: title ?? ofSession ?? t("recordings.untitled", { when }), when };
}
