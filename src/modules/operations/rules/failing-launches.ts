/** Refused launches of one LMS in one hour. */
export type FailedHour = { registrationId: string; hour: number; count: number };

/** How many launches of an LMS were refused, and when the first of these hours began (ms). */
export type FailedLaunches = { count: number; since: number };

const hourMs = 3_600_000;
/** One person may try twice. */
const minFailed = 3;

/** The last 24 hours, counted in whole hours of UTC, this one included: the first and the last moment (ms). */
export function lastDay(now: number): { from: number; before: number } {
  const before = now - (now % hourMs) + hourMs;
  return { from: before - 24 * hourMs, before };
}

/** By LMS. */
export function failedByLms(hours: readonly FailedHour[]): Map<string, FailedLaunches> {
  const by = Map.groupBy(hours, ({ registrationId }) => registrationId);
  return new Map(
    [...by].map(([id, some]) => [
      id,
      {
        count: some.reduce((sum, { count }) => sum + count, 0),
        since: Math.min(...some.map(({ hour }) => hour)),
      },
    ]),
  );
}

/** Whether nobody gets in: several launches were refused and none succeeded since. @param lastLaunchAt Null for never. */
export function launchesFail(failed: FailedLaunches | undefined, lastLaunchAt: number | null): boolean {
  return failed !== undefined && failed.count >= minFailed && (lastLaunchAt ?? 0) < failed.since;
}
