import type { Course } from "../../../domain/course.ts";
import type { ChangeOutcome } from "../change-sessions.ts";
import type { LinkedSpace } from "../session-owners.ts";
import type { TimetableSession } from "../show-sessions.ts";
import { type CourseWords, sectionLabel } from "../../../web/course-words.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { classroomProblemText, inList } from "../../../web/page-text.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { courseTimes, weekdayNames } from "../../../web/course-times.ts";
import { isDate } from "../../../kernel/text.ts";
import { dayMs } from "../../../kernel/clock.ts";

export type SessionWords = Omit<CourseWords, "wording"> & {
  /** People who changed something in the classroom, by classroom user id. Left out if no names are shown. */
  users?: ReadonlyMap<string, string>;
};

export type SessionRow = {
  key: string;
  title: string;
  when: string;
  /** ISO 8601, from which a script shows the reader's own time. Null if unknown. */
  startsAt: string | null;
  endsAt: string | null;
  notes: string[];
  stateText: string | null;
  tone: Tone;
  problem: string | null;
  /** Whether the session is on or about to begin. */
  enters?: boolean;
  /** The event whose register the reader may open. */
  register?: string | null;
};

export type SessionRows = {
  t: Translate;
  session: string;
  rows: readonly SessionRow[];
  edits: boolean;
  /** The zone of all times. A script adds the reader's own. */
  zoneName: string;
};

export function sessionRow(words: SessionWords, session: TimetableSession): SessionRow {
  const { t } = words;
  const { startsAt, endsAt } = session;
  const state = stateOf(t, session);
  return {
    key: session.key,
    title: session.title ?? t("sessions.untitled"),
    when: whenText(words, session),
    startsAt: isoOf(startsAt),
    endsAt: isoOf(endsAt),
    notes: notesOf(words, session),
    stateText: state?.text ?? null,
    tone: state?.tone ?? "none",
    problem: classroomProblemText(t, session.problem, session.problemCode),
  };
}

/** A text such as "Mon 19 Oct 2026, 10:00–11:30", in the course's zone and the reader's way to write dates. */
export function whenText(
  { t, times }: Pick<SessionWords, "t" | "times">,
  { startsAt, endsAt }: Pick<TimetableSession, "startsAt" | "endsAt">,
): string {
  if (startsAt === null) return t("sessions.noTime");
  return times.span(startsAt, endsAt);
}

export function sectionsOfSession(
  { t, sectionKind, sections }: SessionWords,
  ids: readonly string[],
): string | null {
  if (ids.length === 0) return null;
  const names = ids.map((id) => {
    const section = sections.find(({ lmsSectionId }) => lmsSectionId === id);
    return section === undefined ? t("sessions.sectionGone") : sectionLabel(t, sectionKind, section);
  });
  return inList(t, names);
}

const changes = { EVENT_CREATED: "created", EVENT_DELETED: "deleted", EVENT_CANCELLED: "cancelled" } as const;

/** A text such as "cancelled in the classroom by Ana Lee". No name for unknown users, such as the account of our key. */
function changeTexts({ t, users }: SessionWords, change: TimetableSession["change"]): string[] {
  const name = users?.get(change?.by ?? "");
  if (change === null || name === undefined) return [];
  const kind =
    Object.entries(changes).find(([eventType]) => eventType === change.eventType)?.[1] ?? "changed";
  return [t(`sessions.reportedBy.${kind}`, { name })];
}

function notesOf(
  words: SessionWords,
  { sectionIds, series, counts, cancelledHere, change }: TimetableSession,
): string[] {
  const { t } = words;
  const sections = sectionsOfSession(words, sectionIds);
  return [
    ...(sections === null ? [] : [t("common.forSections", { sections })]),
    ...(series === null
      ? []
      : [series === "found" ? t("sessions.ofSeries") : t("sessions.numberOf", series)]),
    ...changeTexts(words, change),
    ...(counts || cancelledHere ? [] : [t("sessions.notCounting")]),
  ];
}

/** Null if there is nothing to say. */
function stateOf(t: Translate, { state, deleted }: Pick<TimetableSession, "state" | "deleted">) {
  if (state === "there") return null;
  const word = state === "cancelled" && deleted ? "deleted" : state;
  return { tone: tones[state], text: t(`sessions.state.${word}`) };
}

const tones = {
  failed: "bad",
  "not-changed": "bad",
  unknown: "bad",
  cancelled: "free",
  "to-make": "info",
  "to-change": "info",
  "to-cancel": "info",
  assumed: "info",
} as const satisfies Record<Exclude<TimetableSession["state"], "there">, Tone>;

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A session on one line: a badge with its day, its title, its hours. */
export type SessionLine = {
  key: string;
  title: string;
  day: { weekday: string; day: string; month: string } | null;
  /** A text such as "10:00–11:30". Includes the days if it ends on another day. */
  hours: string;
  startsAt: string | null;
  endsAt: string | null;
  sections: string | null;
  state: { tone: Tone; text: string } | null;
};

/** @param live Whether the session is on now. */
export function sessionLine(words: SessionWords, session: TimetableSession, live: boolean): SessionLine {
  const { t, times } = words;
  const { startsAt, endsAt, title, key, sectionIds } = session;
  return {
    key,
    title: title ?? t("sessions.untitled"),
    day:
      startsAt === null
        ? null
        : {
            weekday: times.weekday(startsAt),
            day: times.dayOfMonth(startsAt),
            month: times.shortMonth(startsAt),
          },
    hours: hoursText(words, session),
    startsAt: isoOf(startsAt),
    endsAt: isoOf(endsAt),
    sections: sectionsOfSession(words, sectionIds),
    state: live ? { tone: "good", text: t("home.live") } : stateOf(t, session),
  };
}

/** The badge shows the day. The text repeats it only if the session ends on another day. */
function hoursText(words: SessionWords, session: TimetableSession): string {
  const { times } = words;
  const { startsAt, endsAt } = session;
  if (startsAt === null) return whenText(words, session);
  if (endsAt === null) return times.clock(startsAt);
  if (times.date(startsAt) !== times.date(endsAt)) return whenText(words, session);
  return `${times.clock(startsAt)}–${times.clock(endsAt)}`;
}

type SectionChoice = { id: string; label: string; ticked: boolean };

export type SessionSections = {
  t: Translate;
  form: { who: "all" | "some" };
  sections: readonly SectionChoice[];
  problem: string | null;
};

export function sectionChoices(
  { t, sectionKind, sections }: Pick<SessionWords, "t" | "sectionKind" | "sections">,
  chosen: readonly string[],
): SectionChoice[] {
  return sections.map((section) => ({
    id: section.lmsSectionId,
    label: sectionLabel(t, sectionKind, section),
    ticked: chosen.includes(section.lmsSectionId),
  }));
}

/** The name of a Space that a link opens: after the course that owns it, otherwise its id. */
export function linkedSpaceName(t: Translate, { spaceId, ofCourse }: LinkedSpace): string {
  const course = ofCourse === null ? "" : ofCourse.title || ofCourse.label;
  return course === "" ? t("sessions.space.byId", { id: spaceId }) : t("sessions.space.ofCourse", { course });
}

/** The Space of a session in words. Null if it's the course's own, or none is known. */
export function inSpace(
  t: Translate,
  spaces: readonly LinkedSpace[],
  course: Pick<Course, "spaceId">,
  spaceId: string | null,
): string | null {
  if (spaceId === null || spaceId === course.spaceId) return null;
  const space = spaces.find((each) => each.spaceId === spaceId) ?? { spaceId, ofCourse: null };
  return t("sessions.space.in", { space: linkedSpaceName(t, space) });
}

/** A row of a session, with its Space if that isn't the course's own. */
export function rowWithSpace(
  words: SessionWords,
  spaces: readonly LinkedSpace[],
  course: Course,
  session: TimetableSession,
): SessionRow {
  const row = sessionRow(words, session);
  const where = inSpace(words.t, spaces, course, session.spaceId);
  return where === null ? row : { ...row, notes: [where, ...row.notes] };
}

export function changeNotice(
  t: Translate,
  { changed, notHere }: ChangeOutcome,
  done: "saved" | "cancelled" | "restored",
): Notice {
  if (changed === 0 && notHere === 0) return { tone: "good", text: t("sessions.change.nothing") };
  const text = t(`sessions.change.${done}`, { count: changed });
  if (notHere === 0) return { tone: "good", text };
  const rest = t("sessions.change.notHere", { count: notHere });
  return { tone: "warning", text: changed === 0 ? rest : `${text} ${rest}` };
}

/** What a day of a calendar shows: to be scheduled, the same on top of another session, without class, or with a session. The first that fits. */
export type DayKind = "new" | "clash" | "off" | "session";

export type MonthsModel = { t: Translate; months: ReturnType<typeof monthsView> };

const dayKinds: readonly DayKind[] = ["new", "session", "clash", "off"];

const maxMonths = 6;

/**
 * Builds months as weeks from Monday, starting with the first day. It's only a picture: the text next to it says the same.
 * @param kinds By date, such as "2026-11-24". @param first A date whose month is shown, too.
 */
export function monthsView(t: Translate, kinds: ReadonlyMap<string, DayKind>, first: string | null = null) {
  const times = courseTimes({ timeZone: "UTC" }, t.locale);
  const dates = first !== null && isDate(first) ? [...kinds.keys(), first] : [...kinds.keys()];
  const listed = [...new Set(dates.map((date) => date.slice(0, 7)))].sort().slice(0, maxMonths);
  const months = listed.map((month) => {
    const begins = Date.parse(`${month}-01T00:00:00Z`);
    const days: ({ day: string; kind: DayKind | null } | null)[] = [];
    for (let empty = (new Date(begins).getUTCDay() + 6) % 7; empty > 0; empty -= 1) days.push(null);
    for (let at = begins; new Date(at).toISOString().startsWith(month); at += dayMs) {
      const date = new Date(at).toISOString().slice(0, 10);
      days.push({ day: times.dayOfMonth(at), kind: kinds.get(date) ?? null });
    }
    const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_, at) =>
      days.slice(at * 7, at * 7 + 7),
    );
    return { name: times.month(begins), weeks };
  });
  const used = new Set(kinds.values());
  return { months, weekdays: weekdayNames(t, "narrow"), legend: dayKinds.filter((kind) => used.has(kind)) };
}
