import { alarmRestMs, maxAlarmsMailed } from "./limits.ts";
import type { MailedAlarm } from "./records.ts";

/**
 * Which alarms operators hear of now. One that comes and goes is told of once an hour at most; what begins with many others is told of
 * in a later look, if it is still on.
 */
export function alarmsToTell(
  on: readonly MailedAlarm[],
  told: readonly MailedAlarm[],
  now: number,
): { begun: MailedAlarm[]; over: MailedAlarm[] } {
  const known = new Map(told.map((one) => [one.id, one]));
  const present = new Map(on.map((one) => [one.id, one]));
  const begun = [...present.values()].filter(({ id }) => {
    const before = known.get(id);
    if (before === undefined) return true;
    return before.endedAt !== null && now - before.openedAt >= alarmRestMs;
  });
  const over = told.filter(({ id, endedAt }) => endedAt === null && !present.has(id));
  return { begun: begun.slice(0, maxAlarmsMailed), over };
}
