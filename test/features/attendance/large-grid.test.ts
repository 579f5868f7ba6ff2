import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GridFilter, wholeGrid } from "../../../src/modules/attendance/grid-learners.ts";
import { countedTally } from "../../../src/modules/attendance/pages/grid-page.ts";
import { emptyTally } from "../../../src/modules/attendance/rules/attendance-summary.ts";
import { showGrid } from "../../../src/modules/attendance/show-grid.ts";
import { type GradingCourse, openGradingCourse } from "../../support/builders/grading-course.ts";
import { eventId, personIdOf, seedGrading } from "../../support/builders/seed-grading.ts";
import { foundPlanOf } from "../../support/builders/event.ts";

/** Too many for a course to be read whole. */
const learners = 1_100;
const absent = [3, 40, 555, 1_099];

let course: GradingCourse;
beforeAll(async () => {
  course = await openGradingCourse();
  // Everybody attended 80 %.
  await seedGrading(course, { learners, sessions: 6 });
  for (const n of absent) await isNowAbsent(n);
}, 60_000);
afterAll(() => course.close());

/** The classroom reports a learner absent from their first three sessions, and grades follow. */
async function isNowAbsent(n: number): Promise<void> {
  for (const session of [0, 1, 2]) await course.fact(personIdOf(n), eventId(session), "ABSENT");
  await course.grade(personIdOf(n));
}

async function listed(wanted: Partial<GridFilter>): Promise<string[]> {
  const { rows } = await showGrid(course.deps, await course.course(), { ...wholeGrid, ...wanted });
  return rows.map(({ personId }) => personId);
}

/** The people whose summaries are read by name without having been searched for. */
function looks(): { asked: string[]; deps: GradingCourse["deps"] } {
  const asked: string[] = [];
  const { attendanceSummaries } = course.stores;
  const findMany: typeof attendanceSummaries.findMany = (place, ids) => {
    asked.push(...ids);
    return attendanceSummaries.findMany(place, ids);
  };
  return { asked, deps: { ...course.deps, attendanceSummaries: { ...attendanceSummaries, findMany } } };
}

describe("the table of a large course", () => {
  test("finds learners with a low rate without reading everybody", async () => {
    const { asked, deps } = looks();
    const filter = { ...wholeGrid, only: "low", order: "rate" } as const;
    const { rows, sessions, low } = await showGrid(deps, await course.course(), filter);
    expect(rows.map(({ personId }) => personId).sort()).toEqual(absent.map(personIdOf));
    expect(low).toBe(absent.length);
    expect(sessions[0]?.tally.ABSENT).toBe(absent.length);
    expect(asked).toEqual([]);
  });

  test("omits totals if only a page was counted", async () => {
    const grid = await showGrid(course.deps, await course.course(), wholeGrid);
    expect(grid.sessions[0]?.tally.PRESENT).toBeGreaterThan(0);
    expect(countedTally(grid)).toEqual(emptyTally());
  });

  test("finds the same learners by rate and absences as by reading everybody", async () => {
    const everybody = { ...wholeGrid, order: "rate" as const, perPage: learners };
    const { rows } = await showGrid(course.deps, await course.course(), everybody);
    for (const percent of [1, 40, 60, 80, 81, 100]) {
      const expected = rows.filter(({ rate }) => rate !== null && Math.round(rate * 100) < percent);
      const found = await listed({ only: "low", order: "rate", percent, perPage: learners });
      expect(found).toEqual(expected.map(({ personId }) => personId));
    }
    for (const times of [1, 2, 3, 7]) {
      const expected = rows.filter(({ tally }) => tally.ABSENT >= times);
      const found = await listed({ only: "absent", order: "rate", times, perPage: learners });
      expect(found).toEqual(expected.map(({ personId }) => personId));
    }
  });

  test("narrows them by name", async () => {
    expect(await listed({ only: "low", search: "family 00555" })).toEqual([personIdOf(555)]);
  });

  test("reflects later changes", async () => {
    await isNowAbsent(7);
    expect(await listed({ only: "low" })).toContain(personIdOf(7));
    for (const session of [0, 1, 2]) await course.correct(personIdOf(7), eventId(session), "PRESENT");
    await course.grade(personIdOf(7));
    expect(await listed({ only: "low" })).not.toContain(personIdOf(7));
  });

  test("reads everybody if a session does not count", async () => {
    const { asked, deps } = looks();
    expect(await listed({ only: "absent", times: 3 })).toContain(personIdOf(3));
    await course.stores.sessionPlans.adopt(
      foundPlanOf({ ...course.key, eventId: eventId(0), counts: false }),
    );
    const filter = { ...wholeGrid, only: "absent", times: 3 } as const;
    const { rows } = await showGrid(deps, await course.course(), filter);
    expect(new Set(asked).size).toBe(learners);
    // One of their three absences was in that session.
    expect(rows.map(({ personId }) => personId)).not.toContain(personIdOf(3));
  });
});
