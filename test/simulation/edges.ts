/**
 * Imported before anything else: puts the seed and the virtual clock under Node's own edges (time, chance, keys, the thread
 * pool), so that packages obey as well. Only this file, `network.ts` and `disk.ts` replace what is global.
 */
import crypto, { type KeyPairKeyObjectResult, type webcrypto } from "node:crypto";
import { EventEmitter } from "node:events";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import perfHooks, { PerformanceObserver } from "node:perf_hooks";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";
import threads, { type WorkerOptions } from "node:worker_threads";
import zlib from "node:zlib";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { currentOwner, pause as stop } from "./instances.ts";
import { loop, ticksPerMs } from "./loop.ts";

process.env["TZ"] = "UTC";

type Call = (...given: unknown[]) => unknown;

/** Replaces a member by `value`, whatever kind of member it is. */
export function put(target: object, name: PropertyKey, value: unknown): void {
  if (!Reflect.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true }))
    throw new Error(`${String(name)} cannot be replaced in this Node`);
}

export function original(target: object, name: string): Call {
  const found: unknown = Reflect.get(target, name);
  if (typeof found !== "function") throw new Error(`this Node has no ${name}`);
  return (...given) => {
    const result: unknown = Reflect.apply(found, target, given);
    return result;
  };
}

// Time

/** The machine's time for the process that asks. */
const timeOfDay = () => Math.floor(loop.epoch + loop.now + currentOwner().driftMs);

put(Date, "now", timeOfDay);
put(
  globalThis,
  "Date",
  new Proxy(Date, {
    construct: (target, given: unknown[], newTarget) => {
      const made: unknown = Reflect.construct(target, given.length === 0 ? [timeOfDay()] : given, newTarget);
      if (made instanceof target) return made;
      throw new Error("no date was made");
    },
  }),
);
put(performance, "now", () => loop.now);
Reflect.defineProperty(performance, "timeOrigin", {
  get: () => loop.epoch + currentOwner().driftMs,
  configurable: true,
});
const sinceStart = () => (BigInt(loop.now * ticksPerMs) * 1_000_000n) / BigInt(ticksPerMs);
const hrtime = () => [Math.floor(loop.now / 1e3), Math.round((loop.now % 1e3) * 1e6)];
put(process, "hrtime", Object.assign(hrtime, { bigint: sinceStart }));

class Timer {
  readonly #again: () => { stop: () => void; isOff: () => boolean };
  #waiting: { stop: () => void; isOff: () => boolean };

  constructor(ms: unknown, work: () => void, isRepeated: boolean) {
    const pauseMs = Math.max(1, Number(ms) || 1);
    this.#again = () =>
      loop.after(pauseMs, () => {
        if (isRepeated) this.#waiting = this.#again();
        work();
      });
    this.#waiting = this.#again();
  }

  close(): this {
    this.#waiting.stop();
    return this;
  }
  refresh(): this {
    this.#waiting.stop();
    this.#waiting = this.#again();
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return !this.#waiting.isOff();
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

const end = (timer: unknown) => {
  if (timer instanceof Timer) timer.close();
};
const timed = {
  setTimeout: (work: Call, ms: unknown, ...given: unknown[]) =>
    new Timer(ms, () => void work(...given), false),
  setInterval: (work: Call, ms: unknown, ...given: unknown[]) =>
    new Timer(ms, () => void work(...given), true),
  setImmediate: (work: Call, ...given: unknown[]) => {
    const ms = store.turnMs();
    if (ms > 0) stop(currentOwner(), loop.now, loop.now + ms);
    return loop.soon(() => void work(...given));
  },
  clearTimeout: end,
  clearInterval: end,
  clearImmediate: (one: unknown) => {
    if (typeof one !== "object" || one === null || !("stop" in one) || typeof one.stop !== "function") return;
    Reflect.apply(one.stop, one, []);
  },
};
const pause = (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
  new Promise((resolve, reject) => {
    const timer = new Timer(ms, () => resolve(value), false);
    signal?.addEventListener("abort", () => {
      timer.close();
      reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    });
  });
const nextTurn = (value?: unknown) => new Promise((resolve) => void loop.soon(() => resolve(value)));
Reflect.defineProperty(timed.setTimeout, promisify.custom, { value: pause });
Reflect.defineProperty(timed.setImmediate, promisify.custom, { value: nextTurn });
for (const [name, replaced] of Object.entries(timed)) {
  put(globalThis, name, replaced);
  put(timers, name, replaced);
}
put(timersPromises, "setTimeout", pause);
put(timersPromises, "setImmediate", nextTurn);
put(AbortSignal, "timeout", (ms: number) => {
  const ending = new AbortController();
  new Timer(
    ms,
    () => ending.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    false,
  );
  return ending.signal;
});

// Node keeps a combined signal that something listens to, and with it a dead instance, until it aborts.
put(AbortSignal, "any", (signals: Iterable<AbortSignal>) => {
  const ending = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) ending.abort(signal.reason);
    else signal.addEventListener("abort", () => ending.abort(signal.reason), { signal: ending.signal });
  }
  return ending.signal;
});

// Chance

let chance = new Map<string, () => number>();
let seed = 0;

/** The random numbers of one purpose, independent of all others. */
export function chanceOf(purpose: string): () => number {
  let numbers = chance.get(purpose);
  if (numbers === undefined) {
    let mixed = seed;
    for (const letter of purpose) mixed = Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x9e3779b1);
    numbers = seededRandom(mixed);
    chance.set(purpose, numbers);
  }
  return numbers;
}

const draw = () => chanceOf(currentOwner().name)();

function fill<T>(into: T, from = 0, count?: number): T {
  if (!ArrayBuffer.isView(into)) throw new TypeError("random bytes go into a view");
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  const until = count === undefined ? bytes.length : from + count;
  for (let at = from; at < until; at += 1) bytes[at] = Math.floor(draw() * 256);
  return into;
}

function randomBytes(count: number, callback?: (error: null, bytes: Buffer) => void): Buffer {
  const bytes = fill(Buffer.alloc(count));
  if (callback !== undefined) loop.soon(() => callback(null, bytes));
  return bytes;
}

function randomInt(from: number, to?: number): number {
  const [least, above] = to === undefined ? [0, from] : [from, to];
  return least + Math.floor(draw() * (above - least));
}

/** Drawn separately: the tool makes these only for its log, and node-cron makes some only the first time. */
function randomUUID(): string {
  const own = chanceOf(`${currentOwner().name}'s UUIDs`);
  const hex = Array.from({ length: 32 }, () => Math.floor(own() * 16).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

put(Math, "random", draw);
put(globalThis.crypto, "getRandomValues", <T>(into: T) => fill(into));
put(globalThis.crypto, "randomUUID", randomUUID);
put(crypto, "randomUUID", randomUUID);
put(crypto, "randomBytes", randomBytes);
put(crypto, "randomFillSync", fill);
put(crypto, "randomInt", randomInt);

// Keys: made once for all worlds of this process, and given out in the same order in each.

const pairs: KeyPairKeyObjectResult[] = [];
let givenPairs = 0;
const makePair = crypto.generateKeyPairSync;
function nextPair(): KeyPairKeyObjectResult {
  const pair = pairs[givenPairs] ?? makePair("rsa", { modulusLength: 2048 });
  pairs[givenPairs] = pair;
  givenPairs += 1;
  return pair;
}
const generateKeyPair = (
  _type: string,
  _options: unknown,
  callback: (error: null, ...pair: unknown[]) => void,
) => {
  const { publicKey, privateKey } = nextPair();
  loop.soon(() => callback(null, publicKey, privateKey));
};
Reflect.defineProperty(generateKeyPair, promisify.custom, {
  value: () => loop.inOrder(Promise.resolve(nextPair())),
});
put(crypto, "generateKeyPair", generateKeyPair);

// What Node's threads do, in the order of requests

const { subtle } = globalThis.crypto;
const subtleMembers: unknown = Object.getPrototypeOf(subtle);
if (typeof subtleMembers !== "object" || subtleMembers === null)
  throw new Error("this Node has no WebCrypto");
for (const name of [
  "encrypt",
  "decrypt",
  "sign",
  "verify",
  "digest",
  "importKey",
  "exportKey",
  "deriveBits",
  "deriveKey",
]) {
  const real = original(subtle, name);
  put(subtleMembers, name, (...given: unknown[]) => loop.inOrder(Promise.resolve(real(...given))));
}
put(
  subtleMembers,
  "generateKey",
  (algorithm: webcrypto.RsaHashedKeyGenParams, extractable: boolean, usages: webcrypto.KeyUsage[]) => {
    const { publicKey, privateKey } = nextPair();
    const isPublic = (usage: webcrypto.KeyUsage) =>
      usage === "verify" || usage === "encrypt" || usage === "wrapKey";
    const pair = {
      publicKey: publicKey.toCryptoKey(algorithm, true, usages.filter(isPublic)),
      privateKey: privateKey.toCryptoKey(
        algorithm,
        extractable,
        usages.filter((usage) => !isPublic(usage)),
      ),
    };
    return loop.inOrder(Promise.resolve(pair));
  },
);
for (const name of [
  "readFile",
  "writeFile",
  "mkdtemp",
  "rm",
  "mkdir",
  "stat",
  "statfs",
  "access",
  "readdir",
  "rename",
]) {
  const real = original(fs, name);
  put(fs, name, (...given: unknown[]) => loop.inOrder(Promise.resolve(real(...given))));
}
for (const name of ["gzip", "gunzip", "inflate", "deflate", "brotliDecompress", "brotliCompress"]) {
  const real = original(zlib, `${name}Sync`);
  put(zlib, name, (...given: unknown[]) => {
    const callback = given.pop();
    loop.soon(() => {
      if (typeof callback !== "function") return;
      try {
        Reflect.apply(callback, null, [null, real(...given)]);
      } catch (thrown) {
        Reflect.apply(callback, null, [thrown]);
      }
    });
  });
}

/**
 * A thread such as the one that scrubs the file, whose program runs here instead: with packages already loaded it takes a hundredth of
 * the time. Everything else waits for its end, and its messages arrive then.
 */
class AwaitedWorker extends EventEmitter {
  constructor(program: URL, { workerData }: WorkerOptions = {}) {
    super();
    const messages: unknown[] = [];
    begun += 1;
    const address = `${program.href}?${begun}`;
    lastThread = lastThread
      .catch(() => undefined)
      .then(async () => {
        put(threads, "workerData", workerData);
        put(threads, "parentPort", { postMessage: (message: unknown) => messages.push(message) });
        syncBuiltinESMExports();
        await import(address);
      });
    const end = (status: number) => {
      for (const message of messages) this.emit("message", message);
      this.emit("exit", status);
    };
    loop.inOrder(lastThread).then(
      () => end(0),
      (thrown: unknown) => this.emit("error", thrown),
    );
  }
}
let begun = 0;
let lastThread: Promise<unknown> = Promise.resolve();
put(threads, "Worker", AwaitedWorker);

// The process

Reflect.defineProperty(process, "pid", { get: () => currentOwner().pid, configurable: true });

export const store = {
  /** What another process does to the file: it holds the lock, as the seed decides. */
  isBusy: (): boolean => false,
  /** How long a slow disk stops a process (ms); read at each `setImmediate`, in which the storage commits. */
  turnMs: (): number => 0,
  /** Called when an instance has committed to these collections. */
  committed: (_collections: ReadonlySet<string>): void => undefined,
};
/** Node keeps an observer until it is disconnected. */
class OwnedObserver extends PerformanceObserver {
  override observe(...given: Parameters<PerformanceObserver["observe"]>): void {
    currentOwner().remains.add(() => this.disconnect());
    super.observe(...given);
  }
}
put(perfHooks, "PerformanceObserver", OwnedObserver);

/** From here on this seed decides everything. */
export function beginWorld(newSeed: number, epoch: number): void {
  seed = newSeed;
  chance = new Map();
  givenPairs = 0;
  loop.clear();
  // The machine's clock only goes forward. Worlds begin at whole powers of two, where sums are exact, and so far apart that the gate's seeds notice an inexact sum.
  loop.now = Math.ceil((loop.now + 1) / 2 ** 31) * 2 ** 31;
  loop.epoch = epoch - loop.now;
  loop.steps = 0;
}

syncBuiltinESMExports();
