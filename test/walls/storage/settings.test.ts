import { expect, test } from "vitest";
import { alwaysOpen } from "../../../src/domain/entry.ts";
import { defaultGradePolicy } from "../../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { newCourse, launchedCourse } from "../../support/builders/launched-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const { stores } = await forAllTests(openEmptyStores());

const around = { ...alwaysOpen, opens: "around-sessions" as const };

async function addCourse(contextId: string): Promise<string> {
  const course = await stores.courses.record(
    { registrationId: "reg_1", deploymentId: "1", contextId },
    launchedCourse({ title: "", label: "" }),
    newCourse(`crs_${contextId}`),
  );
  expect(course).toMatchObject({ door: alwaysOpen, spaceAccess: "unknown", settingsRevision: 0 });
  return course.id;
}

test("a course's settings are changed only by those who saw the latest", async () => {
  const id = await addCourse("1");
  const to = {
    settings: { ...defaultJoinSettings, galleryView: true },
    door: around,
    spaceAccess: "waiting-room",
  } as const;
  const done = await Promise.all([0, 0, 0, 1].map((seen) => stores.courses.changeSettings(id, seen, to)));
  expect(done.slice(0, 3).filter(Boolean)).toHaveLength(1);
  const revision = (await stores.courses.find(id))?.settingsRevision ?? 0;
  expect(await stores.courses.changeSettings(id, revision - 1, to)).toBe(false);
  expect(await stores.courses.changeSettings(id, revision, { ...to, door: alwaysOpen })).toBe(true);
  expect(await stores.courses.find(id)).toMatchObject({ door: alwaysOpen, settingsRevision: revision + 1 });
});

test("settings that came from a copied course count as a change", async () => {
  const id = await addCourse("2");
  const taken = { settings: defaultJoinSettings, policy: defaultGradePolicy, door: around };
  await stores.courses.answerCopy(id, taken);
  const to = { settings: defaultJoinSettings, door: alwaysOpen, spaceAccess: "unknown" } as const;
  expect(await stores.courses.changeSettings(id, 0, to)).toBe(false);
  expect(await stores.courses.find(id)).toMatchObject({ door: around, settingsRevision: 1 });
});

test("what a link carries and what was chosen for it are kept apart", async () => {
  const key = { registrationId: "reg_1", deploymentId: "1", courseId: await addCourse("4"), linkId: "5" };
  const { id } = await stores.courseLinks.record(key, null, "lnk_4");
  await stores.courseLinks.changeSettings(id, 0, {
    settings: { language: "it" },
    door: {},
    spaceAccess: null,
  });
  await stores.courseLinks.takeOver(id, { customSettings: { language: "de" }, ignoredParameters: [] });
  expect(await stores.courseLinks.find(id)).toMatchObject({
    settings: { language: "it" },
    customSettings: { language: "de" },
    settingsRevision: 1,
  });
});

test("an entry window reads the next sessions first, however many are planned, and of none that is over", async () => {
  const courseId = await addCourse("5");
  const event = (eventId: string, startsAt: number | null, endsAt: number | null, cancelled = false) =>
    stores.events.save({
      environment: "production",
      eventId,
      spaceId: null,
      title: null,
      startsAt,
      endsAt,
      cancelled,
      courseId,
      readAt: 1,
    });
  for (let day = 300; day > 0; day -= 1) await event(`day-${day}`, day * 1_000, day * 1_000 + 500);
  await event("cancelled", 100_000, 100_500, true);
  await event("long ago", 5, null);
  for (let day = 200; day > 0; day -= 1) await event(`endless-${day}`, 100_400 + day * 1_000, null);
  await event("untimed", null, null);
  const found = (await stores.events.listForEntryWindow(courseId, 100_500)).map(({ eventId }) => eventId);
  expect(found.slice(0, 2)).toEqual(["day-101", "day-102"]);
  expect(found[50], "the one that is running now is not cut off").toBe("endless-1");
  expect(found.at(-1)).toBe("untimed");
  expect(found).not.toContain("long ago");
  expect(found).toHaveLength(101);
});

test("whether a launch has told somebody's sections is remembered", async () => {
  const key = { registrationId: "reg_1", courseId: "crs_6", personId: "per_1" };
  const facts = { role: "learner", testUser: false, listName: "a", lastLaunchAt: 1 } as const;
  const silent = await stores.members.recordLaunch(key, facts, null, "mem_1");
  expect([silent.sectionIds, silent.sectionsTold]).toEqual([[], false]);
  const told = await stores.members.recordLaunch(key, facts, [], "mem_2");
  expect([told.sectionIds, told.sectionsTold]).toEqual([[], true]);
  const again = await stores.members.recordLaunch(key, facts, null, "mem_3");
  expect([again.sectionIds, again.sectionsTold]).toEqual([[], true]);
});
