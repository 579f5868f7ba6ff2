import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Asking, RequestWatch } from "./turns.ts";
import { type SqliteFile, sqliteBusyCode, sqliteCode, storageError } from "./sqlite-file.ts";
import { longBusyLimitMs, maxBatchWrites, busyLimitMs } from "./limits.ts";

/**
 * Writes go into one commit in this order: those of people's requests, of programs' requests, then others, for `ms` but at least `writes`
 * of them. Later groups get less while there are earlier ones. Small commits wait more for the disk. A program that got its answer sends
 * its next request, so answering many at once makes a long turn soon after.
 */
const usual = { ms: 8, writes: 16 };
const besidePeople = { ms: 2, writes: 16, max: 32 };
const besideRequests = { ms: 4, writes: 8 };
/** SQLite's codes for a disk that can't be written: READONLY, IOERR, FULL, CANTOPEN. */
const diskFaults: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/** `work` returns false if there is more to do, in this commit or the next. */
type Waiting = { asking: Asking; work: () => boolean; settle: () => void; fail: (thrown: unknown) => void };

/**
 * Runs writes in transactions. Callers in the same turn of the event loop share one commit and get their answers after it, so an answered
 * write is on the disk. People go first; others take little of a turn (record 0008). A failing write doesn't undo others, and needs no
 * savepoint: a write is one SQL statement for each document, SQLite undoes a failing statement, and writes of many documents aren't atomic
 * in MongoDB either.
 */
export class WriteBatch {
  readonly #file: SqliteFile;
  readonly #catalogue: Catalogue;
  readonly #watch: RequestWatch;
  readonly #onCommit: () => void;
  readonly #lines: Record<Asking, Waiting[]> = { person: [], sender: [], nobody: [] };
  #scheduled: "now" | "held" | "busy" | undefined;
  #heldTimer: NodeJS.Timeout | undefined;
  #busySince: number | undefined;
  #closing = false;
  #closed = false;
  #lockers = 0;
  #committedAt = -Infinity;
  #trouble = false;

  constructor(file: SqliteFile, catalogue: Catalogue, watch: RequestWatch, onCommit: () => void) {
    this.#file = file;
    this.#catalogue = catalogue;
    this.#watch = watch;
    this.#onCommit = onCommit;
  }

  /** Resolves with the result after the commit. */
  run<T>(work: () => T): Promise<T> {
    return this.runInSlices(() => ({ result: work() })).then(({ result }) => result);
  }

  /** As `run`, for work in slices: called until it returns a result (null means more). A commit takes as many slices as it has time for. */
  runInSlices<T extends object>(slice: () => T | null): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.refuseWhenClosed();
      let result: T | null = null;
      const asking = this.#watch.whoAsks();
      this.#lines[asking].push({
        asking,
        work: () => {
          result = slice();
          return result !== null;
        },
        settle: () => {
          if (result !== null) resolve(result);
        },
        fail: (thrown) => reject(thrown instanceof Error ? thrown : new Error(String(thrown))),
      });
      this.#schedule(this.#soonest());
    });
  }

  /** Whether a commit succeeded within this time (ms), and no disk fault is unresolved. */
  hasWritten(within: number): boolean {
    return !this.#trouble && performance.now() - this.#committedAt < within;
  }

  /** Whether the disk refused something since it last accepted a whole probe. */
  isInTrouble(): boolean {
    return this.#trouble;
  }

  isWell(): void {
    this.#trouble = false;
  }

  /** Runs work that holds the write lock for long. Writes wait for it. */
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

  /** Commits waiting writes. Afterwards every write is refused. */
  close(): void {
    this.#closing = true;
    while (this.#isWaiting() && this.#busySince === undefined) this.#flush();
    this.#closed = true;
    for (const one of this.#all()) one.fail(closedError());
  }

  #isWaiting(): boolean {
    return Object.values(this.#lines).some((line) => line.length > 0);
  }

  /** Whether everything that waits must let a person go first. */
  #isHeld(): boolean {
    return this.#lines.person.length === 0 && this.#holdsOthers();
  }

  #soonest(): "now" | "held" {
    return this.#isHeld() ? "held" : "now";
  }

  #holdsOthers(): boolean {
    return !this.#closing && this.#watch.holdsOthers();
  }

  #all(): Waiting[] {
    return Object.values(this.#lines).flatMap((line) => line.splice(0));
  }

  /** Takes the writes for the next commit, one by one. */
  *#next(): Generator<Waiting> {
    let taken = 0;
    for (const [asking, { ms, writes: least, max = maxBatchWrites }] of this.#shares()) {
      const line = this.#lines[asking];
      const began = performance.now();
      for (let writes = 0; taken < maxBatchWrites && writes < max; writes += 1) {
        if (writes >= least && performance.now() - began >= ms) break;
        const one = line.shift();
        if (one === undefined) break;
        taken += 1;
        yield one;
      }
    }
  }

  #shares(): (readonly [Asking, { ms: number; writes: number; max?: number }])[] {
    if (this.#holdsOthers()) return [["person", usual]];
    return [
      ["person", usual],
      ["sender", this.#watch.arePeopleNear() ? besidePeople : usual],
      ["nobody", this.#watch.areNear() ? besideRequests : usual],
    ];
  }

  #schedule(when: "now" | "held" | "busy"): void {
    if (this.#scheduled === "held" && when === "now") clearTimeout(this.#heldTimer);
    else if (this.#scheduled !== undefined) return;
    this.#scheduled = when;
    const flush = () => {
      this.#scheduled = undefined;
      if (this.#closed) return;
      if (!this.#isHeld()) this.#flush();
      if (this.#isWaiting()) this.#schedule(this.#busySince === undefined ? this.#soonest() : "busy");
    };
    if (when === "now") setImmediate(flush);
    else this.#heldTimer = setTimeout(flush, 1);
  }

  #flush(): void {
    if (!this.#begin()) return;
    const batch: Waiting[] = [];
    const answers: (() => void)[] = [];
    for (const one of this.#next()) {
      batch.push(one);
      try {
        if (one.work()) answers.push(one.settle);
        else this.#lines[one.asking].push(one);
      } catch (thrown) {
        this.#note(thrown);
        answers.push(() => one.fail(storageError(thrown)));
        // A full disk or a read error can make SQLite undo the whole transaction, including earlier writes.
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
    this.#onCommit();
    for (const answer of answers) answer();
  }

  #note(thrown: unknown): void {
    const code = sqliteCode(thrown);
    if (code !== undefined && diskFaults.has(code)) this.#trouble = true;
  }

  /** Takes the write lock. @returns false if another process holds it; then the batch is tried again soon. */
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
      // A write that has more to do is in line again, so remove it.
      for (const line of Object.values(this.#lines))
        line.splice(0, line.length, ...line.filter((one) => !batch.includes(one)));
      for (const one of batch) one.fail(storageError(thrown));
    }
  }
}

function closedError(): NamedError {
  return refusal("storage-closed");
}
