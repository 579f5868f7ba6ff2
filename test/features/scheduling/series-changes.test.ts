import { describe, expect, test } from "vitest";
import { processReceipts, processSlowReceipts } from "../../support/process-receipts.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { waitKey } from "../../../src/inbox/rules/receipt.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";

const database = await forAllTests(openEmptyStores());
const hour = 3_600_000;

let course: MatchingCourse;
forEachTest(async () => (course = await openMatchingCourse({ from: database })));

/** All SCHEDULE webhooks from the classroom take effect in this order. */
async function receiveAll(inOrder: <T>(all: T[]) => T[] = (all) => all): Promise<void> {
  const { receipts } = course.stores;
  const schedule = course.classroom.webhooksSent().filter(({ payload }) => payload._type === "SCHEDULE");
  for (const { payload } of inOrder([...schedule]))
    await receipts.insert(waitingReceipt(payload, course.clock.now()));
  while (await processReceipts(course.deps));
  while (await processSlowReceipts(course.deps));
}

const changes = async () =>
  (await course.stores.seriesChanges.listOfCourse(course.key.courseId, 20))
    .map(({ eventType, scope, eventIds }) => `${eventType} ${scope} ${eventIds.length}`)
    .toSorted();
const series = () =>
  course.classroom.createSeries({
    spaceId: course.spaceId,
    title: "Seminar",
    startsAt: course.clock.now() + hour,
    weeks: 4,
  });
const known = async (eventId: string | undefined) => course.stores.events.find("production", eventId ?? "");

test("an event outside a series fires once, is no series here, and adds no line about one", async () => {
  const { eventId } = course.classroom.createEvent({ spaceId: course.spaceId, title: "Alone" });
  course.classroom.updateEvent({ eventId, title: "Still alone" });
  await receiveAll();
  expect(await known(eventId)).toMatchObject({ title: "Still alone", recurring: false });
  expect(await changes()).toEqual([]);
});

test("webhooks that wait for a Space are due again with each webhook about it, even after a kill", async () => {
  const { eventId } = course.classroom.createEvent({ spaceId: course.spaceId, title: "Alone" });
  await receiveAll();
  const waitsFor = waitKey({ kind: "space", environment: "production", id: course.spaceId });
  const later = { state: "unmatched", nextTryAt: course.clock.now() + hour, waitsFor } as const;
  await course.stores.receipts.insert(waitingReceipt({ about: "the Space" }, 1, later));
  course.classroom.updateEvent({ eventId, title: "Still alone" });
  await receiveAll();
  expect(await course.stores.receipts.countByState()).toMatchObject({ unmatched: 0 });
});

describe("a series", () => {
  test("fires for each session with ALL when it is created, and is one line", async () => {
    const sessions = series();
    await receiveAll();
    for (const { eventId } of sessions) expect(await known(eventId)).toMatchObject({ recurring: true });
    expect(await changes()).toEqual(["EVENT_CREATED ALL 4"]);
  });

  test.each([
    ["ALL", [1, 1, 1, 1]],
    ["FUTURE", [0, 1, 1, 1]],
    ["CURRENT", [0, 1, 0, 0]],
  ] as const)("changes only the right sessions when it is changed with scope %s", async (scope, moved) => {
    const sessions = series();
    const second = sessions[1]?.eventId ?? "";
    const before = sessions.map(({ startsAt }) => startsAt);
    course.classroom.updateEvent({ eventId: second, startsAt: (before[1] ?? 0) + hour, scope });
    await receiveAll();
    const after = await Promise.all(sessions.map(async ({ eventId }) => (await known(eventId))?.startsAt));
    expect(after).toEqual(before.map((startsAt, at) => startsAt + (moved[at] ?? 0) * hour));
    expect(await changes()).toContain(`EVENT_UPDATED ${scope} ${moved.filter(Boolean).length}`);
  });

  test.each(["cancelEvent", "deleteEvent"] as const)(
    "ends with all its sessions by %s, whatever the order and number of webhooks",
    async (act) => {
      const sessions = series();
      await receiveAll();
      course.classroom[act]({ eventId: sessions[2]?.eventId ?? "" });
      await receiveAll((all) => [...all.toReversed(), ...all]);
      for (const { eventId } of sessions) expect(await known(eventId)).toMatchObject({ cancelled: true });
      const ended = act === "cancelEvent" ? "EVENT_CANCELLED" : "EVENT_DELETED";
      expect(await changes()).toEqual(["EVENT_CREATED ALL 4", `${ended} ALL 4`].toSorted());
    },
  );
});
