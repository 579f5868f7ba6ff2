import { describe, expect, test } from "vitest";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { createLmsStores } from "../../support/lms-stores.ts";
import { startPlatform, registered, startTool } from "../../support/signed-launch.ts";

function world() {
  const clock = { time: 1_000_000, now: () => clock.time, sleep: () => Promise.resolve() };
  const stores = createLmsStores();
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const open = () => createToolKeys({ toolKeys: stores.toolKeys, sealer, clock, ids: randomIds });
  return { clock, stores, open };
}

describe("our keys", () => {
  test("two instances that need the first key at the same moment end up with one", async () => {
    const { open } = world();
    const [one, two] = [open(), open()];
    const kids = await Promise.all(
      [one, one, two, two].map(async (keys) => (await keys.signingKey("reg_1")).kid),
    );
    expect(new Set(kids).size).toBe(1);
    expect(await one.publicKeys()).toHaveLength(1);
  });

  test("a rotation publishes the next key before it signs, and the old one a day longer", async () => {
    const { clock, open } = world();
    const keys = open();
    const first = (await keys.signingKey("reg_1")).kid;
    const { kid: next } = await keys.rotate("reg_1");
    expect((await keys.publicKeys()).map(({ kid }) => kid).sort()).toEqual([first, next].sort());
    expect((await keys.signingKey("reg_1")).kid).toBe(first);
    clock.time += 3_600_000;
    expect((await keys.signingKey("reg_1")).kid).toBe(next);
    expect(await keys.publicKeys()).toHaveLength(2);
    clock.time += 24 * 3_600_000;
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([next]);
  });

  test("private halves are sealed in the store and never published", async () => {
    const { stores, open } = world();
    await open().signingKey("reg_1");
    expect(JSON.stringify(await stores.toolKeys.list())).not.toMatch(/PRIVATE KEY|"d"|\\"d\\"/);
    expect(Object.keys((await open().publicKeys())[0] ?? {}).sort()).toEqual([
      "alg",
      "e",
      "kid",
      "kty",
      "n",
      "use",
    ]);
  });

  test("the key set is served with its lifetime", async () => {
    const tool = await startTool();
    const platform = await startPlatform();
    await registered(tool, platform);
    const response = await fetch(`${tool.url}/lti/keys`);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toMatch(/max-age=\d+/);
    expect(await response.json()).toEqual({ keys: [] });
    tool.stores.toolKeys.list = () => Promise.reject(new Error("away"));
    expect((await fetch(`${tool.url}/lti/keys`)).status).toBe(500);
    await platform.close();
    await tool.close();
  });
});
