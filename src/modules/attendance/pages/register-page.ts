import ejs from "ejs";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { mayStart } from "../../check-in/rules/check-in.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import {
  courseNameOf,
  type CourseWords,
  type PageOf,
  type PageWords,
  sectionLabel,
} from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { inList, moreText, numberText } from "../../../web/page-text.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { emptyTally, type Tally } from "../rules/attendance-summary.ts";
import { type SessionDecision, sessionDecisions } from "../session-minutes.ts";
import { endedText } from "../../grading/pages/sending-words.ts";
import { type Register, showRegister } from "../show-register.ts";
import { type ReadAgain, readAgainSchema } from "../attendance-readings.ts";
import { barFill, barParts, maxSectionChips } from "./grid-view.ts";
import {
  isChanged,
  lettersText,
  linesText,
  maxNoteLength,
  type PostedRegister,
  registerStatuses,
} from "./register-form.ts";
import {
  barKinds,
  allSaved,
  type AttendancePagesApp,
  countsView,
  evidenceText,
  type NotSaved,
  rowsView,
  sessionView,
  statusChoices,
} from "./session-view.ts";

/** A learner's note, below their line. */
export type RegisterMore = CourseFrame & {
  at: number;
  name: string;
  note: string;
  problem: string | null;
  focus: boolean;
  /** The person whose mark can be given back to the classroom, or "". */
  takes: string;
  maxNoteLength: number;
};

/** The outcome of a button. `undoes`: when the class was marked (ms), if that can be undone. */
export const registerNews = z.union([
  z.object({ kind: z.literal("saved"), learners: z.number(), undoes: z.number().nullable() }),
  z.object({ kind: z.literal("read"), outcome: readAgainSchema }),
  /** After an answer to a question about the session. */
  z.object({ kind: z.literal("decided"), decision: z.enum(sessionDecisions).nullable() }),
  /** After an answer to a learner's message; false if the message or the mark had changed. */
  z.object({ kind: z.literal("answered"), isAnswered: z.boolean() }),
]);

/** Null if no button was pressed. `learners`: how many were saved despite the others; null if there was nothing to save. */
type Outcome =
  | z.infer<typeof registerNews>
  | { kind: "unsaved"; learners: number | null; notSaved: NotSaved }
  | null;

export type RegisterPage = PageOf<typeof registerModel>;

/** The register as stored, or as typed with its problems. @throws NamedError "session-unknown" */
export async function registerModel(
  app: AttendancePagesApp,
  {
    visit: { course },
    fields: { eventId, filter: requested },
    words,
  }: PageContext<"grades", Pick<PostedRegister, "eventId" | "filter">>,
  outcome: Outcome,
) {
  const { t } = words;
  const notSaved = outcome?.kind === "unsaved" ? outcome.notSaved : allSaved;
  const register = await showRegister(app, course, eventId, requested, unsavedIn(notSaved));
  if (register === null) throw refusal("session-unknown", { status: 404 });
  const { session, neighbours, filter, pages } = register;
  const about = sessionView(words, session);
  const rows = rowsView(words, register, notSaved);
  const choices = choicesView(t);
  const ids = rows.map(({ personId }) => personId);
  const presence = await presenceWords(app, words, course, [session], ids);
  return {
    title: t("register.titleOf", { session: about.title, course: courseNameOf(t, course) }),
    about,
    neighbours: {
      before: neighbours.before && sessionView(words, neighbours.before),
      after: neighbours.after && sessionView(words, neighbours.after),
    },
    choices,
    /** Fields that say what the page's lines and letters mean. */
    lines: linesText(rows.map(({ line }) => line)),
    letters: lettersText(choices),
    rows: rows.map((row) => ({
      ...row,
      presence: evidenceText(words, row.evidence, presence.of(eventId, row.personId)),
      bar: row.bar ?? presence.bar(session, row.personId),
    })),
    timeline: timelineView(words, course, session),
    recorded: { ...recordedView(t, { ...emptyTally(), ...register.counts }), blank: register.inClass.blank },
    chips: chipsView(words, register),
    counts: countsView(t, register),
    filter,
    page: filter.page,
    pages,
    scope: scopeText(words, register),
    presenceRule: presence.rule,
    maxNoteLength,
    underWay: await underWay(app, course, eventId),
    notice: noticeOf(t, outcome),
    ended: endedText(t, course, words.now),
    questions: [...marksQuestion(t, course, register), ...minutesQuestion(words, register)],
    /** Whether we can ask the classroom about it. */
    isRead: session.ours !== true,
    /** Learners can check in now, once an instructor starts that. */
    checksIn: course.checkIn && mayStart(session, words.now),
    ...savedView(t, outcome),
    ...unsavedView(t, notSaved, rows),
  };
}

/** The scale of the presence bars. `lateAt`: where late begins, in percent. Null if the session's times are unknown. */
function timelineView(
  { times }: CourseWords,
  { unplanned }: Course,
  { startsAt, endsAt }: Register["session"],
) {
  if (startsAt === null || endsAt === null || endsAt <= startsAt) return null;
  const lateAt = (unplanned.lateAfter * 60_000 * 100) / (endsAt - startsAt);
  return { from: times.clock(startsAt), to: times.clock(endsAt), lateAt: Math.min(100, lateAt) };
}

/** Learners whose typed rows aren't stored anywhere. */
function unsavedIn({ typed, problems }: NotSaved): ReadonlySet<string> {
  const changed = [...(typed?.rows ?? [])].filter(([, row]) => isChanged(row.typed, row.seen));
  return new Set([...changed.map(([personId]) => personId), ...problems.keys()]);
}

/** How many learners are done, while a class is being marked. */
async function underWay(
  { attendanceMarks }: Pick<AttendancePagesApp, "attendanceMarks">,
  { registrationId, id: courseId }: Course,
  eventId: string,
): Promise<number | null> {
  const unfinished = await attendanceMarks.listUnfinished({ registrationId, courseId, eventId });
  return unfinished.length === 0 ? null : unfinished.reduce((sum, one) => sum + one.writtenInClass, 0);
}

function savedView(t: Translate, outcome: Outcome) {
  const isSave = outcome?.kind === "saved" || outcome?.kind === "unsaved";
  const saved = isSave ? outcome.learners : null;
  return {
    saved: saved === null ? null : t("register.saved", { count: saved, number: saved }),
    undoes: outcome?.kind === "saved" ? outcome.undoes : null,
  };
}

function unsavedView(
  t: Translate,
  { typed, problems, missed, reasonTooLong }: NotSaved,
  rows: readonly { name: string; missed: boolean; unsaved: boolean }[],
) {
  const names = rows.flatMap((row) => (row.missed ? [row.name] : []));
  return {
    bulk: typed?.bulk ?? ("PRESENT" as const),
    reason: typed?.reason ?? "",
    reasonProblem: reasonTooLong ? t("register.problems.tooLong", { most: maxNoteLength }) : null,
    failed: reasonTooLong || problems.size > 0,
    missed: missed.size === 0 ? null : missedText(t, names, missed.size),
    unsavedLeft: rows.some((row) => row.unsaved && !row.missed),
  };
}

function missedText(t: Translate, names: readonly string[], number: number): string {
  const others = number - names.length;
  const listed = [...names, ...(others > 0 ? [t("register.missed.others", { number: others })] : [])];
  return t("register.missed.lead", { names: inList(t, listed) });
}

function noticeOf(t: Translate, outcome: Outcome): Notice | null {
  if (outcome?.kind === "answered")
    return outcome.isAnswered
      ? { tone: "good", text: t("words.decided") }
      : { tone: "warning", text: t("words.changed") };
  if (outcome?.kind === "read") return readAgainNotice(t, outcome.outcome);
  if (outcome?.kind !== "decided") return null;
  const { decision } = outcome;
  if (decision === null) return { tone: "warning", text: t("register.decided.not") };
  return { tone: "good", text: t(`register.decided.${decision}`) };
}

function readAgainNotice(t: Translate, outcome: ReadAgain): Notice {
  if (outcome.kind === "waiting") return { tone: "warning", text: t("unmatched.again.waiting") };
  if (outcome.kind === "failed")
    return { tone: "warning", text: t("unmatched.again.failed", { problem: outcome.problem }) };
  const { listed, news, unfinished } = outcome;
  const text = t("unmatched.again.read", { listed, news });
  if (unfinished === null) return { tone: "good", text };
  return { tone: "warning", text: `${text} ${t("unmatched.again.more")} ${moreText(t, unfinished)}` };
}

type SessionQuestion = { open: boolean; text: string; answers: { value: SessionDecision; text: string }[] };

/** A session was cancelled or deleted after somebody was marked: asks whether the marks count. Without grades they count nowhere. */
function marksQuestion(t: Translate, { policy }: Course, { session, marks }: Register): SessionQuestion[] {
  if (!session.cancelled || session.cancelledHere === true || marks === 0 || policy.kind === "no-grades")
    return [];
  const { deleted = false, counts, keepsMarks = false } = session;
  const kind = deleted ? "deleted" : "cancelled";
  const counting = keepsMarks ? "kept" : "asked";
  const state = counts ? counting : "leftOut";
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

/** Asks whether everybody was dismissed early, and by how many minutes. */
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

/** Short markup, because hundreds of lines repeat it. `ending`: the button's attributes. */
function choicesView(t: Translate) {
  return statusChoices(t).map((one) => {
    const letter = t(`grid.cell.letters.${one.value}`);
    return { ...one, letter, ending: ` value=${attribute(letter)} aria-label=${attribute(one.label)}` };
  });
}

/** Quoted if necessary. */
function attribute(text: string): string {
  return /^[\p{L}\p{N}]+$/u.test(text) ? text : `"${ejs.escapeXML(text)}"`;
}

export type SumBar = Pick<ReturnType<typeof recordedView>, "parts">;

/** "28 of 30 recorded", with its bar. */
export function recordedView(t: Translate, tally: Tally) {
  const all = barKinds.reduce((sum, kind) => sum + tally[kind], 0);
  return {
    number: numberText(t, all - tally.blank),
    of: t("register.recordedOf", { count: all, number: numberText(t, all) }),
    whole: all > 0 && tally.blank === 0,
    parts: barParts(tally)
      .reverse()
      .map(({ kind, from, size }) => ({ fill: barFill(kind), from: 100 - from - size, size })),
  };
}

function chipsView(words: CourseWords, { counts, filter }: Register) {
  const { t, sections, sectionKind } = words;
  const section = filter.sectionId ?? "";
  const ofStatus = registerStatuses.filter((status) => counts[status] > 0 || filter.status === status);
  return [
    {
      text: t("common.everyone"),
      count: null,
      section: "",
      show: "",
      current: filter.sectionId === null && filter.status === null,
    },
    ...ofStatus.map((status) => ({
      text: t(`register.filter.statuses.${status}`),
      count: numberText(t, counts[status]),
      section,
      show: status,
      current: filter.status === status,
    })),
    ...(sections.length > maxSectionChips ? [] : sections).map((one) => ({
      text: sectionLabel(t, sectionKind, one),
      count: null,
      section: one.lmsSectionId,
      show: "",
      current: filter.sectionId === one.lmsSectionId && filter.status === null,
    })),
  ];
}

function scopeText({ t, label }: PageWords, { inClass, filter }: Register): string {
  const values = { all: inClass.all, blank: inClass.blank };
  if (filter.sectionId === null) return t("register.bulk.everybody", values);
  return t("register.bulk.inSection", { ...values, section: label(filter.sectionId) });
}
