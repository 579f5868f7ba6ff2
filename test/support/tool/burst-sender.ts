import { Agent, request } from "node:http";
import { connect } from "node:net";
import { until } from "../until.ts";

/** How a burst was received. */
export type Acceptance = {
  /** Ms from the first request to the last acknowledgement. */
  took: number;
  /** Milliseconds of each acknowledged request, the shortest first. */
  answers: readonly number[];
  /** Requests that got no acknowledgement and were repeated. */
  again: number;
};

/** The progress of a burst. */
export type Progress = { acknowledged: number };

const sideBySide = 64;

/**
 * Sends webhooks as fast as they are accepted, over connections that are kept open, 64 at once. Whatever is not acknowledged is sent again
 * as soon as the receiver accepts connections, as a service does; resolves when all are acknowledged. @throws when that takes longer than
 * `patience` ms
 */
export async function sendBurst(
  to: { url: string; secret: string },
  bodies: readonly string[],
  { patience, progress = { acknowledged: 0 } }: { patience: number; progress?: Progress },
): Promise<Acceptance> {
  const agent = new Agent({ keepAlive: true, maxSockets: sideBySide });
  const queue = [...bodies];
  const answers: number[] = [];
  let again = 0;
  const began = performance.now();
  const lane = async () => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
      const asked = performance.now();
      if (asked - began > patience) throw new Error(`${queue.length + 1} webhooks were not acknowledged`);
      if (await isAcknowledged(agent, to, body)) {
        answers.push(performance.now() - asked);
        progress.acknowledged += 1;
        continue;
      }
      again += 1;
      queue.push(body);
      await until(patience, "the tool takes webhooks", () => isThere(to.url), 20);
    }
  };
  try {
    await Promise.all(Array.from({ length: sideBySide }, lane));
  } finally {
    agent.destroy();
  }
  return { took: performance.now() - began, answers: answers.sort((a, b) => a - b), again };
}

/** Whether anything accepts connections at an address. */
function isThere(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(Number(port), hostname, () => {
    resolve(true);
    socket.destroy();
  });
  socket.on("error", () => {
    resolve(false);
  });
  return promise;
}

/** Sends one webhook; whether it was acknowledged. */
function isAcknowledged(agent: Agent, to: { url: string; secret: string }, body: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const headers = {
    authorization: `Bearer ${to.secret}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  };
  const sent = request(to.url, { method: "POST", agent, headers, timeout: 15_000 }, (response) => {
    const { statusCode = 0 } = response;
    response.resume();
    response.on("end", () => {
      resolve(statusCode >= 200 && statusCode < 300);
    });
    response.on("close", () => {
      resolve(false);
    });
  });
  sent.on("timeout", () => sent.destroy());
  sent.on("error", () => {
    resolve(false);
  });
  sent.end(body);
  return promise;
}
