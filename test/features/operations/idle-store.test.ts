import { folderForTest } from "../../support/folders.ts";
import { expect, test, vi } from "vitest";
import { startTool } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { sealPurpose } from "../../../src/modules/accounts/rules/account-input.ts";
import { openStores } from "../../../src/open-stores.ts";
import { EmbeddedCollection } from "../../../src/storage/embedded/embedded-collection.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { passingClock } from "../../support/passing-clock.ts";

const calls = [
  "find",
  "findOne",
  "countDocuments",
  "updateOne",
  "updateMany",
  "findOneAndUpdate",
  "bulkWrite",
  "insertOne",
  "deleteOne",
  "deleteMany",
  "distinct",
] as const;

const secretKey = "a secret key of at least thirty-two bytes";

/** Operations of one engine call are counted where it receives them; the same models make the same calls on a MongoDB. */
test.each([
  { whom: "one institution", schools: 0, most: 0.65 },
  { whom: "two hundred institutions", schools: 200, most: 0.65 },
])(
  "An instance with nothing to do for $whom asks its store less than $most times a second",
  async ({ schools, most }) => {
    const folder = await folderForTest();
    const classroom = {
      BASE_URL: "https://classroom.test",
      APP_URL: "https://classroom.test",
      API_KEY: "key-of-a-test",
    };
    const environment = (name: string) =>
      Object.entries({ ...classroom, WEBHOOK_SECRET: `a-secret-for-webhooks-${name}` }).map(
        ([key, value]): [string, string] => [`CLASSROOM_${name}${key}`, value],
      );
    const config = readConfig({
      PUBLIC_URL: "https://tool.test",
      PORT: "0",
      SECRET_KEY: secretKey,
      DATABASE_URL: `file:${folder}`,
      ...Object.fromEntries([...environment(""), ...environment("STAGING_")]),
    });
    await addSchools(`file:${folder}`, schools);
    let asked = 0;
    const counted = calls.map((name) => {
      const real: unknown = Reflect.get(EmbeddedCollection.prototype, name);
      if (typeof real !== "function") throw new Error(`the engine has no ${name}`);
      Reflect.set(
        EmbeddedCollection.prototype,
        name,
        function (this: EmbeddedCollection, ...given: unknown[]) {
          asked += 1;
          const answer: unknown = Reflect.apply(real, this, given);
          return answer;
        },
      );
      return () => Reflect.set(EmbeddedCollection.prototype, name, real);
    });
    // At noon: at night a job reads a year of presence for the reports.
    const { clock, pass } = passingClock(new Date().setUTCHours(12, 0, 0, 0));
    /** Until nobody has called the store for some turns of the event loop. */
    const settled = async () => {
      for (let quiet = 0, seen = asked; quiet < 12; quiet += 1) {
        await new Promise(setImmediate);
        if (asked !== seen) [quiet, seen] = [0, asked];
      }
    };
    const tool = await startTool(config, { logger: createLogger("silent"), clock });
    try {
      await pass(60_000, settled);
      await vi.waitFor(settled);
      asked = 0;
      await pass(600_000, settled);
      expect(asked).toBeGreaterThan(200);
      expect(asked / 600).toBeLessThan(most);
      asked = 0;
      // A balancer gets what was found within the last seconds, however often it asks.
      for (let minute = 0; minute < 10; minute += 1) {
        await pass(60_000, settled);
        await (await fetch(`http://127.0.0.1:${tool.port}/readyz`)).arrayBuffer();
      }
      expect(asked / 600).toBeLessThan(most + 0.5);
    } finally {
      for (const restore of counted) restore();
      await tool.stop();
    }
  },
  60_000,
);

/** Each with its own account, and an LMS that uses it. */
async function addSchools(url: string, count: number): Promise<void> {
  if (count === 0) return;
  const database = await openDatabase({ url, logger: createLogger("silent") });
  const { classroomAccounts, registrations } = await openStores(database.connection);
  const sealer = createSealer(secretKey, undefined);
  for (let number = 0; number < count; number += 1) {
    const id = `school-${number}`;
    await classroomAccounts.insert({
      id,
      name: `School ${number}`,
      stage: "production",
      dialect: null,
      paused: false,
      baseUrl: "https://classroom.test",
      appUrl: "https://classroom.test",
      revision: 1,
      sealedKey: sealer.seal(sealPurpose(id, "key"), `key of school ${number}`),
      sealedWebhookSecrets: [sealer.seal(sealPurpose(id, "webhook-secret"), `secret of school ${number}`)],
      callsPerSecond: null,
      analyticsSeconds: null,
      connectionChangedAt: 0,
      webhooksConnectedAt: null,
      createdAt: number,
      changedAt: number,
    });
    await registrations.insert(
      registrationOf({ id: `reg_${number}`, clientId: `client ${number}`, environment: id }),
    );
  }
  await database.close();
}
