import type { QueuePosition, QueueView } from "./rules/place.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ListedPosition, QueuePositionStore } from "./store/place-store.ts";
import { frontOf, type LineReading, lineReading, steadied } from "./line-reading.ts";

/** What this process knows of the lines, for the people whose pages it serves. */
export type Line = {
  /** Resolves when the place does not wait any more, or it is clear that it will wait longer than `ms`. */
  settled: (positionId: string, ms: number) => Promise<void>;
  /** What the person of a place is told, at most a second old; they count as there for the next `countsFor` ms. */
  look: (position: QueuePosition, countsFor: number) => Promise<QueueView>;
  /**
   * Tells the view within a second and whenever it changes; the person counts as there meanwhile. The result ends it: after a
   * while without another watcher the place is given to those behind.
   */
  watch: (position: QueuePosition, watching: Watching) => () => void;
  /** Somebody was let in or failed: looks at once. */
  stir: () => void;
  /** Ends all watching. */
  stop: () => void;
};

/** Who wants to hear of a place. */
export type Watching = {
  told: (view: QueueView) => void;
  /** The tool stops, so nothing more is told; what was told last stays true for now. */
  stopped: () => void;
};

const looksEvery = 1_000;
/** After a change here the line is read at once, but not more often than this. */
const looksAtMostEvery = 100;
/** When nobody has got in for so long (ms) the classroom does not answer, or has asked for a pause. */
const standsStillAfter = 6_000;
/** One slow look, or a clock that jumped, must not make pages stand still. */
const restsAtMost = 2_000;
/** A watched place counts as occupied for so long (ms) should this process die; then its page comes back or not. */
const watchedCountsFor = 90_000;
/** Somebody whose page has gone may come back within this (ms): a reload, a tunnel. */
const comesBackWithin = 15_000;

/** `page`: held by a page that somebody looks at. */
type Watcher = { position: QueuePosition; page: boolean; watching: Watching; told: QueueView | null };
type Positions = Pick<QueuePositionStore, "line" | "findMany" | "seen">;

/** One reading of the store serves everybody whose page this process holds, however many they are. */
export function createLine(deps: { queuePositions: Positions; clock: Clock; logger: Logger }): Line {
  const { queuePositions, clock, logger } = deps;
  const watchers = new Set<Watcher>();
  const readings = new Map<EnvironmentName, { startedAt: number; reading: Promise<LineReading> }>();
  const fronts = new Map<EnvironmentName, { front: string; since: number }>();
  const stopping = new AbortController();
  let wake = new AbortController();
  let running = false;
  let failing = false;

  function read(environment: EnvironmentName): Promise<LineReading> {
    const startedAt = clock.now();
    const reading = queuePositions.line(environment, startedAt).then((line) => {
      const front = frontOf(line);
      const before = fronts.get(environment);
      const since = before?.front === front ? before.since : startedAt;
      fronts.set(environment, { front, since });
      return lineReading(line, startedAt - since > standsStillAfter);
    });
    readings.set(environment, { startedAt, reading });
    return reading;
  }

  /** The latest reading if it is young, so that a thousand pages that ask by themselves cost one. */
  function recent(environment: EnvironmentName): Promise<LineReading> {
    const latest = readings.get(environment);
    if (latest === undefined || latest.startedAt + looksEvery <= clock.now()) return read(environment);
    return latest.reading;
  }

  async function tellAll(): Promise<void> {
    const now = [...watchers];
    const lines = new Map<EnvironmentName, LineReading>();
    for (const { position } of now) {
      if (!lines.has(position.environment)) lines.set(position.environment, await read(position.environment));
    }
    const inLine = ({ id, environment }: QueuePosition) => lines.get(environment)?.find(id) ?? null;
    const outside = new Set(
      now.filter(({ position }) => inLine(position) === null).map(({ position }) => position.id),
    );
    const found = new Map((await findMany([...outside])).map((position) => [position.id, position]));
    const unseen = new Set<string>();
    for (const watcher of now) {
      const { id, environment, ticket } = watcher.position;
      const present = inLine(watcher.position) ?? found.get(id) ?? null;
      // Coming again gives the place to the new page.
      const isTheirs = present?.ticket === ticket;
      const view = isTheirs ? viewOf(present, lines.get(environment)) : gone;
      tell(watcher, view);
      if (isTheirs && watcher.page && view.state === "waiting" && fades(present)) unseen.add(id);
    }
    await seen([...unseen], watchedCountsFor);
  }

  /** Also when somebody was taken for gone: by a process whose stream of theirs broke, or in an outage. */
  const fades = ({ seenUntil }: ListedPosition) => seenUntil < clock.now() + watchedCountsFor / 2;

  const findMany = async (ids: string[]) => (ids.length === 0 ? [] : queuePositions.findMany(ids));

  async function seen(ids: string[], ms: number): Promise<void> {
    if (ids.length > 0) await queuePositions.seen(ids, clock.now() + ms);
  }

  function tell(watcher: Watcher, now: QueueView): void {
    if (!watchers.has(watcher)) return;
    const view = steadied(watcher.told, now);
    if (JSON.stringify(view) === JSON.stringify(watcher.told)) return;
    watcher.told = view;
    try {
      watcher.watching.told(view);
    } catch (thrown) {
      logger.error({ error: messageOf(thrown) }, "a waiting person could not be told");
    }
  }

  async function run(): Promise<void> {
    running = true;
    while (watchers.size > 0 && !stopping.signal.aborted) {
      // Before the look, so that what somebody stirs for meanwhile is looked at next.
      wake = new AbortController();
      const began = clock.now();
      try {
        await tellAll();
        failing = false;
      } catch (thrown) {
        if (!failing) logger.warn({ error: messageOf(thrown) }, "the line cannot be read; it is tried again");
        failing = true;
      }
      // A long line takes longer to read and to tell; most of the time is for other work all the same.
      const share = Math.min(4 * (clock.now() - began), restsAtMost);
      await rest(Math.max(looksAtMostEvery, share));
      await rest(looksEvery, failing ? undefined : wake.signal);
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
    const watcher: Watcher = { position, page, watching, told: null };
    watchers.add(watcher);
    start();
    return watcher;
  }

  function leave({ position, told }: Watcher): void {
    if (stopping.signal.aborted || (told !== null && told.state !== "waiting")) return;
    for (const other of watchers) if (other.page && other.position.id === position.id) return;
    seen([position.id], comesBackWithin).catch((thrown: unknown) => {
      logger.warn({ error: messageOf(thrown) }, "it could not be noted that somebody left");
    });
  }

  return {
    settled: async (positionId, ms) => {
      const isClear = (view: QueueView) =>
        view.state !== "waiting" || view.trouble || view.seconds * 1_000 > ms;
      const [position] = await queuePositions.findMany([positionId]);
      if (position?.state !== "waiting" || stopping.signal.aborted) return;
      if (isClear((await recent(position.environment)).viewOf(position))) return;
      const settled = Promise.withResolvers<undefined>();
      const watcher = add(position, false, {
        told: (view) => {
          if (isClear(view)) settled.resolve(undefined);
        },
        stopped: () => {
          settled.resolve(undefined);
        },
      });
      const patience = new AbortController();
      const over = clock.sleep(ms, patience.signal).catch(() => undefined);
      await Promise.race([settled.promise, over]);
      patience.abort();
      watchers.delete(watcher);
    },
    look: async (position, countsFor) => {
      const settled = viewOfSettled(position);
      if (settled !== null) return settled;
      if (position.seenUntil < clock.now() + countsFor / 2) await seen([position.id], countsFor);
      return (await recent(position.environment)).viewOf(position);
    },
    watch: (position, watching) => {
      if (stopping.signal.aborted) {
        watching.stopped();
        return () => undefined;
      }
      const watcher = add(position, true, watching);
      return () => {
        if (watchers.delete(watcher)) leave(watcher);
      };
    },
    stir: () => {
      wake.abort();
      start();
    },
    stop: () => {
      stopping.abort();
      const all = [...watchers];
      watchers.clear();
      for (const { watching } of all) watching.stopped();
    },
  };
}

const gone: QueueView = { state: "gone" };

function viewOf(position: ListedPosition | QueuePosition, line: LineReading | undefined): QueueView {
  const settled = "state" in position ? viewOfSettled(position) : null;
  return settled ?? line?.viewOf(position) ?? gone;
}

/** Null while the place waits. */
function viewOfSettled(position: QueuePosition): QueueView | null {
  if (position.state === "waiting") return null;
  if (position.state !== "failed") return { state: position.state };
  return position.problem === null ? gone : { state: "failed", problem: position.problem };
}
