import { parseArgs } from "node:util";
import { z } from "zod";
import { systemClock } from "../../kernel/clock.ts";
import { createLogger } from "../../kernel/logger.ts";
import { turnedOf } from "../assumptions.ts";
import { type ReplyTimes, usualReplyTimes } from "./reply-times.ts";
import { spellingNames } from "./spellings.ts";
import { startStandInClassroom } from "./stand-in-classroom.ts";

const spellingSchema = z.enum(spellingNames);
/** "30-600": a range in milliseconds. */
const replyTimesSchema = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/)
  .transform((text): ReplyTimes => {
    const [from = 0, to = from] = text.split("-").map(Number);
    return { from, to };
  });
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "4002" },
    host: { type: "string", default: "127.0.0.1" },
    "public-url": { type: "string" },
    "webhook-url": { type: "string", default: "http://127.0.0.1:3000/webhooks/production" },
    spelling: { type: "string", default: "a" },
    "reply-ms": { type: "string", default: `${usualReplyTimes.from}-${usualReplyTimes.to}` },
    "limit-counts": { type: "string" },
    "api-key": { type: "string", default: "sandbox-api-key" },
    "end-redirect": { type: "string" },
    turned: { type: "string", default: "" },
    "webhook-secret": { type: "string", default: "sandbox-webhook-secret" },
  },
});

const limitCounts = z.enum(["arrivals", "replies"]).optional().parse(values["limit-counts"]);
const spelling = spellingSchema.parse(values.spelling);
const classroom = await startStandInClassroom({
  port: Number(values.port),
  host: values.host,
  ...(values["public-url"] === undefined ? {} : { publicUrl: values["public-url"] }),
  clock: systemClock,
  logger: createLogger("info"),
  apiKey: values["api-key"],
  webhookSecret: values["webhook-secret"],
  webhookUrl: values["webhook-url"],
  spelling,
  ...(limitCounts === undefined ? {} : { limitCounts }),
  turned: turnedOf(values.turned),
  replyTimes: replyTimesSchema.parse(values["reply-ms"]),
  institution: { endRedirect: { url: values["end-redirect"] ?? null } },
});

console.log(`Stand-in classroom: ${classroom.hostUrl}
Webhooks go to ${values["webhook-url"]}

Put this into the tool's environment (.env):
CLASSROOM_BASE_URL=${classroom.apiUrl}
CLASSROOM_APP_URL=${classroom.appUrl}
CLASSROOM_API_KEY=${values["api-key"]}
CLASSROOM_WEBHOOK_SECRET=${values["webhook-secret"]}${
  spelling === "clients" ? "\nCLASSROOM_DIALECT=public-clients" : ""
}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void classroom.close());
