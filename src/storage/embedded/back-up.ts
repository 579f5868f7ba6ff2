import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { messageOf, type NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { forgetLog, logLoss } from "./log-mark.ts";
import { databaseFileName, refuseOldSqlite } from "./sqlite-file.ts";

type Backup = {
  documents: number;
  /** SHA-256 of the file. */
  digest: string;
};

/**
 * Writes a consistent, checked backup of a database folder into one file while the tool may be running.
 * @param now Stored in the file (ms).
 * @throws NamedError "backup-exists", "backup-no-database", "backup-failed", "sqlite-old"
 */
export async function backUp(folder: string, file: string, now: number): Promise<Backup> {
  refuseOldSqlite();
  const source = join(folder, databaseFileName);
  if (!existsSync(source)) throw noDatabase(folder);
  if (existsSync(file)) throw refusal("backup-exists", { values: { file } });
  let isOurs = false;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Made first, so that only this user can read it from the beginning.
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    isOurs = true;
    const database = new DatabaseSync(source, { timeout: 15_000 });
    let loss: ReturnType<typeof logLoss>;
    try {
      loss = logLoss(database, folder);
      // One reading transaction: writers continue, and what they write is not in the backup.
      database.prepare("VACUUM INTO ?").run(file);
    } finally {
      database.close();
    }
    // Where the tool was not running, closing has brought the log into the file. A loss is for the next start to say.
    if (loss === null) forgetLog(folder);
    stampBackup(file, now);
    return { documents: countDocuments(file), digest: await digestOf(file) };
  } catch (thrown) {
    if (isOurs) rmSync(file, { force: true });
    throw refusal("backup-failed", { values: { reason: messageOf(thrown) }, cause: thrown });
  }
}

/** Checks that a file is a whole database of this tool. @throws NamedError "backup-unreadable" */
export function countDocuments(file: string): number {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const problem = Object.values(database.prepare("PRAGMA integrity_check(1)").get() ?? {})[0];
    if (problem !== "ok") throw new Error(String(problem));
    let documents = 0;
    for (const { name } of database.prepare("SELECT name FROM engine_collections").all()) {
      const quoted = `"c:${String(name).replaceAll('"', '""')}"`;
      documents += Number(Object.values(database.prepare(`SELECT count(*) FROM ${quoted}`).get() ?? {})[0]);
    }
    return documents;
  } catch (thrown) {
    throw refusal("backup-unreadable", { values: { file, reason: messageOf(thrown) }, cause: thrown });
  } finally {
    database?.close();
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function noDatabase(folder: string): NamedError {
  return refusal("backup-no-database", { values: { folder } });
}

/** What a file that was a backup says of itself (ms). */
export type BackupStamp = {
  /** Null in backups of earlier releases. */
  backupAt: number | null;
  /** When the command for it put the file in a database's place; null when it was copied by hand. */
  restoredAt: number | null;
};

/** One row in a backup, none in a database that was never restored. */
const table =
  "CREATE TABLE IF NOT EXISTS engine_backup (id INTEGER PRIMARY KEY CHECK (id = 1), taken INTEGER, restored INTEGER)";

/** Stores when a backup was taken, so that a start on it, even a copy by hand, knows that later data are missing. */
function stampBackup(file: string, takenAt: number): void {
  stamp(file, "INSERT OR IGNORE INTO engine_backup VALUES (1, ?, NULL)", takenAt);
}

/** Before the backup is put in place. */
export function stampRestored(file: string, restoredAt: number): void {
  const sql =
    "INSERT INTO engine_backup VALUES (1, NULL, ?) ON CONFLICT (id) DO UPDATE SET restored = excluded.restored";
  stamp(file, sql, restoredAt);
}

function stamp(file: string, sql: string, at: number): void {
  const database = new DatabaseSync(file, { timeout: 15_000 });
  try {
    database.exec(`PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL; ${table}`);
    database.prepare(sql).run(at);
  } finally {
    database.close();
  }
}

/** Null when it was no backup, or its restore has been dealt with. */
export function readStamp(database: DatabaseSync): BackupStamp | null {
  const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'engine_backup'").get();
  if (known === undefined) return null;
  const row = database.prepare("SELECT taken, restored FROM engine_backup").get();
  return row === undefined ? null : { backupAt: numberOr(row.taken), restoredAt: numberOr(row.restored) };
}

/** Run as a write, once the restore is stored. */
export function forgetStamp(database: DatabaseSync): void {
  database.exec("DROP TABLE IF EXISTS engine_backup");
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
