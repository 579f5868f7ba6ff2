import { z } from "zod";
import { createLogger } from "../src/kernel/logger.ts";
import { holdDemoClass } from "./demo-class.ts";
import { keepDemoCohorts } from "./demo-cohorts.ts";
import { startDemoPage } from "./demo-page.ts";
import { playStory } from "./demo-story.ts";
import { startDemoWorld } from "./demo-world.ts";
import { oneOf, readOptions } from "./command-line.ts";
import { freePort } from "./tool-process.ts";

const values = readOptions(
  "npm run demo --",
  z.object({
    story: z
      .boolean()
      .default(false)
      .describe("runs a class over HTTP and exits with 0 only if the grades are right"),
    manners: oneOf(["moodle", "canvas", "other"])
      .default("moodle")
      .describe("the LMS: moodle, canvas or other"),
  }),
);
const logger = createLogger("warn");
const password = "demo-password";

if (values.story) {
  const world = await startDemoWorld({ logger });
  try {
    await playStory(world, (line) => {
      console.log(line);
    });
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    console.error(`The tool's last lines:\n${world.tool().output().slice(-2_000)}`);
    process.exitCode = 1;
  } finally {
    await world.close();
  }
} else {
  const world = await startDemoWorld({
    logger,
    ports: { lms: 4001, classroom: 4002, tool: 4003 },
    manners: values.manners,
    mail: true,
    variables: { ADMIN_PASSWORD: password, ALARM_MAIL_TO: "operator@demo.example" },
  });
  const stopCohorts = keepDemoCohorts(world);
  const demoClass = holdDemoClass(world);
  const port = await freePort(4000);
  const page = await startDemoPage(world, { port, password, progress: demoClass.progress });
  console.log(`Open http://127.0.0.1:${port} and choose who you are. Stop with Ctrl-C.`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      stopCohorts();
      demoClass.stop();
      page.close();
      page.closeAllConnections();
      world.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
