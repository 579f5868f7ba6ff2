import { type KnownStatus, latestObservation } from "../../../domain/attendance.ts";
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
import { type CurrentAttendanceView, currentAttendanceView } from "./current-attendance-view.ts";
import { statusView } from "../../../web/status-view.ts";
import type { CourseWords } from "../../../web/course-words.ts";

/** What was posted and is not saved. */
export type NotSaved = {
  /** What was typed; null shows what is stored. */
  typed: PostedRegister | null;
  problems?: ReadonlyMap<string, RowProblem>;
  /** Learners whom somebody else had changed meanwhile. */
  missed?: ReadonlySet<string>;
};

/** A learner's row. */
export type RegisterRowShown = {
  personId: string;
  name: string;
  sections: string;
  /** Why somebody is listed whom the session does not concern; null for all others. */
  remark: string | null;
  current: CurrentAttendanceView | null;
  /** The first answer: no correction. */
  classroomSays: string;
  /** What the row said when the page was made, as `seenText`. */
  seen: string;
  status: KnownStatus | "";
  note: string;
  unsaved: boolean;
  missed: boolean;
  problem: string | null;
};

/** Rows of the register as its form shows them. */
export function rowsView(
  words: CourseWords,
  { rows, names }: Register,
  notSaved: NotSaved | null,
): RegisterRowShown[] {
  const { t } = words;
  return rows.map((row) => ({
    personId: row.personId,
    name: listedName(row),
    sections: sectionsText(words, row.sectionIds),
    remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
    current: currentAttendanceView(words, names, row.current),
    classroomSays: classroomSays(t, row),
    ...fieldsView(t, row, notSaved ?? {}),
  }));
}

/** The fields of a row: as stored, or as typed when that could not be saved. */
function fieldsView(t: Translate, row: NamedRow, { typed, problems, missed }: Partial<NotSaved>) {
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

/** The numbers above the register, without the ones that are zero. */
export function countsView(t: Translate, { counts }: Pick<Register, "counts">) {
  return (["PRESENT", "LATE", "ABSENT", "EXCUSED", "unknown", "blank", "conflict"] as const).flatMap(
    (kind) =>
      counts[kind] === 0
        ? []
        : [{ kind, text: t(`register.counts.${kind}`, { number: numberText(t, counts[kind]) }) }],
  );
}
