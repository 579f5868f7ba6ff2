/** An in-memory network below Node's own HTTP client, parser and server. */
import { AsyncLocalStorage } from "node:async_hooks";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net from "node:net";
import { Duplex } from "node:stream";
import { createOutsideFetch } from "../../src/lms/outside-fetch.ts";
import { put } from "./edges.ts";
import { currentOwner, type Owner } from "./instances.ts";
import { loop } from "./loop.ts";

/** What happens to one piece of a connection: it arrives after a delay, or the connection breaks. */
export type Fate = { delayMs: number; isCut: boolean };

/** One request, as the server saw it. */
export type Seen = {
  at: number;
  from: Owner;
  port: number;
  method: string;
  url: string;
  /** The body of a request that sends a score; empty for others, and if it did not arrive whole. */
  score: string;
  /** 0 while there is no answer. */
  status: number;
  /** When the end of the answer reached the caller; null if it did not. */
  heardAt: number | null;
};

type Listening = { server: net.Server; owner: Owner; within: <T>(work: () => T) => T };
type Callback = (error?: Error | null) => void;

const state = {
  ports: new Map<number, Listening[]>(),
  /** Weak, so that servers of dead processes are freed, with everything they ever read. */
  listening: new WeakMap<
    net.Server,
    { port: number; wires: Set<Wire>; isClosed: boolean; leave: () => void }
  >(),
  nextPort: 20_000,
  seen: new Array<Seen>(),
  /** The sender's owner, and the port it calls. */
  fateOf: (_from: string, _port: number): Fate => ({ delayMs: 1, isCut: false }),
  choose: (count: number): number => (count > 0 ? 0 : -1),
};

export const network = {
  /** Begins an empty network. */
  clear: (rules: { fateOf: (from: string, port: number) => Fate; choose: (count: number) => number }) => {
    state.ports.clear();
    state.listening = new WeakMap();
    state.nextPort = 20_000;
    state.seen = [];
    Object.assign(state, rules);
  },
  setFate: (fateOf: (from: string, port: number) => Fate) => {
    state.fateOf = fateOf;
  },
  seen: (): readonly Seen[] => state.seen,
};

/** What Node keeps for a connection outside its heap would keep a dead instance, and everything it ever read. */
function freeParser(wire: Wire): void {
  const parser: unknown = Reflect.get(wire, "parser");
  if (typeof parser !== "object" || parser === null || !("close" in parser)) return;
  if (typeof parser.close === "function") Reflect.apply(parser.close, parser, []);
}

function broken(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: "read" });
}

/** One end of a connection. */
class Wire extends Duplex {
  connecting = false;
  readonly remoteAddress = "127.0.0.1";
  readonly remoteFamily = "IPv4";
  readonly remotePort = 50_000;
  readonly localAddress = "127.0.0.1";
  readonly port: number;
  readonly owner: Owner;
  readonly #within = AsyncLocalStorage.snapshot();
  #peer: Wire | null = null;
  #lastAt = 0;
  /** The owner at the other end. */
  from: Owner | null = null;
  #idle: { stop: () => void } | null = null;
  #idleMs = 0;

  constructor(port: number, isServers: boolean) {
    super({ allowHalfOpen: isServers });
    this.port = port;
    this.owner = currentOwner();
    const die = () => {
      this.#peer?.hearLater((peer) => peer.destroy(broken("ECONNRESET")), 1);
      this.#peer = null;
      freeParser(this);
    };
    this.owner.remains.add(die);
    this.once("close", () => {
      this.owner.remains.delete(die);
      this.#idle?.stop();
    });
  }

  join(peer: Wire): void {
    this.#peer = peer;
  }

  /** Something reaches this end, in the order in which it was sent, unless the end is gone. */
  hearLater(what: (wire: this) => void, delayMs: number, orGone?: () => void): void {
    this.#lastAt = Math.max(this.#lastAt, loop.now + delayMs);
    const hear = () => this.#within(() => (this.destroyed ? orGone?.() : what(this)));
    loop.after(this.#lastAt - loop.now, hear, this.owner);
  }

  /** Runs once everything sent here has reached the other end. */
  whenHeard(then: () => void): void {
    this.#peer?.hearLater(then, 0);
  }

  override _read(): void {
    // Pieces are pushed when they arrive.
  }

  override _write(piece: Buffer, _encoding: string, done: Callback): void {
    this.#send(piece, done);
  }

  override _writev(pieces: { chunk: Buffer }[], done: Callback): void {
    this.#send(Buffer.concat(pieces.map(({ chunk }) => chunk)), done);
  }

  #send(piece: Buffer, done: Callback): void {
    if (this.connecting) {
      this.once("connect", () => this.#send(piece, done));
      return;
    }
    this.#restart();
    const { delayMs, isCut } = state.fateOf(this.owner.name, this.port);
    const copy = Buffer.from(piece);
    if (isCut) {
      this.#peer?.hearLater((peer) => peer.destroy(broken("ECONNRESET")), delayMs);
      this.hearLater((wire) => wire.destroy(broken("ECONNRESET")), delayMs);
    } else {
      const reset = () => this.hearLater((wire) => wire.destroy(broken("ECONNRESET")), 1);
      const arrive = (peer: Wire) => {
        peer.#restart();
        peer.push(copy);
      };
      this.#peer?.hearLater(arrive, delayMs, reset);
    }
    done();
  }

  override _final(done: Callback): void {
    if (this.connecting) {
      this.once("connect", () => this._final(done));
      return;
    }
    this.#peer?.hearLater((peer) => peer.#hearEnd(), 1);
    done();
  }

  #hearEnd(): void {
    this.push(null);
    // Even if nobody reads, as on an idle connection.
    this.read(0);
  }

  override _destroy(error: Error | null, done: Callback): void {
    const peer = this.#peer;
    this.#peer = null;
    peer?.hearLater((one) => {
      if (error === null) one.#hearEnd();
      else one.destroy(broken("ECONNRESET"));
    }, 1);
    done(error);
  }

  setTimeout(ms: number, then?: () => void): this {
    this.#idleMs = ms;
    if (then !== undefined && ms === 0) this.off("timeout", then);
    else if (then !== undefined) this.once("timeout", then);
    this.#restart();
    return this;
  }

  #restart(): void {
    this.#idle?.stop();
    this.#idle = this.#idleMs > 0 ? loop.after(this.#idleMs, () => this.emit("timeout"), this.owner) : null;
  }

  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else {
      this.once("finish", () => this.destroy());
      this.end();
    }
  }
}

function connect(given: unknown): Wire {
  const port = typeof given === "object" && given !== null && "port" in given ? Number(given.port) : 0;
  const wire = new Wire(port, false);
  wire.connecting = true;
  wire.hearLater(() => {
    wire.connecting = false;
    const open = (state.ports.get(port) ?? []).filter(
      ({ server, owner }) => owner.alive && server.listenerCount("connection") > 0,
    );
    const target = open[state.choose(open.length)];
    if (target === undefined) {
      wire.destroy(Object.assign(broken("ECONNREFUSED"), { syscall: "connect", port }));
      return;
    }
    accept(wire, target);
    wire.emit("connect");
    wire.emit("ready");
  }, 1);
  return wire;
}

function accept(wire: Wire, { server, within }: Listening): void {
  within(() => {
    const other = new Wire(wire.port, true);
    wire.join(other);
    other.join(wire);
    const known = state.listening.get(server);
    known?.wires.add(other);
    other.once("close", () => {
      known?.wires.delete(other);
      if (known?.isClosed === true && known.wires.size === 0) server.emit("close");
    });
    other.from = wire.owner;
    other.hearLater(() => server.emit("connection", other), 0);
  });
}

type Where = { port: number; then: (() => void) | null };

function whereOf(given: readonly unknown[]): Where {
  const [first] = given;
  const last = given.at(-1);
  const port = typeof first === "object" && first !== null && "port" in first ? first.port : first;
  return {
    port: Number(port) || state.nextPort++,
    then: typeof last === "function" ? () => void Reflect.apply(last, null, []) : null,
  };
}

put(net.Server.prototype, "listen", function (this: net.Server, ...given: unknown[]) {
  const { port, then } = whereOf(given);
  const owner = currentOwner();
  const entry: Listening = { server: this, owner, within: AsyncLocalStorage.snapshot() };
  state.ports.set(port, [...(state.ports.get(port) ?? []), entry]);
  const leave = () => {
    state.ports.set(
      port,
      (state.ports.get(port) ?? []).filter((one) => one !== entry),
    );
  };
  owner.remains.add(leave);
  state.listening.set(this, { port, wires: new Set(), isClosed: false, leave });
  if (this instanceof http.Server) this.prependListener("request", note);
  // Node's default, which is shorter than that of real servers, so that more calls meet a closed connection.
  const isStandIn = owner.name === "lms" || owner.name === "classroom";
  if (this instanceof http.Server && isStandIn) this.keepAliveTimeout = 5_000;
  if (then !== null) this.once("listening", then);
  loop.soon(() => {
    this.emit("listening");
    endRealTimer(this);
  });
  return this;
});
/** Node looks for slow requests by the real clock: that timer would keep every server that ever existed, with its instance. */
function endRealTimer(server: net.Server): void {
  for (const symbol of Object.getOwnPropertySymbols(server)) {
    const timer: unknown = Reflect.get(server, symbol);
    const isTimer = symbol.description?.endsWith("connectionsCheckingInterval") === true;
    if (
      isTimer &&
      typeof timer === "object" &&
      timer !== null &&
      "close" in timer &&
      typeof timer.close === "function"
    )
      Reflect.apply(timer.close, timer, []);
  }
}

put(net.Server.prototype, "address", function (this: net.Server) {
  const known = state.listening.get(this);
  return known === undefined ? null : { address: "127.0.0.1", family: "IPv4", port: known.port };
});
put(net.Server.prototype, "close", function (this: net.Server, then?: () => void) {
  const known = state.listening.get(this);
  if (then !== undefined) this.once("close", then);
  known?.leave();
  if (known !== undefined) known.isClosed = true;
  if ((known?.wires.size ?? 0) === 0) loop.soon(() => this.emit("close"));
  return this;
});
put(http.Agent.prototype, "createConnection", connect);
put(globalThis, "fetch", createOutsideFetch(true));
// Processes share no connections.
const nameOf: unknown = Reflect.get(http.Agent.prototype, "getName");
put(http.Agent.prototype, "getName", function (this: http.Agent, options: unknown) {
  const name: unknown = typeof nameOf === "function" ? Reflect.apply(nameOf, this, [options]) : "";
  return `${currentOwner().number} ${String(name)}`;
});

/** Records a request, and dates its answer by the virtual clock (Node uses its own). */
function note(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("date", new Date().toUTCString());
  const { socket } = request;
  if (!(socket instanceof Wire) || socket.from === null) return;
  const { from, port } = socket;
  const seen: Seen = {
    at: loop.now,
    from,
    port,
    status: 0,
    heardAt: null,
    method: request.method ?? "",
    url: request.url ?? "",
    score: "",
  };
  state.seen.push(seen);
  if (/\/scores\b/.test(seen.url))
    response.once("close", () => (seen.score = String(Reflect.get(request, "body") ?? "")));
  response.once("finish", () => {
    seen.status = response.statusCode;
    socket.whenHeard(() => (seen.heardAt = loop.now));
  });
}
