import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { logMarkDelayMs } from "./limits.ts";
import { databaseFileName } from "./sqlite-file.ts";

/** Beside the database while its write-ahead log is there: how long the log was at least. */
const markFileName = `${databaseFileName}.log`;

/** `salts` are new whenever SQLite begins the log again (https://www.sqlite.org/fileformat2.html#walformat). */
const logState = z.object({ salts: z.string(), frames: z.number() });
type LogState = z.infer<typeof logState>;

/**
 * Says after a crash whether the log that SQLite found is the one that was there: without its log, or with half of it, a
 * database opens as if its last commits had never been. Noted a moment after a commit, so the very last may go unnoticed.
 */
export class LogMark {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: DatabaseSync, folder: string) {
    this.#db = db;
    this.#folder = folder;
  }

  /** After a commit. */
  committed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      try {
        write(this.#folder, stateOf(this.#db, this.#folder));
      } catch {
        // A full disk, or no free file descriptor: an older note is only worth less, and nobody would catch what is thrown here.
      }
    }, logMarkDelayMs).unref();
  }

  /** Before the log is emptied on purpose. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    rmSync(join(this.#folder, markFileName), { force: true });
  }

  /** Around closing the database: the last that does so brings the log into the file and deletes it. */
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

/** Asked of a database that was just opened. @returns null: nothing tells of a loss */
export function logLoss(db: DatabaseSync, folder: string): "missing" | "cut" | null {
  const noted = read(folder);
  if (noted === null) return null;
  const found = stateOf(db, folder);
  if (found === null) return "missing";
  // With other salts it was begun again since, after all of the noted one was in the file.
  return found.salts === noted.salts && found.frames < noted.frames ? "cut" : null;
}

/** After a database was put in the place of another, or closed with its log in the file. */
export function forgetLog(folder: string): void {
  if (!existsSync(logOf(folder))) rmSync(join(folder, markFileName), { force: true });
}

function logOf(folder: string): string {
  return join(folder, `${databaseFileName}-wal`);
}

/** Null for a log without a commit. */
function stateOf(db: DatabaseSync, folder: string): LogState | null {
  const salts = saltsOf(folder);
  const frames = Number(db.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]);
  return salts === null || frames <= 0 || salts !== saltsOf(folder) ? null : { salts, frames };
}

const header = { saltsAt: 16, saltsBytes: 8 };

/** SQLite has no lock on the log itself that closing it here would release. */
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

/** Without a sync: the log reaches the disk before it. */
function write(folder: string, state: LogState | null): void {
  if (state !== null) writeFileSync(join(folder, markFileName), JSON.stringify(state), { mode: 0o600 });
}

function read(folder: string): LogState | null {
  const path = join(folder, markFileName);
  if (!existsSync(path)) return null;
  try {
    return logState.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    // Half of it was written.
    return null;
  }
}
