import { type QueuePosition, type QueueView, secondsUntilIn } from "./rules/place.ts";
import type { ListedPosition } from "./store/place-store.ts";

/** A line as it was read at one moment, prepared for telling many people where in it they stand. */
export type LineReading = {
  /** The place as the line has it; null when it is not in it: not waiting any more, or its person not there. */
  find: (id: string) => ListedPosition | null;
  /** What somebody who waits is told; also for a place that is not in the line, by its turn. */
  viewOf: (position: Pick<QueuePosition, "id" | "turn" | "arrivedAt" | "calls">) => QueueView;
};

/** When so many at the front are in trouble, it is the classroom's, not one person's. */
const frontSize = 3;

/** Names who stands in front; while it is the same nobody gets in. */
export function frontOf(line: readonly ListedPosition[]): string {
  return line
    .slice(0, frontSize)
    .map(({ id }) => id)
    .join(" ");
}

/**
 * Prepares a line, first place first.
 * @param standsStill Nobody has got in for a while: the classroom does not answer, or has asked for a pause.
 */
export function lineReading(line: readonly ListedPosition[], standsStill: boolean): LineReading {
  const positions = new Map(line.map(({ id }, position) => [id, position]));
  const callsBefore = [0];
  for (const { calls } of line) callsBefore.push((callsBefore.at(-1) ?? 0) + calls);
  const front = line.slice(0, frontSize);
  const allInTrouble = front.length > 0 && (standsStill || front.every(({ problem }) => problem !== null));
  return {
    find: (id) => line[positions.get(id) ?? -1] ?? null,
    viewOf: (position) => {
      const ahead = positions.get(position.id) ?? firstBehind(line, position);
      const seconds = secondsUntilIn((callsBefore[ahead] ?? 0) + position.calls);
      const trouble = allInTrouble || (line[ahead]?.id === position.id && line[ahead].problem !== null);
      return { state: "waiting", ahead, seconds, trouble };
    },
  };
}

/** How many stand before a place that is not in the line. */
function firstBehind(
  line: readonly ListedPosition[],
  position: Pick<QueuePosition, "id" | "turn" | "arrivedAt">,
): number {
  let low = 0;
  let high = line.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = line[middle];
    if (other !== undefined && isBefore(other, position)) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Turn = Pick<QueuePosition, "id" | "turn" | "arrivedAt">;

/** The order in which the store lets people in. */
function isBefore(one: Turn, other: Turn): boolean {
  if (one.turn !== other.turn) return one.turn < other.turn;
  if (one.arrivedAt !== other.arrivedAt) return one.arrivedAt < other.arrivedAt;
  return one.id < other.id;
}

/**
 * What somebody is told after `told`. That a few more are before them (somebody came back; a host goes first) or that
 * it takes a moment longer is kept back until it is worth telling: numbers that jump up and down help nobody.
 */
export function steadied(told: QueueView | null, now: QueueView): QueueView {
  if (told?.state !== "waiting" || now.state !== "waiting") return now;
  const calm = { ...now };
  if (now.ahead > told.ahead && now.ahead <= told.ahead + 2 && told.ahead > 0) calm.ahead = told.ahead;
  if (now.seconds > told.seconds && now.seconds <= told.seconds * 1.1 + 3) calm.seconds = told.seconds;
  return calm;
}
