import type { Grade } from "../../../domain/grade-policy.ts";
import { listedName } from "../../../domain/person.ts";
import { relativeText } from "../../../web/course-times.ts";
import { sectionsText } from "../../../web/course-words.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { causeOf, type Delivery, isInProgress, isOfNoPoints } from "../rules/delivery.ts";
import type { ProofRow } from "../show-grades.ts";
import { causeKey, type GradesWords, scoreTones, sentences, stateText, todoText } from "./grades-overview.ts";
import {
  causeText,
  columnName,
  gradeInGradebook,
  pointsText,
  scoreText,
  sumText,
  whyText,
  workingWords,
} from "./grading-words.ts";

/** @param known.grade How the grade is worked out now; left out if the page doesn't say it. @param known.above As in `causesView`. */
export function proofRowView(
  words: GradesWords,
  row: ProofRow,
  { several, grade, above }: { several: boolean; grade?: Grade | undefined; above: ReadonlySet<string> },
) {
  const { t, times, now } = words;
  const { delivery, state } = row;
  const name = nameOf(row);
  const { accepted } = delivery;
  return {
    deliveryId: delivery.id,
    personId: delivery.personId,
    name,
    sections: sectionsText(words, row.sectionIds),
    /** A remark for a learner who left the course. */
    remark: row.active ? null : t("grades.left"),
    column: several ? columnOf(words, row) : null,
    desired: scoreText(t, delivery.desired),
    /** What arrived, when and where; null if nothing did. */
    proof: proofText(words, row),
    when:
      accepted === null
        ? null
        : {
            at: new Date(accepted.at).toISOString(),
            text: times.text(accepted.at),
            short: relativeText(t.locale, times, accepted.at, now),
          },
    state,
    pill: pillOf(words, row),
    /** What the causes above the list don't say; null for nothing. */
    why: whyOfRow(words, row, { grade, above }),
    /** A newer grade that waits for a release, and its button's label; null if none waits. */
    kept:
      delivery.unreleased == null
        ? null
        : {
            text: t("grades.hold.row", { ours: scoreText(t, delivery.unreleased, "grades.cleared") }),
            label: t("grades.hold.rowLabel", { name }),
          },
    /** The button's label; null if it can't be sent again. */
    again: isSendable(delivery) ? t("grades.againLabel", { name }) : null,
    /** Sends ours after all, if an instructor's grade was kept. */
    ours: state === "left" ? oursView(t, name, shortText(t, delivery.desired, delivery.foreign)) : null,
  };
}

function whyOfRow(
  words: GradesWords,
  row: ProofRow,
  { grade, above }: { grade: Grade | undefined; above: ReadonlySet<string> },
): string | null {
  const { t } = words;
  const { delivery, state } = row;
  if (state === "idle") return whyNoGrade(words, row, grade);
  if (state === "left") return leftText(words, row);
  const cause = state === "refused" || state === "waiting" ? causeOf(delivery) : null;
  if (cause === null) return state === "delivered" ? whyText(t, delivery) : null;
  if (above.has(causeKey({ state: delivery.state, cause }))) return null;
  return sentences([causeText(t, cause), todoText(words, { ...delivery, cause })]);
}

/** Why an instructor's grade was left: both grades, and since when. */
function leftText(words: GradesWords, row: ProofRow): string | null {
  const { foreign } = row.delivery;
  if (foreign === null) return null;
  const { t, times } = words;
  const since = foreign.leftAt == null ? null : t("grades.held.leftAt", { when: times.text(foreign.leftAt) });
  return sentences([conflictText(words, row, times.text(foreign.seenAt)), since]);
}

/** Null for a missing column, because a question above the list covers that. */
function whyNoGrade({ t }: GradesWords, { column, delivery }: ProofRow, grade: Grade | undefined) {
  if (column?.missing?.leftOut === false || delivery.unreleased != null) return null;
  if (delivery.desired === null) return t("grades.todo.stopped");
  const isWithheld = grade?.working != null && grade.working.counted > 0 && grade.score === null;
  return (isWithheld ? workingWords(t, grade).at(-1) : null) ?? t("grades.todo.idle");
}

function pillOf(words: GradesWords, { state, delivery }: ProofRow): { tone: Tone; text: string } {
  const text = delivery.state === "blocked" ? words.t("grades.pills.blocked") : stateText(words, state);
  const doesNotCount = state === "delivered" && isOfNoPoints(delivery);
  return { tone: doesNotCount ? "wait" : scoreTones[state], text };
}

/** @param grade How ours is worked out now; left out if there is no grade for all sessions. */
export function decisionView(
  words: GradesWords,
  row: ProofRow,
  { several, grade = null }: { several: boolean; grade?: Grade | null },
) {
  const { t, times } = words;
  const { delivery } = row;
  const { foreign, desired } = delivery;
  if (row.state !== "held" || foreign === null) return null;
  const name = nameOf(row);
  const ours = shortText(t, desired, foreign);
  const theirs = foreign.score === null ? null : shortText(t, foreign, desired);
  return {
    deliveryId: delivery.id,
    personId: delivery.personId,
    name,
    column: several ? columnOf(words, row) : null,
    text: conflictText(words, row, times.text(foreign.seenAt)),
    /** Why ours isn't shown, or what we found. */
    reason: whyText(t, delivery),
    /** How ours was worked out. */
    sum:
      grade?.working == null || grade.score === null || row.session !== null
        ? null
        : sumText(t, grade.working, grade.score),
    ours: oursView(t, name, ours),
    leave:
      theirs === null
        ? { text: t("grades.held.keepEmpty"), label: t("grades.held.keepEmptyLabel", { name }) }
        : { text: t("grades.held.keep", { theirs }), label: t("grades.held.keepLabel", { name, theirs }) },
  };
}

function nameOf(row: ProofRow): string {
  return listedName({ ...row, sub: row.delivery.sub });
}

function columnOf({ t, course }: GradesWords, row: ProofRow): string {
  return columnName(t, course, row.session, row.column);
}

type Points = { score: number | null; maximum: number };

/** Only the number, if both have the same maximum. */
function shortText(t: Translate, one: Points | null, other: Points | null): string {
  return one?.score != null && one.maximum === other?.maximum ? numberText(t, one.score) : pointsText(t, one);
}

function oursView(t: Translate, name: string, ours: string): { text: string; label: string } {
  return { text: t("grades.held.send", { ours }), label: t("grades.held.sendLabel", { name, ours }) };
}

function conflictText({ t }: GradesWords, { delivery: { foreign, desired } }: ProofRow, when: string) {
  const values = { ours: pointsText(t, desired), theirs: pointsText(t, foreign), when };
  const isOfRestore = foreign?.restoredAt !== undefined;
  const isEmpty = foreign === null || foreign.score === null;
  return isOfRestore
    ? t(isEmpty ? "grades.restored.valuesEmpty" : "grades.restored.values", values)
    : t(isEmpty ? "grades.held.valuesNone" : "grades.held.values", values);
}

function proofText(words: GradesWords, row: ProofRow): string | null {
  const { t, times } = words;
  const { accepted } = row.delivery;
  if (accepted === null) return null;
  const parts = [
    scoreText(t, gradeInGradebook(row), "grades.cleared"),
    ...(accepted.score !== null && isInProgress(accepted) ? [t("grades.inProgress")] : []),
    times.text(accepted.at),
    intoText(t, row, row.column?.label ?? columnOf(words, row)),
  ];
  return parts.join(" · ");
}

/** Where the last accepted score went. The column may have moved since. */
function intoText(t: Translate, { delivery: { accepted }, column }: ProofRow, name: string): string {
  const went = accepted?.lineItemUrl ?? null;
  const now = column?.lineItemUrl ?? null;
  return went !== null && now !== null && went !== now
    ? t("grades.intoEarlier")
    : t("grades.into", { column: name });
}

function isSendable({ state, desired }: Delivery): boolean {
  return desired !== null && desired.score !== null && state !== "held" && state !== "idle";
}
