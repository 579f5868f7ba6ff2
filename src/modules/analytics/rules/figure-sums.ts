import type { Figure } from "../../../domain/session-figures.ts";

/** A number that the classroom says of sessions, over those of one LMS. */
export type FigureSum = {
  registrationId: string;
  sessions: number;
  average: number;
  lowest: number;
  highest: number;
};

type SessionOfLms = { registrationId: string; figures: readonly Figure[] };

/** What can be compared: numbers, those that most sessions have first, then by name. */
export function numbersIn(sessions: readonly Pick<SessionOfLms, "figures">[]): string[] {
  const counts = new Map<string, number>();
  for (const { figures } of sessions)
    for (const { path, value } of figures)
      if (typeof value === "number") counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts]
    .toSorted(([path, one], [another, other]) => other - one || (path < another ? -1 : 1))
    .map(([path]) => path);
}

/** By LMS, the lowest average first: what is bad may also be what is high, so both ends are easy to find. */
export function sumsOf(sessions: readonly SessionOfLms[], path: string): FigureSum[] {
  const values = sessions.flatMap(({ registrationId, figures }) => {
    const value = figures.find((figure) => figure.path === path)?.value;
    return typeof value === "number" ? [{ registrationId, value }] : [];
  });
  return [...Map.groupBy(values, (one) => one.registrationId)]
    .map(([registrationId, own]) => {
      const all = own.map(({ value }) => value);
      return {
        registrationId,
        sessions: all.length,
        average: all.reduce((sum, value) => sum + value, 0) / all.length,
        lowest: Math.min(...all),
        highest: Math.max(...all),
      };
    })
    .toSorted((one, other) => one.average - other.average);
}
