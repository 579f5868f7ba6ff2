import { createServer, type RequestListener } from "node:http";

/** A server that listens. */
export type OpenServer = {
  /** The port it listens on (another one than wanted when that was 0). */
  port: number;
  /** Finishes the requests in hand; kept-alive connections without one are closed, slow ones after ten seconds. */
  close: () => Promise<void>;
};

/** Listens on a port. Whoever sends a request slower than in half a minute is cut off. @throws when the port is taken */
export async function openServer(app: RequestListener, wanted: number): Promise<OpenServer> {
  // Longer than a proxy or a sender of webhooks keeps a connection without using it: closed first by us, it would be used once
  // more in that moment, and the request would be lost on its way.
  const keepAliveTimeout = 75_000;
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout }, app);
  const port = await new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : wanted);
    });
  });
  const close = () =>
    new Promise<void>((resolve) => {
      const tooSlow = setTimeout(() => {
        server.closeAllConnections();
      }, 10_000);
      server.close(() => {
        clearTimeout(tooSlow);
        resolve();
      });
      server.closeIdleConnections();
    });
  return { port, close };
}
