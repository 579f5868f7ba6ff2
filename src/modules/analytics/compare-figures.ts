import type { App } from "../../app.ts";
import { coursesOfSpace, type CoursesOfSpaceDeps } from "../recordings/courses-of-space.ts";
import { type FigureSum, numbersIn, sumsOf } from "./rules/figure-sums.ts";
import { comparedMs, maxCompared } from "./rules/limits.ts";

export type CompareFiguresDeps = CoursesOfSpaceDeps & Pick<App, "sessionFigures" | "clock">;

export type ComparedFigures = {
  /** Sessions of the last 30 days that are compared, the latest ones. */
  sessions: number;
  /** Numbers that can be compared. */
  paths: string[];
  /** The one that is; null where there is none. */
  path: string | null;
  sums: FigureSum[];
};

/** A figure over all LMSs, for operators. @param wanted The first one where there is no such. */
export async function compareFigures(deps: CompareFiguresDeps, wanted: string): Promise<ComparedFigures> {
  const kept = await deps.sessionFigures.listSince(deps.clock.now() - comparedMs, maxCompared);
  const lmsOf = new Map<string, string | null>();
  const sessions: { registrationId: string; figures: (typeof kept)[number]["figures"] }[] = [];
  for (const { environment, spaceId, figures } of kept) {
    const key = JSON.stringify([environment, spaceId]);
    let registrationId = lmsOf.get(key);
    if (registrationId === undefined) {
      const [course] = await coursesOfSpace(deps, environment, spaceId);
      registrationId = course?.registrationId ?? null;
      lmsOf.set(key, registrationId);
    }
    if (registrationId !== null) sessions.push({ registrationId, figures });
  }
  const paths = numbersIn(sessions);
  const path = paths.find((one) => one === wanted) ?? paths[0] ?? null;
  return { sessions: sessions.length, paths, path, sums: path === null ? [] : sumsOf(sessions, path) };
}
