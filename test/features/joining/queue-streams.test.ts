import { once } from "node:events";
import { createServer } from "node:http";
import express from "express";
import { expect, test } from "vitest";
import { listen } from "../../../sandbox/listen.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createQueueStreams } from "../../../src/modules/joining/pages/queue-streams.ts";
import { positionOf } from "../../support/builders/queue-position.ts";

const position = positionOf();

test("a browser that left while its position was looked up is not watched for", async () => {
  let watched = 0;
  const watch = () => {
    watched += 1;
    return () => undefined;
  };
  const streams = createQueueStreams({ waitingQueue: { watch }, clock: systemClock });
  const opened = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  const app = express();
  app.get("/", async (_request, response) => {
    asked.resolve(undefined);
    await once(response, "close");
    streams.open(position, "Course", () => ({ state: "gone" }), response);
    opened.resolve(undefined);
  });
  const server = createServer(app);
  try {
    const port = await listen(server);
    const browser = new AbortController();
    const answer = fetch(`http://127.0.0.1:${port}/`, { signal: browser.signal }).catch(() => "gone");
    await asked.promise;
    browser.abort();
    expect(await answer).toBe("gone");
    await opened.promise;
    expect(watched).toBe(0);
  } finally {
    server.close();
  }
});
