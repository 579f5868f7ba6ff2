import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { busyMs, maxIdleLogBytes, maxStatements, openBusyMs } from "./limits.ts";

/** While it is open, SQLite has `-wal` and `-shm` files next to it. */
export const databaseFileName = "spaces.sqlite";
/** Marks that a database was created here. */
export const madeFileName = `${databaseFileName}.made`;

export class SqliteFile {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens the file in `folder`, and creates it if it is missing.
   * @throws NamedError "database-folder" if the folder can't be created or written, "database-unreadable" if the file isn't ours,
   * "database-gone" if there was one and it is now missing or empty, "sqlite-old".
   */
  constructor(folder: string) {
    this.db = openDatabaseFile(folder);
  }

  /**
   * Takes the write lock, or throws SQLITE_BUSY immediately. The caller waits without blocking: SQLite's own wait blocks, and its growing
   * pauses let a busy process starve this one.
   */
  beginWrite(): void {
    this.db.exec("PRAGMA busy_timeout=0");
    try {
      this.statement("BEGIN IMMEDIATE").run();
    } finally {
      this.db.exec(`PRAGMA busy_timeout=${String(busyMs)}`);
    }
  }

  /** A prepared statement. Callers must finish with it before they run the same SQL again. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.db.prepare(sql);
    if (this.#statements.size >= maxStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    if (this.db.isOpen) this.db.close();
  }
}

/**
 * Before 3.51.3, two processes or threads that write and checkpoint at the same moment may lose a commit
 * (https://www.sqlite.org/wal.html#walresetbug), and this tool has both. @throws NamedError "sqlite-old"
 */
export function refuseOldSqlite(version: string = process.versions.sqlite ?? "0"): void {
  const numbers = version.split(".").map(Number);
  const at = firstSafeSqlite.findIndex((part, index) => part !== (numbers[index] ?? 0));
  if (at === -1 || (numbers[at] ?? 0) > (firstSafeSqlite[at] ?? 0)) return;
  throw refusal("sqlite-old", { values: { version, node: process.versions.node } });
}

const firstSafeSqlite = [3, 51, 3] as const;

function openDatabaseFile(folder: string): DatabaseSync {
  refuseOldSqlite();
  const path = join(folder, databaseFileName);
  try {
    // Only the tool's own user may read people's records and scores.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseGone(folder, path);
    // SQLite gives its extra files the mode of the main file, so we create that file first.
    if (!existsSync(path)) writeFileSync(path, "", { flag: "a", mode: ownOnlyMode });
  } catch (thrown) {
    throw openingError(folder, thrown);
  }
  let db: DatabaseSync | undefined;
  try {
    // Several processes may open a new folder together; the second waits this long for the first.
    db = new DatabaseSync(path, { timeout: openBusyMs });
    // FULL: every commit reaches the disk before it is acknowledged, so a power cut undoes nothing. secure_delete: deleted content is
    // overwritten.
    db.exec(
      `PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON; PRAGMA journal_size_limit=${String(maxIdleLogBytes)};`,
    );
    db.exec("BEGIN IMMEDIATE");
    db.exec(`COMMIT; PRAGMA busy_timeout=${String(busyMs)};`);
    for (const rest of ["", "-wal", "-shm"]) keepToOurselves(path + rest);
    return db;
  } catch (thrown) {
    if (db?.isOpen === true) db.close();
    throw openingError(folder, thrown);
  }
}

/** File mode that only allows the tool's own user. */
const ownOnlyMode = 0o600;

/** By its name and without opening it, because closing a file releases every lock that this process has on it. */
function keepToOurselves(path: string): void {
  try {
    if ((statSync(path).mode & 0o777) !== ownOnlyMode) chmodSync(path, ownOnlyMode);
  } catch {
    // It belongs to another user who lets us write it, or it is missing, so there is nothing to protect.
  }
}

/** Refuses to create a new database here: a truncated file or a wrong disk hasn't lost anything yet. @throws "database-gone" */
function refuseGone(folder: string, path: string): void {
  const made = join(folder, madeFileName);
  if (!existsSync(made) || (existsSync(path) && statSync(path).size > 0)) return;
  throw refusal("database-gone", {
    values: { folder, file: path, state: existsSync(path) ? "empty" : "missing", mark: made },
    details: { folder },
  });
}

/** For commands that only read, because opening would create a database. @throws NamedError "database-missing" */
export function requireDatabase(folder: string): void {
  if (existsSync(join(folder, databaseFileName)) || existsSync(join(folder, madeFileName))) return;
  const state = existsSync(folder) ? "has no database in it" : "does not exist";
  throw refusal("database-missing", { values: { folder, state } });
}

/** See `refuseGone`. */
export function markMade(folder: string): void {
  const made = join(folder, madeFileName);
  if (existsSync(made)) return;
  const words = `A database of spaces-lti was made in this folder. While this file is here, the tool does not start with a new, empty database when ${databaseFileName} is missing or empty.\n`;
  writeFileSync(made, words, { mode: ownOnlyMode });
}

export function openingError(folder: string, thrown: unknown): unknown {
  if (thrown instanceof NamedError) return thrown;
  const code = sqliteCode(thrown);
  if (code === sqliteNotDatabaseCode || code === sqliteCorruptCode) {
    const path = join(folder, databaseFileName);
    return refusal("database-unreadable", { values: { file: path }, cause: thrown, details: { path } });
  }
  const isOfSystem = thrown instanceof Error && "syscall" in thrown;
  return code !== undefined || isOfSystem ? folderError(folder, thrown) : thrown;
}

export function folderError(folder: string, cause: unknown): NamedError {
  return refusal("database-folder", {
    values: { folder, reason: messageOf(cause) },
    cause,
    details: { folder },
  });
}

/** SQLite's primary result code (https://www.sqlite.org/rescode.html), if the error has one. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number") {
    return thrown.errcode & 0xff;
  }
  return undefined;
}

/** SQLITE_BUSY: another process holds the lock. */
export const sqliteBusyCode = 5;
/** SQLITE_LOCKED: this connection, or its cache, holds the lock. */
export const sqliteLockedCode = 6;
/** SQLITE_CORRUPT: the file is damaged. */
export const sqliteCorruptCode = 11;
/** SQLITE_NOTADB: the file isn't a SQLite database. */
export const sqliteNotDatabaseCode = 26;
/** SQLITE_CONSTRAINT: a unique key is taken. */
export const sqliteConstraintCode = 19;

/** Translates an error of SQLite for the caller; others are returned unchanged. */
export function storageError(thrown: unknown): unknown {
  const code = sqliteCode(thrown);
  if (code === undefined || code === sqliteConstraintCode) return thrown;
  const options = { cause: thrown, temporary: true, status: 503, details: { sqlite: code } };
  if (code === sqliteBusyCode) return refusal("storage-busy", options);
  if (code === 13) return diskFull(options);
  if (code === 8 || code === 10 || code === 11 || code === 14) {
    return refusal("storage-failed", { ...options, values: { reason: messageOf(thrown) } });
  }
  return thrown;
}

export function diskFull(options: { cause?: unknown; details?: Record<string, unknown> } = {}): NamedError {
  return refusal("storage-full", { ...options, temporary: true, status: 503 });
}
