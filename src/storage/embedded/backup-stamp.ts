import { DatabaseSync } from "node:sqlite";

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
export function stampBackup(file: string, takenAt: number): void {
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
