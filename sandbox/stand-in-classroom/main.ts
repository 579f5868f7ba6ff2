// Imitates nothing: starts the stand-in alone.
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { turnedSchema } from "../assumptions.ts";
import { oneOf, port, readOptions, startedOrEnd, webAddress } from "../command-line.ts";
import { type ReplyTimes, usualReplyTimes } from "./traffic.ts";
import { spellingNames } from "./spellings.ts";
import { startStandInClassroom } from "./stand-in-classroom.ts";

/** "30-600": a range in milliseconds. */
const replyTimes = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, "must be a range of milliseconds, such as 30-600")
  .transform((text): ReplyTimes => {
    const [from = 0, to = from] = text.split("-").map(Number);
    return { from, to };
  });
const values = readOptions(
  "npm run sandbox:classroom --",
  z.object({
    port: port.prefault("4002").describe("where it listens"),
    host: z.string().default("127.0.0.1").describe("the network address it listens on"),
    "public-url": webAddress.optional().describe("how others reach it, where that is another address"),
    "webhook-url": webAddress
      .default("http://127.0.0.1:3000/webhooks/production")
      .describe("where it sends webhooks"),
    spelling: oneOf(spellingNames)
      .default("a")
      .describe(`how calls are written: ${spellingNames.join(", ")}`),
    "reply-ms": replyTimes
      .prefault(`${usualReplyTimes.from}-${usualReplyTimes.to}`)
      .describe("how long replies take, in milliseconds"),
    "limit-counts": oneOf(["arrivals", "replies"])
      .optional()
      .describe("what its limit counts: arrivals or replies"),
    "api-key": z.string().default("sandbox-api-key").describe("the key it expects"),
    "webhook-secret": z.string().default("sandbox-webhook-secret").describe("the secret of its webhooks"),
    "end-redirect": webAddress.optional().describe("where people go when a session ends"),
    turned: turnedSchema.prefault("").describe("assumptions to turn round: all, borne, or names"),
  }),
);

const { spelling } = values;
const classroom = await startedOrEnd(
  startStandInClassroom({
    port: values.port,
    host: values.host,
    ...(values["public-url"] === undefined ? {} : { publicUrl: values["public-url"] }),
    clock: systemClock,
    logger: createLogger("info"),
    apiKey: values["api-key"],
    webhookSecret: values["webhook-secret"],
    webhookUrl: values["webhook-url"],
    spelling,
    ...(values["limit-counts"] === undefined ? {} : { limitCounts: values["limit-counts"] }),
    turned: values.turned,
    replyTimes: values["reply-ms"],
    institution: { endRedirect: { url: values["end-redirect"] ?? null } },
  }),
);

console.log(`Stand-in classroom: ${classroom.hostUrl}
Webhooks go to ${values["webhook-url"]}

Put this into the tool's environment (.env):
CLASSROOM_BASE_URL=${classroom.apiUrl}
CLASSROOM_APP_URL=${classroom.appUrl}
CLASSROOM_API_KEY=${values["api-key"]}
CLASSROOM_WEBHOOK_SECRET=${values["webhook-secret"]}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void classroom.close());
