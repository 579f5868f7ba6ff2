/** (ms) between ticks. */
const tickMs = 10;
/** Usual lateness of timers (ms). */
const usualLatenessMs = 5;

/** For a clock that stands still with the process. */
export const noStalls = { now: () => 0, close: () => undefined };

/**
 * How long this process stood still just now (ms). A limiter on its own machine counts a request at arrival; this one may share two cores
 * with test runs, and a request during a stall may have come at its beginning or its end. Sockets are read once a turn of the event loop,
 * and a tick belongs to one turn: what is read now came after the tick before last, on a new connection after the one before that.
 */
export function watchStalls(): { now: () => number; close: () => void } {
  const start = performance.now();
  /** Earliest first. */
  let ticks: readonly [number, number, number] = [start, start, start];
  const timer = setInterval(() => {
    ticks = [ticks[1], ticks[2], performance.now()];
  }, tickMs);
  timer.unref();
  return {
    now: () => {
      const now = performance.now();
      const [first, second, third] = ticks;
      const longest = Math.max(second - first, third - second, now - third);
      return longest > tickMs + usualLatenessMs ? now - first : 0;
    },
    close: () => {
      clearInterval(timer);
    },
  };
}
