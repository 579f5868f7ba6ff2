import { createServer } from "node:http";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listen } from "../../../sandbox/listen.ts";
import { watchStalls } from "../../../sandbox/stand-in-classroom/traffic.ts";

/** Sends a request on command, on a new connection or on its latest one, while the test's own thread is blocked. */
const sender = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { connect } = require("node:net");
  let socket = null;
  parentPort.on("message", ({ anew, told }) => {
    if (anew) socket = connect(workerData.port, "127.0.0.1").resume();
    socket.write("GET / HTTP/1.1\\r\\nhost: here\\r\\n\\r\\n", () => {
      Atomics.store(told, 0, 1);
      Atomics.notify(told, 0);
    });
  });
`;

const cleanUp: (() => unknown)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** A server that is busy for `perConnection` ms with each new connection, with how long each request may have waited. */
async function startServer(perConnection: number) {
  const stalls = watchStalls();
  const mayHaveWaited: number[] = [];
  const server = createServer((_request, response) => {
    mayHaveWaited.push(stalls.now());
    response.end();
  });
  server.on("connection", () => busyFor(perConnection));
  const port = await listen(server);
  const worker = new Worker(sender, { eval: true, workerData: { port } });
  cleanUp.push(
    () => stalls.close(),
    () => server.close().closeAllConnections(),
    () => worker.terminate(),
  );
  /** Blocks until a request is here, and for `ms` more. */
  const sendAndStandStill = (anew: boolean, ms: number) => {
    const told = new Int32Array(new SharedArrayBuffer(4));
    worker.postMessage({ anew, told });
    Atomics.wait(told, 0, 0);
    busyFor(ms);
  };
  return { stalls, mayHaveWaited, sendAndStandStill };
}

describe("A stand-in that was blocked", () => {
  test.each([0, 5, 11, 12, 13, 14, 20])(
    "knows how long a request may have waited, even on a connection that takes %d ms to be accepted",
    async (perConnection) => {
      const { mayHaveWaited, sendAndStandStill } = await startServer(perConnection);
      for (const anew of [true, false, true]) {
        mayHaveWaited.length = 0;
        sendAndStandStill(anew, 150);
        await vi.waitFor(() => expect(mayHaveWaited).toHaveLength(1));
        expect(mayHaveWaited[0]).toBeGreaterThanOrEqual(150);
      }
    },
  );

  test("knows when it runs again", async () => {
    const { stalls, sendAndStandStill } = await startServer(0);
    sendAndStandStill(true, 50);
    await vi.waitFor(() => expect(stalls.now()).toBe(0));
  });
});
