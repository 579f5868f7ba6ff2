import { type GridCell, rateOf, type Tally } from "../rules/attendance-grid.ts";
import { asKnownStatus } from "../../../domain/attendance.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { type ScoreState, scoreStateOf } from "../../grading/rules/score-state.ts";
import { listedName } from "../../../domain/person-name.ts";
import type { Grid, GridRow } from "../show-grid.ts";
import { barKinds, barParts, heightOf, trendOf } from "./grid-charts.ts";
import type { ReaderFormat } from "../../../web/reader-format.ts";
import { sessionView } from "./register-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { scoreText } from "../../grading/pages/score-words.ts";
import { statusView } from "../../../web/status-view.ts";
import type { CourseWords } from "../../../web/course-words.ts";

/** What the table is written with. */
export type GridWords = CourseWords & { format: ReaderFormat; now: number };

/** How a cell looks: hundreds of cells share one. */
export type CellLook = {
  /** Class of the style sheet. */
  name: string;
  sign: string;
  /** A letter, or nothing where the sign says it. */
  letter: string;
  /** Signs for what else there is: * corrected, + a note, ! the classroom disagrees. */
  extra: string;
  /** All of it in words. */
  text: string;
};

/** The signs of what else is to be told of a cell. */
export const markSigns = { corrected: "*", note: "+", conflict: "!" } as const;

/** The signs of cells without a status. */
export const emptySigns = { blank: "○", elsewhere: "·", away: "·" } as const;

/** Looks of cells, each made once. */
export function createLooks({ t, format }: GridWords) {
  const looks: CellLook[] = [];
  const counting = new Map<string, number>();
  const apart = new Map<string, number>();
  const make = (cell: GridCell, counts: boolean): CellLook => {
    const { name, sign, letter, text, marks } = faceOf(t, cell);
    const facts = [
      ...marks.map((mark) => t(`grid.cell.marks.${mark}`)),
      ...(counts ? [] : [t("grid.cell.notCounting")]),
    ];
    return {
      name: counts ? name : `${name} apart`,
      sign,
      letter,
      extra: marks.map((mark) => markSigns[mark]).join(""),
      text: facts.length === 0 ? text : t("grid.cell.facts", { status: text, facts: format.list(facts) }),
    };
  };
  return {
    looks,
    /** The place of a cell's look. */
    of: (cell: GridCell, counts: boolean): number => {
      const places = counts ? counting : apart;
      const key = keyOf(cell);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, looks.length);
      return looks.push(make(cell, counts)) - 1;
    },
  };
}

/** The same for cells that look the same; a status is never empty. */
function keyOf(cell: GridCell): string {
  if (cell.kind !== "status") return ` ${cell.kind}`;
  return cell.marks.length === 0 ? cell.status : `${cell.status} ${cell.marks.join(" ")}`;
}

function faceOf(t: GridWords["t"], cell: GridCell) {
  if (cell.kind !== "status") {
    return {
      name: cell.kind,
      sign: emptySigns[cell.kind],
      letter: "",
      text: t(`grid.cell.${cell.kind}`),
      marks: [],
    };
  }
  const { name, sign, text } = statusView(t, cell.status);
  const known = asKnownStatus(cell.status);
  return {
    name,
    sign,
    letter: known === null ? "" : t(`grid.cell.letters.${known}`),
    text,
    marks: cell.marks,
  };
}

/** The columns of the table: name, day, bar and numbers of each session. */
export function columnsView(words: GridWords, sessions: Grid["sessions"]) {
  const { t, format } = words;
  return sessions.map(({ session, tally }) => {
    const about = sessionView(words, session, words.now);
    const rate = rateOf(tally);
    return {
      eventId: session.eventId,
      title: about.title,
      when: about.when,
      day: session.startsAt === null ? "–" : format.day(session.startsAt),
      label: t("grid.table.openSession", { session: about.title, when: about.when }),
      counts: session.counts,
      bar: barView(words, about.title, tally),
      rate: rate === null ? null : format.percent(rate),
      tally: barKinds.map((kind) => format.number(tally[kind])),
    };
  });
}

/** A session's bar with the same in words. */
export function barView({ t, format }: Pick<GridWords, "t" | "format">, session: string, tally: Tally) {
  return {
    parts: barParts(tally),
    text: t("grid.trend.bar", { session, counts: countsText({ t, format }, tally) }),
  };
}

/** "20 present, 3 late", without what is zero. */
export function countsText({ t, format }: Pick<GridWords, "t" | "format">, tally: Tally): string {
  const parts = barKinds.flatMap((kind) =>
    tally[kind] === 0 ? [] : [t(`grid.trend.counts.${kind}`, { number: format.number(tally[kind]) })],
  );
  return parts.length === 0 ? t("grid.trend.nothing") : format.list(parts);
}

/** The lines of the table. `cells` are places of looks. */
export function linesView(
  words: GridWords,
  rows: readonly GridRow[],
  sessions: readonly CourseSession[],
  lookOf: ReturnType<typeof createLooks>["of"],
) {
  const { t, format } = words;
  const counting = sessions.map(({ counts }) => counts);
  const sections = remembered((ids: string) => sectionsText(words, ids === "" ? [] : ids.split("\n")));
  const states = remembered((state: ScoreState) => t(`grades.states.${state}`));
  return rows.map((row) => {
    const name = listedName(row);
    return {
      personId: row.personId,
      name,
      sections: sections(row.sectionIds.join("\n")),
      left: !row.active,
      cells: row.cells.map((cell, at) => lookOf(cell, counting[at] ?? true)),
      rate: row.rate === null ? null : format.percent(row.rate),
      ...scoreView(words, row, states),
    };
  });
}

/** Hundreds of lines say the same few things. */
function remembered<Asked extends string>(find: (asked: Asked) => string): (asked: Asked) => string {
  const known = new Map<Asked, string>();
  return (asked) => {
    const found = known.get(asked) ?? find(asked);
    known.set(asked, found);
    return found;
  };
}

/** The score, and whether the gradebook has it. */
function scoreView({ t }: GridWords, { delivery }: GridRow, stateText: (state: ScoreState) => string) {
  if (delivery === null) return { score: null, state: null, stateText: "" };
  const state = scoreStateOf(delivery);
  return { score: scoreText(t, delivery.desired), state, stateText: stateText(state) };
}

/** Whether there is one score of all sessions to show. */
export function hasScore(policy: GradePolicy): boolean {
  return policy.kind === "one-column";
}

/** The line of rates, with a sentence that says the same; null while there is no line. */
export function trendView({ t, format }: GridWords, sessions: Grid["sessions"]) {
  const counting = sessions.filter(({ session }) => session.counts);
  const { points, segments } = trendOf(
    counting.map(({ tally }) => tally),
    t("language.direction") === "rtl",
  );
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const rates = points.map(({ rate }) => rate);
  return {
    points: points.map((point) => ({
      ...point,
      text: t("label.value", {
        label: counting[point.at]?.session.title ?? t("review.untitled"),
        value: format.percent(point.rate),
      }),
    })),
    segments,
    rules: [1, 0.5, 0].map((rate) => ({ y: heightOf(rate), text: format.percent(rate) })),
    text: t("grid.trend.chart", {
      count: points.length,
      first: format.percent(first.rate),
      last: format.percent(last.rate),
      lowest: format.percent(Math.min(...rates)),
      highest: format.percent(Math.max(...rates)),
    }),
  };
}
