import type { Server } from "node:http";

/** Starts a server on a free loopback port and returns its origin. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Stops a server and cuts what is still open. */
export async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeAllConnections();
  await done;
}
