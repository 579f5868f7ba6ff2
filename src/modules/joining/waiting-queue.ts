import { type QueuePosition, queueSummary, type QueueView } from "./rules/queue-position.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { byId } from "../../kernel/lists.ts";
import type { ListedPosition, QueuePositionStore } from "./store/queue-position-store.ts";
import type { QueueSummaryStore } from "./store/queue-order.ts";
import { frontOf, type QueueReading, readingOf, smoothed, wholeReading } from "./queue-reading.ts";
import {
  maxRestMs,
  maxSummaryAgeMs,
  minQueuePollMs,
  queuePollMs,
  reloadGraceMs,
  stalledAfterMs,
  watchedPresentMs,
} from "./rules/limits.ts";

export type WaitingQueue = ReturnType<typeof createWaitingQueue>;

type Watching = {
  onView: (view: QueueView) => void;
  /** Called when the queue stops. The last view remains true for now. */
  onStop: () => void;
};

/** `page`: a page holds the watcher, not a request. */
type Watcher = { position: QueuePosition; page: boolean; watching: Watching; lastView: QueueView | null };

/**
 * One reading a second serves all pages of this process. A single process reads the whole queue and keeps a summary for all. The others read
 * the summary, and the positions of their own pages.
 */
export function createWaitingQueue(app: {
  queuePositions: Pick<QueuePositionStore, "listWaiting" | "findMany" | "seen">;
  queueSummaries: Pick<QueueSummaryStore, "find" | "claim" | "keep">;
  clock: Clock;
  logger: Logger;
}) {
  const { queuePositions, queueSummaries, clock, logger } = app;
  const watchers = new Set<Watcher>();
  const readings = new Map<AccountId, { startedAt: number; reading: Promise<QueueReading> }>();
  const fronts = new Map<AccountId, { front: string; since: number }>();
  const stopping = new AbortController();
  const changed = new Set<string>();
  let wake = new AbortController();
  let running = false;
  let failing = false;

  function read(environment: AccountId): Promise<QueueReading> {
    const startedAt = clock.now();
    const reading = readAt(environment, startedAt);
    readings.set(environment, { startedAt, reading });
    return reading;
  }

  async function readAt(environment: AccountId, now: number): Promise<QueueReading> {
    const known = await queueSummaries.find(environment);
    const age = known === null ? Infinity : Math.abs(now - known.readAt);
    // If the store takes no writes at the moment, it can still be read.
    const isOurs =
      age >= queuePollMs &&
      (await queueSummaries.claim(environment, now, now + queuePollMs).catch(() => true));
    if (known?.summary != null && !isOurs && age < maxSummaryAgeMs)
      return readingOf(known.summary, isInTrouble(environment, known, now));
    const queue = await queuePositions.listWaiting(environment, now);
    const front = frontOf(queue);
    const summary = queueSummary(queue);
    await queueSummaries.keep(environment, { readAt: now, ...front, summary }).catch(() => undefined);
    return wholeReading(queue, isInTrouble(environment, front, now));
  }

  /** Whether all who wait are in trouble: nobody at the front can be let in, or nobody has got in for a while. */
  function isInTrouble(
    environment: AccountId,
    { front, inTrouble }: ReturnType<typeof frontOf>,
    now: number,
  ): boolean {
    const before = fronts.get(environment);
    const since = before?.front === front ? before.since : now;
    fronts.set(environment, { front, since });
    return front !== "" && (inTrouble || now - since > stalledAfterMs);
  }

  /** Reuses the latest reading while it's fresh, so a thousand polling pages cost one. */
  function recent(environment: AccountId): Promise<QueueReading> {
    const latest = readings.get(environment);
    if (latest === undefined || latest.startedAt + queuePollMs <= clock.now()) return read(environment);
    return latest.reading;
  }

  /** Shows positions that have news. People who still wait see theirs when all are next updated. */
  async function showSome(ids: readonly string[]): Promise<void> {
    const concerned = [...watchers].filter(({ position }) => ids.includes(position.id));
    const found = await findMany([...new Set(concerned.map(({ position }) => position.id))]);
    const known = byId(found);
    for (const watcher of concerned) {
      const present = known.get(watcher.position.id);
      const isOwner = present?.ticket === watcher.position.ticket;
      const view = isOwner ? viewOfSettled(present) : gone;
      if (view !== null) show(watcher, view);
    }
  }

  async function showAll(): Promise<void> {
    const now = [...watchers];
    const queues = new Map<AccountId, QueueReading>();
    for (const { position } of now) {
      if (!queues.has(position.environment))
        queues.set(position.environment, await read(position.environment));
    }
    const listedIn = ({ id, environment }: QueuePosition) => queues.get(environment)?.find(id) ?? null;
    const outside = new Set(
      now.filter(({ position }) => listedIn(position) === null).map(({ position }) => position.id),
    );
    const found = byId(await findMany([...outside]));
    const unseen = new Set<string>();
    for (const watcher of now) {
      const { id, environment, ticket } = watcher.position;
      const present = listedIn(watcher.position) ?? found.get(id) ?? null;
      // If the person entered again, the new page has the position.
      const isOwner = present?.ticket === ticket;
      const view = isOwner ? viewOf(present, queues.get(environment)) : gone;
      show(watcher, view);
      if (isOwner && watcher.page && view.state === "waiting" && fades(present)) unseen.add(id);
    }
    await seen([...unseen], watchedPresentMs);
  }

  /** Also true for people who count as absent: their stream broke elsewhere, or the store was unreachable. */
  const fades = ({ seenUntil }: ListedPosition) => seenUntil < clock.now() + watchedPresentMs / 2;

  const findMany = async (ids: string[]) => (ids.length === 0 ? [] : queuePositions.findMany(ids));

  async function seen(ids: string[], ms: number): Promise<void> {
    if (ids.length > 0) await queuePositions.seen(ids, clock.now() + ms);
  }

  function show(watcher: Watcher, now: QueueView): void {
    if (!watchers.has(watcher)) return;
    const view = smoothed(watcher.lastView, now);
    if (JSON.stringify(view) === JSON.stringify(watcher.lastView)) return;
    watcher.lastView = view;
    try {
      watcher.watching.onView(view);
    } catch (thrown) {
      logger.error({ error: messageOf(thrown) }, "a waiting page could not be updated");
    }
  }

  async function run(): Promise<void> {
    running = true;
    let lookedAt = -Infinity;
    while (watchers.size > 0 && !stopping.signal.aborted) {
      // Replaced before reading, so any news meanwhile causes another reading.
      wake = new AbortController();
      const ids = [...changed];
      changed.clear();
      const began = clock.now();
      try {
        if (began - lookedAt < queuePollMs && began >= lookedAt) await showSome(ids);
        else {
          await showAll();
          lookedAt = began;
        }
        failing = false;
      } catch (thrown) {
        if (!failing) logger.warn({ error: messageOf(thrown) }, "the queue cannot be read; retrying");
        failing = true;
      }
      // Reading and showing a long queue takes longer, so most of the time is left for other work.
      const share = Math.min(4 * (clock.now() - began), maxRestMs);
      await rest(Math.max(minQueuePollMs, share));
      const untilAll = lookedAt + queuePollMs - clock.now();
      if (failing) await rest(queuePollMs);
      else if (untilAll > 0) await rest(untilAll, wake.signal);
    }
    running = false;
  }

  async function rest(ms: number, woken?: AbortSignal): Promise<void> {
    const signals = woken === undefined ? [stopping.signal] : [stopping.signal, woken];
    await clock.sleep(ms, AbortSignal.any(signals)).catch(() => undefined);
  }

  function start(): void {
    if (!running && watchers.size > 0 && !stopping.signal.aborted) void run();
  }

  function add(position: QueuePosition, page: boolean, watching: Watching): Watcher {
    const watcher: Watcher = { position, page, watching, lastView: null };
    watchers.add(watcher);
    start();
    return watcher;
  }

  function leave({ position, lastView }: Watcher): void {
    if (stopping.signal.aborted || (lastView !== null && lastView.state !== "waiting")) return;
    for (const other of watchers) if (other.page && other.position.id === position.id) return;
    seen([position.id], reloadGraceMs).catch((thrown: unknown) => {
      logger.warn({ error: messageOf(thrown) }, "could not note that a person left the queue");
    });
  }

  return {
    /** Resolves when the position no longer waits, or will clearly wait longer than `ms`. */
    settled: async (positionId: string, ms: number): Promise<void> => {
      const isClear = (view: QueueView) =>
        view.state !== "waiting" || view.trouble || view.seconds * 1_000 > ms;
      const [position] = await queuePositions.findMany([positionId]);
      if (position === undefined || viewOfSettled(position) !== null || stopping.signal.aborted) return;
      if (isClear((await recent(position.environment)).viewOf(position))) return;
      const settled = Promise.withResolvers<undefined>();
      const watcher = add(position, false, {
        onView: (view) => {
          if (isClear(view)) settled.resolve(undefined);
        },
        onStop: () => {
          settled.resolve(undefined);
        },
      });
      const timer = new AbortController();
      const over = clock.sleep(ms, timer.signal).catch(() => undefined);
      await Promise.race([settled.promise, over]);
      timer.abort();
      watchers.delete(watcher);
    },
    /** Returns a view at most a second old. The person counts as present for `countsFor` ms. */
    currentView: async (position: QueuePosition, countsFor: number): Promise<QueueView> => {
      const settled = viewOfSettled(position);
      if (settled !== null) return settled;
      if (position.seenUntil < clock.now() + countsFor / 2) await seen([position.id], countsFor);
      return (await recent(position.environment)).viewOf(position);
    },
    /**
     * Calls back within a second and at every change. The person counts as present until the watching ends.
     * @returns a function that ends it. Without another watcher, the position is soon given up.
     */
    watch: (position: QueuePosition, watching: Watching): (() => void) => {
      if (stopping.signal.aborted) {
        watching.onStop();
        return () => undefined;
      }
      const watcher = add(position, true, watching);
      return () => {
        if (watchers.delete(watcher)) leave(watcher);
      };
    },
    /** Tells that a person was let in or failed: their own page hears it immediately, the others within a second. */
    notify: (positionId: string): void => {
      for (const { position } of watchers) {
        if (position.id !== positionId) continue;
        changed.add(positionId);
        wake.abort();
        start();
        return;
      }
    },
    stop: (): void => {
      stopping.abort();
      const all = [...watchers];
      watchers.clear();
      for (const { watching } of all) watching.onStop();
    },
  };
}

const gone: QueueView = { state: "gone" };

function viewOf(position: ListedPosition | QueuePosition, queue: QueueReading | undefined): QueueView {
  const settled = "state" in position ? viewOfSettled(position) : null;
  return settled ?? queue?.viewOf(position) ?? gone;
}

/** Returns null while the position waits. */
function viewOfSettled(position: QueuePosition): QueueView | null {
  if (position.state === "waiting" || position.state === "left") return null;
  if (position.state !== "failed") return { state: position.state };
  return position.problem === null ? gone : { state: "failed", problem: position.problem };
}
