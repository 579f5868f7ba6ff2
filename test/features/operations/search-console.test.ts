import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { inRequest } from "../../../src/kernel/request-scope.ts";
import { writeAudit } from "../../../src/modules/audit/audit.ts";
import { searchConsole } from "../../../src/modules/operations/search-console.ts";
import { manyInstitutions } from "../../support/builders/many-institutions.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const count = 20;
const accounts = testAccounts("school-1", "school-2");

const world = await forAllTests(openEmptyStores());
beforeAll(async () => {
  await manyInstitutions(world, { count, now: 1e12, secretKey: randomBytes(48).toString("base64") });
  await people(100);
});

const people = async (upTo: number) => {
  const place = { registrationId: "reg_3", deploymentId: "1" };
  const listed = Array.from({ length: upTo }, (_none, n) => ({
    sub: `sub-${n}`,
    name: null,
    givenName: `Given${n}`,
    familyName: "Family",
    email: `p${n}@x.test`,
  }));
  await world.stores.people.recordMany(place, listed, {
    newId: () => `per_${randomBytes(8).toString("hex")}`,
    environment: "school-1",
  });
};
const search = (typed: string, within: string | null = null) =>
  searchConsole({ ...world.stores, accounts, appUrlOf: () => "https://app.test" }, { typed, within });

describe("A search of the console", () => {
  test("finds at most eight of each kind, and says that there are more", async () => {
    const found = await search("family");
    expect(found.people).toHaveLength(8);
    expect(found.more).toEqual(["people"]);
    expect((await search("family given7")).people.map(({ sub }) => sub)).toContain("sub-7");
    expect((await search("p42@")).people.map(({ sub }) => sub)).toEqual(["sub-42"]);
    expect((await search("Institution")).registrations).toHaveLength(8);
    expect((await search("Institution")).more).toEqual(["registrations"]);
  });

  test("finds renamed people only by the new name, and people who were joined", async () => {
    const { stores, connection } = world;
    const key = { registrationId: "reg_1", deploymentId: "1", sub: "renamed" };
    const first = { id: "per_renamed", environment: "school-1" };
    const named = (familyName: string) => ({ name: null, givenName: "Ada", familyName, email: null });
    await stores.people.record(key, named("Maiden"), first);
    await stores.people.record(key, named("Married"), first);
    const ids = async (typed: string) => (await search(typed)).people.map(({ id }) => id);
    expect([await ids("maiden"), await ids("married")]).toEqual([[], ["per_renamed"]]);
    await connection
      .collection<{ _id: string }>("people")
      .updateOne({ _id: "per_renamed" }, { $unset: { nameKey: "", familyKey: "", emailKey: "" } });
    expect(await ids("ada married")).toEqual(["per_renamed"]);
  });

  test("finds actions by the request's id in its log lines, for operators only", async () => {
    const deps = { audit: world.stores.audit, clock: systemClock, ids: randomIds, who: "console" as const };
    await inRequest("request-of-an-action", () =>
      writeAudit(deps, { what: "account-paused", registrationId: null, on: "school-1" }),
    );
    await writeAudit(deps, { what: "account-resumed", registrationId: null, on: "school-1" });
    expect((await search("request-of-an-action")).actions).toMatchObject([{ what: "account-paused" }]);
    expect((await search("request-of-an-action", "reg_4")).actions).toEqual([]);
  });

  test("finds only results of their own LMS for its administrators", async () => {
    expect((await search("course", "reg_4")).courses.map(({ course }) => course.id)).toEqual(["crs_4"]);
    expect((await search("institution", "reg_4")).registrations.map(({ id }) => id)).toEqual(["reg_4"]);
    expect((await search("family", "reg_3")).people).toEqual([]);
  });

  test.each([
    "family",
    "sub-7",
    "per_renamed",
    "request-0-1",
    "request-of-an-action",
    "Institution 003",
    "space-1",
  ])(
    "reads ranges of indexes for %j, no more among a thousand people than among a hundred",
    async (typed) => {
      const small = ["registrations"];
      const before = await seenQueries(world, () => search(typed));
      const scans = before.filter((one) => one.indexes.length === 0 && !small.includes(one.collection));
      expect(scans).toEqual([]);
      expect(before.filter(({ sorts, collection }) => sorts && collection === "people")).toEqual([]);
      await people(1_000);
      const after = await seenQueries(world, () => search(typed));
      const read = (seen: typeof before) =>
        seen.filter(({ collection }) => collection === "people").reduce((sum, one) => sum + one.read, 0);
      expect(read(after)).toBeLessThanOrEqual(read(before) + 1);
    },
  );
});
