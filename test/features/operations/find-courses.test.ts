import { testAccounts } from "../../support/builders/test-accounts.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { findCourses, type FoundCourses } from "../../../src/modules/operations/search-console.ts";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { planFilter } from "../../../src/storage/embedded/filter-plan.ts";
import { readFilter } from "../../../src/storage/embedded/read-filter.ts";
import { keyExpression } from "../../../src/storage/embedded/sort-key.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { giveSpace } from "../../support/builders/approve-space.ts";
import { newCourse, launchedCourse } from "../../support/builders/launched-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { required } from "../../support/required.ts";

const { stores, connection } = await forAllTests(openEmptyStores());
const appUrl = "https://app.test/learn";
beforeAll(async () => {
  for (const clientId of ["a", "b"])
    await stores.registrations.insert(
      registrationOf({ id: `reg_${clientId}`, clientId, name: `LMS ${clientId}`, createdAt: 1 }),
    );
  const seed = Array.from({ length: 70 }, (_, n) => made(`crs_${n}`, `Algebra ${n % 7}`, `ALG ${n}`));
  await Promise.all(seed);
  await made("crs_bio", "Introducción a la Biología", "BIO-1", "reg_b");
  await made("crs_both", "Bio lab", "BIO-2");
});

async function made(id: string, title: string, label: string, registrationId = "reg_a", spaceId?: string) {
  await stores.courses.record(
    { registrationId, deploymentId: "1", contextId: `lms-${id}` },
    launchedCourse({ title, label, lastLaunchAt: 60_000 * Number(/\d+/.exec(id)?.[0] ?? 0) }),
    newCourse(id),
  );
  if (spaceId !== undefined)
    await giveSpace(stores, { id, registrationId, environment: "production" }, spaceId);
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const deps = () => ({ ...stores, accounts: testAccounts("production"), appUrlOf: () => appUrl });
const find = (typed: string, registrationId: string | null = null, from: string | null = null) =>
  findCourses(deps(), { typed, registrationId, from });
const idsOf = async (typed: string, registrationId: string | null = null) =>
  (await find(typed, registrationId)).rows.map(({ course }) => course.id);

describe("An operator finds a course", () => {
  test("by the beginning of its title or short name, ignoring accents and capitals, and once", async () => {
    expect(await idsOf("introduccion")).toEqual(["crs_bio"]);
    expect(await idsOf("  INTRODUCCIÓN   a la ")).toEqual(["crs_bio"]);
    expect(await idsOf("bio")).toEqual(["crs_bio", "crs_both"]);
    expect(await idsOf("bio", "reg_a")).toEqual(["crs_both"]);
    expect(await idsOf("gebra")).toEqual([]);
  });

  test("by its id in the LMS or here, or by its Space's id or address, even a former one", async () => {
    await made("crs_space", "Zoology", "ZOO", "reg_b", "space-9");
    expect(await idsOf("lms-crs_bio")).toEqual(["crs_bio"]);
    expect(await idsOf("crs_bio")).toEqual(["crs_bio"]);
    expect(await idsOf("crs_bio", "reg_a")).toEqual([]);
    expect(await idsOf("space-9")).toEqual(["crs_space"]);
    expect(await idsOf(`${appUrl}/spaces/space-9?startCall=true`)).toEqual(["crs_space"]);
    expect(await idsOf("https://elsewhere.test/spaces/space-9")).toEqual([]);
    await stores.courses.replaceSpace({ id: "crs_space", environment: "production" }, "space-9", "space-10");
    expect(await idsOf("space-9")).toEqual(["crs_space"]);
    expect(await idsOf("space-10", "reg_a")).toEqual([]);
  });

  test.each(["alg", "algebra", ""])("page by page for %j, each exactly once", async (typed) => {
    const seen: string[] = [];
    for (let from: string | null = null, pages = 0; pages < 10; pages += 1) {
      const page: FoundCourses = await find(typed, "reg_a", from);
      seen.push(...page.rows.map(({ course }) => course.id));
      if (page.next === null) break;
      from = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => /^crs_\d+$/.test(id))).toHaveLength(70);
  });

  test("page by page, last opened first, and those never opened at the end", async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        stores.courses.record(
          { registrationId: "reg_c", deploymentId: "1", contextId: `lms-late-${n}` },
          // Ten were opened at the same moment, and for ten that is unknown.
          launchedCourse({ title: "Late", label: "", lastLaunchAt: n < 20 ? 1_000 + n : 5_000 }),
          newCourse(`crs_late_${String(n).padStart(2, "0")}`),
        ),
      ),
    );
    await connection
      .collection<{ _id: string }>("courses")
      .updateMany({ _id: { $gte: "crs_late_00", $lt: "crs_late_10" } }, { $set: { lastLaunchAt: null } });
    const first = await find("", "reg_c");
    const second = await find("", "reg_c", first.next);
    const ids = [...first.rows, ...second.rows].map(({ course }) => Number(course.id.slice(-2)));
    const expected = [...numbers(20, 40), ...numbers(10, 20).toReversed(), ...numbers(0, 10)];
    expect(ids).toEqual(expected);
    expect(second.next).toBeNull();
  });

  test("from the first page with an address of an earlier version", async () => {
    const [first] = (await find("", "reg_a")).rows;
    expect((await find("", "reg_a", "25")).rows[0]?.course.id).toBe(first?.course.id);
  });

  test("by its new title once the LMS has renamed it, but not by its old one", async () => {
    await made("crs_named", "Old name", "OLD");
    await made("crs_named", "New name", "NEW");
    expect(await idsOf("old")).toEqual([]);
    expect(await idsOf("new")).toEqual(["crs_named"]);
  });

  test("with the most urgent state of its grades, among them one that waits", async () => {
    const states = ["refused", "held", "waiting", "delivered", null] as const;
    for (const state of states) {
      const courseId = `crs_${state}`;
      await made(courseId, "Graded", "GRD", "reg_grades");
      if (state === null) continue;
      const learners = numbers(0, 2).map((n) => ({
        personId: `per_${n}`,
        sub: `sub-${n}`,
        seen: { regrade: 1, summary: 1 },
        scores: new Map([["attendance", { score: 50, maximum: 100, comment: null }]]),
        left: false,
      }));
      let ids = 0;
      const newId = () => `dlv_${courseId}_${(ids += 1)}`;
      await stores.deliveries.setDesired({ registrationId: "reg_grades", courseId }, learners, {
        now: 1,
        newId,
      });
      const deliveries = connection.collection<{ _id: string }>("deliveries");
      await deliveries.updateOne({ _id: `dlv_${courseId}_1` }, { $set: { state } });
      if (state === "delivered") await deliveries.updateMany({ courseId }, { $set: { state } });
    }
    const { rows } = await find("grd", "reg_grades");
    const found = Object.fromEntries(rows.map(({ course, grades }) => [course.id, grades]));
    expect(found).toEqual(Object.fromEntries(states.map((state) => [`crs_${state}`, state])));
  });

  test("even if the address was changed by hand", async () => {
    for (const from of ["nonsense", "99999999999", "e30", Buffer.from('{"by":"_id"}').toString("base64url")])
      expect((await find("alg", null, from)).rows.length).toBeGreaterThan(0);
  });
});

describe("However many courses there are, a search reads one range of an index:", () => {
  const plan = (collection: string, filter: object, ...sort: string[]) => {
    const client: unknown = connection.getClient();
    if (!(client instanceof EmbeddedClient)) throw new Error("not the embedded engine");
    const { catalogue, file } = client.engine;
    const facts = required(catalogue.find(collection));
    const { where, params } = planFilter(readFilter(filter), facts);
    const order = sort.length === 0 ? "" : `ORDER BY ${sort.join(", ")}`;
    return file.db
      .prepare(`EXPLAIN QUERY PLAN SELECT doc FROM ${facts.table} WHERE ${where || "1"} ${order} LIMIT 26`)
      .all(...params)
      .map((row) => String(row.detail))
      .join("\n");
  };
  const range = { $gte: "alg", $lt: "alg\uffff" };
  const by = (path: string) => `${keyExpression(path)}, id`;

  test.each([
    ["titles of every LMS", "courses", { titleKey: range }, [by("titleKey")]],
    ["titles of one LMS", "courses", { registrationId: "r", titleKey: range }, [by("titleKey")]],
    ["short names", "courses", { labelKey: range }, [by("labelKey")]],
    ["the rest of one title", "courses", { titleKey: "alg", _id: { $gt: "c" } }, ["id"]],
    ["what was opened last", "courses", {}, [`${keyExpression("lastLaunchAt")} DESC`]],
    [
      "what was opened last from a deployment",
      "courses",
      { registrationId: "r", deploymentId: "1" },
      [`${keyExpression("lastLaunchAt")} DESC`],
    ],
    [
      "alerts of an environment",
      "classroomalerts",
      { environment: "production" },
      [`${keyExpression("changedAt")} DESC`],
    ],
    ["the audit log of one LMS", "auditentries", { registrationId: "r" }, ["id DESC"]],
  ] as const)("%s", (_what, collection, filter, sort) => {
    const steps = plan(collection, filter, ...sort);
    expect(steps).toMatch(/USING INDEX/);
    expect(steps).not.toContain("TEMP B-TREE");
  });
});
