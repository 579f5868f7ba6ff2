import { describe, expect, test } from "vitest";
import type { ThrottleStore } from "../../../src/classroom/throttle.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { createThrottleStore } from "../../../src/storage/throttle-store.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";
import { folderForTest } from "../../support/folders.ts";

describe("the throttle's record in the database", () => {
  test("is replaced only with the latest revision", async () => {
    const url = `file:${await folderForTest()}`;
    const database = closedAfterTest(await openDatabase({ url, logger: createLogger("silent") }));
    const store: ThrottleStore = createThrottleStore(database.connection);
    expect(await store.read("k")).toBeNull();
    const firsts = await Promise.all(["a", "b", "c"].map((record) => store.replace("k", null, record)));
    expect(firsts.filter(Boolean)).toHaveLength(1);
    expect(await store.replace("k", 7, "x")).toBe(false);
    const seconds = await Promise.all(["d", "e"].map((record) => store.replace("k", 1, record)));
    expect(seconds.filter(Boolean)).toHaveLength(1);
    expect(await store.read("k")).toEqual({ revision: 2, record: seconds[0] === true ? "d" : "e" });
  });
});
