import { type QueuePosition, type QueueView, secondsUntilIn } from "./rules/queue-position.ts";
import type { ListedPosition } from "./store/queue-position-store.ts";

export type QueueReading = {
  /** Null: not waiting any more, or not present. */
  find: (id: string) => ListedPosition | null;
  /** By its turn for a position outside the queue. */
  viewOf: (position: Pick<QueuePosition, "id" | "turn" | "arrivedAt" | "calls">) => QueueView;
};

/** When this many at the front are in trouble, it is the classroom's, not one person's. */
const frontSize = 3;

/** Names the front; while it stays the same nobody gets in. */
export function frontOf(queue: readonly ListedPosition[]): string {
  return queue
    .slice(0, frontSize)
    .map(({ id }) => id)
    .join(" ");
}

/** @param queue First position first. @param isStalled The classroom does not answer or asked for a pause. */
export function queueReading(queue: readonly ListedPosition[], isStalled: boolean): QueueReading {
  const positions = new Map(queue.map(({ id }, position) => [id, position]));
  const callsBefore = [0];
  for (const { calls } of queue) callsBefore.push((callsBefore.at(-1) ?? 0) + calls);
  const front = queue.slice(0, frontSize);
  const allInTrouble = front.length > 0 && (isStalled || front.every(({ problem }) => problem !== null));
  return {
    find: (id) => queue[positions.get(id) ?? -1] ?? null,
    viewOf: (position) => {
      const peopleBefore = positions.get(position.id) ?? firstBehind(queue, position);
      const seconds = secondsUntilIn((callsBefore[peopleBefore] ?? 0) + position.calls);
      const trouble =
        allInTrouble || (queue[peopleBefore]?.id === position.id && queue[peopleBefore].problem !== null);
      return { state: "waiting", peopleBefore, seconds, trouble };
    },
  };
}

/** For a position that is not in the queue. */
function firstBehind(
  queue: readonly ListedPosition[],
  position: Pick<QueuePosition, "id" | "turn" | "arrivedAt">,
): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = queue[middle];
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

/** Small steps back after `shown` (a person came back, a host goes first) are hidden, so that numbers do not jump. */
export function smoothed(shown: QueueView | null, now: QueueView): QueueView {
  if (shown?.state !== "waiting" || now.state !== "waiting") return now;
  const calm = { ...now };
  if (
    now.peopleBefore > shown.peopleBefore &&
    now.peopleBefore <= shown.peopleBefore + 2 &&
    shown.peopleBefore > 0
  )
    calm.peopleBefore = shown.peopleBefore;
  if (now.seconds > shown.seconds && now.seconds <= shown.seconds * 1.1 + 3) calm.seconds = shown.seconds;
  return calm;
}
