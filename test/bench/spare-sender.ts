import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Sends requests over connections that are kept open, with as little work as possible. */
export type SpareSender = {
  /** Resolves with the response's status. Waits for a connection when all are in use. @throws when the connection ends */
  post: (body: string) => Promise<number>;
  close: () => void;
};

type Connection = {
  socket: Socket;
  /** The part of the awaited response that has arrived so far. */
  text: string;
  answered: PromiseWithResolvers<number> | null;
};

/**
 * Opens connections to an address that takes webhooks. Node's own client costs as much as the tool that answers, and both share one
 * machine: the sender would be the bottleneck. Responses must state their length.
 */
export async function openSpareSender(
  to: { url: string; secret: string },
  connections: number,
): Promise<SpareSender> {
  const { hostname, port, pathname, host } = new URL(to.url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${to.secret}\r\nContent-Type: application/json\r\n`;
  const all: Connection[] = [];
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const open = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding("latin1");
    await once(socket, "connect");
    const connection: Connection = { socket, text: "", answered: null };
    socket.on("data", (part: string) => {
      connection.text += part;
      const status = statusOf(connection.text);
      if (status === null) return;
      const { answered } = connection;
      Object.assign(connection, { text: "", answered: null });
      answered?.resolve(status);
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
    });
    const fail = () => connection.answered?.reject(new Error("the connection ended before the answer"));
    socket.on("error", fail).on("close", fail);
    all.push(connection);
    free.push(connection);
  };
  await Promise.all(Array.from({ length: connections }, open));
  return {
    post: async (body) => {
      const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
      connection.answered = Promise.withResolvers<number>();
      connection.socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return connection.answered.promise;
    },
    close: () => {
      for (const { socket } of all) socket.destroy();
    },
  };
}

/** The status of a complete response; null while something is missing. */
function statusOf(text: string): number | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error("the answer does not tell its length");
  return text.length >= headEnd + 4 + Number(length) ? Number(text.slice(9, 12)) : null;
}
