/** How often it is looked whether this process still runs (ms). */
const every = 10;
/** Timers fire late by up to this (ms) in a process that runs. */
const usualLateness = 5;

/**
 * Says for how long this process stood still just now (ms). A limiter on a machine of its own counts a request when it
 * arrives; this stand-in may share two cores with whole test runs, and a request that came while it stood still may have come at
 * the beginning of that time as well as at its end.
 *
 * Sockets are read once in a turn of the event loop, and a tick belongs to one turn. So what is read now came after the tick before
 * the last one; on a new connection, which is accepted a turn before it is read, after the tick before that.
 */
export function watchStalls(): { now: () => number; close: () => void } {
  const start = performance.now();
  /** The last three ticks, earliest first. */
  let ticks: readonly [number, number, number] = [start, start, start];
  const timer = setInterval(() => {
    ticks = [ticks[1], ticks[2], performance.now()];
  }, every);
  timer.unref();
  return {
    now: () => {
      const now = performance.now();
      const [first, second, third] = ticks;
      const longest = Math.max(second - first, third - second, now - third);
      return longest > every + usualLateness ? now - first : 0;
    },
    close: () => {
      clearInterval(timer);
    },
  };
}
