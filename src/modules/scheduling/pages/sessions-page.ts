import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { zoneText } from "../../../web/course-times.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { namesOfUsers } from "../../members/people.ts";
import { seriesChangeText } from "../../presence/pages/presence-view.ts";
import { reportedEnds } from "../../presence/presence-of-people.ts";
import { listWaiting } from "../../unplanned/list-unplanned.ts";
import { linkedSpaces } from "../session-owners.ts";
import { timeZones } from "../rules/time-zone.ts";
import { type CourseTimetable, showSessions, type ShownSession } from "../show-sessions.ts";
import { changeNotice, rowWithSpace, type SessionRow, type SessionWords } from "./sessions-view.ts";

export type SessionsPage = CourseFrame & {
  notice: Notice | null;
  zone: ZoneView;
  live: SessionRow[];
  next: SessionsPart;
  past: SessionsPart;
  any: boolean;
  progress: ReturnType<typeof progressOf>;
  changes: string[];
  /** Classes that nobody planned; null where the reader is not asked. */
  unplanned: { asked: string | null } | null;
};

export type SessionsPart = { rows: SessionRow[]; page: number; pages: number };

/** `other`: the page of the other list. */
export type SessionPages = {
  t: Translate;
  name: "next" | "past";
  part: SessionsPart;
  other: { name: "next" | "past"; page: number };
  back: "sooner" | "newer";
  on: "later" | "older";
};

export type SessionZone = { t: Translate; zone: ZoneView };

/** `name`: null until an instructor has chosen one. `place`: "Paris (CET)". */
type ZoneView = {
  name: string | null;
  place: string;
  text: string;
  all: readonly string[];
  /** Whether saving it leads to the form that asked for it. */
  toPlan: boolean;
};

export const sessionsNews = z.union([
  z.object({ what: z.enum(["zone-saved", "zone-unknown", "settled", "not-settled", "gone"]) }),
  z.object({ what: z.literal("planned"), count: z.number() }),
  z.object({ what: z.literal("cancelled"), changed: z.number(), notHere: z.number() }),
]);
export type SessionsNews = z.infer<typeof sessionsNews>;

const sessionsView = defineView<SessionsPage>("course/sessions");

const pageSize = 10;
/** Of series, made in the classroom; the latest ones. */
const maxChanges = 5;

export async function sessionsPage(
  app: App,
  visit: InstructorVisit,
  wanted: { next: number; past: number; toPlan?: boolean },
  news: SessionsNews | null,
): Promise<PageAnswer> {
  const { course } = visit;
  const timetable = await showSessions(app, course);
  const shown = [...timetable.live, ...timetable.next, ...timetable.past];
  const spaces = await linkedSpaces(app, course);
  const ends = await reportedEnds(app, course, [...timetable.live, ...timetable.past]);
  const changes = await app.seriesChanges.listOfCourse(course.id, maxChanges);
  const authors = [...shown.map((session) => session.change?.by), ...changes.map(({ by }) => by)];
  const users = await namesOfUsers(app, course, authors);
  const words = { ...(await courseWords(app, visit)), users };
  const { t } = words;
  const rows = (sessions: readonly ShownSession[]) =>
    sessions.map((each) => withEnd(words, ends, rowWithSpace(words, spaces, course, each)));
  const part = (sessions: readonly ShownSession[], at: number): SessionsPart => {
    const pages = Math.max(1, Math.ceil(sessions.length / pageSize));
    const last = Math.min(at, pages);
    return { rows: rows(sessions.slice((last - 1) * pageSize, last * pageSize)), page: last, pages };
  };
  return page(sessionsView, {
    title: t("sessions.title", { course: courseNameOf(t, course) }),
    notice: news === null ? null : noticeOf(t, news),
    zone: { ...zoneView(course, words, app.clock.now()), toPlan: wanted.toPlan === true },
    live: rows(timetable.live),
    next: part(timetable.next, wanted.next),
    past: part(timetable.past, wanted.past),
    any: shown.length > 0,
    progress: progressOf(t, timetable),
    changes: changes.map((change) => seriesChangeText(words, change)),
    unplanned: mayIn(visit.session, course, "corrections") ? await unplannedView(app, t, course) : null,
  });
}

async function unplannedView(app: App, t: Translate, course: Course): Promise<SessionsPage["unplanned"]> {
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

function zoneView({ timeZone }: Course, { t, times }: SessionWords, now: number): Omit<ZoneView, "toPlan"> {
  return {
    name: timeZone,
    place: times.place(now),
    text: zoneText(t, timeZone, times, now),
    all: timeZones(),
  };
}

export function progressOf(t: Translate, { toMake, stuck }: CourseTimetable) {
  return {
    toMake,
    stuck: stuck === 0 ? null : t("sessions.progress.stuck", { count: stuck }),
    text: toMake === 0 ? t("sessions.progress.done") : t("sessions.progress.left", { count: toMake }),
    // The rows of the asking page are as old as that page.
    button: toMake === 0 ? t("sessions.progress.show") : t("common.refresh"),
  };
}
