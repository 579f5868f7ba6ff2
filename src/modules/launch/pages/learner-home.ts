import type { Config } from "../../../config.ts";
import type { App } from "../../../app.ts";
import type { Registration } from "../../../domain/registration.ts";
import { type MyAttendance, showMyAttendance } from "../../attendance/show-attendance.ts";
import { sessionsReadOnce } from "../../scheduling/list-sessions.ts";
import { entryStateOf, type EntryTarget } from "../../joining/entry-target.ts";
import { type CourseRecording, listPublished } from "../../recordings/list-recordings.ts";
import {
  type GradeWords,
  gradeWords,
  stateForLearners,
  sumView,
} from "../../attendance/pages/my-attendance-view.ts";
import { type CalendarLinks, calendarLinks } from "../../scheduling/pages/calendar-links.ts";
import { type SessionLine, sessionLine, type SessionWords } from "../../scheduling/pages/sessions-view.ts";
import { countHere } from "../../presence/presence-of-people.ts";
import {
  accessToShow,
  closedByAccount,
  type ClosedEntryView,
  closedEntryView,
} from "../../joining/pages/closed-entry.ts";
import type { CourseFrame, EnterButton } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { defineView } from "../../../web/view.ts";
import { checkInField, type CheckInField } from "../../check-in/pages/my-check-in-page.ts";
import { myCheckIns } from "../../check-in/check-in.ts";
import type { StoppableKind } from "../../mail/rules/records.ts";
import { myMailKinds } from "../../mail/mail-choices.ts";
import { embedsSpace } from "../../joining/pages/space-page.ts";
import { showsAdminLink } from "./home-panels.ts";
import { type WhatIsOn, whatIsOn } from "./home-view.ts";
import type { Course, Member } from "../../../domain/course.ts";
import type { Translate } from "../../../web/translate.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

type LearnerHomeApp = Pick<App, "accounts" | "courseLinks" | "courses"> &
  Pick<App, "people" | "registrations" | "sections"> &
  Pick<App, "events" | "sessionPlans" | "attendance" | "deliveries"> &
  Pick<App, "checkIns" | "presences" | "sessionEnds"> &
  Pick<App, "recordings" | "recordingDecisions" | "recordingSettingsOf" | "institutionDefaults"> &
  Pick<App, "appUrlOf" | "spaceOriginsOf" | "translatorOf" | "clock"> & { config: Pick<Config, "mail"> };

/** As a launch has just been judged by it. */
export type OfLms = { registration?: Registration | undefined };

export type LearnerHome = CourseFrame &
  Pick<EnterButton, "embeds" | "access" | "opensItself" | "joins"> & {
    teaches: boolean;
    /** False: the session may only enter. */
    whole: boolean;
    consoleWay: boolean;
    /** Null where the classroom is open. */
    closed: ClosedEntryView | null;
    open: string | null;
    /** Of a session in which learners check in now; null for none, and where the session may only enter. */
    checkIn: Pick<CheckInField, "asked" | "done" | "typed" | "problem"> | null;
    /** How many are in; null for nobody, and where the session may only enter. */
    hereCount: string | null;
    /** Null where the session may only enter. */
    mine: LearnersOwn | null;
  };

type LearnersOwn = {
  /** Null where no session is to come. */
  on: WhatIsOn | null;
  sessions: (SessionLine & { calendars: CalendarLinks | null })[];
  /** The time zone, as a sentence and as its name. */
  zone: string;
  zoneName: string;
  sum: ReturnType<typeof sumView>;
  grade: GradeWords;
  recordings: { title: string; when: string }[];
  /** Whether the course sends them e-mails. */
  mails: boolean;
};

const homeView = defineView<LearnerHome>("launch/enter-learner");

/** Of the next ones; all are on the page about sessions and attendance. */
const maxSessions = 3;
/** Of the latest ones; all are on a separate page. */
const maxRecordings = 3;

/**
 * The way into the Space first, or why it is closed; then sessions, attendance and recordings. A session that may only
 * enter sees the way in alone.
 */
export async function learnerHomePage(
  app: LearnerHomeApp,
  session: Session,
  target: EntryTarget & OfLms,
): Promise<PageAnswer> {
  const { course, member, registration } = target;
  const words = await courseWords(app, { session, course }, registration);
  const { t } = words;
  const whole = session.only !== "entry";
  const entry = await entryStateOf(app, target);
  const closed = closedByAccount(app, target.course) ?? (entry.state === "closed" ? entry : null);
  const checkIn = whole && member !== null ? await checkInView(app, words, course, member) : null;
  const reader = { session, course, member, framed: true, shown: "tab" as const, returnUrl: null };
  return page(homeView, {
    title: t("common.courseTitle", { course: courseNameOf(t, course) }),
    teaches: false,
    consoleWay: showsAdminLink(app, session),
    whole,
    closed: closed === null ? null : await closedEntryView(app, t, closed, reader),
    open: openText(words, entry),
    access: accessToShow(session, target),
    embeds: embedsSpace(target) ? app.spaceOriginsOf(course.environment) : null,
    // Who sits in the room is asked first, and does not want the classroom.
    opensItself: session.role !== "instructor" && (checkIn?.asked.length ?? 0) === 0,
    joins: true,
    checkIn,
    hereCount: whole && closed === null ? await hereText(app, t, course) : null,
    mine: whole && member !== null ? await mineView(app, words, target, member) : null,
  });
}

/** Null where nothing is asked, and nothing was just done. */
async function checkInView(
  app: LearnerHomeApp,
  { t, times }: SessionWords,
  course: Course,
  member: Member,
): Promise<LearnerHome["checkIn"]> {
  const { asked, done } = checkInField(t, times, await myCheckIns(app, course, member));
  return asked.length + done.length === 0 ? null : { asked, done, typed: "", problem: null };
}

/** Until when; null where it is closed, and where it is open for good, which the button says. */
function openText({ t, times }: SessionWords, entry: Awaited<ReturnType<typeof entryStateOf>>) {
  if (entry.state === "closed" || entry.until === null) return null;
  return t("mine.home.openUntil", { until: times.text(entry.until) });
}

async function hereText(app: LearnerHomeApp, t: Translate, course: Course): Promise<string | null> {
  const count = await countHere(app, course);
  return count === 0 ? null : t("presence.here", { count });
}

async function mineView(
  app: LearnerHomeApp,
  words: SessionWords,
  target: EntryTarget,
  member: Member,
): Promise<LearnersOwn> {
  const { course } = target;
  const { t, times } = words;
  const as = { ...member, role: target.entry.role };
  const shared = { ...app, ...sessionsReadOnce(app) };
  const [my, recordings, mails]: [MyAttendance, CourseRecording[], StoppableKind[]] = await Promise.all([
    showMyAttendance(shared, course, as),
    listPublished(shared, course, as),
    myMailKinds(app, course, as),
  ]);
  const next = my.next.filter(({ state }) => state !== "cancelled" && state !== "to-cancel");
  const named = { courseName: courseNameOf(t, course), courseUrl: course.courseUrl };
  const lines = [
    ...my.live.map((session) => ({ session, live: true })),
    ...my.next.map((session) => ({ session, live: false })),
  ].slice(0, maxSessions);
  const grade = gradeWords(words, my.attendance, my.notGraded, "self");
  return {
    on: whatIsOn(words, my.live[0] ?? null, next[0] ?? null, app.clock.now()),
    sessions: lines.map(({ session, live }) => ({
      // What planners still have to do is not learners'.
      ...sessionLine(words, { ...session, state: stateForLearners(session.state) }, live),
      calendars: calendarLinks(t, session, named),
    })),
    zone: t("sessions.zone.shown", { zone: times.place(app.clock.now()) }),
    zoneName: times.zone,
    sum: sumView(t, my.counts, "self"),
    // The sum; the rest of it is on the page of all sessions.
    grade: grade.note === null ? { ...grade, steps: grade.steps.slice(-1) } : grade,
    recordings: recordings
      .filter(({ state }) => state !== "unavailable")
      .slice(0, maxRecordings)
      .map((recording) => recordingRow(words, recording)),
    mails: mails.length > 0,
  };
}

function recordingRow({ t, times }: SessionWords, { title, session, at }: CourseRecording) {
  const when = times.text(at);
  const ofSession = session.kind === "one" ? session.session.title : null;
  return {
    title: title ?? ofSession ?? t("recordings.untitled", { when }),
    when,
  };
}
