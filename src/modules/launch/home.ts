import type { App } from "../../app.ts";
import { doesNotTeach, type StaffRole } from "../../domain/course-rights.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import { timesAt } from "../../domain/entry.ts";
import { type CourseAlert, listOpenAlerts } from "../alerts/alerts.ts";
import { listEndedWithMarks, listOpenRegisters } from "../attendance/show-register.ts";
import { listCohortAttention } from "../cohorts/cohorts.ts";
import { type AttentionItem, inOrder } from "../courses/rules/course.ts";
import {
  emptiedAmong,
  missingAmong,
  offeredAmong,
  secondAmong,
  withoutPointsAmong,
} from "../grading/column-questions.ts";
import { holdOf } from "../grading/rules/delivery.ts";
import type { GradeSummary } from "../grading/show-grades.ts";
import { entryWindowEvents, type EntryTarget } from "../joining/entry-target.ts";
import { countUnmatched } from "../matching/list-unmatched.ts";
import { countHere } from "../presence/presence-of-people.ts";
import { listReady } from "../recordings/list-recordings.ts";
import type { CourseTimetable } from "../scheduling/show-sessions.ts";
import { originElsewhere } from "../spaces/space-rights.ts";
import { listWaiting } from "../unplanned/answer-class.ts";
import { inLink } from "../../settings/in-effect.ts";
import type { JoinSettings } from "../../settings/options.ts";

/** What listing the things that wait for an instructor needs. */
type AttentionApp = Pick<App, "courses" | "courseLinks" | "members" | "people"> &
  Pick<App, "sections" | "rosterSyncs" | "clock"> &
  Pick<App, "events" | "excuses" | "learnerWords" | "sessionPlans" | "unassignedEvents"> &
  Pick<App, "attendance" | "unmatchedAttendance" | "userMatches"> &
  Pick<App, "classroomAlerts" | "cohorts" | "sectionLinks" | "columns" | "presences" | "unplannedClasses"> &
  Pick<App, "recordings" | "recordingDecisions" | "recordingSettingsOf" | "sessionEnds"> &
  Pick<App, "institutionDefaults" | "isSpaceOrigin" | "deliveries">;

/** Facts that others are reading, while the rest is read. */
type AttentionFacts = {
  grades: Promise<GradeSummary>;
  timetable: Promise<Pick<CourseTimetable, "stuck" | "past" | "next" | "live">>;
};

/** How many readings of the roster fail before an instructor sees it. The first may be a short failure of the LMS. */
const minFailures = 3;

export async function listAttention(
  app: AttentionApp,
  course: Course,
  { grades, timetable }: AttentionFacts,
): Promise<AttentionItem[]> {
  const found = await Promise.all([
    alertItems(app, course),
    cohortItem(app, course),
    spaceItem(app, course),
    recordingItem(app, course),
    countUnmatched(app, course).then((count) => item("unmatched", "soon", count)),
    rosterItem(app, course),
    columnItems(app, course),
    registerItems(app, course, timetable),
    unplannedItems(app, course),
    endedItems(app, course, timetable),
    wordItem(app, course, timetable),
    unreleasedItem(app, course),
  ]);
  return inOrder([...ofGrades(await grades), ...ofCourse(course, await timetable), ...found.flat()]);
}

function ofGrades({ counts, unsent }: GradeSummary): AttentionItem[] {
  return [
    item("scores-overdue", "now", unsent.tooLong ? unsent.waiting : 0),
    item("scores-refused", "now", counts.refused),
    item("scores-held", "soon", counts.held),
  ];
}

function ofCourse({ spaceAccess }: Course, { stuck }: Pick<CourseTimetable, "stuck">): AttentionItem[] {
  return [
    item("sessions-stuck", "soon", stuck),
    item("invited-only", "know", spaceAccess === "invited-only" ? 1 : 0),
  ];
}

async function alertItems(app: AttentionApp, course: Course): Promise<AttentionItem[]> {
  const alerts = await listOpenAlerts(app, course);
  return alertKinds.map((kind) => {
    const ofKind = alerts.filter(({ alert }) => alertKind(alert.alertType) === kind);
    const [one] = ofKind;
    return {
      ...item(kind, "now", ofKind.length),
      name: one?.session.title ?? null,
      at: one?.session.startsAt ?? null,
    };
  });
}

const alertKinds = ["event-no-show", "event-declined", "alert-other"] as const;

function alertKind(alertType: CourseAlert["alert"]["alertType"]): (typeof alertKinds)[number] {
  switch (alertType) {
    case "EVENT_NO_SHOW":
      return "event-no-show";
    case "TEACHER_DECLINED_EVENT":
      return "event-declined";
    default:
      return "alert-other";
  }
}

/** One item per register, which its button opens. */
async function registerItems(
  app: AttentionApp,
  course: Course,
  timetable: AttentionFacts["timetable"],
): Promise<AttentionItem[]> {
  const open = await listOpenRegisters(app, course, await timetable);
  return open.map(({ eventId, title, startsAt, expected, recorded }) => ({
    ...item("attendance-open", "soon", expected - recorded),
    name: title,
    at: startsAt,
    eventId,
    register: { expected, recorded },
  }));
}

/** One item per unplanned class, latest first, as many as fit the page. */
async function unplannedItems(app: AttentionApp, course: Course): Promise<AttentionItem[]> {
  const waiting = await listWaiting(app, course);
  return waiting
    .slice(0, maxOfKind)
    .map(({ startsAt, endsAt, learners }) => ({
      ...item("class-unplanned", "soon", learners),
      at: startsAt,
      until: endsAt,
    }));
}

const maxOfKind = 3;

/** One item per session that was cancelled after a learner was marked in it, as many as fit the page. */
async function endedItems(
  app: AttentionApp,
  course: Course,
  timetable: AttentionFacts["timetable"],
): Promise<AttentionItem[]> {
  const ended = await listEndedWithMarks(app, course, await timetable);
  return ended
    .slice(0, maxOfKind)
    .map(({ eventId, title, startsAt, marks }) => ({
      ...item("session-ended", "soon", marks),
      name: title,
      at: startsAt,
      eventId,
    }));
}

/** The sessions that ended last and have a register, latest first, even if complete: corrections are usually about them. */
export function lastRegisters({ past }: Pick<CourseTimetable, "past">) {
  return past
    .flatMap(({ eventId, title, startsAt, state }) =>
      eventId === null || state === "cancelled" || state === "to-cancel"
        ? []
        : [{ eventId, title, startsAt }],
    )
    .slice(0, maxRegisters);
}

const maxRegisters = 5;

/** Learners' messages without an answer. The button opens the register of the oldest message. */
async function wordItem(
  { learnerWords }: AttentionApp,
  course: Course,
  timetable: AttentionFacts["timetable"],
): Promise<AttentionItem> {
  const open = await learnerWords.listOpen(keyOfCourse(course), maxWords);
  const { past, live, next } = await timetable;
  const known = new Set([...past, ...live, ...next].map(({ eventId }) => eventId));
  const words = open.filter(({ eventId }) => known.has(eventId));
  const [oldest] = words;
  const opens = oldest === undefined ? {} : { eventId: oldest.eventId };
  return { ...item("words-open", "soon", words.length), ...opens };
}

const maxWords = 500;

/** Grades that wait for an instructor. After a course's last day, nothing is asked for. */
async function unreleasedItem({ deliveries, clock }: AttentionApp, course: Course): Promise<AttentionItem> {
  const waits = holdOf(course, clock.now())?.why === "hand";
  return item("scores-kept", "soon", waits ? await deliveries.countKept(keyOfCourse(course)) : 0);
}

/** Recordings to publish. Those that don't fit are on the page of recordings. */
async function recordingItem(app: AttentionApp, course: Course): Promise<AttentionItem> {
  const ready = await listReady(app, course);
  const recordings = ready
    .slice(0, maxOfKind)
    .map(({ recordingId, revision, session, title, at }) => ({
      recordingId,
      revision,
      at,
      name: (session.kind === "one" ? session.session.title : null) ?? title,
    }));
  const { name = null, at = null } = recordings[0] ?? {};
  return { ...item("recordings-ready", "know", ready.length), name, at, recordings };
}

/** Nobody can enter a Space that the course may not use. */
async function spaceItem(app: AttentionApp, course: Course): Promise<AttentionItem> {
  const { spaceId } = course;
  if (spaceId === null) {
    const name = await originElsewhere(app, course);
    return { ...item("space-elsewhere", "now", name === null ? 0 : 1), name };
  }
  const rightState = await app.courses.rightState(course, spaceId);
  return item(
    rightState === "not-own" ? "space-not-own" : "space-refused",
    "now",
    rightState === "usable" ? 0 : 1,
  );
}

async function cohortItem(app: AttentionApp, course: Course): Promise<AttentionItem> {
  const deleted = await listCohortAttention(app, course);
  const [only] = deleted;
  return { ...item("cohort-deleted", "now", deleted.length), name: only?.cohortName ?? null };
}

async function rosterItem(app: AttentionApp, course: Course): Promise<AttentionItem> {
  const sync = await app.rosterSyncs.find(course.registrationId, course.id);
  const unread = sync?.state === "failed" && (sync.dueAt === null || sync.attempts >= minFailures);
  return item("roster-unreadable", "soon", unread ? 1 : 0);
}

/** Columns that were removed, have no points, or duplicate an activity's own grade, until an instructor has decided. */
async function columnItems(app: AttentionApp, course: Course): Promise<AttentionItem[]> {
  const columns = await app.columns.listOfCourse(course.registrationId, course.id);
  const missing = missingAmong(columns, course).filter((column) => !column.missing.leftOut);
  const offered = offeredAmong(columns, course);
  return [
    item("column-missing", "now", missing.length),
    item("column-emptied", "now", emptiedAmong(columns).length === 0 ? 0 : 1),
    item("column-without-points", "now", withoutPointsAmong(columns, course).length),
    item("column-offered", "soon", offered === null || offered.offered.left === true ? 0 : 1),
    item("column-second", "soon", secondAmong(columns, course) === null ? 0 : 1),
  ];
}

function item(kind: AttentionItem["kind"], urgency: AttentionItem["urgency"], number: number): AttentionItem {
  return { kind, urgency, number, name: null, at: null };
}

/** Further sessions at the same time are only in the list of sessions. */
const maxClasses = 3;
/** How early people come (ms). */
const earlyMs = 15 * 60_000;

export type NextClass = Awaited<ReturnType<typeof showNextClass>>;

/** Shows the classes that are on now, or the next one. */
export async function showNextClass(
  app: Pick<App, "members" | "queuePositions" | "logins" | "clock">,
  course: Pick<Course, "id" | "registrationId">,
  timetable: Pick<CourseTimetable, "live" | "next">,
) {
  const key = keyOfCourse(course);
  const { live } = timetable;
  const coming = timetable.next.find(({ state, startsAt }) => state !== "cancelled" && startsAt !== null);
  const upcoming = coming === undefined ? [] : [coming];
  const listed = live.length > 0 ? live.slice(0, maxClasses) : upcoming;
  const classes = listed.map(async (session) => {
    const isLive = live.includes(session);
    return {
      session,
      live: isLive,
      /** Learners the session is for, as far as the LMS lists them. */
      expected: await app.members.countLearners(key, session.sectionIds),
      /** How many people entered since shortly before it began. 0 before it begins. */
      beenIn: isLive ? await countCome(app, key, (session.startsAt ?? 0) - earlyMs) : 0,
    };
  });
  return {
    classes: await Promise.all(classes),
    waiting: await app.queuePositions.countWaitingOf(key, app.clock.now()),
  };
}

/** Counts people who came through the queue or with a prepared login. Some do both. */
async function countCome(
  app: Pick<App, "members" | "queuePositions" | "logins" | "clock">,
  key: Pick<Course, "registrationId"> & { courseId: string },
  since: number,
): Promise<number> {
  const [through, ready] = await Promise.all([
    app.queuePositions.enteredSince(key, since),
    app.logins.usedSince(key, since),
  ]);
  return new Set([...through, ...ready]).size;
}

/**
 * Where a launch leads: the Space, the reader's page, or the Space only while a class is near. Staff who arrange a course without teaching it
 * get its pages.
 */
export function launchLeadsTo(
  { role, staffRole }: { role: "instructor" | "learner"; staffRole: StaffRole | null },
  { learners, instructors }: Pick<JoinSettings, "learners" | "instructors">,
): JoinSettings["learners"] {
  if (role === "learner") return learners;
  return doesNotTeach(staffRole) ? "page" : instructors;
}

/** A class is near during a session with the minutes of its entry window, and while anyone is in the Space. */
export async function leadsInside(
  app: Parameters<typeof countHere>[0] & Parameters<typeof entryWindowEvents>[0],
  reader: Parameters<typeof launchLeadsTo>[0],
  { course, link }: Pick<EntryTarget, "course" | "link">,
): Promise<boolean> {
  const { settings, door } = inLink(course, link);
  const leadsTo = launchLeadsTo(reader, settings);
  if (leadsTo !== "near") return leadsTo === "space";
  const around = await entryWindowEvents(app, course, link);
  const { because } = timesAt({
    entryWindow: { ...door, opens: "around-sessions" },
    ...around,
    now: app.clock.now(),
  });
  return because === "session" || because === "session-untimed" || (await countHere(app, course)) > 0;
}
