import type { Figure, FigureSeries, FigureValue, SessionFigures } from "../domain/session-figures.ts";
import { momentAt, textAt } from "./read-reply.ts";
import { cutTo, showsNothing } from "../kernel/text.ts";

/** Where entries of lists say whom or which moment they are about. */
export type FigurePlaces = { userId: readonly string[]; moment: readonly string[] };

/** What is more is left out: a service that says everything of everybody each second must not fill our store. */
export const figureLimits = {
  depth: 6,
  figures: 200,
  people: 2_000,
  figuresOfPerson: 40,
  series: 12,
  points: 300,
  characters: 200,
} as const;

type Found = {
  figures: Figure[];
  people: Map<string, Figure[]>;
  series: FigureSeries[];
  cut: boolean;
};

/**
 * Every figure in an entry of analytics, whatever its shape: of objects by the path of their names; of a list whose entries name
 * users, each person's; of a list whose entries have moments and numbers, how they went; of other lists, their length.
 * @param known Ids that say nothing here: the session's and the Space's.
 */
export function sessionFigures(
  entry: unknown,
  places: FigurePlaces,
  known: ReadonlySet<string>,
): SessionFigures {
  const found: Found = { figures: [], people: new Map(), series: [], cut: false };
  walk(entry, "", 0, { found, places, known });
  const people = [...found.people].map(([userId, figures]) => ({ userId, figures }));
  return { figures: found.figures, people, series: found.series, cut: found.cut };
}

type Walk = { found: Found; places: FigurePlaces; known: ReadonlySet<string> };

function walk(value: unknown, path: string, depth: number, context: Walk): void {
  const { found } = context;
  if (Array.isArray(value)) {
    readList(value, path, context);
    return;
  }
  if (isObject(value)) {
    if (depth >= figureLimits.depth) {
      found.cut = true;
      return;
    }
    for (const [name, inner] of Object.entries(value))
      walk(inner, path === "" ? name : `${path}.${name}`, depth + 1, context);
    return;
  }
  keepFigure(path, value, context);
}

function keepFigure(path: string, value: unknown, { found, known }: Walk): void {
  const figure = figureOf(path, value);
  if (figure === null || (typeof figure.value === "string" && known.has(figure.value))) return;
  if (found.figures.length < figureLimits.figures) found.figures.push(figure);
  else found.cut = true;
}

function readList(list: readonly unknown[], path: string, context: Walk): void {
  const { places } = context;
  const entries = list.filter(isObject);
  if (entries.length > 0 && entries.every((entry) => textAt(entry, places.userId) !== null)) {
    readPeople(entries, context);
    return;
  }
  if (entries.length > 1 && entries.every((entry) => momentAt(entry, places.moment) !== null)) {
    readSeries(entries, path, context);
    return;
  }
  const scalars = list.every((one) => typeof one === "string" || typeof one === "number");
  const value = scalars && list.length > 0 && list.length <= 10 ? list.join(", ") : list.length;
  keepFigure(path, value, context);
}

/** Several lists may speak of one person. */
function readPeople(entries: readonly Record<string, unknown>[], { found, places, known }: Walk): void {
  for (const entry of entries) {
    const userId = textAt(entry, places.userId) ?? "";
    const own: Found = { figures: [], people: new Map(), series: [], cut: false };
    walk(entry, "", 1, { found: own, places, known: new Set([...known, userId]) });
    const before = found.people.get(userId);
    if (before === undefined && found.people.size >= figureLimits.people) {
      found.cut = true;
      continue;
    }
    const all = [...(before ?? []), ...own.figures];
    found.cut ||= own.cut || all.length > figureLimits.figuresOfPerson;
    found.people.set(userId, all.slice(0, figureLimits.figuresOfPerson));
  }
}

function readSeries(
  entries: readonly Record<string, unknown>[],
  path: string,
  { found, places }: Walk,
): void {
  const timed = entries
    .map((entry) => ({ at: momentAt(entry, places.moment) ?? 0, values: Object.entries(entry) }))
    .sort((one, other) => one.at - other.at);
  const moments = new Set(places.moment);
  const names = new Set(
    timed.flatMap(({ values }) =>
      values.flatMap(([name, value]) => (isNumber(value) && !moments.has(name) ? [name] : [])),
    ),
  );
  for (const name of names) {
    const points = timed.flatMap(({ at, values }) => {
      const value = values.find(([own]) => own === name)?.[1];
      return isNumber(value) ? [{ at, value }] : [];
    });
    if (found.series.length >= figureLimits.series) found.cut = true;
    else found.series.push({ path: path === "" ? name : `${path}.${name}`, points: thinned(points) });
  }
}

/** So many points that a small drawing still shows the way. */
function thinned<Point>(points: readonly Point[]): Point[] {
  const step = Math.ceil(points.length / figureLimits.points);
  return points.filter((_point, at) => at % step === 0 || at === points.length - 1);
}

function figureOf(path: string, value: unknown): Figure | null {
  const read = valueOf(value);
  return path === "" || read === null ? null : { path, value: read };
}

function valueOf(value: unknown): FigureValue | null {
  if (typeof value === "boolean" || isNumber(value)) return value;
  if (typeof value !== "string" || showsNothing(value)) return null;
  return cutTo(value.trim(), figureLimits.characters);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
