import type { Place, PlaceView } from "./rules/place.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { LinePlace, PlaceStore } from "./store/place-store.ts";
import { frontOf, type LineReading, lineReading, steadied } from "./line-reading.ts";

/** What this process knows of the lines, for the people whose pages it serves. */
export type Line = {
  /** Resolves when the place does not wait any more, or it is clear that it will wait longer than `ms`. */
  settled: (placeId: string, ms: number) => Promise<void>;
  /** What the person of a place is told, at most a second old; they count as there for the next `countsFor` ms. */
  look: (place: Place, countsFor: number) => Promise<PlaceView>;
  /**
   * Tells the view within a second and whenever it changes; the person counts as there meanwhile. The result ends it: after a
   * while without another watcher the place is given to those behind.
   */
  watch: (place: Place, watching: Watching) => () => void;
  /** Somebody was let in or failed: looks at once. */
  stir: () => void;
  /** Ends all watching. */
  stop: () => void;
};

/** Who wants to hear of a place. */
export type Watching = {
  told: (view: PlaceView) => void;
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
type Watcher = { place: Place; page: boolean; watching: Watching; told: PlaceView | null };
type Places = Pick<PlaceStore, "line" | "findMany" | "seen">;

/** One reading of the store serves everybody whose page this process holds, however many they are. */
export function createLine(deps: { places: Places; clock: Clock; logger: Logger }): Line {
  const { places, clock, logger } = deps;
  const watchers = new Set<Watcher>();
  const readings = new Map<EnvironmentName, { startedAt: number; reading: Promise<LineReading> }>();
  const fronts = new Map<EnvironmentName, { front: string; since: number }>();
  const stopping = new AbortController();
  let wake = new AbortController();
  let running = false;
  let failing = false;

  function read(environment: EnvironmentName): Promise<LineReading> {
    const startedAt = clock.now();
    const reading = places.line(environment, startedAt).then((line) => {
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
    for (const { place } of now) {
      if (!lines.has(place.environment)) lines.set(place.environment, await read(place.environment));
    }
    const inLine = ({ id, environment }: Place) => lines.get(environment)?.find(id) ?? null;
    const outside = new Set(now.filter(({ place }) => inLine(place) === null).map(({ place }) => place.id));
    const found = new Map((await findMany([...outside])).map((place) => [place.id, place]));
    const unseen = new Set<string>();
    for (const watcher of now) {
      const { id, environment, ticket } = watcher.place;
      const present = inLine(watcher.place) ?? found.get(id) ?? null;
      // Coming again gives the place to the new page.
      const isTheirs = present?.ticket === ticket;
      const view = isTheirs ? viewOf(present, lines.get(environment)) : gone;
      tell(watcher, view);
      if (isTheirs && watcher.page && view.state === "waiting" && fades(present)) unseen.add(id);
    }
    await seen([...unseen], watchedCountsFor);
  }

  /** Also when somebody was taken for gone: by a process whose stream of theirs broke, or in an outage. */
  const fades = ({ seenUntil }: LinePlace) => seenUntil < clock.now() + watchedCountsFor / 2;

  const findMany = async (ids: string[]) => (ids.length === 0 ? [] : places.findMany(ids));

  async function seen(ids: string[], ms: number): Promise<void> {
    if (ids.length > 0) await places.seen(ids, clock.now() + ms);
  }

  function tell(watcher: Watcher, now: PlaceView): void {
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

  function add(place: Place, page: boolean, watching: Watching): Watcher {
    const watcher: Watcher = { place, page, watching, told: null };
    watchers.add(watcher);
    start();
    return watcher;
  }

  function leave({ place, told }: Watcher): void {
    if (stopping.signal.aborted || (told !== null && told.state !== "waiting")) return;
    for (const other of watchers) if (other.page && other.place.id === place.id) return;
    seen([place.id], comesBackWithin).catch((thrown: unknown) => {
      logger.warn({ error: messageOf(thrown) }, "it could not be noted that somebody left");
    });
  }

  return {
    settled: async (placeId, ms) => {
      const isClear = (view: PlaceView) =>
        view.state !== "waiting" || view.trouble || view.seconds * 1_000 > ms;
      const [place] = await places.findMany([placeId]);
      if (place?.state !== "waiting" || stopping.signal.aborted) return;
      if (isClear((await recent(place.environment)).viewOf(place))) return;
      const settled = Promise.withResolvers<undefined>();
      const watcher = add(place, false, {
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
    look: async (place, countsFor) => {
      const settled = viewOfSettled(place);
      if (settled !== null) return settled;
      if (place.seenUntil < clock.now() + countsFor / 2) await seen([place.id], countsFor);
      return (await recent(place.environment)).viewOf(place);
    },
    watch: (place, watching) => {
      if (stopping.signal.aborted) {
        watching.stopped();
        return () => undefined;
      }
      const watcher = add(place, true, watching);
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

const gone: PlaceView = { state: "gone" };

function viewOf(place: LinePlace | Place, line: LineReading | undefined): PlaceView {
  const settled = "state" in place ? viewOfSettled(place) : null;
  return settled ?? line?.viewOf(place) ?? gone;
}

/** Null while the place waits. */
function viewOfSettled(place: Place): PlaceView | null {
  if (place.state === "waiting") return null;
  if (place.state !== "failed") return { state: place.state };
  return place.problem === null ? gone : { state: "failed", problem: place.problem };
}
