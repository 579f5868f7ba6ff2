import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server } from "node:net";

/** A server that listens. */
export type OpenServer = {
  /** The port it listens on (another one than wanted when that was 0). */
  port: number;
  /** Finishes the requests in hand; kept-alive connections without one are closed, slow ones after ten seconds. */
  close: () => Promise<void>;
};

/**
 * So many sockets listen on the port. Node takes one new connection of each in a turn of the event loop, so with one socket
 * a hundred people who come at the same time wait for a hundred turns.
 */
const doors = process.platform === "linux" ? 8 : 1;

/** Listens on a port. Whoever sends a request slower than in half a minute is cut off. @throws when the port is taken */
export async function openServer(app: RequestListener, wanted: number): Promise<OpenServer> {
  // Longer than a proxy or a sender of webhooks keeps a connection without using it: closed first by us, it would be used once
  // more in that moment, and the request would be lost on its way.
  const keepAliveTimeout = 75_000;
  const server = createHttpServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout }, app);
  // Sockets that share a port share it with another program's, too: only one that does not tells that it is taken.
  if (doors > 1 && wanted !== 0) {
    const alone = createServer();
    await listen(alone, wanted, false);
    await closed(alone);
  }
  let others: Server[] = [];
  let port: number;
  try {
    port = await listen(server, wanted, doors > 1);
    others = Array.from({ length: doors - 1 }, () =>
      createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit("connection", socket)),
    );
    await Promise.all(others.map((other) => listen(other, port, true)));
  } catch (thrown) {
    if (!cannotShare(thrown)) throw thrown;
    port = await listen(server, wanted, false);
  }
  const close = async () => {
    const tooSlow = setTimeout(() => {
      server.closeAllConnections();
    }, 10_000);
    const all = Promise.all([server, ...others].map(closed));
    server.closeIdleConnections();
    await all;
    clearTimeout(tooSlow);
  };
  return { port, close };
}

/** Not every kernel and sandbox lets sockets share a port. */
function cannotShare(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return code === "ENOTSUP" || code === "ENOPROTOOPT" || code === "EINVAL";
}

function listen(server: Server, port: number, shared: boolean): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, reusePort: shared }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Takes no new connections and resolves when the last one has ended. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
