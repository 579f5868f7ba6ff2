import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import type { GradePolicy, Grading } from "../../../domain/grade-policy.ts";
import { listedName } from "../../../domain/person.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import type { PolicyPreview, PreviewedChange } from "../change-policy.ts";
import { gradebookNotes, type GradebookNotes } from "../column-questions.ts";
import { exampleLearner } from "../list-grades.ts";
import { attendanceColumn } from "../rules/column.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { formOfPolicy } from "../../../settings/forms.ts";
import type { PolicyForm } from "../../../settings/policy-options.ts";
import { countByPart } from "./grades-overview.ts";
import { exampleView, policyWords } from "./grading-words.ts";

export type GradingChangePage = PageOf<typeof changeModel>;

export const changePage = {
  view: defineView<GradingChangePage>("course/grading-change"),
  model: changeModel,
};

type PolicyTyped = { form: PolicyForm; policy: GradePolicy; preview: PolicyPreview; example: string | null };

/** Previews the typed policy and saves nothing. */
async function changeModel(
  app: App,
  { visit: { course }, words: { t } }: PageContext<"grades", object>,
  { form, policy, preview, example }: PolicyTyped,
) {
  const gradebook = await gradebookUnder(app, course, policy);
  const learner = await exampleLearner(app, course, [course.policy, policy], example);
  return {
    title: t("grading.change.title", { course: courseNameOf(t, course) }),
    revision: course.policyRevision,
    /** The stored policy, as JSON. */
    seen: JSON.stringify(formOfPolicy(course.policy)),
    /** The typed policy, as JSON. */
    typed: JSON.stringify(form),
    off: policy.kind === "no-grades",
    ...changeView(t, { before: course.policy, after: policy, preview, gradebook }),
    example: { now: exampleView(t, learner, course.policy), then: exampleView(t, learner, policy) },
  };
}

async function gradebookUnder(app: App, course: Course, policy: GradePolicy): Promise<GradebookBefore> {
  const { registrationId, id: courseId } = course;
  const { gradebook, ignoresProgress } = capabilitiesOf(await app.registrations.find(registrationId));
  const column = await app.columns.find({ registrationId, courseId, key: attendanceColumn });
  return {
    ...gradebookNotes(app, gradebook, { ...course, policy }, column),
    ignoresProgress,
    columnPoints: column?.points || null,
    columnName: column?.label ?? null,
  };
}

/** How many learners are listed by name; the others are counted. */
const maxListed = 50;

export type GradebookBefore = Pick<GradebookNotes, "checked" | "endsExcused" | "otherPoints"> & {
  /** The LMS treats a grade sent as in progress like any other. */
  ignoresProgress: boolean;
  /** The attendance column's points; null when unknown. */
  columnPoints: number | null;
  /** The attendance column's name; null when unknown. */
  columnName: string | null;
};

type ChangeFrom = {
  before: GradePolicy;
  after: GradePolicy;
  preview: PolicyPreview;
  gradebook: GradebookBefore;
};

/** The rules, the biggest changes first, and what will change in the gradebook. */
export function changeView(t: Translate, from: ChangeFrom) {
  const changes = from.after.kind === "no-grades" ? [] : [...from.preview.changes].sort(biggestFirst(from));
  const listed = changes.slice(0, maxListed);
  const count = changes.length - listed.length;
  return {
    rules: ruleWords(t, from),
    facts: from.after.kind === "no-grades" ? [] : factWords(t, from, changes),
    rows: listed.map((change) => ({
      name: listedName(change),
      before: scoreText(t, from, change.before, from.before),
      after: scoreText(t, from, change.after, from.after),
      happens: t(`grading.change.happens.${happens(from, change)}`),
      lost: change.after === null,
    })),
    /** "And 12 more"; null if all are listed. */
    more: count === 0 ? null : t("grading.change.more", counted(t, count)),
    notes: noteWords(t, from, changes),
    dots: dotsView(t, from),
  };
}

/** Columns of dots in the drawing, and the most dots in one. */
const maxColumns = 40;
const maxDots = 6;

/** Everybody's grade before and after, as dots by part of the maximum; null if the two can't be compared. */
function dotsView(t: Translate, from: ChangeFrom) {
  const { before: oldPolicy, after: newPolicy, preview } = from;
  if (oldPolicy.kind !== "one-column" || newPolicy.kind !== "one-column" || preview.changes.length === 0)
    return null;
  const before = columnsOf(preview.points, "before", oldPolicy.points);
  const after = columnsOf(preview.points, "after", newPolicy.points);
  const highest = Math.max(...before, ...after);
  const perDot = Math.ceil(highest / maxDots);
  const rows = Math.ceil(highest / perDot);
  const drawn = (name: string, counts: readonly number[], points: number) => ({
    name,
    dots: counts.flatMap((count, x) =>
      Array.from({ length: Math.ceil(count / perDot) }, (_none, y) => ({ x, y: rows - 1 - y })),
    ),
    points: numberText(t, points),
  });
  return {
    rows,
    columns: maxColumns,
    sides: [
      drawn(t("grading.change.before"), before, oldPolicy.points),
      drawn(t("grading.change.after"), after, newPolicy.points),
    ],
    each: perDot === 1 ? null : t("grading.change.dots.each", { number: numberText(t, perDot) }),
  };
}

function columnsOf(points: PolicyPreview["points"], when: "before" | "after", maximum: number): number[] {
  const shares = points.flatMap(({ [when]: score }) => (score === null ? [] : [score / maximum]));
  return countByPart(shares, maxColumns);
}

/** Each policy in words. `changed`: the other policy doesn't say this. */
function ruleWords(t: Translate, { before, after }: ChangeFrom) {
  const [was, will] = [policyWords(t, before), policyWords(t, after)];
  return {
    before: was.map((text) => ({ text, changed: !will.includes(text) })),
    after: will.map((text) => ({ text, changed: !was.includes(text) })),
  };
}

/** `count` chooses the plural form; `number` is displayed. */
function counted(t: Translate, count: number) {
  return { count, number: numberText(t, count) };
}

/** How many of the learners get a different grade. */
export function headlineText(
  t: Translate,
  { changes, unchanged }: { changes: readonly unknown[]; unchanged: number },
): string {
  const total = changes.length + unchanged;
  if (total === 0) return t("grading.change.nobody");
  if (changes.length === 0) return t("grading.change.none", counted(t, total));
  return t("grading.change.headline", { ...counted(t, changes.length), total: numberText(t, total) });
}

function factWords(t: Translate, from: ChangeFrom, changes: readonly PreviewedChange[]): string[] {
  const facts = [headlineText(t, from.preview)];
  if (changes.length === 0) return facts;
  const lost = changes.filter(({ after }) => after === null).length;
  const first = changes.filter(({ before }) => before === null).length;
  const biggest = changes.find(({ before, after }) => before !== null && after !== null);
  if (biggest !== undefined && isComparable(from)) {
    const before = scoreText(t, from, biggest.before, from.before);
    const after = scoreText(t, from, biggest.after, from.after);
    facts.push(t("grading.change.biggest", { name: listedName(biggest), before, after }));
  }
  if (lost > 0) facts.push(t("grading.change.lost", counted(t, lost)));
  if (first > 0) facts.push(t("grading.change.first", counted(t, first)));
  return facts;
}

function completedWords(t: Translate, { preview: { completed }, gradebook }: ChangeFrom, after: Grading) {
  if (completed === null) return [];
  const before = numberText(t, completed.before);
  const count = t("grading.change.notes.completed", { ...counted(t, completed.after), before });
  const marks = after.completion.kind !== "score" && after.completion.before === "sent";
  return [count, ...(marks && gradebook.ignoresProgress ? [t("grading.change.notes.progressIgnored")] : [])];
}

function noteWords(t: Translate, from: ChangeFrom, changes: readonly PreviewedChange[]): string[] {
  const { before, after, gradebook } = from;
  if (after.kind === "no-grades") return [t("grading.change.notes.off")];
  const all = sendsAll(before, after);
  const notes = [
    ...completedWords(t, from, after),
    ...sentWords(t, all, from.preview, changes),
    ...columnWords(t, from, after),
    ...maximumWords(t, from, after),
  ];
  if (all || changes.length > 0 || from.preview.marked > 0) {
    notes.push(t(`grading.change.notes.${gradebook.checked === "nobody" ? "unchecked" : "held"}`));
    if (gradebook.checked === "graded-only" && (all || changes.some(({ before: score }) => score === null)))
      notes.push(t("grading.change.notes.firstUnseen"));
    if (gradebook.endsExcused) notes.push(t("grading.change.notes.excused"));
  }
  return notes;
}

/** Whether unchanged grades are sent, too, because of another maximum, or because a comment appears or disappears. */
function sendsAll(before: GradePolicy, after: Grading): boolean {
  return before.kind !== after.kind || before.points !== after.points || before.comment !== after.comment;
}

function columnWords(t: Translate, { before, gradebook }: ChangeFrom, after: Grading): string[] {
  const words: string[] = [];
  if (after.kind === "column-per-session") words.push(t("grading.change.notes.total"));
  if (before.kind === "one-column" && after.kind === "column-per-session")
    words.push(
      t("grading.change.notes.toSessions", { column: gradebook.columnName ?? t("choose.attendance") }),
    );
  if (before.kind === "column-per-session" && after.kind === "one-column")
    words.push(t("grading.change.notes.toOne"));
  return words;
}

/** Only people in the LMS can change a column's maximum. The column shows scores in proportion. */
function maximumWords(t: Translate, { before, gradebook }: ChangeFrom, { kind, points }: Grading): string[] {
  const { otherPoints, columnPoints } = gradebook;
  if (kind === "one-column" && otherPoints !== null)
    return [
      t("grading.change.notes.otherPoints", {
        points: numberText(t, points),
        other: numberText(t, otherPoints),
      }),
    ];
  const fits = kind === "one-column" && columnPoints === points;
  if (fits || before.kind === "no-grades" || before.points === points) return [];
  return [t("grading.change.notes.points", { points: numberText(t, points) })];
}

/** Cleared grades don't count here; they are listed with the learners who lose them. */
function sentWords(
  t: Translate,
  all: boolean,
  { marked }: PolicyPreview,
  changes: readonly PreviewedChange[],
): string[] {
  if (all) return [t("grading.change.notes.sentAll")];
  if (changes.length === 0 && marked === 0) return [t("grading.change.notes.nothingSent")];
  const sent = marked + changes.filter(({ after }) => after !== null).length;
  return sent === 0 ? [] : [t("grading.change.notes.sent", counted(t, sent))];
}

/** Names the maximum if it differs before and after. */
function scoreText(t: Translate, from: ChangeFrom, score: number | null, policy: GradePolicy): string {
  if (score === null || policy.kind === "no-grades") return t("grading.change.noScore");
  const maximum = policy.points;
  // A sum of single sessions' grades has no maximum.
  const sameMaximum = from.before.kind !== from.after.kind || policy.kind !== "one-column";
  return sameMaximum || pointsOf(from.before) === pointsOf(from.after)
    ? numberText(t, score)
    : t("grades.points", { score: numberText(t, score), maximum: numberText(t, maximum) });
}

/** A grade for all sessions can't be compared with a sum of single ones. */
function isComparable({ before, after }: ChangeFrom): boolean {
  return before.kind === after.kind;
}

function pointsOf(policy: GradePolicy): number | null {
  return policy.kind === "no-grades" ? null : policy.points;
}

function happens(from: ChangeFrom, change: PreviewedChange): "lost" | "first" | "up" | "down" | "scale" {
  if (change.after === null) return "lost";
  if (change.before === null) return "first";
  if (!isComparable(from)) return "scale";
  const difference = shareChange(from, change);
  // A difference that only comes from rounding to hundredths of a point isn't a change.
  const [one, other] = [pointsOf(from.before) ?? 1, pointsOf(from.after) ?? 1];
  if (one !== other && Math.abs(difference) <= 0.005 / one + 0.005 / other) return "scale";
  return difference > 0 ? "up" : "down";
}

/** Learners who lose their grade first, then by the size of the change as part of the maximum. Equal ones stay in order of names. */
function biggestFirst(from: ChangeFrom): (one: PreviewedChange, other: PreviewedChange) => number {
  const weight = (change: PreviewedChange) => {
    if (change.after === null) return Number.MAX_VALUE;
    return change.before === null ? Number.MAX_SAFE_INTEGER : Math.abs(shareChange(from, change));
  };
  return (one, other) => weight(other) - weight(one);
}

function shareChange({ before, after }: ChangeFrom, change: PreviewedChange): number {
  const share = (score: number | null, policy: GradePolicy) => (score ?? 0) / (pointsOf(policy) ?? 1);
  return share(change.after, after) - share(change.before, before);
}
