/** What processes see of SQLite's files, below Node's own classes. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { original, put, store } from "./edges.ts";
import { currentOwner } from "./instances.ts";

/**
 * The one real connection to a file. All processes share it, and after a kill the next one finds its statements prepared and its pages
 * read: else that takes a quarter of a term. Transactions begin and end within a turn, so no process is in another's.
 */
type Disk = {
  real: DatabaseSync;
  statements: Map<string, StatementSync>;
  /** What the transaction under way has written to. */
  written: Set<string>;
  commits: number;
  handles: number;
};
/** What a process opened. */
type Handle = { disk: Disk; ownCommits: number };

const disks = new Map<string, Disk>();
const handles = new WeakMap<DatabaseSync, Handle>();
const prepare = Reflect.get(DatabaseSync.prototype, "prepare");
const exec = Reflect.get(DatabaseSync.prototype, "exec");
const close = Reflect.get(DatabaseSync.prototype, "close");
const sqliteBusy = 5;

function handleOf(file: DatabaseSync): Handle {
  const known = handles.get(file);
  if (known !== undefined) return known;
  const path = file.location() ?? "";
  const none = { statements: new Map(), written: new Set<string>(), commits: 0, handles: 0 };
  const disk = disks.get(path) ?? { real: new DatabaseSync(path), ...none };
  disks.set(path, disk);
  disk.handles += 1;
  const handle = { disk, ownCommits: 0 };
  handles.set(file, handle);
  // As the operating system does with a process that dies.
  currentOwner().remains.add(() => {
    if (file.isOpen) file.close();
  });
  return handle;
}

/** A process sees by its own handle whether it is in a transaction. */
function finish(file: DatabaseSync, handle: Handle, isCommit: boolean): void {
  if (isCommit) {
    handle.disk.commits += 1;
    handle.ownCommits += 1;
  }
  const { isTransaction } = handle.disk.real;
  if (isTransaction !== file.isTransaction) Reflect.apply(exec, file, [isTransaction ? "BEGIN" : "ROLLBACK"]);
}

put(DatabaseSync.prototype, "close", function (this: DatabaseSync) {
  const disk = handles.get(this)?.disk;
  if (disk !== undefined) disk.handles -= 1;
  if (disk?.handles === 0) {
    disks.delete(this.location() ?? "");
    Reflect.apply(close, disk.real, []);
  }
  Reflect.apply(close, this, []);
});

put(DatabaseSync.prototype, "exec", function (this: DatabaseSync, sql: string) {
  // Nobody waits for a lock here.
  if (sql.startsWith("PRAGMA busy_timeout")) return;
  const handle = handleOf(this);
  Reflect.apply(exec, handle.disk.real, [sql]);
  finish(this, handle, sql.includes("COMMIT"));
});

/** Statements whose answer or effect is another for each process. */
const ofProcess: ReadonlySet<string> = new Set(["PRAGMA data_version", "BEGIN IMMEDIATE", "COMMIT"]);

put(DatabaseSync.prototype, "prepare", function (this: DatabaseSync, sql: string): StatementSync {
  const handle = handleOf(this);
  const { disk } = handle;
  const known = disk.statements.get(sql);
  if (known !== undefined) return known;
  const statement: StatementSync = Reflect.apply(prepare, disk.real, [sql]);
  if (!ofProcess.has(sql)) disk.statements.set(sql, statement);
  const run = original(statement, "run");
  const [, collection] = /^(?:INSERT INTO|UPDATE|DELETE FROM) "c:([^"]+)"/.exec(sql) ?? [];
  if (collection !== undefined)
    put(statement, "run", (...given: unknown[]) => {
      disk.written.add(collection);
      return run(...given);
    });
  if (sql === "PRAGMA data_version")
    put(statement, "get", () => ({ data_version: disk.commits - handle.ownCommits }));
  if (sql === "BEGIN IMMEDIATE")
    put(statement, "run", () => {
      if (store.isBusy()) throw Object.assign(new Error("database is locked"), { errcode: sqliteBusy });
      disk.written.clear();
      run();
      finish(this, handle, false);
    });
  if (sql === "COMMIT")
    put(statement, "run", () => {
      run();
      finish(this, handle, true);
      store.committed(disk.written);
    });
  return statement;
});
