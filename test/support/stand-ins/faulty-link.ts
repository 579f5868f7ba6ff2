import { once } from "node:events";
import { listen } from "../../../sandbox/listen.ts";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that a test may cut, as a network or a machine that goes away does. */
export type FaultyLink = {
  port: number;
  /** Ends every connection and takes no new one through. */
  cut: () => void;
  /** Keeps connections open and says nothing any more, as a machine that stands still does. */
  silence: () => void;
  mend: () => void;
  close: () => Promise<void>;
};

/** Listens on a free port of loopback and passes everything on to `to`. */
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
      // What was swallowed cannot be made up for.
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
