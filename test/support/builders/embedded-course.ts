import type { JoinSettings } from "../../../src/settings/options.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores } from "../../../src/open-stores.ts";

/** From now on, every course that the tool knows has these settings, as if an instructor had saved them on the settings page. */
export async function setCourses(world: DemoWorld, change: Partial<JoinSettings>): Promise<void> {
  const url = world.variables["DATABASE_URL"] ?? "";
  const database = await openDatabase({ url, logger: createLogger("silent") });
  try {
    const { courses, registrations } = await openStores(database.connection);
    for (const registration of await registrations.list()) {
      for (const { course } of await courses.latestOf(registration.id, 100)) {
        const { id, settingsRevision, settings, door, spaceAccess } = course;
        const to = { settings: { ...settings, ...change }, door, spaceAccess };
        if (!(await courses.changeSettings(id, settingsRevision, to))) throw new Error("not set");
      }
    }
  } finally {
    await database.close();
  }
}
