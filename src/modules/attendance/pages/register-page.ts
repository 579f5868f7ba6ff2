import { type SessionDecision } from "../session-minutes.ts";
import ejs from "ejs";
import type { Course } from "../../../domain/course.ts";
import type { KnownStatus } from "../../../domain/attendance.ts";
import { emptyTally } from "../rules/attendance-summary.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { showRegister, type Register, type RegisterFilter } from "../show-register.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { defineView } from "../../../web/view.ts";
import { type PresenceSpan, presenceWords } from "../../presence/pages/presence-view.ts";
import {
  isChanged,
  lettersText,
  linesText,
  maxNoteLength,
  type PostedRegister,
  registerStatuses,
} from "./register-form.ts";
import {
  type AttendancePagesApp,
  type NotSaved,
  type RegisterRowShown,
  type SessionShown,
  type StatusChoice,
  countsView,
  evidenceText,
  rowsView,
  sessionView,
  statusChoices,
} from "./session-view.ts";
import { barFill, barKinds, barParts } from "./grid-words.ts";
import { mayStart } from "../../check-in/rules/check-in.ts";
import {
  type CourseWords,
  courseNameOf,
  courseWords,
  sectionLabel,
  sectionsText,
} from "../../../web/course-words.ts";

export type RegisterPage = CourseFrame & {
  zone: string;
  about: SessionShown;
  /** `letter`: short for the label. `ending`: of the markup of its button. */
  choices: (StatusChoice & { letter: string; ending: string })[];
  /** Their fields that say what the page's lines and letters are. */
  lines: string;
  letters: string;
  neighbours: { before: SessionShown | null; after: SessionShown | null };
  rows: (RegisterRowShown & { presence: string | null; spans: PresenceSpan[] })[];
  counts: { text: string; tone: Tone | null }[];
  /** "28 of 30 recorded", its bar, and how many are missing that the button marks. */
  recorded: {
    number: string;
    of: string;
    blank: number;
    parts: { fill: string; from: number; size: number }[];
  };
  chips: { text: string; section: string; show: string; current: boolean }[];
  filter: RegisterFilter;
  page: number;
  pages: number;
  scope: string;
  presenceRule: string | null;
  maxNoteLength: number;
  /** Learners done while a class is being marked. */
  underWay: number | null;
  bulk: KnownStatus | "";
  reason: string;
  reasonProblem: string | null;
  saved: string | null;
  /** Of the mark for the whole class that can be taken back. */
  undoes: number | null;
  failed: boolean;
  missed: string | null;
  unsavedLeft: boolean;
  /** What came of the button just pressed. */
  notice: Notice | null;
  /** What is asked about the session, and what was answered. */
  questions: SessionQuestion[];
  /** Whether the classroom can be asked about it. */
  isRead: boolean;
  /** Learners may check in to it now, once an instructor starts that. */
  checksIn: boolean;
};

type SessionQuestion = {
  open: boolean;
  text: string;
  answers: { value: SessionDecision; text: string }[];
};

/** A learner's note, beneath their line. `takes`: whose mark can be given back to the classroom, or "". */
export type RegisterMore = CourseFrame & {
  at: number;
  name: string;
  note: string;
  problem: string | null;
  focus: boolean;
  takes: string;
  maxNoteLength: number;
};

const registerView = defineView<RegisterPage>("course/register");

export type AboutPressed = {
  saved?: number;
  undoes?: number | null;
  notice?: Notice;
  notSaved?: NotSaved & { reasonTooLong?: boolean };
};

/** As stored, or as typed with its problems. @throws NamedError "session-unknown" */
export async function registerPage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  wanted: { eventId: string; filter: RegisterFilter },
  pressed: AboutPressed = {},
  status?: number,
): Promise<PageAnswer> {
  const { course } = visit;
  const notSaved = pressed.notSaved ?? null;
  const register = await showRegister(app, course, wanted.eventId, wanted.filter, unsavedIn(notSaved));
  if (register === null) {
    throw refusal("session-unknown", { status: 404 });
  }
  const words = await courseWords(app, visit);
  const { t } = words;
  const about = sessionView(words, register.session, app.clock.now());
  const rows = rowsView(words, register, notSaved);
  const choices = choicesView(t);
  const ids = rows.map(({ personId }) => personId);
  const presence = await presenceWords(app, words, course, [register.session], ids);
  return page(
    registerView,
    {
      title: t("register.titleOf", { session: about.title, course: courseNameOf(t, course) }),
      zone: words.times.place(app.clock.now()),
      about,
      neighbours: {
        before: shownOrNull(words, register.neighbours.before, app.clock.now()),
        after: shownOrNull(words, register.neighbours.after, app.clock.now()),
      },
      choices,
      lines: linesText(rows.map(({ line }) => line)),
      letters: lettersText(choices),
      rows: rows.map((row) => ({
        ...row,
        presence: evidenceText(words, row.evidence, presence.of(wanted.eventId, row.personId)),
        spans: row.spans ?? presence.spans(register.session, row.personId),
      })),
      recorded: recordedView(t, register),
      chips: chipsView(words, register),
      counts: countsView(t, register),
      filter: register.filter,
      page: register.filter.page,
      pages: register.pages,
      scope: scopeText(words, register),
      presenceRule: presence.rule,
      maxNoteLength,
      underWay: await underWay(app, course, wanted.eventId),
      notice: pressed.notice ?? null,
      questions: [...marksQuestion(t, course, register), ...minutesQuestion(words, register)],
      isRead: register.session.ours !== true,
      checksIn: course.checkIn && mayStart(register.session, app.clock.now()),
      ...pressedView(t, pressed, rows),
    },
    { status },
  );
}

/** A session cancelled or deleted after somebody was marked: whether the marks count. Without grades they count nowhere. */
function marksQuestion(t: Translate, { policy }: Course, { session, marks }: Register): SessionQuestion[] {
  if (!session.cancelled || marks === 0 || policy.kind === "no-grades") return [];
  const { deleted = false, counts, keepsMarks = false } = session;
  const kind = deleted ? "deleted" : "cancelled";
  const state = counts ? (keepsMarks ? "kept" : "asked") : "leftOut";
  const then =
    state === "asked"
      ? t("register.ended.asked", { count: marks, number: numberText(t, marks) })
      : t(`register.ended.${state}`);
  const text = `${t(`register.ended.${kind}`)} ${then}`;
  const keep = { value: "keep", text: t("register.ended.keep") } as const;
  const leave = { value: "leave", text: t("register.ended.leave") } as const;
  const answers = { asked: [keep, leave], kept: [leave], leftOut: [keep] };
  return [{ open: state === "asked", text, answers: answers[state] }];
}

/** Minutes by which everybody was sent home early. */
function minutesQuestion({ t, times }: CourseWords, { session, leftAt }: Register): SessionQuestion[] {
  const { countsTo, cancelled } = session;
  if (countsTo !== undefined) {
    const text = t("register.early.counted", { when: times.clock(countsTo) });
    return [{ open: false, text, answers: [{ value: "whole", text: t("register.early.whole") }] }];
  }
  if (leftAt === null || cancelled) return [];
  const when = { when: times.clock(leftAt) };
  const answers = [{ value: "shorten", text: t("register.early.shorten", when) } as const];
  return [{ open: true, text: t("register.early.asked", when), answers }];
}

/** Hundreds of lines repeat the buttons, so theirs is the shortest markup. */
function choicesView(t: Translate): RegisterPage["choices"] {
  return statusChoices(t).map((one) => {
    const letter = t(`grid.cell.letters.${one.value}`);
    return { ...one, letter, ending: ` value=${attribute(letter)} aria-label=${attribute(one.label)}` };
  });
}

/** Quoted where it must be. */
function attribute(text: string): string {
  return /^[\p{L}\p{N}]+$/u.test(text) ? text : `"${ejs.escapeXML(text)}"`;
}

function shownOrNull(words: CourseWords, session: CourseSession | null, now: number): SessionShown | null {
  return session === null ? null : sessionView(words, session, now);
}

function recordedView(t: Translate, { counts, inClass }: Register): RegisterPage["recorded"] {
  const tally = { ...emptyTally(), ...counts };
  const all = barKinds.reduce((sum, kind) => sum + tally[kind], 0);
  return {
    number: numberText(t, all - tally.blank),
    of: t("register.recordedOf", { count: all, number: numberText(t, all) }),
    blank: inClass.blank,
    parts: barParts(tally)
      .reverse()
      .map(({ kind, from, size }) => ({ fill: barFill(kind), from: 100 - from - size, size })),
  };
}

/** More are found in the table. */
const maxSectionChips = 6;

function chipsView(words: CourseWords, { counts, filter }: Register): RegisterPage["chips"] {
  const { t, sections, sectionKind } = words;
  const section = filter.sectionId ?? "";
  const ofStatus = registerStatuses.filter((status) => counts[status] > 0 || filter.status === status);
  return [
    {
      text: t("common.everyone"),
      ...{ section: "", show: "", current: filter.sectionId === null && filter.status === null },
    },
    ...ofStatus.map((status) => ({
      text: `${t(`register.filter.statuses.${status}`)} ${numberText(t, counts[status])}`,
      ...{ section, show: status, current: filter.status === status },
    })),
    ...(sections.length > maxSectionChips ? [] : sections).map((one) => ({
      text: sectionLabel(t, sectionKind, one),
      ...{
        section: one.lmsSectionId,
        show: "",
        current: filter.sectionId === one.lmsSectionId && filter.status === null,
      },
    })),
  ];
}

/** Learners whose typed rows are stored nowhere. */
function unsavedIn(notSaved: NotSaved | null): ReadonlySet<string> {
  const { typed, problems } = notSaved ?? {};
  const changed = [...(typed?.rows ?? [])].filter(([, row]) => isChanged(row.typed, row.seen));
  return new Set([...changed.map(([personId]) => personId), ...(problems?.keys() ?? [])]);
}

async function underWay(
  { attendanceMarks }: Pick<AttendancePagesApp, "attendanceMarks">,
  { registrationId, id: courseId }: Course,
  eventId: string,
): Promise<number | null> {
  const unfinished = await attendanceMarks.listUnfinished({ registrationId, courseId, eventId });
  return unfinished.length === 0 ? null : unfinished.reduce((sum, one) => sum + one.writtenInClass, 0);
}

function pressedView(
  t: Translate,
  { saved, undoes, notSaved }: AboutPressed,
  rows: readonly { name: string; missed: boolean; unsaved: boolean }[],
) {
  const { typed = null, problems = new Map(), missed = new Set(), reasonTooLong = false } = notSaved ?? {};
  const names = rows.flatMap((row) => (row.missed ? [row.name] : []));
  return {
    ...fieldsBeside(typed),
    reasonProblem: reasonTooLong ? t("register.problems.tooLong", { most: maxNoteLength }) : null,
    undoes: undoes ?? null,
    saved: saved === undefined ? null : t("register.saved", { count: saved, number: saved }),
    failed: reasonTooLong || problems.size > 0,
    missed: missed.size === 0 ? null : missedText(t, names, missed.size),
    unsavedLeft: rows.some((row) => row.unsaved && !row.missed),
  };
}

function fieldsBeside(typed: PostedRegister | null): Pick<PostedRegister, "bulk" | "reason"> {
  return typed === null ? { bulk: "PRESENT", reason: "" } : { bulk: typed.bulk, reason: typed.reason };
}

function scopeText(words: CourseWords, { inClass, filter }: Register): string {
  const { t } = words;
  const values = { all: inClass.all, blank: inClass.blank };
  if (filter.sectionId === null) return t("register.bulk.everybody", values);
  return t("register.bulk.inSection", { ...values, section: sectionsText(words, [filter.sectionId]) });
}

function missedText(t: Translate, names: readonly string[], number: number): string {
  const others = number - names.length;
  const listed = [...names, ...(others > 0 ? [t("register.missed.others", { number: others })] : [])];
  return t("register.missed.lead", { names: inList(t, listed) });
}
