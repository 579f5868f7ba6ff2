import { existsSync } from "node:fs";
import { startTool } from "./compose.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { messageOf, NamedError } from "./kernel/errors.ts";
import { createLogger, lastLinesRead } from "./kernel/logger.ts";

/** Signals this close together (ms) count as one request to stop. */
const repeatedSignalMs = 2_000;

if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const config = readConfig();
  // On stderr, so a program that reads the log as JSON from stdout finds nothing else there.
  console.error(startLine(config));
  const logger = createLogger(config.logLevel);
  for (const warning of config.warnings) logger.warn({}, warning);
  const starting = startTool(config, { logger });
  const stop = async (): Promise<void> => {
    try {
      await (await starting).stop();
    } catch (thrown) {
      logger.error({ error: messageOf(thrown) }, "stopping failed");
      process.exitCode = 1;
    }
    await lastLinesRead();
    process.exit();
  };
  let stoppingSince: number | undefined;
  // Set up early, because the tool answers requests before all of it has started.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now();
        logger.info({ signal }, "stopping");
        void stop();
        return;
      }
      // The same signal often comes twice: to the whole process group, and from the starter, which passes it on. A supervisor that lost
      // patience sends SIGKILL. Only a person at the keyboard who asks again later wants the process to end immediately.
      if (signal !== "SIGINT" || performance.now() - stoppingSince < repeatedSignalMs) return;
      logger.warn({ signal }, "stopped before all work under way was finished");
      process.exit(130);
    });
  await starting;
} catch (thrown) {
  // An operator gets a sentence about what they can fix. Only a defect shows its stack.
  const isKnownError = thrown instanceof ConfigError || thrown instanceof NamedError || isListenError(thrown);
  console.error(isKnownError ? messageOf(thrown) : thrown);
  process.exit(2);
}

/** For the person who just started the tool: where it will listen, and what to do next. */
function startLine({ port, publicUrl, adminPassword, oidc }: Config): string {
  const hasConsole = adminPassword !== undefined || oidc !== null;
  const consoleAt = hasConsole
    ? `console: ${publicUrl}/admin`
    : "no console (set ADMIN_PASSWORD to have one)";
  return (
    `spaces-lti starts on port ${port} for ${publicUrl}; ${consoleAt}. ` +
    "Next: “npm run doctor” checks the classroom, “npm run cli -- invite” lets an LMS register. The log follows as JSON."
  );
}

function isListenError(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown && thrown.syscall === "listen";
}
