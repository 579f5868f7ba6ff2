import { parseArgs } from "node:util";
import { systemClock } from "../../kernel/clock.ts";
import { createLogger } from "../../kernel/logger.ts";
import { turnedOf } from "../assumptions.ts";
import { demoSeed } from "../demo-seed.ts";
import { startStandInLms } from "./start-stand-in-lms.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4001" },
    host: { type: "string", default: "127.0.0.1" },
    manners: { type: "string", default: "moodle" },
    "public-url": { type: "string" },
    "public-host": { type: "string" },
    turned: { type: "string", default: "" },
    "by-hand": { type: "boolean", default: false },
  },
});

if (values.manners !== "moodle" && values.manners !== "canvas" && values.manners !== "other") {
  console.error("--manners is moodle, canvas or other.");
  process.exit(2);
}
const { "public-url": publicUrl, "public-host": publicHost } = values;
const lms = await startStandInLms({
  port: Number(values.port),
  host: values.host,
  clock: systemClock,
  logger: createLogger("info"),
  manners: values.manners,
  seed: demoSeed,
  turned: turnedOf(values.turned),
  autoActivate: !values["by-hand"],
  ...(publicUrl === undefined ? {} : { publicUrl }),
  ...(publicHost === undefined ? {} : { publicHost }),
});
console.log(`The stand-in LMS (${values.manners} manners) is at ${lms.url}

  To add a tool     ${lms.url}/admin/tools   (log in as Admin User; paste the tool's registration URL)
  To open it        ${lms.url}/course/${demoSeed.courses[0]?.id ?? ""}   (log in as anybody)
  What was sent     ${lms.url}/sandbox/log.json
  Faults            POST ${lms.url}/sandbox/faults   {"on":"scores","how":"answer","status":503,"times":3}

The tool must be allowed to talk to a loopback address (ALLOW_PRIVATE_PLATFORMS=1). Stop with Ctrl-C.`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void lms.close().then(() => process.exit(0));
  });
}
