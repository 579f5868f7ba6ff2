import { beforeEach, expect, test } from "vitest";
import { createLogger } from "../../../src/kernel/logger.ts";
import { operatorOf, tellAlarms } from "../../../src/modules/mail/tell-alarms.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const { stores, empty } = await forAllTests(openEmptyStores());
beforeEach(() => empty());

let now = Date.UTC(2026, 10, 24, 13);

/** The store doesn't answer: then only this is known. */
const problems = [{ what: "store" as const, message: "It is full." }];

const deps = {
  ...stores,
  accounts: testAccounts("production"),
  report: () => Promise.resolve({ ready: false, problems, warnings: [] }),
  classroomOverview: () => undefined,
  clock: { now: () => now, sleep: () => Promise.resolve() },
  logger: createLogger("silent"),
  wake: () => undefined,
};
const tell = (mails: Partial<typeof stores.mails> = {}) =>
  tellAlarms({ ...deps, mails: { ...stores.mails, ...mails } }, ["ops@example.edu"]);
const mails = () => stores.mails.list({ registrationId: null, state: null }, null, 10);

test("An alarm is mailed once, even if the process dies before it has added the mail", async () => {
  await expect(tell({ add: () => Promise.reject(new Error("killed")) })).rejects.toThrow("killed");
  expect(await mails()).toEqual([]);
  for (let look = 0; look < 3; look += 1) {
    now += 600_000;
    await tell();
  }
  expect(await mails()).toMatchObject([{ kind: "alarm", operator: operatorOf("ops@example.edu") }]);
});

test("An alarm is stored before its mail, so that a process that sends it immediately finds its text", async () => {
  const open: number[] = [];
  await tell({
    add: async (added) => {
      open.push((await stores.mailedAlarms.list()).length);
      return stores.mails.add(added);
    },
  });
  expect(open).toEqual([1]);
});
