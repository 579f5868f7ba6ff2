import { beforeAll, expect, test } from "vitest";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { planFilter } from "../../../src/storage/embedded/filter-plan.ts";
import { readFilter } from "../../../src/storage/embedded/read-filter.ts";
import { keyExpression } from "../../../src/storage/embedded/sort-key.ts";
import { embeddedEngine, openWhole } from "./open-engine.ts";

/** Finding who is to be prepared next must not depend on how many wait: each question is a look into an index. */
let client: EmbeddedClient;

const { database, stores } = await openWhole(await embeddedEngine());
beforeAll(async () => {
  await stores.provisioning.want({ registrationId: "r", courseId: "c", environment: "production" }, ["p"], 1);
  const found: unknown = database.connection.getClient();
  if (!(found instanceof EmbeddedClient)) throw new Error("not the embedded engine");
  client = found;
});

function plan(collection: string, filter: object, sortPath: string): string {
  const { catalogue, file } = client.engine;
  const facts = catalogue.find(collection);
  if (facts === undefined) throw new Error(`no collection ${collection}`);
  const { where, params } = planFilter(readFilter(filter), facts);
  const sql = `EXPLAIN QUERY PLAN SELECT doc FROM ${facts.table} WHERE ${where} ORDER BY ${keyExpression(sortPath)} LIMIT 1`;
  return file.db
    .prepare(sql)
    .all(...params)
    .map((row) => String(row.detail))
    .join("\n");
}

test("the person of a course who is due longest", () => {
  const steps = plan("provisionings", { registrationId: "r", courseId: "c", dueAt: { $lte: 5 } }, "dueAt");
  expect(steps).toMatch(
    /^SEARCH .* USING INDEX i:provisionings:registrationId_1_courseId_1_dueAt_1 \(<expr>=\? AND <expr>=\? AND <expr>>\? AND <expr><\?\)$/,
  );
});

test("the course of an LMS that has waited longest for a turn", () => {
  const steps = plan("provisioningturns", { registrationId: "r", dueAt: { $not: { $gt: 5 } } }, "servedAt");
  expect(steps).toMatch(
    /^SEARCH .* USING INDEX i:provisioningturns:registrationId_1_servedAt_1 \(<expr>=\?\)$/,
  );
});

test("the next LMS with something to do", () => {
  const steps = plan(
    "provisioningturns",
    { dueAt: { $lte: 5 }, registrationId: { $gt: "q" } },
    "registrationId",
  );
  expect(steps).toMatch(/^SEARCH .* USING INDEX i:provisioningturns:registrationId_1_servedAt_1/);
  expect(steps).not.toContain("TEMP B-TREE");
});
