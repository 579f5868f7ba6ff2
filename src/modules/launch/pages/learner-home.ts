import type { Config } from "../../../config.ts";
import type { App } from "../../../app.ts";
import { showMyAttendance } from "../../attendance/show-attendance.ts";
import { entryStateOf, type EntryTarget } from "../../joining/entry-target.ts";
import { type CourseRecording, listPublished } from "../../recordings/list-recordings.ts";
import { gradeWords, stateForLearners, sumView } from "../../attendance/pages/my-attendance-view.ts";
import { calendarLinks } from "../../scheduling/pages/calendar-links.ts";
import { sessionLine } from "../../scheduling/pages/sessions-view.ts";
import { countHere } from "../../presence/presence-of-people.ts";
import { accessToShow, closedByAccount, closedEntryView } from "../../joining/pages/closed-entry.ts";
import { defineView } from "../../../web/view.ts";
import { checkInField } from "../../check-in/pages/check-in-pages.ts";
import { myCheckIns } from "../../check-in/check-in.ts";
import { myMailKinds } from "../../mail/mail-choices.ts";
import { embedsSpace } from "../../joining/pages/space-page.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { leadsInside } from "../home.ts";
import { showsAdminLink } from "./home-panels.ts";
import type { Session } from "../../../web/session.ts";
import { whatIsOn } from "./home-view.ts";
import type { Course, Member } from "../../../domain/course.ts";
import type { EntryState } from "../../../domain/entry.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";

type LearnerHomeApp = Pick<App, "accounts" | "courseLinks" | "courses" | "deployments"> &
  Pick<App, "people" | "registrations" | "sections"> &
  Pick<App, "events" | "excuses" | "members" | "sessionPlans" | "attendance" | "deliveries"> &
  Pick<App, "checkIns" | "presences" | "sessionEnds"> &
  Pick<App, "recordings" | "recordingDecisions" | "recordingSettingsOf" | "institutionDefaults"> &
  Pick<App, "appUrlOf" | "spaceOriginsOf" | "translatorOf" | "clock"> & { config: Pick<Config, "mail"> };

export type LearnerHome = PageOf<typeof learnerModel>;

export const learnerHome = { view: defineView<LearnerHome>("launch/enter-learner"), model: learnerModel };

/** Of the next ones; all are on the page about sessions and attendance. */
const maxSessions = 3;
/** Of the latest ones; all are on a separate page. */
const maxRecordings = 3;

/**
 * The way into the Space first, or why it is closed; then sessions, attendance and recordings. A session that may only
 * enter sees the way in alone.
 */
async function learnerModel(
  app: LearnerHomeApp,
  { visit: { session }, words }: PageAsked<"anybody", unknown>,
  target: EntryTarget,
) {
  const { course, member } = target;
  const { t } = words;
  const whole = session.only !== "entry";
  const own = whole ? member : null;
  const entry = await entryStateOf(app, target);
  const closed = closedByAccount(app, course) ?? closedOf(entry);
  const checkIn = own === null ? null : await checkInView(app, words, course, own);
  const reader = { session, course, member, framed: true, shown: "tab" as const, returnUrl: null };
  return {
    title: t("common.courseTitle", { course: courseNameOf(t, course) }),
    consoleWay: showsAdminLink(app, session),
    /** False: the session may only enter. */
    whole,
    /** Null where the classroom is open. */
    closed: closed === null ? null : await closedEntryView(app, t, closed, reader),
    open: openText(words, entry),
    access: accessToShow(session, target),
    embeds: embedsSpace(target) ? app.spaceOriginsOf(course.environment) : null,
    opensItself: await opensItself(app, session, target, checkIn),
    joins: true,
    checkIn,
    /** How many are in; null for nobody. */
    hereCount: whole && closed === null ? await hereText(app, words, course) : null,
    mine: own === null ? null : await mineView(app, words, target, own),
  };
}

function closedOf(entry: EntryState) {
  return entry.state === "closed" ? entry : null;
}

/** Null where nothing is asked, and nothing was just done. */
async function checkInView(app: LearnerHomeApp, { t, times }: PageWords, course: Course, member: Member) {
  const { asked, done } = checkInField(t, times, await myCheckIns(app, course, member));
  return asked.length + done.length === 0 ? null : { asked, done, typed: "", problem: null };
}

/** Until when; null where it is closed, and where it is open for good, which the button says. */
function openText({ t, times }: PageWords, entry: EntryState): string | null {
  if (entry.state === "closed" || entry.until === null) return null;
  return t("mine.home.openUntil", { until: times.text(entry.until) });
}

/** Learners who are asked to check in sit in the room, so the classroom stays closed. */
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
    /** Null where no session is to come. */
    on: first === undefined ? null : whatIsOn(words, first, live !== undefined),
    sessions: lines.map(({ session, live }) => ({
      // What planners still have to do is not learners'.
      ...sessionLine(words, { ...session, state: stateForLearners(session.state) }, live),
      calendars: calendarLinks(t, session, named),
    })),
    zoneSentence: t("sessions.zone.shown", { zone }),
    sum: sumView(t, my.counts, "self"),
    // The sum; the rest of it is on the page of all sessions.
    grade: grade.note === null ? { ...grade, steps: grade.steps.slice(-1) } : grade,
    recordings: recordings
      .filter(({ state }) => state !== "unavailable")
      .slice(0, maxRecordings)
      .map((recording) => recordingRow(words, recording)),
    /** Whether the course sends them e-mails. */
    mails: mails.length > 0,
  };
}

function recordingRow({ t, times }: PageWords, { title, session, at }: CourseRecording) {
  const when = times.text(at);
  const ofSession = session.kind === "one" ? session.session.title : null;
  return { title: title ?? ofSession ?? t("recordings.untitled", { when }), when };
}
