import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Catalogue } from "./catalogue.ts";
import type { RequestWatch } from "./request-watch.ts";
import { type SqliteFile, sqliteBusyCode, sqliteCode, storageError } from "./sqlite-file.ts";
import { longBusyLimitMs, maxBatchWrites, busyLimitMs } from "./limits.ts";

/**
 * Writes of requests, then others, go into one commit for `ms`, at least `writes` of them; fewer of the others while
 * there are requests. Small commits wait more for the disk.
 */
const usual = { ms: 8, writes: 16 };
const besideRequests = { ms: 2, writes: 4 };
/** SQLite's codes of a disk that cannot be written: READONLY, IOERR, FULL, CANTOPEN. */
const diskFaults: ReadonlySet<number> = new Set([8, 10, 13, 14]);

type Waiting = { work: () => unknown; settle: (result: unknown) => void; fail: (thrown: unknown) => void };

/**
 * Runs writes in transactions. Callers of the same turn of the event loop share one commit and are answered after it,
 * so an answered write is on the disk. Requests go first, others take little of a turn (record 0008). A failing write
 * does not undo others, without savepoints: a write is one SQL statement for each document, SQLite undoes a failing
 * statement, and many documents are not atomic on MongoDB either.
 */
export class WriteBatch {
  readonly #file: SqliteFile;
  readonly #catalogue: Catalogue;
  readonly #watch: RequestWatch;
  #requests: Waiting[] = [];
  #background: Waiting[] = [];
  #scheduled = false;
  #busySince: number | undefined;
  #closed = false;
  #lockers = 0;
  #committedAt = -Infinity;
  #trouble = false;

  constructor(file: SqliteFile, catalogue: Catalogue, watch: RequestWatch) {
    this.#file = file;
    this.#catalogue = catalogue;
    this.#watch = watch;
  }

  /** Resolves with the result after the commit. */
  run<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.refuseWhenClosed();
      let result: T;
      const line = this.#watch.isRequest() ? this.#requests : this.#background;
      line.push({
        work: () => {
          result = work();
        },
        settle: () => resolve(result),
        fail: (thrown) => reject(thrown instanceof Error ? thrown : new Error(String(thrown))),
      });
      this.#schedule(0);
    });
  }

  /** Whether a commit has succeeded within this (ms), and no disk fault is unresolved. */
  hasWritten(within: number): boolean {
    return !this.#trouble && performance.now() - this.#committedAt < within;
  }

  /** Whether the disk has refused something since it last took a whole probe. */
  isInTrouble(): boolean {
    return this.#trouble;
  }

  isWell(): void {
    this.#trouble = false;
  }

  /** Work that holds the write lock for long: writes wait for it. */
  async whileLocked<T>(work: () => Promise<T>): Promise<T> {
    this.#lockers += 1;
    try {
      return await work();
    } finally {
      this.#lockers -= 1;
    }
  }

  /** @throws NamedError "storage-closed" after `close` */
  refuseWhenClosed(): void {
    if (this.#closed) throw closedError();
  }

  /** Commits what is waiting; afterwards every write is refused. */
  close(): void {
    while (this.#isWaiting() && this.#busySince === undefined) this.#flush();
    this.#closed = true;
    for (const one of this.#all()) one.fail(closedError());
  }

  #isWaiting(): boolean {
    return this.#requests.length + this.#background.length > 0;
  }

  #all(): Waiting[] {
    return [...this.#requests.splice(0), ...this.#background.splice(0)];
  }

  /** Takes, one by one, what goes into the next commit. */
  *#next(): Generator<Waiting> {
    let taken = 0;
    for (const [line, least] of [
      [this.#requests, usual],
      [this.#background, this.#watch.areNear() ? besideRequests : usual],
    ] as const) {
      const began = performance.now();
      for (let writes = 0; taken < maxBatchWrites; writes += 1) {
        if (writes >= least.writes && performance.now() - began >= least.ms) break;
        const one = line.shift();
        if (one === undefined) break;
        taken += 1;
        yield one;
      }
    }
  }

  #schedule(delayMs: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = () => {
      this.#scheduled = false;
      if (this.#closed) return;
      this.#flush();
      if (this.#isWaiting()) this.#schedule(this.#busySince === undefined ? 0 : 1);
    };
    if (delayMs === 0) setImmediate(flush);
    else setTimeout(flush, delayMs);
  }

  #flush(): void {
    if (!this.#begin()) return;
    const batch: Waiting[] = [];
    const answers: (() => void)[] = [];
    for (const one of this.#next()) {
      batch.push(one);
      try {
        one.work();
        answers.push(() => one.settle(undefined));
      } catch (thrown) {
        this.#note(thrown);
        answers.push(() => one.fail(storageError(thrown)));
        // A full disk or a read error can make SQLite undo the whole transaction, with what went before.
        if (!this.#file.db.isTransaction) {
          this.#lose(batch, thrown);
          return;
        }
      }
    }
    try {
      this.#file.statement("COMMIT").run();
    } catch (thrown) {
      this.#lose(batch, thrown);
      return;
    }
    this.#committedAt = performance.now();
    for (const answer of answers) answer();
  }

  #note(thrown: unknown): void {
    const code = sqliteCode(thrown);
    if (code !== undefined && diskFaults.has(code)) this.#trouble = true;
  }

  /** Takes the write lock; false when another process holds it, and the batch is tried again soon. */
  #begin(): boolean {
    try {
      this.#file.beginWrite();
      this.#busySince = undefined;
      this.#catalogue.refresh();
      return true;
    } catch (thrown) {
      if (this.#file.db.isTransaction) this.#file.db.exec("ROLLBACK");
      const now = performance.now();
      this.#busySince ??= now;
      if (sqliteCode(thrown) === sqliteBusyCode && now - this.#busySince < this.#busyLimitMs()) return false;
      this.#busySince = undefined;
      this.#lose(this.#all(), thrown);
      return false;
    }
  }

  #busyLimitMs(): number {
    return this.#lockers > 0 ? longBusyLimitMs : busyLimitMs;
  }

  #lose(batch: Waiting[], thrown: unknown): void {
    this.#note(thrown);
    try {
      if (this.#file.db.isTransaction) this.#file.db.exec("ROLLBACK");
    } finally {
      this.#catalogue.forget();
      for (const one of batch) one.fail(storageError(thrown));
    }
  }
}

function closedError(): NamedError {
  return refusal("storage-closed");
}
