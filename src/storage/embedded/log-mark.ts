import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { logMarkDelayMs } from "./limits.ts";
import { databaseFileName } from "./sqlite-file.ts";

/** Next to the database while its write-ahead log exists. Says how long the log was at least. */
const markFileName = `${databaseFileName}.log`;

/** `salts` change whenever SQLite starts the log again (https://www.sqlite.org/fileformat2.html#walformat). */
const logState = z.object({ salts: z.string(), frames: z.number() });
type LogState = z.infer<typeof logState>;

/**
 * Detects after a crash whether the log that SQLite found is the one that was there. If the log is missing or cut, a database opens as
 * if its last commits had never happened. The mark is written a moment after a commit, so a loss of the very last may go unnoticed.
 */
export class LogMark {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: DatabaseSync, folder: string) {
    this.#db = db;
    this.#folder = folder;
  }

  /** Call it after a commit. */
  committed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      try {
        write(this.#folder, stateOf(this.#db, this.#folder));
      } catch {
        // The disk may be full, or file descriptors used up. An older mark is only less useful, and nobody would catch an error here.
      }
    }, logMarkDelayMs).unref();
  }

  /** Call it before emptying the log on purpose. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    rmSync(join(this.#folder, markFileName), { force: true });
  }

  /** Wraps the closing of the database. The last process to close moves the log into the file and deletes it. */
  whileClosing(close: () => void): void {
    let state: LogState | null = null;
    try {
      state = stateOf(this.#db, this.#folder);
      this.forget();
    } finally {
      close();
    }
    if (existsSync(logOf(this.#folder))) write(this.#folder, state);
  }
}

/** For a database that was just opened. @returns null if nothing indicates a loss */
export function logLoss(db: DatabaseSync, folder: string): "missing" | "cut" | null {
  const noted = read(folder);
  if (noted === null) return null;
  const found = stateOf(db, folder);
  if (found === null) return "missing";
  // If the salts differ, the log was started again later, when all of the noted log was in the file.
  return found.salts === noted.salts && found.frames < noted.frames ? "cut" : null;
}

/** Call it after another database was put in place, or this one was closed and its log moved into the file. */
export function forgetLog(folder: string): void {
  if (!existsSync(logOf(folder))) rmSync(join(folder, markFileName), { force: true });
}

function logOf(folder: string): string {
  return join(folder, `${databaseFileName}-wal`);
}

/** Null if the log has no commit. */
function stateOf(db: DatabaseSync, folder: string): LogState | null {
  const salts = saltsOf(folder);
  const frames = Number(db.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]);
  return salts === null || frames <= 0 || salts !== saltsOf(folder) ? null : { salts, frames };
}

const header = { saltsAt: 16, saltsBytes: 8 };

/** SQLite holds no lock on the log itself, so closing the log here releases none. */
function saltsOf(folder: string): string | null {
  if (!existsSync(logOf(folder))) return null;
  const descriptor = openSync(logOf(folder), "r");
  try {
    const salts = Buffer.alloc(header.saltsBytes);
    const got = readSync(descriptor, salts, 0, header.saltsBytes, header.saltsAt);
    return got === header.saltsBytes ? salts.toString("hex") : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Without a sync, so the log reaches the disk first. */
function write(folder: string, state: LogState | null): void {
  if (state !== null) writeFileSync(join(folder, markFileName), JSON.stringify(state), { mode: 0o600 });
}

function read(folder: string): LogState | null {
  const path = join(folder, markFileName);
  if (!existsSync(path)) return null;
  try {
    return logState.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // Only half of it was written.
    return null;
  }
}
