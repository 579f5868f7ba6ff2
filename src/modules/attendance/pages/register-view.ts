import {
  type AttendanceFacts,
  asKnownStatus,
  checkInOf,
  type KnownStatus,
  presenceSeen,
} from "../../../domain/attendance.ts";
import { listedName } from "../../../domain/person-name.ts";
import type { NamedRow, Register } from "../show-register.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import {
  isChanged,
  lineText,
  maxNoteLength,
  type PostedRegister,
  type RowProblem,
  seenOf,
  type TypedRow,
} from "./register-form.ts";
import { type PresenceSpan, spansOf } from "../../presence/pages/presence-view.ts";
import { type CurrentAttendanceView, currentAttendanceView, type Evidence } from "./session-view.ts";
import { barKinds, barTones } from "./grid-words.ts";
import { type CourseWords, sectionsText } from "../../../web/course-words.ts";

export type NotSaved = {
  /** Null shows what is stored. */
  typed: PostedRegister | null;
  problems?: ReadonlyMap<string, RowProblem>;
  /** Learners that another instructor changed meanwhile. */
  missed?: ReadonlySet<string>;
  /** Whose note is asked for. */
  asked?: string;
};

export type RegisterRowShown = {
  evidence: Evidence;
  /** Of a session made of a class that nobody planned: when they were there. Null otherwise. */
  spans: PresenceSpan[] | null;
  personId: string;
  name: string;
  sections: string;
  /** Why a learner is listed who is not expected in the session. */
  remark: string | null;
  current: CurrentAttendanceView | null;
  /** As `lineText`. */
  line: string;
  status: KnownStatus | "";
  /** What is chosen: as typed, else what is recorded; "" for nothing known. */
  choice: KnownStatus | "";
  note: string;
  /** The note is shown, with its field: otherwise it stays as it was. */
  open: boolean;
  asked: boolean;
  unsaved: boolean;
  missed: boolean;
  problem: string | null;
};

export function rowsView(
  words: CourseWords,
  { rows, names }: Register,
  notSaved: NotSaved | null,
): RegisterRowShown[] {
  const { t } = words;
  const {
    typed = null,
    problems = new Map<string, RowProblem>(),
    missed = new Set<string>(),
    asked = "",
  } = notSaved ?? {};
  return rows.map((row) => ({
    personId: row.personId,
    name: listedName(row),
    sections: sectionsText(words, row.sectionIds),
    remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
    current: currentAttendanceView(words, names, row.current),
    ...evidenceView(row.facts),
    ...fieldsView(t, row, { typed, problems, missed, asked }),
  }));
}

function evidenceView(facts: AttendanceFacts): Pick<RegisterRowShown, "evidence" | "spans"> {
  const seen = presenceSeen(facts);
  return {
    evidence: { seen, checkedInAt: checkInOf(facts) },
    spans: seen === undefined ? null : spansOf(seen, seen.startsAt, seen.endsAt),
  };
}

/** As typed when that was not saved. */
function fieldsView(
  t: Translate,
  row: NamedRow,
  { typed, problems, missed, asked }: Required<NotSaved>,
): Omit<RegisterRowShown, "personId" | "name" | "sections" | "remark" | "current" | "evidence" | "spans"> {
  const stored = seenOf(row);
  const recorded = row.current?.status ?? "";
  const posted = typed?.rows.get(row.personId);
  const isMissed = missed.has(row.personId);
  const wanted = posted?.typed ?? stored;
  const { status, note } = wanted;
  const problem = problems.get(row.personId);
  // An instructor who saves again after the message knows what is stored now.
  const seen = posted === undefined || isMissed ? stored : posted.seen;
  const isAsked = asked === row.personId;
  return {
    line: lineText(row.personId, seen, recorded),
    open: isAsked || problem !== undefined || note !== seen.note,
    asked: isAsked,
    status,
    choice: chosen(wanted, stored, recorded),
    note,
    unsaved: isChanged(wanted, stored),
    missed: isMissed,
    problem: problem === undefined ? null : t(`register.problems.${problem}`, { most: maxNoteLength }),
  };
}

/** A typed status that is not saved goes before the recorded one. */
function chosen(typed: TypedRow, stored: TypedRow, recorded: string): KnownStatus | "" {
  const isTyped = isChanged(typed, stored) && typed.status !== "";
  return isTyped ? typed.status : (asKnownStatus(recorded) ?? "");
}

/** In the order of the bar beside, without zeros. */
export function countsView(t: Translate, { counts }: Pick<Register, "counts">) {
  return ([...barKinds, "conflict"] as const).flatMap((kind) =>
    counts[kind] === 0
      ? []
      : [
          {
            kind,
            tone: kind === "conflict" ? null : barTones[kind],
            text: t(`register.counts.${kind}`, { number: numberText(t, counts[kind]) }),
          },
        ],
  );
}
