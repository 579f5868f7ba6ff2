import { expect, test, vi } from "vitest";
import { startTool } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { listRoutes, rememberMounts } from "../support/tool/routes.ts";
import { folderForAll } from "../support/folders.ts";

const seen: { app: unknown } = vi.hoisted(() => ({ app: null }));
vi.mock(import("../../src/web/web-app.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    createWebApp: (...given) => Object.assign(seen, { app: real.createWebApp(...given) }).app,
  };
});

const folder = await folderForAll();

test("the running program answers exactly these addresses", async () => {
  const forget = rememberMounts();
  const config = readConfig({
    PUBLIC_URL: "https://tool.test",
    PORT: "0",
    DATABASE_URL: `file:${folder}`,
    SECRET_KEY: "a secret key of at least thirty-two bytes",
    ADMIN_PASSWORD: "a password of this test",
    OIDC_ISSUER: "https://id.test",
    OIDC_CLIENT_ID: "client",
    OIDC_OPERATORS: "olga@school.test",
    CLASSROOM_BASE_URL: "https://classroom.test",
    CLASSROOM_APP_URL: "https://classroom.test",
    CLASSROOM_API_KEY: "key-of-a-test",
    CLASSROOM_WEBHOOK_SECRET: "a-secret-for-webhooks",
  });
  const tool = await startTool(config, { logger: createLogger("silent") });
  try {
    const routes = listRoutes(seen.app);
    expect(routes.length).toBeGreaterThan(100);
    // To record a new or removed address: vitest run test/stories/routes.test.ts --update
    await expect(`${routes.join("\n")}\n`).toMatchFileSnapshot("routes.txt");
  } finally {
    forget();
    await tool.stop();
  }
});
