/** How often it is looked whether this process still runs (ms). */
const every = 10;

/**
 * Says for how long this process stood still just now (ms). A limiter on a machine of its own counts a request when it
 * arrives; this stand-in may share two cores with whole test runs, and a request that came while it stood still may have come at
 * the beginning of that time as well as at its end.
 */
export function watchStalls(): { now: () => number; close: () => void } {
  let tickedAt = performance.now();
  // What came during a stall is read after the timers that are due at its end, and after what came before it.
  let before = 0;
  const since = () => Math.max(0, performance.now() - tickedAt - every);
  const timer = setInterval(() => {
    const late = since();
    before = late > every / 2 ? before + late : 0;
    tickedAt = performance.now();
  }, every);
  timer.unref();
  return {
    now: () => before + since(),
    close: () => {
      clearInterval(timer);
    },
  };
}
