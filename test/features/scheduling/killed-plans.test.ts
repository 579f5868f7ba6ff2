import { expect, test } from "vitest";
import { runPlan } from "../../../src/modules/scheduling/run-plan.ts";
import { resolvePlan } from "../../../src/modules/scheduling/plan-sessions.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { type OpenedStores, openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { openPlannedCourse } from "../../support/builders/planned-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const dates = 30;
const one = await forAllTests(openEmptyStores());
const other = await forAllTests(openEmptyStores(one.databaseUrl));

test.each([
  { seed: 1, changes: false },
  { seed: 2, changes: true },
])(
  "two processes that are killed again and again create each of thirty sessions once ($seed)",
  async ({ seed, changes }) => {
    const course = await openPlannedCourse(one, { changes });
    const random = seededRandom(seed);
    await course.plan({
      title: "Day {number}",
      recurrence: { every: "day", interval: 1, end: { kind: "count", count: dates } },
    });
    let deaths = 0;
    /** One life of a process. */
    const lives = async ({ stores }: OpenedStores) => {
      const names = ["sessionPlans", "events", "courses", "members", "people", "registrations"] as const;
      const calls = 5 + Math.floor(random() * 60);
      const mortal = mortalStores({ ...course.deps, ...stores }, names, calls);
      try {
        while (await runPlan(mortal.stores));
      } catch (thrown) {
        if (!mortal.isDead()) throw thrown;
        deaths += 1;
      }
    };
    const open = async () => (await course.plans()).filter(({ task }) => task !== null);
    for (let round = 0; round < 60 && (await open()).length > 0; round += 1) {
      await Promise.all([lives(one), lives(other)]);
      course.later(leaseMs + 1_000);
    }
    expect(deaths).toBeGreaterThan(5);
    // The classroom reports every event; an instructor has missing ones created again.
    for (const { eventId } of course.classroom.events()) await course.note(eventId);
    for (const plan of await course.plans())
      if (plan.state === "unknown") await resolvePlan(course.deps, { id: "bio" }, plan.id, "again");
    await course.work();
    const titles = course.classroom.events().map(({ title }) => title);
    expect(titles.sort()).toEqual(Array.from({ length: dates }, (_, at) => `Day ${at + 1}`).sort());
    expect((await course.plans()).map(({ state, task }) => [state, task])).toEqual(
      Array.from({ length: dates }, () => ["made", null]),
    );
    expect(await course.sessions()).toHaveLength(dates);
    await course.close();
  },
  60_000,
);
