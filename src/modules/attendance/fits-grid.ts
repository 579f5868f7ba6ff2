import type { GridCell } from "./rules/attendance-grid.ts";
import { asKnownStatus, type KnownStatus } from "../../domain/attendance.ts";
import type { GridFilter } from "./grid-filter.ts";
import type { GridLine } from "./grid-lines.ts";

export function fitsGrid(
  { member, cells, tally, rate, seen }: GridLine,
  { only, percent, times }: GridFilter,
): boolean {
  if (!member.active && !seen.facts) return false;
  switch (only) {
    case null:
      return true;
    case "low":
      return isLow(rate, percent);
    case "present":
      return isSomewhere(cells, "PRESENT");
    case "late":
      return isSomewhere(cells, "LATE");
    case "absent":
      return tally.ABSENT >= times;
    case "excused":
      return isSomewhere(cells, "EXCUSED");
    case "blank":
      return seen.blank;
    case "unknown":
      return seen.unknown;
    case "conflict":
      return seen.conflict;
  }
}

function isSomewhere(cells: readonly GridCell[], status: KnownStatus): boolean {
  return cells.some((cell) => cell.kind === "status" && asKnownStatus(cell.status) === status);
}

/** Compares as shown: 79.6 % is 80 % and not below 80 %. */
export function isLow(rate: number | null, percent: number): boolean {
  return rate !== null && Math.round(rate * 100) < percent;
}

/** The lowest rate first, ties in list order; without a rate last. */
export function inGridOrder(one: GridLine, other: GridLine): number {
  return (one.rate ?? 2) - (other.rate ?? 2);
}
