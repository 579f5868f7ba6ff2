import { existsSync } from "node:fs";
import { startTool } from "./build-app.ts";
import { ConfigError, readConfig } from "./config.ts";
import { messageOf, NamedError } from "./kernel/errors.ts";
import { createLogger } from "./kernel/logger.ts";

if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  if (config.allowPrivatePlatforms) {
    logger.warn(
      {},
      "ALLOW_PRIVATE_PLATFORMS=1: LMS addresses may be private and plain http. For development only.",
    );
  }
  const tool = await startTool(config, { logger });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      logger.info({ signal }, "stopping");
      tool.stop().then(
        () => process.exit(0),
        (thrown: unknown) => {
          logger.error({ error: messageOf(thrown) }, "stopping failed");
          process.exit(1);
        },
      );
    });
  }
} catch (thrown) {
  // What the operator can mend is told in words; only a defect shows its stack.
  const told = thrown instanceof ConfigError || thrown instanceof NamedError || isListenError(thrown);
  console.error(told ? messageOf(thrown) : thrown);
  process.exit(2);
}

function isListenError(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && thrown.syscall === "listen";
}
