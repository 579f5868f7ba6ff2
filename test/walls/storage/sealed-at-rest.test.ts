import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createInvitation } from "../../../src/modules/registration/registrations.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores } from "../../../src/open-stores.ts";
import { folderForTest } from "../../support/folders.ts";

const secretKey = "a secret key of at least thirty-two bytes";

test("a copy of the database's files reveals no private key, access token or invitation, before or after resealing", async () => {
  const folder = await folderForTest();
  const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
  try {
    const stores = await openStores(database.connection);
    const sealer = createSealer(secretKey);
    const keys = createToolKeys({ toolKeys: stores.toolKeys, sealer, clock: systemClock, ids: randomIds });
    const { privateKey, kid } = await keys.signingKey("reg_1");
    await stores.accessTokens.save({
      registrationId: "reg_1",
      scopes: "scope",
      sealedToken: sealer.seal("access-token reg_1", "the-token-itself"),
      expiresAt: Date.now() + 60_000,
    });
    const exponent = privateKey.export({ format: "jwk" }).d ?? "";
    expect(exponent.length).toBeGreaterThan(100);
    expect(await keys.reseal()).toEqual({ resealed: 1, unreadable: [] });
    expect((await keys.signingKey("reg_1")).kid).toBe(kid);

    const made = await createInvitation(
      { ...stores, publicUrl: "https://tool.example", clock: systemClock, ids: randomIds },
      { account: "production", hours: 1 },
    );
    const invite = new URL(made.url).searchParams.get("invite") ?? "";
    expect(invite.length).toBe(32);

    const files = await readdir(folder);
    const bytes = Buffer.concat(await Promise.all(files.map((name) => readFile(join(folder, name)))));
    const text = bytes.toString("latin1");
    expect(text).toContain(kid); // these are the files
    for (const secret of [
      "PRIVATE KEY",
      exponent,
      exponent.slice(0, 40),
      "the-token-itself",
      secretKey,
      invite,
    ]) {
      expect(text.includes(secret)).toBe(false);
    }
    expect(await stores.accessTokens.dropAll()).toBe(1);
    expect(await stores.accessTokens.find("reg_1", "scope", Date.now())).toBeNull();
  } finally {
    await database.close();
  }
});
