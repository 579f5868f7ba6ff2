import { type GridCell, rateOf } from "../rules/attendance-grid.ts";
import { asKnownStatus } from "../../../domain/attendance.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { type ScoreState, scoreStateOf } from "../../grading/rules/score-state.ts";
import { listedName } from "../../../domain/person-name.ts";
import type { Grid, GridRow } from "../show-grid.ts";
import { type Bar, barView } from "./grid-bar.ts";
import { barKinds, heightOf, type TrendPoint, trendOf } from "./grid-charts.ts";
import { emptySigns, markSigns } from "./grid-signs.ts";
import type { GridWords } from "./grid-words.ts";
import { sessionView } from "./session-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { scoreText } from "../../grading/pages/score-words.ts";
import { statusView } from "../../../web/status-view.ts";

/** Hundreds of cells share one. */
export type CellLook = {
  /** Class of the style sheet. */
  name: string;
  sign: string;
  /** Empty where the sign is enough. */
  letter: string;
  /** * corrected, + a note, ! the classroom disagrees. */
  extra: string;
  text: string;
};

export type LookShown = { look: CellLook };

export type GridColumn = {
  eventId: string;
  title: string;
  when: string;
  day: string;
  label: string;
  counts: boolean;
  bar: Bar;
  rate: string | null;
  /** By `barKinds`. */
  tally: string[];
};

export type GridLine = {
  personId: string;
  name: string;
  sections: string;
  left: boolean;
  /** Indices of looks. */
  cells: number[];
  rate: string | null;
  /** `state`: whether the gradebook has it. */
  score: { text: string; state: ScoreState; stateText: string } | null;
};

/** In percent, so that it fits any width and its text stays legible. */
export type TrendChart = {
  points: (TrendPoint & { text: string })[];
  segments: { from: TrendPoint; to: TrendPoint }[];
  rules: { y: number; text: string }[];
  text: string;
};

export type TrendShown = { trend: TrendChart };

/** Each is made once. */
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

/** Equal for cells that look the same; a status is never empty. */
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

export function columnsView(words: GridWords, sessions: Grid["sessions"]): GridColumn[] {
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

export function linesView(
  words: GridWords,
  rows: readonly GridRow[],
  sessions: readonly CourseSession[],
  lookOf: ReturnType<typeof createLooks>["of"],
): GridLine[] {
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
      score: scoreView(words, row, states),
    };
  });
}

function remembered<Asked extends string>(find: (asked: Asked) => string): (asked: Asked) => string {
  const known = new Map<Asked, string>();
  return (asked) => {
    const found = known.get(asked) ?? find(asked);
    known.set(asked, found);
    return found;
  };
}

function scoreView({ t }: GridWords, { delivery }: GridRow, stateText: (state: ScoreState) => string) {
  if (delivery === null) return null;
  const state = scoreStateOf(delivery);
  return { text: scoreText(t, delivery.desired), state, stateText: stateText(state) };
}

export function hasScore(policy: GradePolicy): boolean {
  return policy.kind === "one-column";
}

/** Null: no line yet. */
export function trendView({ t, format }: GridWords, sessions: Grid["sessions"]): TrendChart | null {
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
