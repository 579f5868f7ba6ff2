import { describe, expect, test } from "vitest";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const { stores } = await forAllTests(openEmptyStores());

const key = { registrationId: "reg_1", deploymentId: "1", courseId: "crs_1" };
const space = (id: string, spaceId: string) => ({ id, choice: { kind: "space", spaceId } as const });

describe("A link of a course", () => {
  test("is one, however many people open it first at the same moment, and each sees the choice", async () => {
    const opened = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        stores.courseLinks.record({ ...key, linkId: "5" }, space("chc_1", "s1"), `lnk_${index}`),
      ),
    );
    expect(new Set(opened.map((link) => link.id)).size).toBe(1);
    expect(opened.every(({ choice }) => choice.kind === "space" && choice.spaceId === "s1")).toBe(true);
  });

  test("opens the course's Space when it brings no choice, and the same id in another course is another link", async () => {
    const here = await stores.courseLinks.record({ ...key, linkId: "6" }, space("chc_2", "s2"), "lnk_a");
    const there = await stores.courseLinks.record({ ...key, courseId: "crs_2", linkId: "6" }, null, "lnk_b");
    expect(there.id).not.toBe(here.id);
    expect(there.choice).toEqual({ kind: "course-space" });
  });

  test("keeps what was chosen on our page until it brings another choice", async () => {
    const link = { ...key, linkId: "7" };
    const { id } = await stores.courseLinks.record(link, space("chc_3", "s3"), "lnk_c");
    await stores.courseLinks.choose(id, { kind: "space", spaceId: "ours" });
    const again = await stores.courseLinks.record(link, space("chc_3", "s3"), "lnk_d");
    expect(again.choice).toEqual({ kind: "space", spaceId: "ours" });
    const without = await stores.courseLinks.record(link, null, "lnk_e");
    expect(without.choice).toEqual({ kind: "space", spaceId: "ours" });
    const other = await stores.courseLinks.record(link, space("chc_4", "s4"), "lnk_f");
    expect(other).toMatchObject({ id, choiceId: "chc_4", choice: { kind: "space", spaceId: "s4" } });
  });
});

test("a kept choice is found within its LMS only", async () => {
  const choice = { id: "chc_9", ...key, choice: { kind: "session", eventId: "e" } as const, createdAt: 1 };
  await stores.linkChoices.insert(choice);
  expect(await stores.linkChoices.find("reg_1", "chc_9")).toEqual(choice);
  expect(await stores.linkChoices.find("reg_2", "chc_9")).toBeNull();
});

describe("A column that moved in the gradebook", () => {
  const column = { registrationId: "reg_1", courseId: "crs_1" };
  const attendance = { ...column, columnKey: "attendance", personId: "per_1" };

  const wantOf = (personId: string, id: string, score: number | null) =>
    stores.deliveries.want(
      column,
      [
        {
          personId,
          sub: "7",
          seen: { regrade: 0, summary: 1 },
          scores: new Map([["attendance", { score, maximum: 100, comment: null }]]),
          left: false,
        },
      ],
      { now: 1, newId: () => id },
    );

  test("is written to by one key only", async () => {
    const one = await stores.columns.open({ ...column, key: "attendance" }, "col_1");
    const other = await stores.columns.open({ ...column, key: "session e" }, "col_2");
    expect(await stores.columns.couple(one.id, "5", "https://lms.test/items/1")).toBe(true);
    expect(await stores.columns.couple(other.id, "5", "https://lms.test/items/1")).toBe(true);
    await stores.columns.uncoupleOthers({ ...column, key: "session e" }, "https://lms.test/items/1");
    const all = await stores.columns.listOfCourse("reg_1", "crs_1");
    expect(all.map(({ key: name, lineItemUrl }) => [name, lineItemUrl])).toEqual([
      ["attendance", null],
      ["session e", "https://lms.test/items/1"],
    ]);
    expect(all.map(({ formerKey }) => formerKey)).toEqual([null, "attendance"]);
  });

  test("gets every score again, and an attempt under way with the old address settles nothing", async () => {
    const { deliveries } = stores;
    await wantOf(attendance.personId, "dlv_1", 80);
    const claimed = await deliveries.claimDue("worker", 2, 10_000);
    expect(claimed?.id).toBe("dlv_1");
    await deliveries.retryColumn(attendance, 3);
    await deliveries.settle("dlv_1", "worker", 1, { state: "delivered" });
    expect(await deliveries.listOfCourse("reg_1", "crs_1")).toMatchObject([
      { state: "waiting", nextTryAt: 3 },
    ]);
  });

  test("sends nothing for somebody who has no score", async () => {
    const nobody = { ...attendance, personId: "per_2" };
    const { deliveries } = stores;
    await wantOf(nobody.personId, "dlv_2", null);
    await deliveries.retryColumn(nobody, 3);
    const rows = await deliveries.listOfCourse("reg_1", "crs_1");
    expect(rows.find(({ id }) => id === "dlv_2")?.state).toBe("idle");
  });
});
