import type { QueuePosition } from "./queue-position.ts";

/** What the order of the queue and its waiting times are made of. */
export type InOrder = Pick<QueuePosition, "turn" | "arrivedAt" | "calls">;

/** One of those who wait, and what is before them. */
export type QueueStep = { turn: number; arrivedAt: number; people: number; calls: number };

/**
 * A whole queue in some hundred numbers, so that the one process that read it tells all others. It names everybody near
 * the front and the last; further behind it leaves out two of a hundred, whose numbers lie between those of their neighbours.
 */
export type QueueSummary = {
  steps: readonly QueueStep[];
  /** All who wait, and their calls. */
  people: number;
  calls: number;
};

/** How many at the front are all named: these are let in within half a minute. */
const maxNamedRows = 100;

/** Further behind, one in so many of those before it may be left out. */
const maxShare = 50;

/** @param queue First position first. */
export function queueSummary(queue: readonly InOrder[]): QueueSummary {
  const steps: QueueStep[] = [];
  let calls = 0;
  let next = 0;
  queue.forEach((position, people) => {
    if (people === next || people === queue.length - 1) {
      const { turn, arrivedAt } = position;
      steps.push({ turn, arrivedAt, people, calls });
      next += people < maxNamedRows ? 1 : Math.ceil(people / maxShare);
    }
    calls += position.calls;
  });
  return { steps, people: queue.length, calls };
}

/** What is before a position, of the queue or not. Whoever stands further behind never has less before them. */
export function beforeIn(
  { steps, people, calls }: QueueSummary,
  position: Pick<InOrder, "turn" | "arrivedAt">,
): { people: number; calls: number } {
  const index = firstAfter(steps, position) - 1;
  const step = steps[index];
  if (step === undefined) return { people: 0, calls: 0 };
  if (step.turn === position.turn && step.arrivedAt === position.arrivedAt)
    return { people: step.people, calls: step.calls };
  const end = steps[index + 1] ?? { turn: step.turn, people, calls };
  const between = end.turn === step.turn ? 1 : (position.turn - step.turn) / (end.turn - step.turn);
  // The one of the step is before it, and the next step's is not.
  const share = (from: number, to: number) =>
    Math.min(to, Math.max(from + 1, from + Math.floor((to - from) * between)));
  return { people: share(step.people, end.people), calls: share(step.calls, end.calls) };
}

function firstAfter(
  steps: readonly QueueStep[],
  { turn, arrivedAt }: Pick<InOrder, "turn" | "arrivedAt">,
): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const step = steps[middle];
    const isAfter =
      step === undefined || step.turn > turn || (step.turn === turn && step.arrivedAt > arrivedAt);
    if (isAfter) high = middle;
    else low = middle + 1;
  }
  return low;
}
