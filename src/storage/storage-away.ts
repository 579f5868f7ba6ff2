import { type Connection, mongo } from "mongoose";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import { messageOf, type NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { refusal } from "../kernel/refusal.ts";

/** The driver's names for "no server answers", or none that can do what was asked. */
const away: ReadonlySet<string> = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoNotConnectedError",
  "MongoOperationTimeoutError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoServerClosedError",
  "MongoServerSelectionError",
  "MongoTopologyClosedError",
  "MongoWaitQueueTimeoutError",
  "MongoWriteConcernError",
  "MongooseServerSelectionError",
  "PoolClearedOnNetworkError",
]);
/**
 * MongoDB's error codes of a server that has no primary, steps down, shuts down, is cut off or is too slow: all that its drivers'
 * specifications call retryable (retryable-reads, retryable-writes), and a full disk.
 */
const awayCodes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  317, // ConnectionPoolExpired
  9_001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);
/** Labels that mean the same, whatever the code. */
const awayLabels = ["RetryableWriteError", "RetryableError", "SystemOverloadedError"];

/** If nothing is answered for this long (ms), the driver must connect again. */
const reconnectAfterMs = 20_000;

/** Longer than the driver waits for a socket's answer (`driverTimeouts`). It has no limit while it waits for a "drain". */
const answerWithinMs = 65_000;

/**
 * How long an answer may still come after the driver gave up its connections to a server (ms). Longer than it looks for another server
 * (`driverTimeouts`), so whatever it asks again after an election gets its answer.
 */
const afterPoolMs = 5_000;

/** The outcomes of all requests to one server. */
type Outcomes = { answered: () => void; away: () => void; unanswered: Set<() => void> };

/**
 * Wraps the connection. From now on, every request, with or without a model, throws a temporary NamedError with status 503 if the server
 * doesn't answer, as the embedded engine does if its file is unusable. Such a write may have happened; `makeOnce` and similar functions
 * check before they repeat.
 * || If nothing is answered for long, makes the driver connect again: if a socket closes just before the driver (7.8) writes to it, the driver
 * waits for its "drain" forever. The request then fails soon after the driver clears its pool, at the latest after `answerWithinMs`, but a
 * monitor never finds its server again. @returns a function to call before the connection is closed
 */
export function sayWhenAway(connection: Connection, { clock, logger }: { clock: Clock; logger: Logger }) {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  const client = connection.getClient();
  const steady = steadyClock(clock);
  let awaySince: number | null = null;
  let reconnecting: Promise<void> | null = null;
  let isOver = false;
  const reconnect = async () => {
    await client.close();
    if (!isOver) await client.connect();
  };
  const outcomes: Outcomes = {
    unanswered: new Set(),
    answered: () => {
      awaySince = null;
    },
    away: () => {
      const now = steady.now();
      awaySince ??= now;
      if (isOver || reconnecting !== null || now - awaySince < reconnectAfterMs) return;
      logger.warn(
        { awayMs: now - awaySince },
        "the database has not answered for long; the tool connects again",
      );
      awaySince = now;
      reconnecting = reconnect()
        .catch((thrown: unknown) => {
          logger.warn({ reason: messageOf(thrown) }, "the database does not answer a new connection, either");
        })
        .finally(() => {
          reconnecting = null;
        });
    },
  };
  client.on("connectionPoolCleared", () => {
    const earlier = [...outcomes.unanswered];
    setTimeout(() => {
      for (const giveUp of earlier) giveUp();
    }, afterPoolMs).unref();
  });
  // Read-only in mongoose's typings. Its collections read `db` when they are first used.
  Object.assign(connection, { db: sayingAway(db, outcomes) });
  return async () => {
    isOver = true;
    await reconnecting;
  };
}

function sayingAway<T extends object>(asked: T, outcomes: Outcomes): T {
  return new Proxy(asked, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, given);
        if (result instanceof Promise)
          return answerOf(result, outcomes, given.some(isUnlimited) ? null : answerWithinMs);
        return isAsked(result) ? sayingAway(result, outcomes) : result;
      };
    },
  });
}

/** @param withinMs Null for no limit. */
async function answerOf(asked: Promise<unknown>, outcomes: Outcomes, withinMs: number | null) {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    reject(new mongo.MongoNetworkTimeoutError("the database did not answer"));
  };
  if (withinMs !== null) outcomes.unanswered.add(giveUp);
  const timer = withinMs === null ? undefined : setTimeout(giveUp, withinMs);
  try {
    const answer = await Promise.race([asked, late]);
    outcomes.answered();
    return answer;
  } catch (thrown) {
    const error = storageAway(thrown);
    if (error === null) outcomes.answered();
    else outcomes.away();
    throw error ?? thrown;
  } finally {
    clearTimeout(timer);
    outcomes.unanswered.delete(giveUp);
  }
}

/** Whether the driver's options say that there is no time limit. */
function isUnlimited(given: unknown): boolean {
  return (
    typeof given === "object" && given !== null && "socketTimeoutMS" in given && given.socketTimeoutMS === 0
  );
}

/** Objects through which the server is asked: collections, cursors and their steps, the administrator's commands. */
function isAsked(result: unknown): result is object {
  if (typeof result !== "object" || result === null) return false;
  return (
    result instanceof mongo.Collection || result instanceof mongo.Admin || Symbol.asyncIterator in result
  );
}

/** The error for the caller if the server doesn't answer; null for any other failure. */
export function storageAway(thrown: unknown): NamedError | null {
  if (!(thrown instanceof Error)) return null;
  const code = "code" in thrown ? thrown.code : undefined;
  // A bulk write that never reached a server says so only in its message.
  const unsent = thrown.name === "MongoBulkWriteError" && code === undefined;
  if (!unsent && !away.has(thrown.name) && !awayCodes.has(code) && !isLabelled(thrown)) return null;
  return refusal("storage-away", {
    cause: thrown,
    temporary: true,
    status: 503,
    details: { reason: thrown.name },
  });
}

function isLabelled(thrown: Error): boolean {
  return thrown instanceof mongo.MongoError && awayLabels.some((label) => thrown.hasErrorLabel(label));
}
