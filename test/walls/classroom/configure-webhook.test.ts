import { createServer, type IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { createClassroomClient } from "../../../src/classroom/client.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { freeThrottle } from "../../support/stand-ins/free-throttle.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const webhook = { url: "https://tool.test/webhooks/production", secret: "a-secret" };
const asInstructor = { priority: "instructor" } as const;

/** A classroom that answers like this, with what it was told. */
async function connect(answer: string, dialect: object = {}) {
  const told: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    told.push(`${request.method ?? ""} ${request.url ?? ""}`);
    request.resume();
    response.setHeader("content-type", "application/json").end(answer);
  });
  const baseUrl = await listening(server);
  closing.push(() => closed(server));
  const client = createClassroomClient({
    environment: {
      name: "production",
      stage: "production",
      baseUrl,
      appUrl: "https://app.test",
      apiKey: "key",
    },
    dialect: parseDialect(dialect),
    throttle: freeThrottle,
    open: createExchanges(),
    clock: systemClock,
    logger: createLogger("silent"),
  });
  return { answer: await client.configureWebhook(webhook, asInstructor), told };
}

describe("setting the address of webhooks", () => {
  test("is sure when the classroom repeats the address", async () => {
    const { answer, told } = await connect(JSON.stringify({ webhook: { id: 1, url: webhook.url } }));
    expect(answer).toEqual({ confirmed: true });
    expect(told).toEqual(["POST /webhooks"]);
  });

  test.each([
    ["nothing", "{}"],
    ["another address", JSON.stringify({ url: "https://elsewhere.test/" })],
    ["a page", "<!doctype html><title>Welcome</title>"],
  ])("is not sure when it answers %s", async (_what, reply) => {
    expect((await connect(reply)).answer).toEqual({ confirmed: false });
  });

  test("is not tried when the dialect says that there is no such address", async () => {
    const { answer, told } = await connect("{}", { operations: { configureWebhook: { routes: [] } } });
    expect(answer).toBeNull();
    expect(told).toEqual([]);
  });

  test("goes where the dialect says", async () => {
    const routes = [
      { method: "PUT", path: "/integrations/hooks", body: { target: "{url}", token: "{secret}" } },
    ];
    const { told } = await connect("{}", { operations: { configureWebhook: { routes } } });
    expect(told).toEqual(["PUT /integrations/hooks"]);
  });
});
