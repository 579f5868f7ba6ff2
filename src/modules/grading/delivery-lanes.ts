import type { Clock } from "../../kernel/clock.ts";

/** How many scores a process sends at the same time (`all`). Each LMS has its `own` lanes, and takes more while `spare` lanes are left for others. */
export const deliveryLanes = { all: 13, own: 3, spare: 3 };

/**
 * The most scores that all processes together send to one LMS at the same time. Canvas's default bucket drains by ten seconds of calls per
 * second (app/middleware/request_throttle.rb), and twelve calls that begin together would fill it.
 */
export const mostLanes = 10;

/** How many LMSs' pace we remember. */
const maxPaces = 1_000;
/** How many scores each lane sends before we judge the pace. */
const scoresPerLane = 10;
/** If lanes were idle for more than the rest of this share, the pace says nothing about the LMS. */
const busyShare = 0.8;

type Pace = {
  limit: number;
  inFlight: number;
  /** Scores per second with the present limit, and the step that is being tried. */
  base: number | null;
  trying: 1 | -1 | 0;
  next: 1 | -1;
  since: number;
  sent: number;
  busyMs: number;
  troubleAt: number;
};

/**
 * Decides how many scores go to an LMS at the same time: one more while that sends more per second, one fewer while that loses nothing,
 * half after trouble. So a small Moodle isn't crowded, and a Canvas is used as far as it allows.
 */
export function createDeliveryLanes({ clock, onMore }: { clock: Pick<Clock, "now">; onMore: () => void }) {
  const paces = new Map<string, Pace>();
  let inFlight = 0;

  const paceOf = (registrationId: string): Pace => {
    const known = paces.get(registrationId);
    if (known !== undefined) return known;
    for (const [id, pace] of paces) {
      if (paces.size < maxPaces) break;
      if (pace.inFlight === 0) paces.delete(id);
    }
    const window = { since: clock.now(), sent: 0, busyMs: 0 };
    const pace: Pace = {
      limit: deliveryLanes.own,
      inFlight: 0,
      base: null,
      trying: 0,
      next: 1,
      ...window,
      troubleAt: 0,
    };
    paces.set(registrationId, pace);
    return pace;
  };
  const begin = (pace: Pace, limit: number, trying: Pace["trying"]): void => {
    const isMore = limit > pace.limit;
    Object.assign(pace, { limit, trying, since: clock.now(), sent: 0, busyMs: 0 });
    if (isMore) onMore();
  };
  /** Tries another limit; at either end, in the other direction. */
  const tryNext = (pace: Pace): void => {
    const limit = pace.limit + pace.next;
    const isPossible = limit >= 1 && limit <= mostLanes;
    if (!isPossible) pace.next = pace.next === 1 ? -1 : 1;
    begin(pace, isPossible ? limit : pace.limit, isPossible ? pace.next : 0);
  };
  const judge = (pace: Pace, rate: number): void => {
    const { base, trying, limit } = pace;
    const isBetter = base === null || trying === 0 || isWorthIt(rate / base, trying, limit - trying);
    if (isBetter) {
      pace.base = rate;
      tryNext(pace);
      return;
    }
    pace.next = trying === 1 ? -1 : 1;
    begin(pace, limit - trying, 0);
  };

  return {
    isFull: (registrationId: string): boolean => {
      const { inFlight: own, limit } = paceOf(registrationId);
      return (
        own >=
        (inFlight < deliveryLanes.all - deliveryLanes.spare ? limit : Math.min(limit, deliveryLanes.own))
      );
    },
    /** Holds a lane while the work lasts. */
    use: async <T>(registrationId: string, work: () => Promise<T>): Promise<T> => {
      const pace = paceOf(registrationId);
      pace.inFlight += 1;
      inFlight += 1;
      try {
        return await work();
      } finally {
        pace.inFlight -= 1;
        inFlight -= 1;
      }
    },
    /** Call it after each score that the LMS answered. @param tookMs From the score's turn to the answer. */
    sent: (registrationId: string, tookMs: number): void => {
      const pace = paceOf(registrationId);
      pace.sent += 1;
      pace.busyMs += tookMs;
      if (pace.sent < scoresPerLane * pace.limit) return;
      const lasted = Math.max(clock.now() - pace.since, 1);
      if (pace.busyMs < busyShare * lasted * pace.limit) begin(pace, pace.limit, pace.trying);
      else judge(pace, pace.sent / lasted);
    },
    /** The LMS failed, or asked to wait. @param began When the call began (ms): calls that fail together count as one trouble. */
    trouble: (registrationId: string, began: number): void => {
      const pace = paceOf(registrationId);
      if (began < pace.troubleAt) return;
      Object.assign(pace, { base: null, next: 1, troubleAt: clock.now() });
      begin(pace, Math.max(1, Math.floor(pace.limit / 2)), 0);
    },
  };
}

/** One more lane must bring half of a lane's share; one fewer may cost a quarter of it. @param from The limit before. */
function isWorthIt(gain: number, trying: 1 | -1, from: number): boolean {
  return trying === 1 ? gain >= 1 + 0.5 / from : gain >= 1 - 0.25 / from;
}
