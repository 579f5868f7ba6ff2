import { expect, test } from "vitest";
import { foundPlanOf } from "../../support/builders/event.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const world = await forAllTests(openEmptyStores());

const now = 1_000_000;
const course = { registrationId: "reg_1", courseId: "crs_1" };
const kindsThatWait = async () =>
  (await world.stores.waitingWork.list(now)).filter(({ waiting, failing }) => waiting + failing > 0);

test("work in stores is counted by kind: how much waits, since when, and what failed", async () => {
  const { pendingRegrades, regrades, erasures } = world.stores;
  expect(await kindsThatWait()).toEqual([]);

  await pendingRegrades.note({ ...course, id: "owe_1", personIds: null, dueAt: now - 5 });
  await pendingRegrades.note({ ...course, id: "owe_2", personIds: null, dueAt: now + 5 });
  await regrades.enqueue(course, "rgr_1", now - 9);
  await regrades.enqueue({ ...course, courseId: "crs_2" }, "rgr_2", now - 7);
  const claimed = await regrades.claimDue("me", now, now + 1);
  const again = { revision: 1, dueAt: now + 60, problem: "It failed." };
  await regrades.postpone(claimed?.id ?? "", "me", again);
  await erasures.insert({
    id: "era_1",
    kind: "course",
    registrationId: "reg_1",
    label: "Biology",
    who: "console",
    subject: null,
    state: "erasing",
    rounds: 0,
    step: 0,
    cursor: "",
    found: 0,
    erased: {},
    askedAt: now,
    doneAt: null,
  });

  expect(await kindsThatWait()).toEqual([
    { kind: "regrades", waiting: 1, failing: 1, oldestAt: now - 7 },
    { kind: "owed-grades", waiting: 2, failing: 0, oldestAt: now - 5 },
    { kind: "erasures", waiting: 1, failing: 0, oldestAt: now },
  ]);
});

test("is counted by indexes, however many records there are", async () => {
  const seen = await seenQueries(world, () => world.stores.waitingWork.list(now));
  expect(seen.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

test("finished work does not wait: a finished mark, a session created in the classroom", async () => {
  const { attendanceMarks, sessionPlans } = world.stores;
  const before = await kindsThatWait();
  await attendanceMarks.insert(
    {
      ...course,
      id: "mrk_1",
      eventId: "evt_1",
      answers: null,
      at: now,
      reason: null,
      rows: [],
      everybody: null,
      by: { personId: "prs_1", name: "Ravi Anand" },
      state: "facts" as const,
      reached: "",
      written: 0,
      writtenInClass: 0,
      missed: [],
    },
    "me",
    now + 1,
  );
  await sessionPlans.adopt(foundPlanOf({ ...course, eventId: "evt_2" }));
  expect((await kindsThatWait()).map(({ kind }) => kind)).toContain("marks");
  await attendanceMarks.finish("mrk_1", "me", now);
  expect(await kindsThatWait()).toEqual(before);
});
