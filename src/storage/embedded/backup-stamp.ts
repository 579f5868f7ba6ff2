import { DatabaseSync } from "node:sqlite";

/** What a file that was a backup once says of itself (ms since the epoch). */
export type BackupStamp = {
  /** When the backup was taken; null in backups of earlier releases. */
  backupAt: number | null;
  /** When it was put in a database's place by the command for that; null when it was copied there by hand. */
  restoredAt: number | null;
};

/** The one row that a backup has and a database that was never restored lacks. */
const table =
  "CREATE TABLE IF NOT EXISTS engine_backup (id INTEGER PRIMARY KEY CHECK (id = 1), taken INTEGER, restored INTEGER)";

/**
 * Says in a backup when it was taken, so that whoever starts on it later, also on a copy made by hand, knows that what came after
 * is missing. Of a backup that nobody has started on and that is backed up again, the first moment stays.
 */
export function stampBackup(file: string, takenAt: number): void {
  stamp(file, "INSERT OR IGNORE INTO engine_backup VALUES (1, ?, NULL)", takenAt);
}

/** Says in a backup that is about to be put in place when that was. */
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

/** The stamp of an open file; null when it was no backup, or its restore has been dealt with. */
export function readStamp(database: DatabaseSync): BackupStamp | null {
  const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'engine_backup'").get();
  if (known === undefined) return null;
  const row = database.prepare("SELECT taken, restored FROM engine_backup").get();
  return row === undefined ? null : { backupAt: numberOr(row.taken), restoredAt: numberOr(row.restored) };
}

/** To be run as a write, once the restore is written down. */
export function forgetStamp(database: DatabaseSync): void {
  database.exec("DROP TABLE IF EXISTS engine_backup");
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
