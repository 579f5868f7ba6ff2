import { type Connection, mongo } from "mongoose";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";

/** The driver's names for "no server answers", or none that may do what was asked. */
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
 * MongoDB's error codes of a server that has no primary, steps down, shuts down, is cut off or is too slow: all that
 * its drivers' specifications call retryable (retryable-reads, retryable-writes), and a full disk.
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
/** The same by label, whatever the code. */
const awayLabels = ["RetryableWriteError", "RetryableError", "SystemOverloadedError"];

/**
 * Everything asked of the connection from now on, through models or past them, throws a temporary NamedError with status
 * 503 for a server that does not answer, as the embedded engine does for an unusable file. Such a write may have been
 * done; `makeOnce` and the like look before they repeat.
 */
export function sayWhenAway(connection: Connection): void {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  // Read-only in mongoose's typings. Its collections ask `db` when they are first used.
  Object.assign(connection, { db: sayingAway(db) });
}

function sayingAway<T extends object>(asked: T): T {
  return new Proxy(asked, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => translated(Reflect.apply(value, target, given));
    },
  });
}

function translated(result: unknown): unknown {
  if (result instanceof Promise)
    return result.catch((thrown: unknown) => {
      throw storageAway(thrown) ?? thrown;
    });
  return isAsked(result) ? sayingAway(result) : result;
}

/** What the server is asked through: collections, cursors and their steps, the administrator's commands. */
function isAsked(result: unknown): result is object {
  if (typeof result !== "object" || result === null) return false;
  return (
    result instanceof mongo.Collection || result instanceof mongo.Admin || Symbol.asyncIterator in result
  );
}

/** The caller's error for a server that does not answer; null for any other failure. */
export function storageAway(thrown: unknown): NamedError | null {
  if (!(thrown instanceof Error)) return null;
  const code = "code" in thrown ? thrown.code : undefined;
  // A bulk write that never reached a server says so only in its words.
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
