import { once } from "node:events";
import type { Server } from "node:net";

/** Real servers and their proxies keep an idle connection for a minute or more. With Node's five seconds, a client that was busy for a moment sends on a connection that is just closing, and gets ECONNRESET. */
const keepAliveMs = 75_000;

/** Makes a server listen. @param port By default, any free one. @returns the port it has. @throws like the server, such as EADDRINUSE */
export async function listen(server: Server, port = 0, host = "127.0.0.1"): Promise<number> {
  if ("keepAliveTimeout" in server) server.keepAliveTimeout = keepAliveMs;
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server listens on no port.");
  return address.port;
}
