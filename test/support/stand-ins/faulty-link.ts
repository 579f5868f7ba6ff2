import { once } from "node:events";
import { listen } from "../../../sandbox/listen.ts";
import { connect, createServer, type Socket } from "node:net";

/** A connection to a server that a test may interrupt, as when a network or a machine goes away. */
export type FaultyLink = {
  port: number;
  /** Closes every connection and accepts no new ones. */
  cut: () => void;
  /** Keeps connections open but sends nothing any more, like a machine that hangs. */
  silence: () => void;
  mend: () => void;
  close: () => Promise<void>;
};

/** Listens on a free loopback port and forwards everything to `to`. */
export async function startFaultyLink(to: { host: string; port: number }): Promise<FaultyLink> {
  const open = new Set<Socket>();
  const state: { now: "well" | "cut" | "silent" } = { now: "well" };
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((from) => {
    if (state.now === "cut") {
      from.destroy();
      return;
    }
    const onward = connect(to.port, to.host);
    for (const [one, other] of [
      [from, onward],
      [onward, from],
    ] as const) {
      open.add(one);
      one.on("data", (part) => {
        if (state.now === "well") other.write(part);
      });
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const port = await listen(server);
  return {
    port,
    cut: () => {
      state.now = "cut";
      endAll();
    },
    silence: () => {
      state.now = "silent";
    },
    mend: () => {
      // Swallowed data cannot be delivered later.
      endAll();
      state.now = "well";
    },
    close: async () => {
      endAll();
      server.close();
      await once(server, "close");
    },
  };
}
