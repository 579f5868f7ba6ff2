import { once } from "node:events";
import { connect, createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { listen } from "../../sandbox/listen.ts";
import { letOthersRun } from "../../src/kernel/async.ts";
import { openServer } from "../../src/web/open-server.ts";

/** In its own thread, as the test keeps its event loop busy: people who all come at the same time. */
const people = `
  const { workerData, parentPort } = require("node:worker_threads");
  const { get } = require("node:http");
  const one = () => new Promise((resolve, reject) => {
    get({ port: workerData.port, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
  Promise.all(Array.from({ length: workerData.count }, one)).then((statuses) => parentPort.postMessage(statuses));
`;

test.runIf(process.platform === "linux")(
  "a hundred people who come at the same time to a busy process wait for a few turns, not for a hundred",
  async () => {
    let asked = 0;
    const server = await openServer((_request, response) => {
      asked += 1;
      response.end("hello");
    }, 0);
    const worker = new Worker(people, { eval: true, workerData: { port: server.port, count: 100 } });
    const answered = once(worker, "message");
    let turns = 0;
    while (asked < 100) {
      if (asked > 0) turns += 1;
      const busyUntil = performance.now() + 10;
      while (performance.now() < busyUntil);
      await letOthersRun();
    }
    expect(await answered).toEqual([Array.from({ length: 100 }, () => 200)]);
    expect(turns).toBeLessThan(60);
    await worker.terminate();
    await server.close();
  },
);

test("a port that another program or another tool uses is refused", async () => {
  const other = createServer();
  const taken = await listen(other, 0, "0.0.0.0");
  await expect(openServer(() => undefined, taken)).rejects.toMatchObject({ code: "EADDRINUSE" });
  other.close();
  const first = await openServer(() => undefined, 0);
  await expect(openServer(() => undefined, first.port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  await first.close();
});

test("a server that closes finishes its requests, on whichever of its sockets they came", async () => {
  const begun = Promise.withResolvers<undefined>();
  const mayEnd = Promise.withResolvers<undefined>();
  let asked = 0;
  const server = await openServer((_request, response) => {
    asked += 1;
    if (asked === 20) begun.resolve(undefined);
    void mayEnd.promise.then(() => response.end("done"));
  }, 0);
  const answers = Array.from({ length: 20 }, () =>
    fetch(`http://127.0.0.1:${server.port}/`, { headers: { connection: "close" } }).then((answer) =>
      answer.text(),
    ),
  );
  await begun.promise;
  const closed = server.close();
  mayEnd.resolve(undefined);
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, () => "done"));
  await closed;
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
});

test("a stream that ends while the server closes does not delay it, although its connection could be reused", async () => {
  const mayEnd = Promise.withResolvers<undefined>();
  const server = await openServer((_request, response) => {
    response.write("first");
    void mayEnd.promise.then(() => response.end("last"));
  }, 0);
  const socket = connect(server.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: tool\r\n\r\n");
  await once(socket, "data");
  const from = performance.now();
  const closed = server.close();
  mayEnd.resolve(undefined);
  socket.resume();
  await closed;
  // What is open after ten seconds is cut off in any case.
  expect(performance.now() - from).toBeLessThan(5_000);
});

test.each([
  ["head", "POST / HTTP/1.1\r\nHost: tool\r\n"],
  ["body", "POST / HTTP/1.1\r\nHost: tool\r\nContent-Length: 10\r\n\r\nhalf"],
])("a sender of half a %s is cut off within seconds of the limit", async (_what, half) => {
  const patience = { headersTimeout: 300, requestTimeout: 600 };
  const server = await openServer(() => undefined, 0, patience);
  const socket = connect(server.port, "127.0.0.1");
  socket.resume();
  const from = performance.now();
  socket.write(half);
  await once(socket, "close");
  expect(performance.now() - from).toBeLessThan(15_000);
  await server.close();
});
