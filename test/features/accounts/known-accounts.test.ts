import { beforeEach, describe, expect, test } from "vitest";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import {
  addAccount,
  changeAccount,
  endPreviousSecret,
  resealAccounts,
  rotateApiKey,
  rotateWebhookSecret,
} from "../../../src/modules/accounts/change-accounts.ts";
import { createKnownAccounts } from "../../../src/modules/accounts/known-accounts.ts";
import { openEmptyStores, type OpenedStores } from "../../support/builders/open-empty-stores.ts";
import { testAccount } from "../../support/builders/test-accounts.ts";

const key = "a secret key of at least thirty-two bytes";
const north = {
  id: "north",
  name: "North College",
  stage: "production" as const,
  baseUrl: "https://api.test",
  appUrl: "https://app.test",
  apiKey: "the-key-of-north",
  webhookSecret: "the-secret-of-north",
};
let opened: OpenedStores;
let log: string[];
const time = { now: 1_000_000 };
const clock = { now: () => time.now, sleep: () => Promise.resolve() };

/** A process that knows the accounts, under the present or another SECRET_KEY. */
async function process(secretKey = key, previous?: string) {
  const sealer = createSealer(secretKey, previous);
  const accounts = await createKnownAccounts({
    builtIn: [testAccount("production")],
    sealer,
    parseDialect,
    clock,
    classroomAccounts: opened.stores.classroomAccounts,
    logger: createLogger("debug", { write: (line) => log.push(line) }),
  });
  const deps = {
    ...opened.stores,
    accounts,
    sealer,
    clock,
    ids: randomIds,
    addressProblem: (address: string) => (address.includes("10.0.0.1") ? "It is private." : null),
    parseDialect,
    who: "command-line" as const,
  };
  return { accounts, deps };
}

beforeEach(async () => {
  opened = await openEmptyStores(opened);
  log = [];
});

describe("a classroom account", () => {
  test("is known immediately where it was added, and elsewhere on first use", async () => {
    const [here, there] = [await process(), await process()];
    await addAccount(here.deps, north);
    expect(here.accounts.ids()).toEqual(["production", "north"]);
    expect(there.accounts.find("north")).toBeUndefined();
    expect(await there.accounts.lookUp("north")).toMatchObject({ apiKey: north.apiKey, paused: false });
    expect(await there.accounts.lookUp("nobody")).toBeUndefined();
  });

  test("is a new object after a change, which other processes see seconds later", async () => {
    const [here, there] = [await process(), await process()];
    await addAccount(here.deps, north);
    const before = await there.accounts.lookUp("north");
    await rotateApiKey(here.deps, "north", "another-key-of-north");
    await changeAccount(here.deps, "north", { name: "North" });
    expect(here.accounts.find("north")).toMatchObject({ apiKey: "another-key-of-north", name: "North" });
    expect(await there.accounts.lookUp("north"), "read a moment ago").toBe(before);
    time.now += 5_000;
    expect(await there.accounts.lookUp("north")).toMatchObject({ apiKey: "another-key-of-north" });
  });

  test("is as the reading that began last found it, whichever ends first", async () => {
    const { classroomAccounts } = opened.stores;
    const slow = Promise.withResolvers<undefined>();
    const [list, here] = [classroomAccounts.list, await process()];
    const before = await list();
    opened.stores.classroomAccounts.list = async () => (await slow.promise, before);
    const older = here.accounts.refresh();
    opened.stores.classroomAccounts.list = list;
    await addAccount(here.deps, north);
    slow.resolve(undefined);
    await older;
    expect(here.accounts.ids()).toEqual(["production", "north"]);
  });

  test("accepts two webhook secrets during a rotation, the new one first", async () => {
    const { accounts, deps } = await process();
    await addAccount(deps, north);
    await rotateWebhookSecret(deps, "north", "another-secret-of-north");
    await rotateWebhookSecret(deps, "north", "a-third-secret-of-north");
    expect(accounts.find("north")?.webhookSecrets).toEqual([
      "a-third-secret-of-north",
      "another-secret-of-north",
    ]);
    await endPreviousSecret(deps, "north");
    expect(accounts.find("north")?.webhookSecrets).toEqual(["a-third-secret-of-north"]);
  });

  test("is stored without a secret in plain text", async () => {
    const { deps } = await process();
    await addAccount(deps, north);
    const stored = JSON.stringify(await opened.stores.classroomAccounts.list());
    expect(stored).not.toContain(north.apiKey);
    expect(stored).not.toContain(north.webhookSecret);
  });

  test("that no known key opens is paused and logged, while the others continue", async () => {
    const { deps } = await process();
    await addAccount(deps, north);
    const { accounts } = await process("another secret key of thirty-two bytes");
    expect(accounts.find("north")?.paused).toBe(true);
    expect(accounts.find("production")?.paused).toBe(false);
    expect(log.join("")).toContain("counts as paused");
  });

  test("can be sealed again, so the previous SECRET_KEY can be removed", async () => {
    const { deps } = await process();
    await addAccount(deps, north);
    const renewed = "another secret key of thirty-two bytes";
    const between = await process(renewed, key);
    expect(await resealAccounts(between.deps)).toEqual({ resealed: 1, unreadable: [] });
    const { accounts } = await process(renewed);
    expect(accounts.find("north")).toMatchObject({ apiKey: north.apiKey, paused: false });
    const lost = await process("a third secret key of thirty-two bytes!");
    expect(await resealAccounts(lost.deps)).toEqual({ resealed: 0, unreadable: ["account north"] });
  });
});
