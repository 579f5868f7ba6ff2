import { afterEach, describe, expect, test } from "vitest";
import type { ThrottleStore } from "../../../src/classroom/throttle.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { createThrottleStore } from "../../../src/storage/throttle-store.ts";
import { folderForTest } from "../../support/folders.ts";

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function temporaryFolder(): Promise<string> {
  const folder = await folderForTest();
  return folder;
}

describe("the throttle's record in the database", () => {
  test("is replaced only by who knows the latest revision", async () => {
    const logger = createLogger("silent");
    const database = await openDatabase({ url: `file:${await temporaryFolder()}`, logger });
    cleanUp.push(() => database.close());
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
