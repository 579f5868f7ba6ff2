import { type AttendanceStanding, knownStatuses, latestObservation } from "../../../domain/attendance.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { listedName } from "../../../domain/person-name.ts";
import type { NamedRow, Register } from "../show-register.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import {
  isChanged,
  longestNote,
  type PostedRegister,
  type RowProblem,
  seenOf,
  seenText,
} from "./register-form.ts";
import { statusView } from "../../../web/status-view.ts";
import type { CourseWords } from "../../../web/course-words.ts";

/** What the page says beside what is stored. */
export type RegisterShown = {
  /** What was typed and is not saved; null shows what is stored. */
  typed?: PostedRegister | null;
  problems?: ReadonlyMap<string, RowProblem>;
  /** Learners whom somebody else had changed meanwhile. */
  missed?: ReadonlySet<string>;
};

/** A session as lists and headings name it. */
export function sessionView(words: CourseWords, session: CourseSession, now: number) {
  const { t, times } = words;
  const { startsAt, endsAt } = session;
  const over = (endsAt ?? startsAt ?? 0) <= now;
  const begun = startsAt === null || startsAt <= now;
  return {
    eventId: session.eventId,
    title: session.title ?? t("review.untitled"),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    sections: sectionsText(words, session.sectionIds),
    state: session.cancelled
      ? session.deleted === true
        ? "deleted"
        : "cancelled"
      : begun
        ? over
          ? "over"
          : "live"
        : "coming",
    counts: session.counts,
  };
}

/** Rows of the register as its form shows them. */
export function rowsView(words: CourseWords, { rows, names }: Register, shown: RegisterShown) {
  const choices = knownStatuses.map((value) => ({ value, label: statusView(words.t, value).text }));
  return { choices, rows: rows.map((row) => rowView(words, names, row, shown)) };
}

function rowView(
  words: CourseWords,
  names: ReadonlyMap<string, string>,
  row: NamedRow,
  shown: RegisterShown,
) {
  const { t } = words;
  return {
    personId: row.personId,
    name: listedName(row),
    sections: sectionsText(words, row.sectionIds),
    remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
    standing: standingView(words, names, row.standing),
    classroomSays: classroomSays(t, row),
    ...fieldsView(t, row, shown),
  };
}

/** The fields of a row: as stored, or as typed when that could not be saved. */
function fieldsView(t: Translate, row: NamedRow, { typed, problems, missed }: RegisterShown) {
  const stored = seenOf(row);
  const posted = typed?.rows.get(row.personId);
  const isMissed = missed?.has(row.personId) === true;
  const { status, note } = posted?.typed ?? stored;
  const problem = problems?.get(row.personId);
  return {
    // Whoever saves again after having been told does so knowing what is stored now.
    seen: seenText(posted === undefined || isMissed ? stored : posted.seen),
    status,
    note,
    unsaved: posted !== undefined && isChanged(posted.typed, stored),
    missed: isMissed,
    problem: problem === undefined ? null : t(`register.problems.${problem}`, { most: longestNote }),
  };
}

/** The first answer of a row: nobody's correction. */
function classroomSays(t: Translate, { facts: { history } }: NamedRow): string {
  const holds = latestObservation(history);
  return holds === null
    ? t("register.classroomSilent")
    : t("register.classroomSays", { status: statusView(t, holds.status).text });
}

/** How somebody stands, and who says so. */
export function standingView(
  { t, times }: Pick<CourseWords, "t" | "times">,
  names: ReadonlyMap<string, string>,
  standing: AttendanceStanding | null,
) {
  if (standing === null) return null;
  const { correction, conflicting, notes } = standing;
  const status = statusView(t, standing.status);
  return {
    ...status,
    source:
      correction === null
        ? t("register.byClassroom")
        : t("register.byInstructor", {
            name: names.get(correction.by) ?? t("register.someInstructor"),
            when: times.text(correction.at),
          }),
    /** The classroom's: an instructor's own stands in its field. */
    notes: correction === null ? notes : null,
    reason: correction?.reason ?? null,
    conflict:
      conflicting === null
        ? null
        : t("register.conflict", {
            classroom: statusView(t, conflicting.status).text,
            when: times.text(conflicting.at),
            correction: status.text,
          }),
  };
}

/** The numbers above the register, without the ones that are zero. */
export function countsView(t: Translate, { counts }: Pick<Register, "counts">) {
  return (["PRESENT", "LATE", "ABSENT", "EXCUSED", "unknown", "blank", "conflict"] as const).flatMap(
    (kind) =>
      counts[kind] === 0
        ? []
        : [{ kind, text: t(`register.counts.${kind}`, { number: numberText(t, counts[kind]) }) }],
  );
}
