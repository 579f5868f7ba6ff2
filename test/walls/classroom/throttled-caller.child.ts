import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { createThrottle } from "../../../src/classroom/throttle.ts";
import { steadyClock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { createThrottleStore } from "../../../src/storage/throttle-store.ts";

/** An instance of the tool under load: reads events as fast as the throttle allows, until it is ended. */
const [folder, baseUrl, apiKey, name] = process.argv.slice(2);
if (folder === undefined || baseUrl === undefined || apiKey === undefined || name === undefined)
  throw new Error("usage: folder baseUrl apiKey name");
// Ends with the test that started it, however that ends.
process.on("disconnect", () => process.exit());
const logger = createLogger("silent");
const database = await openDatabase({ url: `file:${folder}`, logger });
const store = createThrottleStore(database.connection);
const throttle = createThrottle({
  store,
  key: apiKey,
  clock: steadyClock(systemClock),
  dayTime: systemClock.now,
  ids: randomIds,
});
const client = classroomClient({ apiUrl: baseUrl }, { apiKey, throttle });

async function readForEver(): Promise<never> {
  for (;;) await client.readEvent(name ?? "", { priority: "background" });
}

await Promise.all(Array.from({ length: 6 }, readForEver));
