import { monitorEventLoopDelay } from "node:perf_hooks";
import { showPeople } from "../../src/modules/members/people.ts";
import { listedAs, openRosterCourse } from "../support/builders/roster-course.ts";
import type { BenchRow } from "./bench-row.ts";

const people = 5_000;
const wanted = { total: 5_000, stall: 250 };

/** How long a course of 5,000 people takes to be taken over, and how long anybody else waits meanwhile at most. */
export async function benchRoster(): Promise<BenchRow[]> {
  const course = await openRosterCourse();
  const everybody = Array.from({ length: people }, (_none, n) =>
    listedAs(`sub-${n}`, {
      name: `Given ${n} Family`,
      givenName: `Given ${n}`,
      familyName: "Family",
      email: `${n}@example.test`,
      custom: { spaces_section_ids: String(n % 40), spaces_section_names: `["Section ${n % 40}"]` },
    }),
  );
  const rows: BenchRow[] = [];
  const measure = async (what: string, limit: number, work: () => Promise<unknown>) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const started = performance.now();
    await work();
    const took = performance.now() - started;
    delay.disable();
    const stall = delay.max / 1e6;
    rows.push(
      row(`${what}, ${people} people`, took, limit),
      row(`${what}: longest stall of the event loop`, stall, wanted.stall),
    );
  };
  try {
    await measure("roster taken over for the first time", wanted.total, () => course.read(everybody));
    await measure("roster unchanged", wanted.total, () => course.read(everybody));
    await measure("a fifth of the roster left", wanted.total, () => course.read(everybody.slice(people / 5)));
    await measure("page of people, the last one", 1_000, () =>
      showPeople(course.deps, course.course, { page: people / 50, sectionId: null }),
    );
    await measure("page of people of one section", 1_000, () =>
      showPeople(course.deps, course.course, { page: 1, sectionId: "7" }),
    );
    return rows;
  } finally {
    await course.close();
  }
}

function row(measure: string, ms: number, limit: number): BenchRow {
  return {
    measure,
    value: `${ms.toFixed(0)} ms`,
    limit: `${limit} ms`,
    ratio: `${((ms / limit) * 100).toFixed(0)}%`,
  };
}
