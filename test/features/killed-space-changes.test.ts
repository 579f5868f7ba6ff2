import { afterAll, beforeAll, expect, test } from "vitest";
import { linkSpace } from "../../src/features/courses/link-space.ts";
import { tellLeftSpaceChange } from "../../src/features/courses/tell-space-change.ts";
import { mortalStores } from "../support/mortal-stores.ts";
import { openPlannedCourse, openPlanningStores, type PlanningStores } from "../support/planned-course.ts";

let planning: PlanningStores;
beforeAll(async () => {
  planning = await openPlanningStores();
});
afterAll(() => planning.close());

const minute = 60_000;

test("another Space for the course has one line in its trail, wherever the process is killed", async () => {
  let changed = 0;
  let told = 0;
  for (let calls = 0; ; calls += 1) {
    const course = await openPlannedCourse(planning);
    const deps = { ...course.deps, appUrlOf: () => "https://app.test" };
    const before = await deps.courses.find("bio");
    if (before === null) throw new Error("there is no course");
    const seen = before.spaceId;
    const { eventId } = course.classroom.createEvent({
      title: "Lab hour",
      spaceId: seen ?? "",
      startsAt: course.time.now + 60 * minute,
      endsAt: course.time.now + 120 * minute,
    });
    await course.note(eventId);
    const names = ["courses", "courseAudit", "people", "events", "strayEvents", "courseLinks"] as const;
    const { stores, isDead } = mortalStores(deps, names, calls);
    const decision = { personId: "per-Ina", seen, typed: "another-space", mayShare: false };
    await linkSpace(stores, before, decision).catch(() => undefined);
    const after = await deps.courses.find("bio");
    // The process ended; others look now and then, and find it once, however often they look.
    course.later(2 * minute);
    let looks = 0;
    while (await tellLeftSpaceChange(deps)) looks += 1;
    course.later(2 * minute);
    expect(await tellLeftSpaceChange(deps), "nothing is left").toBe(false);
    const filter = { registrationId: before.registrationId, courseId: "bio", personId: null };
    const trail = await deps.courseAudit.list(filter, null, 10);
    const isChanged = after?.spaceId === "another-space";
    expect(
      trail.map(({ what }) => what),
      `killed after ${calls} calls`,
    ).toEqual(isChanged ? ["space-changed"] : []);
    if (isChanged) {
      changed += 1;
      expect(trail[0]).toMatchObject({
        by: { personId: "per-Ina" },
        before: `https://app.test/spaces/${seen ?? ""}`,
        after: "https://app.test/spaces/another-space",
      });
    }
    told += looks;
    const killed = isDead();
    await course.close();
    if (!killed) break;
  }
  expect(changed, "it was killed after the change, too").toBeGreaterThan(3);
  expect(told, "others told of it").toBe(changed - 1);
});
