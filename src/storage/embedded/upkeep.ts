import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { allOf, createCollectionRows } from "./collection-rows.ts";
import type { Engine } from "./embedded-collection.ts";
import type { IndexSpec } from "./index-spec.ts";
import { maxSweptDocuments, sweepIntervalMs } from "./limits.ts";
import { readFilter } from "./read-filter.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Deletes documents whose date, in an index with expireAfterSeconds, has passed. */
export class ExpirySweep {
  readonly #engine: Engine;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;

  constructor({ engine, logger, clock }: { engine: Engine; logger: Logger; clock: Clock }) {
    this.#engine = engine;
    this.#logger = logger;
    this.#clock = clock;
    this.#timer = setInterval(() => {
      this.run().catch((thrown: unknown) => {
        this.#logger.warn({ reason: messageOf(thrown) }, "expired documents could not be deleted");
      });
    }, sweepIntervalMs);
    // The sweep alone must not keep a process alive.
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sweeps all collections once. @returns how many documents it deleted. */
  async run(): Promise<number> {
    const { catalogue, batch, file } = this.#engine;
    batch.refuseWhenClosed();
    catalogue.refreshForReads();
    let total = 0;
    for (const name of catalogue.names()) {
      const rows = createCollectionRows(file, catalogue, name);
      for (const { key, expireAfterSeconds } of catalogue.find(name)?.indexes ?? []) {
        const path = Object.keys(key)[0];
        if (path === undefined || expireAfterSeconds === undefined) continue;
        const before = new Date(this.#clock.now() - expireAfterSeconds * 1000);
        const expired = allOf(readFilter({ [path]: { $lte: before } }));
        // Looking needs no lock, and takes a fiftieth of the time of deleting nothing.
        while (rows.first({ ...expired, limit: 1 }) !== undefined)
          total += await batch.run(() => {
            const some = rows.list({ ...expired, limit: maxSweptDocuments }, (row) => row);
            for (const row of some) rows.remove(row);
            return some.length;
          });
      }
    }
    return total;
  }
}

/** The assumed sizes of a collection, and of a partial index. */
const documentCount = 1_000_000;
const partialCount = 10_000;
/** How many different values we assume for each path of an index. */
const differentCount = 16;

type IndexedTable = { table: string; indexes: readonly { name: string; spec: IndexSpec }[] };

/**
 * Tells SQLite's planner, in the table where ANALYZE writes its counts, that an index is more selective the more of its paths a query
 * names (https://www.sqlite.org/fileformat2.html#stat1tab). Without that, one path counted as much as four, and a course's scores were
 * searched among everything that waited. Real counts would be those of a single day. Runs in a transaction. Has no effect the second time.
 */
export function writePlannerStatistics(file: SqliteFile, tables: readonly IndexedTable[]): void {
  const desired = tables.flatMap(({ table, indexes }) => [
    { table, index: `sqlite_autoindex_${table}_1`, stat: `${documentCount} 1` },
    ...indexes.map(({ name, spec }) => ({ table, index: name, stat: statisticsOf(spec) })),
  ]);
  if (isWritten(file, desired)) return;
  // ANALYZE creates the table of statistics; there is no other way.
  file.db.exec("ANALYZE engine_state; DELETE FROM sqlite_stat1 WHERE tbl LIKE 'c:%'");
  const insert = file.db.prepare("INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES (?, ?, ?)");
  for (const { table, index, stat } of desired) insert.run(table, index, stat);
  file.db.exec("ANALYZE sqlite_schema");
}

function statisticsOf({ key, unique, partialFilterExpression }: IndexSpec): string {
  const all = partialFilterExpression === undefined ? documentCount : partialCount;
  const paths = Object.keys(key).length;
  const found = Array.from({ length: paths }, (_none, at) =>
    unique && at === paths - 1 ? 1 : Math.max(1, Math.round(all / differentCount ** (at + 1))),
  );
  return [all, ...found, "noskipscan"].join(" ");
}

function isWritten(file: SqliteFile, desired: readonly { index: string; stat: string }[]): boolean {
  if (file.db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() === undefined)
    return false;
  const rows = file.db.prepare("SELECT idx, stat FROM sqlite_stat1 WHERE tbl LIKE 'c:%'").all();
  const written = new Map(rows.map(({ idx, stat }) => [idx, stat]));
  return written.size === desired.length && desired.every((one) => written.get(one.index) === one.stat);
}
