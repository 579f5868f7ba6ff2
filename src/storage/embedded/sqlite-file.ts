import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { messageOf, NamedError } from "../../kernel/errors.ts";

/** The one file of a database folder; SQLite keeps `-wal` and `-shm` beside it while it is open. */
export const databaseFileName = "spaces.sqlite";

/** How long opening waits for others who open, close or copy the file (ms). */
const openBusyMs = 10_000;
/** How long a read waits for the same, with the event loop standing still meanwhile (ms). */
const busyMs = 2_000;

/** How many prepared statements are kept; a program has a few dozen shapes of queries. */
const statementLimit = 400;

/** An open SQLite file with its prepared statements. */
export class SqliteFile {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens, and creates when missing, the file in `folder`.
   * @throws NamedError "database-folder" when the folder cannot be made or written, "database-unreadable" when the
   * file is not ours.
   */
  constructor(folder: string) {
    this.db = openDatabaseFile(folder);
  }

  /**
   * Takes the write lock, or throws SQLITE_BUSY at once: waiting for it is for the caller, who need not block
   * for that. SQLite's own wait blocks, and its growing pauses let a busy process starve this one.
   */
  beginWrite(): void {
    this.db.exec("PRAGMA busy_timeout=0");
    try {
      this.statement("BEGIN IMMEDIATE").run();
    } finally {
      this.db.exec(`PRAGMA busy_timeout=${String(busyMs)}`);
    }
  }

  /** The prepared statement for `sql`. Callers finish with it before they run the same SQL again. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.db.prepare(sql);
    if (this.#statements.size >= statementLimit) {
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

function openDatabaseFile(folder: string): DatabaseSync {
  const path = join(folder, databaseFileName);
  try {
    // Only the tool's own user may read what people said and scored.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw folderError(folder, thrown);
  }
  let db: DatabaseSync | undefined;
  try {
    // Several processes may open a new folder at once; whoever comes second waits this long for the first.
    db = new DatabaseSync(path, { timeout: openBusyMs });
    // FULL: every commit reaches the disk before it is acknowledged, so a power cut takes nothing back.
    db.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY;");
    db.exec("BEGIN IMMEDIATE");
    db.exec(`COMMIT; PRAGMA busy_timeout=${String(busyMs)};`);
    return db;
  } catch (thrown) {
    if (db?.isOpen === true) db.close();
    const code = sqliteCode(thrown);
    if (code === sqliteNotDatabase || code === sqliteCorrupt) {
      throw new NamedError(
        "database-unreadable",
        `${path} is not a database of this program, or it is damaged: restore it from a backup.`,
        { cause: thrown, details: { path } },
      );
    }
    throw folderError(folder, thrown);
  }
}

/** What is said of a folder that cannot be made or written. */
export function folderError(folder: string, cause: unknown): NamedError {
  return new NamedError(
    "database-folder",
    `The database folder ${folder} cannot be written (${messageOf(cause)}): give the program's user write access to it, or set DATABASE_URL to another folder.`,
    { cause, details: { folder } },
  );
}

/** SQLite's primary result code of a thrown error (https://www.sqlite.org/rescode.html), if it is one. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number") {
    return thrown.errcode & 0xff;
  }
  return undefined;
}

/** SQLITE_BUSY: another process holds the lock. */
export const sqliteBusy = 5;
/** SQLITE_LOCKED: somebody else on this connection or its cache holds it. */
export const sqliteLocked = 6;
/** SQLITE_CORRUPT: the file is damaged. */
export const sqliteCorrupt = 11;
/** SQLITE_NOTADB: the file is none of SQLite's. */
export const sqliteNotDatabase = 26;
/** SQLITE_CONSTRAINT: a unique key is taken. */
export const sqliteConstraint = 19;

/** The error a caller sees for an error of SQLite; everything else is passed through. */
export function storageError(thrown: unknown): unknown {
  const code = sqliteCode(thrown);
  if (code === undefined || code === sqliteConstraint) return thrown;
  const options = { cause: thrown, temporary: true, status: 503, details: { sqlite: code } };
  if (code === sqliteBusy) {
    return new NamedError("storage-busy", "Another process is holding the database: try again.", options);
  }
  if (code === 13) {
    return new NamedError(
      "storage-full",
      "The disk of the database folder is full: free some space.",
      options,
    );
  }
  if (code === 8 || code === 10 || code === 11 || code === 14) {
    const message = `The database could not be read or written (${messageOf(thrown)}): check its disk.`;
    return new NamedError("storage-failed", message, options);
  }
  return thrown;
}
