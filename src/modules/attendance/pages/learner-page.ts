import { checkInOf, presenceSeen } from "../../../domain/attendance.ts";
import { personName } from "../../../domain/person.ts";
import { readerFormat } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords, sectionsText } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { numberText, statusView } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { scoreTones } from "../../grading/pages/grades-overview.ts";
import { whyText, workingWords } from "../../grading/pages/grading-words.ts";
import { namesOfUsers } from "../../members/people.ts";
import { presenceRule, presenceWords } from "../../presence/pages/presence-view.ts";
import type { GridFilter } from "../grid-learners.ts";
import { correctAttendance } from "../mark-session.ts";
import { gapBefore } from "../rules/attendance-reading.ts";
import type { AttendedDay } from "../rules/attendance-days.ts";
import { addToTally, emptyTally, type GridCell, rateOf } from "../rules/attendance-summary.ts";
import { type LearnerDetail, type LearnerSession, showGridCell, showLearner } from "../show-learner.ts";
import { filterFields, type PressedCell } from "./grid-page.ts";
import { countsText } from "./grid-view.ts";
import { learnerStrip } from "./my-attendance-view.ts";
import { maxNoteLength, type PostedRegister, seenOf, seenText, requestOf } from "./register-form.ts";
import {
  type AttendancePagesApp,
  authorOf,
  attendedDayText,
  currentAttendanceView,
  evidenceText,
  sessionView,
  statusChoices,
} from "./session-view.ts";

/** A correction that wasn't saved, with what was typed. */
export type NotCorrected = { posted: PostedRegister; missed: boolean; problem: string | null };

/** @returns null if it was saved. */
export async function correctAsPosted(
  app: AttendancePagesApp,
  { session, course }: InstructorVisit,
  personId: string,
  posted: PostedRegister,
): Promise<NotCorrected | null> {
  const read = requestOf(posted);
  if (read.kind === "refused") {
    const problem = read.problems.get(personId) ?? "tooLong";
    const t = app.translatorOf(session.locale);
    return { posted, missed: false, problem: t(`register.problems.${problem}`, { most: maxNoteLength }) };
  }
  const row = read.rows.find((one) => one.personId === personId);
  if (row === undefined) return null;
  const { eventId } = posted;
  const { reason } = read;
  const mark = await correctAttendance(app, course, session.personId, { ...row, eventId, reason });
  return mark.missed.length > 0 ? { posted, missed: true, problem: null } : null;
}

export function statusOf({ missed }: NotCorrected): number {
  return missed ? 409 : 422;
}

type CellFields = { pressed: PressedCell; filter: GridFilter };

export type LearnerPage = PageOf<typeof learnerModel>;

/** One learner's sessions with their history. @throws NamedError "learner-unknown" */
export async function learnerModel(
  app: AttendancePagesApp,
  {
    visit: { course },
    fields: {
      pressed: { personId },
      filter,
    },
    words,
  }: PageContext<"grades", CellFields>,
  outcome: NotCorrected | "saved" | null,
) {
  const learner = await showLearner(app, course, personId);
  const { t } = words;
  const { person, member, sessions } = learner;
  const refused = outcome === "saved" ? null : outcome;
  const name = personName(person, member?.role ?? "learner");
  const sections = sectionsText(words, member?.sectionIds ?? []);
  const users = sessions.flatMap(({ row }) => row.facts.history.map(({ updatedBy }) => updatedBy));
  const known = { ...words, names: learner.names, observers: await namesOfUsers(app, course, users) };
  const attended = sessions.map(({ session }) => session);
  const presence = await presenceWords(app, words, course, attended, [personId]);
  return {
    ...correctionView(t, refused),
    title: t("register.learner.title", { name, course: courseNameOf(t, course) }),
    heading: t("review.heading", { name }),
    personId,
    sections,
    remark: remarkOn(t, member),
    grade: gradeView(t, learner),
    attended: stripView(words, personId, sessions),
    days: daysView(t, learner.days),
    limits: learner.limits,
    fields: filterFields(filter),
    sessions: sessions.map((one) => ({
      ...historyView(known, one, refused, sections),
      presence: evidenceText(
        words,
        { seen: presenceSeen(one.row.facts), checkedInAt: checkInOf(one.row.facts) },
        presence.of(one.session.eventId, personId),
      ),
    })),
    presenceRule: presence.rule,
    saved: outcome === "saved",
  };
}

function remarkOn(t: Translate, member: LearnerDetail["member"]): string | null {
  if (member?.joinedTo != null) return t("review.notGraded.joined");
  return member?.active === true ? null : t("register.remarks.left");
}

export type GridCellPage = PageOf<typeof gridCellModel>;

/** One learner's session. @throws NamedError "session-unknown", "learner-unknown" */
export async function gridCellModel(
  app: AttendancePagesApp,
  { visit: { course }, fields: { pressed, filter }, words }: PageContext<"grades", CellFields>,
  refused: NotCorrected | null,
) {
  const detail = await showGridCell(app, course, pressed);
  const { t } = words;
  const { person, member, session, row, names } = detail;
  const users = row.facts.history.map(({ updatedBy }) => updatedBy);
  const observers = await namesOfUsers(app, course, users);
  const sections = sectionsText(words, member?.sectionIds ?? []);
  const one = historyView({ ...words, names, observers }, detail, refused, sections);
  const presence = await presenceWords(app, words, course, [session], [pressed.personId]);
  const evidence = evidenceText(
    words,
    { seen: row.facts.seen, checkedInAt: checkInOf(row.facts) },
    presence.of(pressed.eventId, pressed.personId),
  );
  const name = personName(person, member?.role ?? "learner");
  return {
    ...correctionView(t, refused),
    title: t("grid.menu.titleCell", { name, session: one.title, course: courseNameOf(t, course) }),
    /** The filter of the table to which the page leads back. */
    fields: filterFields(filter),
    heading: t("grid.menu.cellHeading", { name, session: one.title }),
    personId: pressed.personId,
    one,
    /** When the learner was in the Space, and whether that counts. */
    presence: evidence === null ? null : { text: evidence, rule: presenceRule(t, course) },
    /** The session is for other sections. */
    elsewhere: one.current === null && row.remark === "other-section",
  };
}

/** One session with its form for corrections and its history. `at` is its number on the page. */
export type CorrectionPart = CourseFrame &
  Pick<GridCellPage, "choices" | "maxNoteLength" | "personId" | "fields"> & {
    one: ReturnType<typeof historyView>;
    at: number;
    action: string;
    inMenu: boolean;
  };

/** What both pages need for a correction. */
function correctionView(t: Translate, refused: NotCorrected | null) {
  return {
    choices: statusChoices(t),
    maxNoteLength,
    missed: refused?.missed === true,
    failed: refused !== null && refused.problem !== null,
  };
}

type HistoryWords = PageWords & {
  /** Names of instructors who made corrections, by person id. */
  names: ReadonlyMap<string, string>;
  /** Names of people who changed something in the classroom, by their user id there. */
  observers: ReadonlyMap<string, string>;
};

/** @param refused What was typed but not saved, in any session. @param sections The learner's sections now. */
function historyView(
  words: HistoryWords,
  { session, row }: LearnerSession,
  refused: NotCorrected | null,
  sections: string,
) {
  const then = sectionsText(words, row.sectionIds);
  return {
    ...sessionView(words, session),
    remark: row.remark === null ? null : words.t(`register.remarks.${row.remark}`),
    /** Their sections at the time of the session; "" if they are the same now. */
    inSections: then === sections ? "" : then,
    current: currentAttendanceView(words, words.names, row.current),
    history: happenings(words, row),
    ...formView(row, refused?.posted.eventId === session.eventId ? refused : null),
  };
}

/** Open, with what was typed, if that wasn't saved. */
function formView(row: LearnerSession["row"], refused: NotCorrected | null) {
  const stored = seenOf(row);
  const typed = refused?.posted.rows.get(row.personId);
  const { status, note } = typed?.typed ?? stored;
  return {
    open: refused !== null,
    // An instructor who saves again after this message has seen what is stored now.
    seen: seenText(typed === undefined || refused?.missed === true ? stored : typed.seen),
    status,
    note,
    reason: refused?.posted.reason ?? "",
    problem: refused?.problem ?? null,
  };
}

/** Newest first. */
function happenings(words: HistoryWords, { facts }: LearnerSession["row"]) {
  const { t, times, iso, names } = words;
  const observed = facts.history.map((one) => {
    const { at, status, notes, updatedBy, as, seen } = one;
    const checkedInAt = as === "code" ? at : undefined;
    const missed = gapBefore(facts.history, one);
    return {
      at,
      by: evidenceText(words, { seen, checkedInAt }) ?? byInClassroom(words, updatedBy),
      status: statusView(t, status),
      lines: [
        ...(notes === null ? [] : [t("register.learner.notes", { notes })]),
        ...(as === "host" ? [t("register.learner.asHost")] : []),
        // The message that would explain the state before is missing.
        ...(missed === null
          ? []
          : [t("register.learner.gap", { status: statusView(t, missed.status).text })]),
      ],
    };
  });
  const corrected = facts.corrections.map(({ at, by, status, notes, reason }) => ({
    at,
    by: authorOf(t, names, { by }),
    /** Null for a correction that was taken back. */
    status: status === null ? null : statusView(t, status),
    lines: [
      ...(notes === null ? [] : [t("register.learner.notes", { notes })]),
      ...(reason === null ? [] : [t("register.reasonGiven", { reason })]),
    ],
  }));
  return [...observed, ...corrected]
    .sort((one, other) => other.at - one.at)
    .map((one) => ({ ...one, at: iso(one.at), when: times.text(one.at) }));
}

function byInClassroom({ t, observers }: HistoryWords, updatedBy: string | null): string {
  if (updatedBy === null) return t("register.byClassroom");
  return t("register.byClassroomUser", { name: observers.get(updatedBy) ?? updatedBy });
}

function gradeView(t: Translate, { attendance: { grade, delivery, perSession } }: LearnerDetail) {
  if (grade === null) {
    return {
      text: t(perSession ? "register.learner.perSession" : "review.off"),
      sum: null,
      words: [],
      delivery: null,
    };
  }
  const { score, maximum } = grade;
  const numbers = { score: numberText(t, score ?? 0), maximum: numberText(t, maximum) };
  const words = workingWords(t, grade);
  return {
    text: score === null ? t("common.noGrade") : t("review.score", numbers),
    sum: score === null ? null : (words.at(-1) ?? null),
    words: score === null ? words : words.slice(0, -1),
    delivery:
      delivery === null
        ? null
        : { state: delivery.state, tone: scoreTones[delivery.state], problem: whyText(t, delivery) },
  };
}

/** First and last day of attendance; empty before anything is recorded. */
function daysView(t: Translate, { first, last, recorded }: LearnerDetail["days"]): string[] {
  if (first === null || last === null) return recorded === 0 ? [] : [t("days.never")];
  const line = (label: string, day: AttendedDay) =>
    t("label.value", { label, value: attendedDayText(t, day) });
  return [line(t("days.first"), first), line(t("days.last"), last)];
}

/** The strip of sessions, with the share attended of those that count. @param latestFirst As from `showLearner`. */
function stripView(words: PageWords, personId: string, latestFirst: readonly LearnerSession[]) {
  if (latestFirst.length === 0) return null;
  const { t } = words;
  const format = readerFormat(t, words.times.zone);
  const [tally, counting] = [emptyTally(), emptyTally()];
  const sessions = latestFirst.map(({ session, row: { current, remark } }) => {
    const withoutFacts: GridCell = { kind: remark === "joined-later" ? "elsewhere" : "blank" };
    const cell: GridCell =
      current === null ? withoutFacts : { kind: "status", status: current.status, marks: [] };
    addToTally(tally, cell);
    if (session.counts) addToTally(counting, cell);
    const opens = { page: "/grid/cell", fields: { event: session.eventId, person: personId } };
    return { ...session, status: current?.status ?? null, opens };
  });
  const rate = rateOf(counting);
  return {
    ...learnerStrip(words, sessions),
    counts: countsText({ t, format }, tally),
    rate: rate === null ? t("grid.learner.noRate") : t("common.rateAttended", { rate: format.percent(rate) }),
  };
}
