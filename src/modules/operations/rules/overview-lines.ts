import { searchKey } from "../../members/rules/names.ts";
import { type Light, lights } from "./light.ts";

/** Which lines of the overview are asked for. `light`: null for all. `page`: from 1. */
export type LinesWanted = { typed: string; light: Light | null; page: number; pageSize: number };

/** A page of lines. `counts`: by light, of those that the typed text leaves. `found`: on all pages. */
export type LinesPage<L> = {
  rows: readonly L[];
  counts: Readonly<Record<Light, number>>;
  found: number;
  page: number;
  pages: number;
  /** The first and last line of the page, counted from 1. */
  first: number;
  last: number;
};

/** @param nameOf What the typed text is looked for in, wherever it stands there. */
export function linesPage<L extends { light: Light }>(
  lines: readonly L[],
  nameOf: (line: L) => string,
  { typed, light, page: wanted, pageSize }: LinesWanted,
): LinesPage<L> {
  const key = searchKey(typed);
  const named = key === "" ? lines : lines.filter((line) => searchKey(nameOf(line)).includes(key));
  const fitting = light === null ? named : named.filter((line) => line.light === light);
  const pages = Math.max(1, Math.ceil(fitting.length / pageSize));
  const page = Math.min(Math.max(1, wanted), pages);
  const from = (page - 1) * pageSize;
  const rows = fitting.slice(from, from + pageSize);
  const count = (one: Light) => named.filter((line) => line.light === one).length;
  return {
    rows,
    counts: {
      down: count("down"),
      check: count("check"),
      quiet: count("quiet"),
      good: count("good"),
      off: count("off"),
    },
    found: fitting.length,
    page,
    pages,
    first: rows.length === 0 ? 0 : from + 1,
    last: from + rows.length,
  };
}

/** Null for what is no light. */
export function asLight(text: unknown): Light | null {
  return lights.find((one) => one === text) ?? null;
}
