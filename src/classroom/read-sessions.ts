import type {
  Figure,
  FigureSeries,
  FigureValue,
  SessionFigures,
} from "../modules/analytics/rules/session-figures.ts";
import { cutTo, showsNothing } from "../kernel/text.ts";
import type { createReader, ListOptions } from "./create-reader.ts";
import { momentAt, textAt, valueAt } from "./read-reply.ts";

/** A session as analytics reports it. Times in ms. */
export type SessionReply = {
  sessionId: string;
  spaceId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  figures: SessionFigures;
};

export function sessionsReader(readList: ReturnType<typeof createReader>["readList"]) {
  return {
    /** Sessions with their metrics. Uses the analytics budget. */
    readSessions: (which: { spaceId?: string; sessionId?: string }, options: ListOptions) => {
      const entry = (item: unknown, places: (field: string) => string[]): SessionReply | null => {
        const sessionId = textAt(item, places("sessionId"));
        if (sessionId === null) return null;
        const spaceId = textAt(item, places("spaceId"));
        const known = new Set([sessionId, ...(spaceId === null ? [] : [spaceId])]);
        return {
          sessionId,
          spaceId,
          startedAt: momentAt(item, places("startedAt")),
          endedAt: momentAt(item, places("endedAt")),
          figures: sessionFigures(item, places("moment"), known),
        };
      };
      return readList("readSessions", "reading analytics", which, options, entry, "sessionId");
    },
  };
}

/** Anything above is left out, so a service that reports every second doesn't fill our store. */
export const figureLimits = { depth: 6, figures: 200, series: 12, points: 300, characters: 200 } as const;

/**
 * What an entry of analytics says about its session: values by the path of their names. A list whose entries have times and numbers is a
 * course over time. Of any other list only the length counts, because it may list people.
 * @param moments Where an entry of a list has its time. @param known Ids that say nothing here: those of the session and the Space.
 */
export function sessionFigures(entry: unknown, moments: readonly string[], known: ReadonlySet<string>) {
  const found = { figures: new Array<Figure>(), series: new Array<FigureSeries>(), cut: false };

  function add<One>(list: One[], max: number, one: One): void {
    if (list.length < max) list.push(one);
    else found.cut = true;
  }
  function walk(value: unknown, path: string, depth: number): void {
    if (Array.isArray(value)) {
      readList(value, path);
    } else if (isObject(value)) {
      if (depth >= figureLimits.depth) found.cut = true;
      else
        for (const [name, inner] of Object.entries(value))
          walk(inner, path === "" ? name : `${path}.${name}`, depth + 1);
    } else {
      const read = path === "" ? null : valueOf(value);
      if (read !== null && !(typeof read === "string" && known.has(read)))
        add(found.figures, figureLimits.figures, { path, value: read });
    }
  }
  function readList(list: readonly unknown[], path: string): void {
    const entries = list.filter(isObject);
    const series = entries.length > 1 ? seriesIn(entries, moments) : [];
    for (const { name, points } of series)
      add(found.series, figureLimits.series, { path: path === "" ? name : `${path}.${name}`, points });
    if (series.length === 0) walk(list.length, path, 0);
  }

  walk(entry, "", 0);
  return found;
}

function seriesIn(entries: readonly Record<string, unknown>[], moments: readonly string[]) {
  const timed = entries
    .flatMap((entry) => {
      // Times may count from the beginning of the session.
      const at = valueAt(entry, moments) === 0 ? 0 : momentAt(entry, moments);
      return at === null ? [] : [{ at, entry }];
    })
    .sort((one, other) => one.at - other.at);
  if (timed.length < entries.length) return [];
  const names = new Set(
    timed.flatMap(({ entry }) => Object.keys(entry).filter((name) => isNumber(entry[name]))),
  );
  for (const name of moments) names.delete(name);
  // Takes one more than we keep, to notice that there are more.
  return [...names].slice(0, figureLimits.series + 1).map((name) => {
    const points = timed.flatMap(({ at, entry }) => {
      const value = entry[name];
      return isNumber(value) ? [{ at, value }] : [];
    });
    return { name, points: thinned(points) };
  });
}

/** Enough points for a small chart. */
function thinned<Point>(points: readonly Point[]): Point[] {
  const step = Math.ceil(points.length / figureLimits.points);
  return points.filter((_point, at) => at % step === 0 || at === points.length - 1);
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
