import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { forgetLog } from "./log-mark.ts";
import { countDocuments, stampRestored } from "./back-up.ts";
import {
  databaseFileName,
  folderError,
  sqliteBusyCode,
  sqliteCode,
  sqliteCorruptCode,
  sqliteLockedCode,
  sqliteNotDatabaseCode,
  storageError,
} from "./sqlite-file.ts";

/** `aside`: where the former database is now. */
export type Restored = ReturnType<typeof restore>;

/**
 * Puts a backup in the place of a folder's database while the tool is stopped. The former one is kept beside it, also
 * when damaged. A kill leaves either the old or the new one in place.
 * @param options.replace Whether an existing database may be put aside.
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
  // What is left of another file would be read into the new one.
  for (const rest of ["-wal", "-shm"]) rmSync(path + rest, { force: true });
  forgetLog(folder);
  renameSync(coming, path);
  flush(folder);
  return { documents, aside };
}

/**
 * Brings everything into the one file. SQLite lets only the last user do that, so it also detects a running tool. Of a
 * file that is damaged or not SQLite's, the log is kept as `walAside` for mending, since SQLite may delete it.
 */
function closeWholly(path: string, { folder, walAside }: { folder: string; walAside: string }): void {
  if (existsSync(`${path}-wal`)) copyWhole(`${path}-wal`, walAside);
  let isDamaged = false;
  const database = new DatabaseSync(path, { timeout: 500 });
  try {
    const mode = Object.values(database.prepare("PRAGMA journal_mode=DELETE").get() ?? {})[0];
    // Where others have the file open, its mode may stay as it is without an error.
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

/** Under a second name, so that a power cut leaves it whole; copied where the file system has one name a file. */
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

/** Onto the disk, also the names in a folder. */
function flush(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
