import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server } from "node:net";

/**
 * Sockets on the port. Node takes one new connection of each in a turn of the event loop: with one socket a hundred
 * people who come together wait for a hundred turns.
 */
const socketCount = 8;
/** How often time-outs are checked (ms); Node's own rhythm would let a half-sent request live for twice its time. */
const checkIntervalMs = 2_000;
/** While closing, how often connections that have become idle are looked for. */
const idleCheckMs = 100;

/** How long the head of a request, and the whole of it, may take (ms). */
type RequestTimeouts = { headersTimeout: number; requestTimeout: number };
const usualTimeouts: RequestTimeouts = { headersTimeout: 15_000, requestTimeout: 30_000 };

/** Requests slower than half a minute are cut off. @throws when the port is taken */
export async function openServer(
  app: RequestListener,
  requestedPort: number,
  timeouts: RequestTimeouts = usualTimeouts,
) {
  // Longer than a proxy or a sender of webhooks keeps an idle connection: closed first by us, it could be used again in
  // that moment, and the request would be lost.
  const keepAliveMs = 75_000;
  const server = createHttpServer(
    { ...timeouts, connectionsCheckingInterval: checkIntervalMs, keepAliveTimeout: keepAliveMs },
    app,
  );
  if (requestedPort !== 0) await refuseTaken(requestedPort);
  const shared = await listenShared(server, requestedPort);
  /** Another one than wanted when that was 0. */
  const port = portOf(server) ?? requestedPort;
  const others = Array.from({ length: shared ? socketCount - 1 : 0 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
  );
  await Promise.all(others.map((other) => listen(other, { port, reusePort: true })));
  /** Finishes running requests; idle connections are closed immediately, slow ones after ten seconds. */
  const close = async () => {
    const tooSlow = setTimeout(() => {
      server.closeAllConnections();
    }, 10_000);
    const all = Promise.all([server, ...others].map(closed));
    // An answer that ends after this moment leaves its connection open for the next request.
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

/** A shared socket shares with other programs, too: only an exclusive one detects a taken port. */
async function refuseTaken(port: number): Promise<void> {
  const alone = createServer();
  await listen(alone, { port });
  await closed(alone);
}

/** False when this system does not share ports. */
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
