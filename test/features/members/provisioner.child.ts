import { z } from "zod";
import { provisioningWorker } from "../../../src/modules/members/provisioning.ts";
import type { CallOptions } from "../../../src/classroom/create-reader.ts";
import type { NewApiUser } from "../../../src/classroom/client.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores } from "../../../src/open-stores.ts";
import { openRosterCourse } from "../../support/builders/roster-course.ts";

/** An instance of the tool that creates users as fast as the classroom answers, until it is ended. */
const [url, apiUrl, apiKey] = process.argv.slice(2);
if (url === undefined || apiUrl === undefined || apiKey === undefined)
  throw new Error("usage: url apiUrl key");
// Ends with the test that started it, however that ends.
process.on("disconnect", () => process.exit());
const logger = createLogger("silent");
const { deps } = await openRosterCourse("canvas", url);
const database = await openDatabase({ url, logger });
const stores = await openStores(database.connection);

async function createApiUser(
  user: NewApiUser,
  { onWait, onPermit }: CallOptions,
): Promise<{ userId: string }> {
  await onWait?.();
  await onPermit?.();
  const answer = await fetch(`${apiUrl ?? ""}/users/createAPIUser`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify({ name: user.name, role: user.role, externalId: user.reference }),
  });
  return z.object({ userId: z.string() }).parse(await answer.json());
}

const worker = provisioningWorker({
  ...stores,
  registrations: deps.registrations,
  provisionsOf: () => ({ makes: true, renames: false }),
  classroomOf: () => ({ usersHaveRoles: true, createApiUser, updateApiUser: null }),
  onMatchable: () => Promise.resolve(),
  clock: systemClock,
  ids: randomIds,
  logger,
  wake: () => undefined,
  onOutcome: (outcome) => process.send?.(outcome),
});
worker.start();
// As the tool does once a second when something is due.
setInterval(worker.wake, 1_000);
