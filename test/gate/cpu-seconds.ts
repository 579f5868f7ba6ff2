import { existsSync, readFileSync } from "node:fs";

/** CPU seconds of this process and its children that have ended; 0 where it isn't Linux (clock ticks of 10 ms: proc_pid_stat(5)). */
export function cpuSeconds(): number {
  if (!existsSync("/proc/self/stat")) return 0;
  const times = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
