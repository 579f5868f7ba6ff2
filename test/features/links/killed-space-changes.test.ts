import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { applyLeftSpaceChange, changeLink, linkSpace } from "../../../src/modules/links/link-space.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { storedCollection } from "../../../src/storage/records.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { approveSpaceFor } from "../../support/builders/approve-space.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { openPlannedCourse } from "../../support/builders/planned-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const planning = await forAllTests(openEmptyStores());

const minute = 60_000;

test("another Space for the course has one line in its change log, wherever the process is killed", async () => {
  let changed = 0;
  let told = 0;
  for (let calls = 0; ; calls += 1) {
    const course = await openPlannedCourse(planning);
    const deps = { ...course.deps, appUrlOf: () => "https://app.test" };
    const before = required(await deps.courses.find("bio"));
    const seen = before.spaceId;
    await approveSpaceFor(course.stores, before, "another-space");
    const { eventId } = course.classroom.createEvent({
      title: "Lab hour",
      spaceId: seen ?? "",
      startsAt: course.time.now + 60 * minute,
      endsAt: course.time.now + 120 * minute,
    });
    await course.note(eventId);
    const names = ["courses", "courseAudit", "people", "events", "unassignedEvents", "courseLinks"] as const;
    const { stores, isDead } = mortalStores(deps, names, calls);
    const decision = { personId: "per-Ina", seen, typed: "another-space", mayShare: false };
    await linkSpace(stores, before, decision).catch(() => undefined);
    const after = await deps.courses.find("bio");
    // The process died; others check now and then, and find it once, however often they check.
    course.later(2 * minute);
    let looks = 0;
    while (await applyLeftSpaceChange(deps)) looks += 1;
    course.later(2 * minute);
    expect(await applyLeftSpaceChange(deps), "nothing is left").toBe(false);
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

test("a link that is pointed elsewhere takes its future sessions along, wherever the process is killed", async () => {
  for (let calls = 0; ; calls += 1) {
    const course = await openPlannedCourse(planning);
    const [from, to] = [await course.anotherSpace("Lab"), await course.anotherSpace("Field")];
    const sessions = [];
    const { id } = await course.link("bio", from);
    await approveSpaceFor(course.stores, required(await course.deps.courses.find("bio")), to);
    for (const spaceId of [from, to]) {
      const startsAt = course.time.now + 60 * minute;
      const event = { title: "Lab hour", spaceId, startsAt, endsAt: startsAt + 60 * minute };
      const { eventId } = course.classroom.createEvent(event);
      await course.note(eventId);
      sessions.push(eventId);
    }
    const deps = { ...course.deps, appUrlOf: () => "https://app.test" };
    const names = ["courses", "courseLinks", "events", "unassignedEvents"] as const;
    const { stores, isDead } = mortalStores(deps, names, calls);
    const bio = required(await deps.courses.find("bio"));
    const chosen = { kind: "space", typed: to } as const;
    await changeLink(stores, bio, "per-Ina", id, chosen).catch(() => undefined);
    course.later(2 * minute);
    while (await applyLeftSpaceChange(deps));
    const isLed = isDeepStrictEqual((await deps.courseLinks.find(id))?.choice, {
      kind: "space",
      spaceId: to,
    });
    const owners = await Promise.all(
      sessions.map(async (eventId) => (await deps.events.find("production", eventId))?.courseId ?? null),
    );
    expect(owners, `killed after ${calls} calls`).toEqual(isLed ? [null, "bio"] : ["bio", null]);
    const killed = isDead();
    await course.close();
    if (!killed) break;
    expect(calls).toBeLessThan(60);
  }
});

test("a course whose change was sent, but not stored as sent, is checked once more and then left alone", async () => {
  const course = await openPlannedCourse(planning);
  const deps = { ...course.deps, appUrlOf: () => "https://app.test" };
  const before = required(await deps.courses.find("bio"));
  const change = { id: "cau_1", personId: "per-Ina", at: 0, before: before.spaceId, after: "another-space" };
  await deps.courses.replaceSpace(before, before.spaceId, "another-space", change);
  const database = await openDatabase({ url: planning.databaseUrl, logger: createLogger("silent") });
  const courses = storedCollection(database.connection, "courses");
  await courses.updateOne({ _id: "bio" }, { $set: { spaceChanges: [] } });
  await database.close();
  expect(await applyLeftSpaceChange(deps)).toBe(true);
  course.later(60 * minute);
  expect(await applyLeftSpaceChange(deps)).toBe(false);
  await course.close();
});
