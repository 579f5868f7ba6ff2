import { countFirst } from "../../kernel/lists.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import {
  beforeIn,
  type QueuePosition,
  type QueueSummary,
  type QueueView,
  secondsUntilIn,
} from "./rules/queue-position.ts";
import type { LoginStore } from "./store/prepared-store.ts";
import type { ListedPosition, QueuePositionStore } from "./store/queue-position-store.ts";

export type QueueReading = {
  /** Null if the position doesn't wait, its person is absent, or another process read the queue. */
  find: (id: string) => ListedPosition | null;
  /** For a position outside the queue, its turn decides the view. */
  viewOf: (position: Viewed) => QueueView;
};
type Viewed = Pick<QueuePosition, "id" | "turn" | "arrivedAt" | "calls" | "problem">;

/** If this many people at the front are in trouble, the cause is the classroom, not one person. */
const frontSize = 3;

/** `front` names the positions at the front of a queue. While it stays the same, nobody gets in. */
export function frontOf(queue: readonly ListedPosition[]): { front: string; inTrouble: boolean } {
  const first = queue.slice(0, frontSize);
  return {
    front: first.map(({ id }) => id).join(" "),
    inTrouble: first.length > 0 && first.every(({ problem }) => problem !== null),
  };
}

/** Makes a reading from a queue that this process read. @param allInTrouble The classroom doesn't answer or asked for a pause. */
export function wholeReading(queue: readonly ListedPosition[], allInTrouble: boolean): QueueReading {
  const positions = new Map(queue.map(({ id }, position) => [id, position]));
  const callsBefore = [0];
  for (const { calls } of queue) callsBefore.push((callsBefore.at(-1) ?? 0) + calls);
  return {
    find: (id) => queue[positions.get(id) ?? -1] ?? null,
    viewOf: (position) => {
      const people = positions.get(position.id) ?? countFirst(queue, (other) => isBefore(other, position));
      return viewOf(position, { people, calls: callsBefore[people] ?? 0 }, allInTrouble);
    },
  };
}

/** Makes a reading from the summary of a queue that another process read. */
export function readingOf(summary: QueueSummary, allInTrouble: boolean): QueueReading {
  return {
    find: () => null,
    viewOf: (position) => viewOf(position, beforeIn(summary, position), allInTrouble),
  };
}

function viewOf(
  { calls, problem }: Viewed,
  before: { people: number; calls: number },
  allInTrouble: boolean,
): QueueView {
  return {
    state: "waiting",
    peopleBefore: before.people,
    seconds: secondsUntilIn(before.calls + calls),
    trouble: allInTrouble || problem !== null,
  };
}

type Turn = Pick<QueuePosition, "id" | "turn" | "arrivedAt">;

/** Compares by the order in which the store lets people in. */
function isBefore(one: Turn, other: Turn): boolean {
  if (one.turn !== other.turn) return one.turn < other.turn;
  if (one.arrivedAt !== other.arrivedAt) return one.arrivedAt < other.arrivedAt;
  return one.id < other.id;
}

/** Hides small steps back after `previous` (a person came back, a host goes first), so numbers don't jump. */
export function smoothed(previous: QueueView | null, now: QueueView): QueueView {
  if (previous?.state !== "waiting" || now.state !== "waiting") return now;
  const calm = { ...now };
  if (
    now.peopleBefore > previous.peopleBefore &&
    now.peopleBefore <= previous.peopleBefore + 2 &&
    previous.peopleBefore > 0
  )
    calm.peopleBefore = previous.peopleBefore;
  if (now.seconds > previous.seconds && now.seconds <= previous.seconds * 1.1 + 3)
    calm.seconds = previous.seconds;
  return calm;
}

/** Wraps the stores so they count entries by how the person got in. */
export function countEntries(
  { logins, queuePositions }: { logins: LoginStore; queuePositions: QueuePositionStore },
  metrics: Metrics,
): { logins: LoginStore; queuePositions: QueuePositionStore } {
  const entries = metrics.counter(
    "entries_total",
    "People let in, with a login authorized ahead or through the line",
    ["way"],
  );
  return {
    logins: { ...logins, take: counted(logins.take, () => entries.inc({ way: "ahead" })) },
    queuePositions: {
      ...queuePositions,
      take: counted(queuePositions.take, () => entries.inc({ way: "line" })),
    },
  };
}

function counted<Given extends unknown[], Taken>(
  take: (...given: Given) => Promise<Taken | null>,
  onTaken: () => void,
): (...given: Given) => Promise<Taken | null> {
  return async (...given) => {
    const taken = await take(...given);
    if (taken !== null) onTaken();
    return taken;
  };
}
