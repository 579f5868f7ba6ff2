import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  rmSync,
  writeFileSync,
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pipeline } from "node:stream/promises";
import { messageOf, type NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { forgetLog, logLoss } from "./log-mark.ts";
import {
  databaseFileName,
  refuseOldSqlite,
  folderError,
  sqliteBusyCode,
  sqliteCode,
  sqliteCorruptCode,
  sqliteLockedCode,
  sqliteNotDatabaseCode,
  storageError,
} from "./sqlite-file.ts";

/**
 * Writes a consistent, checked backup of a database folder into one file. The tool may be running.
 * @param now Stored in the file (ms).
 * @throws NamedError "backup-exists", "backup-no-database", "backup-failed", "sqlite-old"
 */
export async function backUp(folder: string, file: string, now: number) {
  refuseOldSqlite();
  const source = join(folder, databaseFileName);
  if (!existsSync(source)) throw refusal("backup-no-database", { values: { folder } });
  if (existsSync(file)) throw refusal("backup-exists", { values: { file } });
  let isOurs = false;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Created first, so that only this user can read it from the start.
    writeFileSync(file, "", { flag: "wx", mode: 0o600 });
    isOurs = true;
    const database = new DatabaseSync(source, { timeout: 15_000 });
    let loss: ReturnType<typeof logLoss>;
    try {
      loss = logLoss(database, folder);
      // A single read transaction: writers continue, and what they write isn't in the backup.
      database.prepare("VACUUM INTO ?").run(file);
    } finally {
      database.close();
    }
    // If the tool wasn't running, closing has moved the log into the file. The next start must report a loss.
    if (loss === null) forgetLog(folder);
    stampBackup(file, now);
    return { documents: countDocuments(file), digest: await digestOf(file) };
  } catch (thrown) {
    if (isOurs) rmSync(file, { force: true });
    throw refusal("backup-failed", { values: { reason: messageOf(thrown) }, cause: thrown });
  }
}

/** Counts the documents, and checks that the file is a complete database of this tool. @throws NamedError "backup-unreadable" */
function countDocuments(file: string): number {
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

/** What a database file that was a backup says about itself (ms). */
export type BackupStamp = {
  /** Null in backups of earlier releases. */
  backupAt: number | null;
  /** When the restore command put the file in place; null if somebody copied it by hand. */
  restoredAt: number | null;
};

/** One row in a backup; none in a database that was never restored. */
const table =
  "CREATE TABLE IF NOT EXISTS engine_backup (id INTEGER PRIMARY KEY CHECK (id = 1), taken INTEGER, restored INTEGER)";

/** Stores when a backup was taken. A start on it, even on a copy made by hand, then knows that later data are missing. */
function stampBackup(file: string, takenAt: number): void {
  stamp(file, "INSERT OR IGNORE INTO engine_backup VALUES (1, ?, NULL)", takenAt);
}

/** Called before the backup is put in place. */
function stampRestored(file: string, restoredAt: number): void {
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

/** Null if it wasn't a backup, or its restore has been handled. */
export function readStamp(database: DatabaseSync): BackupStamp | null {
  const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'engine_backup'").get();
  if (known === undefined) return null;
  const row = database.prepare("SELECT taken, restored FROM engine_backup").get();
  return row === undefined ? null : { backupAt: numberOr(row.taken), restoredAt: numberOr(row.restored) };
}

/** Run it as a write, once the restore is stored. */
export function forgetStamp(database: DatabaseSync): void {
  database.exec("DROP TABLE IF EXISTS engine_backup");
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** `aside`: where the previous database is now. */
export type Restored = ReturnType<typeof restore>;

/**
 * Replaces a folder's database by a backup while the tool is stopped. Keeps the previous database next to it, even if it is damaged. A
 * kill leaves either the old or the new database in place.
 * @param options.replace Whether to put aside an existing database.
 * @param options.mark Added to its name then, such as the time.
 * @param options.now Stored in the file for the next start (ms); see `BackupStamp`.
 * @throws NamedError "backup-unreadable", "restore-exists", "restore-in-use", "database-folder"
 */
export function restore(
  file: string,
  folder: string,
  options: { replace: boolean; mark: string; now: number },
) {
  const documents = countDocuments(file);
  const path = join(folder, databaseFileName);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (thrown) {
    throw folderError(folder, thrown);
  }
  const exists = existsSync(path);
  if (exists && !options.replace) throw refusal("restore-exists", { values: { folder } });
  const aside = exists ? `${path}.before-${options.mark}` : null;
  if (aside !== null) closeWholly(path, { folder, walAside: `${aside}-wal` });
  const coming = `${path}.coming`;
  rmSync(coming, { force: true });
  copyFileSync(file, coming);
  stampRestored(coming, options.now);
  flush(coming);
  if (aside !== null) keepAs(path, aside);
  // Remains of the other file would be read into the new one.
  for (const rest of ["-wal", "-shm"]) rmSync(path + rest, { force: true });
  forgetLog(folder);
  renameSync(coming, path);
  flush(folder);
  return { documents, aside };
}

/**
 * Moves everything into the one file. SQLite only lets the last user do that, so this also detects a running tool. If the file is
 * damaged or not SQLite's, the log is kept as `walAside` for a repair, because SQLite may delete it.
 */
function closeWholly(path: string, { folder, walAside }: { folder: string; walAside: string }): void {
  if (existsSync(`${path}-wal`)) copyWhole(`${path}-wal`, walAside);
  let isDamaged = false;
  const database = new DatabaseSync(path, { timeout: 500 });
  try {
    const mode = Object.values(database.prepare("PRAGMA journal_mode=DELETE").get() ?? {})[0];
    // If others have the file open, its mode may stay as it is, without an error.
    if (mode !== "delete") throw inUse(folder, mode);
  } catch (thrown) {
    const code = sqliteCode(thrown);
    if (code === sqliteBusyCode || code === sqliteLockedCode) throw inUse(folder, thrown);
    isDamaged = code === sqliteNotDatabaseCode || code === sqliteCorruptCode;
    if (!isDamaged) throw storageError(thrown);
  } finally {
    database.close();
    if (!isDamaged) rmSync(walAside, { force: true });
  }
}

function inUse(folder: string, cause: unknown): NamedError {
  return refusal("restore-in-use", { values: { folder }, cause });
}

/** Keeps a file under a second name, so a power cut leaves it complete. Copies it if the file system allows only one name. */
function keepAs(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    copyWhole(file, name);
  }
}

function copyWhole(file: string, to: string): void {
  copyFileSync(file, to);
  flush(to);
}

/** Makes sure that a file, or the names in a folder, are on the disk. */
function flush(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
