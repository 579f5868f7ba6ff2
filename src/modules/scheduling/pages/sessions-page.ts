import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import { onPage } from "../../../kernel/lists.ts";
import { namesOfUsers } from "../../members/people.ts";
import { seriesChangeText } from "../../presence/pages/presence-view.ts";
import { reportedEnds } from "../../presence/presence-of-people.ts";
import { countsText, gridWords } from "../../attendance/pages/grid-view.ts";
import { attendedShare, emptyTally } from "../../attendance/rules/attendance-summary.ts";
import { talliesOfSessions } from "../../attendance/show-grid.ts";
import { listSessions } from "../list-sessions.ts";
import { timeZones } from "../rules/time-zone.ts";
import { linkedSpaces } from "../session-owners.ts";
import { type CourseTimetable, showSessions, type TimetableSession } from "../show-sessions.ts";
import { listWaiting } from "../../unplanned/answer-class.ts";
import type { ReadPage } from "../../../web/course-pages.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import { changeNotice, rowWithSpace, type SessionRow, type SessionWords } from "./sessions-view.ts";
import { type TermSession, termStrip } from "./term-strip.ts";

export type SessionsPage = PageOf<typeof sessionsModel>;

/** `other`: the page number of the other list. */
export type SessionPages = {
  t: Translate;
  name: "next" | "past";
  part: SessionsPage["next"];
  other: { name: "next" | "past"; page: number };
  back: "sooner" | "newer";
  on: "later" | "older";
};

export type SessionZone = Pick<SessionsPage, "t" | "timeZone">;

export const sessionsNews = z.union([
  z.object({ what: z.enum(["zone-saved", "zone-unknown", "settled", "not-settled", "gone"]) }),
  z.object({ what: z.literal("planned"), count: z.number() }),
  z.object({ what: z.literal("cancelled"), changed: z.number(), notHere: z.number() }),
]);
type SessionsNews = z.infer<typeof sessionsNews>;

/** Leads back to the list after a change. */
export type SessionsLink = Pick<ReadPage<SessionsNews>, "after">;

export const sessionsList = { view: defineView<SessionsPage>("course/sessions"), model: sessionsModel };

/** The page numbers of both lists. `toPlan`: saving the time zone leads on to the form that asked for it. */
type SessionsQuery = { next: number; past: number; toPlan?: boolean };

export const firstPages: SessionsQuery = { next: 1, past: 1 };

const pageSize = 10;
/** How many of the latest changes made to series in the classroom are shown. */
const maxChanges = 5;

async function sessionsModel(
  app: App,
  { visit, fields, words: pageWords }: PageContext<"settings", SessionsQuery>,
  news: SessionsNews | null,
) {
  const { course, session } = visit;
  const { t, now } = pageWords;
  const timetable = await showSessions(app, course);
  const all = [...timetable.live, ...timetable.next, ...timetable.past];
  const spaces = await linkedSpaces(app, course);
  const ends = await reportedEnds(app, course, [...timetable.live, ...timetable.past]);
  const changes = await app.seriesChanges.listOfCourse(course.id, maxChanges);
  const authors = [...all.map(({ change }) => change?.by), ...changes.map(({ by }) => by)];
  const words = { ...pageWords, users: await namesOfUsers(app, course, authors) };
  const leadOn = leadsOf(visit, now);
  const rows = (sessions: readonly TimetableSession[]) =>
    sessions.map((each) => ({
      ...withEnd(words, ends, rowWithSpace(words, spaces, course, each)),
      ...leadOn(each),
    }));
  const part = (sessions: readonly TimetableSession[], at: number) => {
    const { rows: some, page, pages } = onPage(sessions, at, pageSize);
    return { rows: rows(some), page, pages };
  };
  return {
    title: t("sessions.title", { course: courseNameOf(t, course) }),
    notice: news === null ? null : noticeOf(t, news),
    timeZone: {
      /** Null until an instructor has chosen a time zone. */
      name: course.timeZone,
      text: zoneText(t, course.timeZone, words.times, now),
      all: timeZones(),
      toPlan: fields.toPlan === true,
    },
    live: rows(timetable.live),
    next: part(timetable.next, fields.next),
    past: part(timetable.past, fields.past),
    any: all.length > 0,
    /** Null if there is no session. */
    strip: termStrip(pageWords, await termSessions(app, pageWords, visit, all)),
    progress: progressOf(t, timetable),
    changes: changes.map((change) => seriesChangeText(words, change)),
    /** Unplanned classes. Null if the reader isn't asked about them. */
    unplanned: mayIn(session, course, "corrections") ? await unplannedView(app, t, course) : null,
  };
}

/** How long before a session instructors start it (ms). */
const earlyMs = 15 * 60_000;

/** Where a row leads besides its change: to the classroom while the session is on, and to its register once it has begun. */
function leadsOf({ session, course }: InstructorVisit, now: number) {
  const seesMarks = mayIn(session, course, "grades");
  return ({ startsAt, endsAt, eventId, state, spaceId }: TimetableSession) => {
    const begins = startsAt ?? Infinity;
    const isOn =
      begins - earlyMs <= now && (endsAt ?? begins + assumedLengthMs) > now && state !== "cancelled";
    return {
      enters: isOn && (spaceId === null || spaceId === course.spaceId),
      register: seesMarks && begins <= now ? eventId : null,
    };
  };
}

/** Sessions filled by attendance if the reader may see it and the course isn't too large to be read whole. */
async function termSessions(
  app: App,
  words: PageWords,
  visit: InstructorVisit,
  sessions: readonly TimetableSession[],
): Promise<TermSession[]> {
  const { course } = visit;
  const reads = mayIn(visit.session, course, "grades") && sessions.length > 0;
  const tallyOf = reads ? await talliesOfSessions(app, course, await listSessions(app, course)) : null;
  const leadOn = leadsOf(visit, words.now);
  return sessions.map((one) => {
    const tally = tallyOf?.get(one.eventId ?? "") ?? emptyTally();
    const share = attendedShare(tally);
    const { register } = leadOn(one);
    return {
      ...one,
      cancelled: one.state === "cancelled",
      share,
      status: share === null ? null : countsText(gridWords(words), tally),
      opens:
        register === null
          ? { page: "/sessions/change", fields: { key: one.key } }
          : { page: "/register", fields: { event: register } },
    };
  });
}

async function unplannedView(app: App, t: Translate, course: Course) {
  const { length: count } = await listWaiting(app, course);
  return { asked: count === 0 ? null : t("unplanned.lead") };
}

function noticeOf(t: Translate, news: SessionsNews): Notice {
  switch (news.what) {
    case "zone-saved":
      return { tone: "good", text: t("sessions.zone.saved") };
    case "zone-unknown":
      return { tone: "mend", text: t("sessions.zone.unknown") };
    case "settled":
      return { tone: "good", text: t("sessions.change.settled") };
    case "not-settled":
      return { tone: "warning", text: t("sessions.change.notSettled") };
    case "gone":
      return { tone: "warning", text: t("sessions.change.gone") };
    case "planned":
      return { tone: "good", text: t("sessions.planned", { count: news.count }) };
    case "cancelled":
      return changeNotice(t, news, "cancelled");
  }
}

function withEnd(
  { t, times }: SessionWords,
  ends: Awaited<ReturnType<typeof reportedEnds>>,
  row: SessionRow,
): SessionRow {
  const endedAt = ends.get(row.key);
  if (endedAt === undefined) return row;
  return { ...row, notes: [...row.notes, t("presence.endedAt", { when: times.text(endedAt) })] };
}

export function progressOf(t: Translate, { toMake, stuck }: CourseTimetable) {
  return {
    toMake,
    stuck: stuck === 0 ? null : t("sessions.progress.stuck", { count: stuck }),
    text: toMake === 0 ? t("sessions.progress.done") : t("sessions.progress.left", { count: toMake }),
    // The page polls for progress, but its rows are as old as the page itself.
    button: toMake === 0 ? t("sessions.progress.show") : t("common.refresh"),
  };
}
