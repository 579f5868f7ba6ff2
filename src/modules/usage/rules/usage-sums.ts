/** What was counted, of a day or a week. People and courses are counted once. */
export type UsageNumbers = {
  courses: number;
  sessions: number;
  people: number;
  minutes: number;
  grades: number;
  failedLaunches: number;
  refusedScores: number;
};

/** In the order of tables and files. */
export const usageMeasures = [
  "courses",
  "sessions",
  "people",
  "minutes",
  "grades",
  "failedLaunches",
  "refusedScores",
] as const satisfies readonly (keyof UsageNumbers)[];

export const noUsage: UsageNumbers = {
  courses: 0,
  sessions: 0,
  people: 0,
  minutes: 0,
  grades: 0,
  failedLaunches: 0,
  refusedScores: 0,
};

/** Of other LMSs, accounts or days: whoever is in two of them counts twice. */
export function addUp(all: readonly UsageNumbers[]): UsageNumbers {
  const sums = { ...noUsage };
  for (const one of all) for (const measure of usageMeasures) sums[measure] += one[measure];
  return sums;
}

/** The days of a week added up; people and courses as they were counted once for the whole week. */
export function weekOfDays(
  days: readonly UsageNumbers[],
  once: Pick<UsageNumbers, "courses" | "people">,
): UsageNumbers {
  return { ...addUp(days), ...once };
}
