import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createLogger } from "../../src/kernel/logger.ts";
import { ensureIndexes, openDatabase } from "../../src/storage/open-database.ts";
import type { BenchRow } from "./bench-row.ts";
import { type Delivery, delivery, deliverySchema } from "./storage-delivery.ts";

const documents = 100_000;
const callers = 32;

/** Runs `work` for 0..count-1 with this many callers at once; returns operations per second. */
async function rate(count: number, work: (n: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = performance.now();
  const caller = async () => {
    for (;;) {
      const n = next;
      next += 1;
      if (n >= count) return;
      await work(n);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (count / (performance.now() - started)) * 1000;
}

function rateOf(count: number, work: (n: number) => unknown): number {
  const started = performance.now();
  for (let n = 0; n < count; n += 1) work(n);
  return (count / (performance.now() - started)) * 1000;
}

/** A different existing document each time, spread over the collection. */
function keyOf(n: number): string {
  return delivery((n * 7919) % documents).key;
}

type Rates = { insert: number; find: number; change: number };

/** What SQLite achieves on its own: one caller, JSON text, the same indexes, one commit for each write. */
function rawRates(folder: string): Rates {
  const db = new DatabaseSync(join(folder, "raw.sqlite"));
  db.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    CREATE TABLE d (seq INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, doc TEXT NOT NULL);
    CREATE UNIQUE INDEX by_key ON d (json_extract(doc, '$.key'));
    CREATE INDEX by_state ON d (json_extract(doc, '$.state'), json_extract(doc, '$.dueAt'));`);
  const insert = db.prepare("INSERT INTO d(id, doc) VALUES (?, ?)");
  const find = db.prepare("SELECT seq, doc FROM d WHERE json_extract(doc, '$.key') = ?");
  const update = db.prepare("UPDATE d SET doc = ? WHERE seq = ?");
  const read = (n: number): { seq: number; document: Record<string, unknown> } => {
    const row = find.get(keyOf(n));
    const document: unknown = JSON.parse(String(row?.doc));
    return { seq: Number(row?.seq), document: Object.assign({}, document) };
  };
  const rates = {
    insert: rateOf(documents, (n) => insert.run(delivery(n)._id, JSON.stringify(delivery(n)))),
    find: rateOf(50_000, read),
    change: rateOf(20_000, (n) => {
      db.exec("BEGIN IMMEDIATE");
      const { seq, document } = read(n);
      document.tries = Number(document.tries) + 1;
      update.run(JSON.stringify(document), seq);
      db.exec("COMMIT");
    }),
  };
  db.close();
  return rates;
}

/** Resident memory of a fresh process, in MB, after it has read everything in the folder and found 20,000 documents by key. */
function memoryOfReader(folder: string): number {
  const program = join(import.meta.dirname, "storage-memory.child.ts");
  const { stdout } = spawnSync(process.execPath, [program, folder], { encoding: "utf8" });
  return Number(stdout);
}

/** Measures the embedded storage engine through mongoose models, in relation to SQLite alone. Takes about a minute. */
export async function benchStorage(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "spaces-bench-"));
  try {
    const data = join(folder, "data");
    const url = `file:${data}`;
    const logger = createLogger("silent");
    const first = await openDatabase({ url, logger });
    const model = first.connection.model<Delivery>("Delivery", deliverySchema());
    await ensureIndexes(first.connection);

    const tenth = documents / 10;
    await rate(tenth, (n) => model.insertOne(delivery(n)));
    const smallMemory = memoryOfReader(data);
    const insert = await rate(documents - tenth, (n) => model.insertOne(delivery(n + tenth)));
    const find = await rate(50_000, (n) => model.findOne({ key: keyOf(n) }).lean());
    const change = await rate(20_000, (n) =>
      model.findOneAndUpdate({ key: keyOf(n) }, { $inc: { tries: 1 } }, { returnDocument: "after" }).lean(),
    );
    const claim = await rate(10_000, () =>
      model
        .findOneAndUpdate(
          { state: "waiting", dueAt: { $lte: new Date(2_000_000_000_000) } },
          { $set: { state: "sending" } },
          { sort: { dueAt: 1 } },
        )
        .lean(),
    );
    await first.close();
    const largeMemory = memoryOfReader(data);

    const startedAt = performance.now();
    const second = await openDatabase({ url, logger });
    second.connection.model<Delivery>("Delivery", deliverySchema());
    await ensureIndexes(second.connection);
    const opening = performance.now() - startedAt;
    await second.close();

    const raw = rawRates(folder);
    return [
      perSecond("storage: inserts, 32 callers", insert, 5_000, raw.insert),
      perSecond("storage: lean findOne by unique key, 32 callers", find, 15_000, raw.find),
      perSecond("storage: findOneAndUpdate by key, 32 callers", change, 4_000, raw.change),
      perSecond("storage: claim of the next due row, 32 callers", claim, 4_000, raw.change),
      {
        measure: `storage: opening a folder of ${String(documents)} documents`,
        value: `${opening.toFixed(0)} ms`,
        limit: "300 ms",
        ratio: percent(opening / 300),
      },
      {
        measure: `storage: memory (RSS) of a process reading all of ${String(documents)} documents`,
        value: `${String(largeMemory)} MB`,
        limit: `${String(smallMemory)} MB at ${String(tenth)}`,
        ratio: percent(largeMemory / smallMemory),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function perSecond(measure: string, reached: number, target: number, raw: number): BenchRow {
  return {
    measure,
    value: `${reached.toFixed(0)}/s`,
    limit: `target ${String(target)}/s, SQLite alone ${raw.toFixed(0)}/s`,
    ratio: percent(reached / raw),
  };
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)}%`;
}
