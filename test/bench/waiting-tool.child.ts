import { startTool } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/kernel/logger.ts";

/** The tool as src/main.ts starts it, which also reports its memory (after a garbage collection) on request. */
process.on("disconnect", () => process.exit());
await startTool(readConfig(), { logger: createLogger("silent") });
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed + external });
});
