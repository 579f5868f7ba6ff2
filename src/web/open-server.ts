import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server } from "node:net";

/**
 * How many sockets listen on the port. Node accepts one connection per socket in each turn of the event loop, so with a single socket,
 * a hundred people who arrive together would wait for a hundred turns.
 */
const socketCount = 8;
/** How often time-outs are checked (ms). By default, Node would let a half-sent request live twice as long. */
const checkIntervalMs = 2_000;
/** While closing, how often to look for connections that have become idle (ms). */
const idleCheckMs = 100;

/** The most time for a request's head, and for the whole request (ms). */
type RequestTimeouts = { headersTimeout: number; requestTimeout: number };
const usualTimeouts: RequestTimeouts = { headersTimeout: 15_000, requestTimeout: 30_000 };

/** Starts the server. It cuts off requests that take longer than half a minute to arrive. @throws when the port is taken */
export async function openServer(
  app: RequestListener,
  requestedPort: number,
  timeouts: RequestTimeouts = usualTimeouts,
) {
  // Longer than a proxy or a sender of webhooks keeps an idle connection. If we closed first, they could be using the connection at
  // that moment, and the request would be lost.
  const keepAliveMs = 75_000;
  const server = createHttpServer(
    { ...timeouts, connectionsCheckingInterval: checkIntervalMs, keepAliveTimeout: keepAliveMs },
    app,
  );
  if (requestedPort !== 0) await refuseTaken(requestedPort);
  const shared = await listenShared(server, requestedPort);
  /** The port that was assigned, if 0 was requested. */
  const port = portOf(server) ?? requestedPort;
  const others = Array.from({ length: shared ? socketCount - 1 : 0 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
  await Promise.all(others.map((other) => listen(other, { port, reusePort: true })));
  /** Finishes running requests. Closes idle connections immediately, slow ones after ten seconds. */
  const close = async () => {
    const tooSlow = setTimeout(() => {
      server.closeAllConnections();
    }, 10_000);
    const all = Promise.all([server, ...others].map(closed));
    // An answer that ends after this moment keeps its connection open for another request.
    const idle = setInterval(() => {
      server.closeIdleConnections();
    }, idleCheckMs);
    server.closeIdleConnections();
    await all;
    clearTimeout(tooSlow);
    clearInterval(idle);
  };
  return { port, close };
}

/** A shared socket also shares with other programs, so only an exclusive socket detects a taken port. */
async function refuseTaken(port: number): Promise<void> {
  const alone = createServer();
  await listen(alone, { port });
  await closed(alone);
}

/** @returns false if this system can't share ports. */
async function listenShared(server: Server, port: number): Promise<boolean> {
  try {
    await listen(server, { port, reusePort: true });
    return true;
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    if (code !== "ENOTSUP" && code !== "ENOPROTOOPT" && code !== "EINVAL") throw thrown;
    await listen(server, { port });
    return false;
  }
}

async function listen(server: Server, where: { port: number; reusePort?: boolean }): Promise<void> {
  server.listen(where);
  await once(server, "listening");
}

function portOf(server: Server): number | null {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : null;
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, "close");
  server.close();
  await ended;
}
