import { z } from "zod";
import type { DayRange } from "../rules/day-range.ts";

const day = z.iso.date().nullable().catch(null);
const shape = z.object({ from: day, to: day }).catch({ from: null, to: null });

/** What is no date is left out; days the wrong way round are turned. */
export function readDays(posted: unknown): DayRange {
  const { from, to } = shape.parse(posted ?? {});
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
}
