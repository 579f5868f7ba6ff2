import type { Server } from "node:http";
import { listen } from "../../../sandbox/listen.ts";

/** Starts a server on a free loopback port and returns its origin. */
export async function listening(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listen(server)}`;
}

/** Stops a server and closes connections that are still open. */
export async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeAllConnections();
  await done;
}
