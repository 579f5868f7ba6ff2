import { existsSync, readFileSync } from "node:fs";

/** CPU seconds of this process and its children that have ended; 0 if it isn't Linux (clock ticks of 10 ms: proc_pid_stat(5)). */
export function cpuSeconds(): number {
  if (!existsSync("/proc/self/stat")) return 0;
  const times = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/**
 * How long this machine's processors have been busy since it started (s), with whatever runs on it; 0 if it isn't Linux (proc_stat(5)).
 * Only this figure includes a browser's pages: nobody waits for their processes, so no parent counts them.
 */
export function busySeconds(): number {
  if (!existsSync("/proc/stat")) return 0;
  const [, user, nice, system, , , irq, softirq] = (
    readFileSync("/proc/stat", "utf8").split("\n")[0] ?? ""
  ).split(/ +/);
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
