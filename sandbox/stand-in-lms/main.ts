// Imitates nothing.
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { turnedSchema } from "../assumptions.ts";
import { demoSeed } from "../demo-seed.ts";
import { oneOf, port, readOptions, startedOrEnd, webAddress } from "../command-line.ts";
import { startStandInLms } from "./start-stand-in-lms.ts";

const values = readOptions(
  "npm run sandbox:lms --",
  z.object({
    port: port.prefault("4001").describe("where it listens"),
    host: z.string().default("127.0.0.1").describe("the network address it listens on"),
    manners: oneOf(["moodle", "canvas", "other"])
      .default("moodle")
      .describe("how it behaves: moodle, canvas or other"),
    "public-url": webAddress.optional().describe("how others reach it, where that is another address"),
    turned: turnedSchema.prefault("").describe("assumptions to turn round: all, borne, or names"),
  }),
);
const { "public-url": publicUrl } = values;
const lms = await startedOrEnd(
  startStandInLms({
    port: values.port,
    host: values.host,
    clock: systemClock,
    logger: createLogger("info"),
    manners: values.manners,
    seed: demoSeed,
    turned: values.turned,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  }),
);
console.log(`The stand-in LMS (${values.manners} manners) is at ${lms.url}

  To add a tool     ${lms.url}/admin/tools   (log in as Admin User; paste the tool's registration URL)
  To open it        ${lms.url}/course/${demoSeed.courses[0]?.id ?? ""}   (log in as anybody)
  What was sent     ${lms.url}/sandbox/log.json

The tool must be allowed to talk to a loopback address (ALLOW_PRIVATE_PLATFORMS=1). Stop with Ctrl-C.`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void lms.close().then(() => process.exit(0));
  });
}
