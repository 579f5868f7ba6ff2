import type { Catalogue, CollectionFacts } from "./catalogue.ts";
import { passingOver, readRow, wholeRows } from "./damage.ts";
import { encodeDocument, type StoredDocument } from "./stored-value.ts";
import { valueAt } from "./paths.ts";
import { type FilterPlan, isOneByKey, planFilter, shapeOf } from "./filter-plan.ts";
import { createMatcher, type Matcher } from "./matcher.ts";
import { duplicateKeyError, mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import type { Filter } from "./read-filter.ts";
import type { Sort } from "./read-options.ts";
import { arrayKeySql, type Key, keyExpression, keyOf } from "./sort-key.ts";
import { maxPlans } from "./limits.ts";
import { type SqliteFile, sqliteCode, sqliteConstraintCode } from "./sqlite-file.ts";

export type Row = { seq: number; text: string; document: StoredDocument };

export type Selection = { filter: Filter; sort: Sort; skip: number; limit: number };

type Scan = { statement: ScanSql; params: Key[]; matches: Matcher };

/** The SQL of a scan in each of its forms. It is long, and prepared statements are found by it, so it is kept. */
class ScanSql {
  readonly rows: string;
  readonly places: string;
  readonly count: string;
  readonly #limited = new Map<string, string>();

  /** @param from What follows the columns. */
  constructor(from: string) {
    this.rows = `SELECT seq, doc FROM ${from}`;
    this.places = `SELECT seq FROM ${from}`;
    this.count = `SELECT count(*) AS n FROM ${from}`;
  }

  /** The SQL for rows with this LIMIT. */
  ending(limit: string): string {
    const known = this.#limited.get(limit);
    if (known !== undefined) return known;
    const ended = `${this.rows} ${limit}`;
    if (this.#limited.size < maxPlans) this.#limited.set(limit, ended);
    return ended;
  }
}

/** Every function is synchronous. Those that write run in a transaction of WriteBatch. */
export type CollectionRows = ReturnType<typeof createCollectionRows>;

export function allOf(filter: Filter): Selection {
  return { filter, sort: [], skip: 0, limit: 0 };
}

/** The collection needn't exist yet. */
export function createCollectionRows(file: SqliteFile, catalogue: Catalogue, name: string) {
  let planned: Planned | undefined;

  /** Runs `work` on the collection without its damaged rows. Returns `none` if the collection doesn't exist. */
  function whole<T>(filter: Filter, none: T, work: (facts: CollectionFacts) => T): T {
    const facts = catalogue.find(name);
    if (facts === undefined) return none;
    const isRefused = facts.neverPartial || isOneByKey(filter, facts);
    return passingOver(file, catalogue, { facts, isRefused }, () => work(facts));
  }

  /** What `read` returns for each match, in order. `read` must not use the database, and may see a row twice. */
  function list<T>(selection: Selection, read: (row: Row) => T): T[] {
    return whole(selection.filter, [], (facts) => {
      const scan = planScan(selection, facts);
      if (selection.limit !== 0) return limited(scan, selection).map(read);
      const listed: T[] = [];
      let skip = selection.skip;
      for (const found of file.statement(scan.statement.rows).iterate(...scan.params)) {
        const row = readRow(found);
        if (!scan.matches(row.document)) continue;
        if (skip > 0) skip -= 1;
        else listed.push(read(row));
      }
      return listed;
    });
  }

  /**
   * A page of matches. If SQLite decides only part of the filter, we first ask for a few more rows: with a limit it sorts without keeping
   * every document, and these rows nearly always suffice. The limit is in the SQL, because SQLite plans with it, and would prepare
   * `LIMIT ?` again at every call.
   */
  function limited(scan: Scan, { skip, limit }: Selection): Row[] {
    if (scan.matches === always) {
      const found = file
        .statement(scan.statement.ending(`LIMIT ${String(limit)} OFFSET ?`))
        .all(...scan.params, skip);
      return found.map(readRow);
    }
    const needed = skip + limit;
    const tried = needed + 16;
    const found = file.statement(scan.statement.ending(`LIMIT ${String(tried)}`)).all(...scan.params);
    const matching = found.map(readRow).filter((row) => scan.matches(row.document));
    if (matching.length >= needed || found.length < tried) return matching.slice(skip, needed);
    return searched(scan, needed).slice(skip);
  }

  /** The first matches, however many rows we must look at. */
  function searched(scan: Scan, needed: number): Row[] {
    const matching: Row[] = [];
    for (const found of file.statement(scan.statement.rows).iterate(...scan.params)) {
      const row = readRow(found);
      if (scan.matches(row.document) && matching.push(row) === needed) break;
    }
    return matching;
  }

  /**
   * Filters of one shape share a plan, whatever values they compare with, while the collection has the same indexes, the same paths with
   * arrays and the same damaged rows.
   */
  function planScan(selection: Selection, facts: CollectionFacts): Scan {
    const { filter, sort } = selection;
    const shaped = shapeOf(filter, facts);
    if (shaped === undefined || !sort.every(([path]) => isSortedPath(path, facts)))
      return newPlan(selection, facts);
    const marks = facts.arrayPaths.size + facts.damaged.size;
    if (planned?.facts !== facts || planned.marks !== marks) planned = { facts, marks, plans: new Map() };
    const shape = sort.reduce(
      (all, [path, direction]) => `${all} ${path} ${String(direction)}`,
      shaped.shape,
    );
    const known = planned.plans.get(shape);
    if (known !== undefined) {
      const { statement, isExact } = known;
      return { statement, params: shaped.params, matches: isExact ? always : createMatcher(filter) };
    }
    const scan = newPlan(selection, facts);
    if (scan.params.length === shaped.params.length && planned.plans.size < maxPlans)
      planned.plans.set(shape, { statement: scan.statement, isExact: scan.matches === always });
    return scan;
  }

  function newPlan(selection: Selection, facts: CollectionFacts): Scan {
    const plan = planWhole(selection.filter, facts);
    refuseArrays(selection.sort, plan, facts);
    const order = selection.sort.map(
      ([path, direction]) => `${keyExpression(path)}${direction === 1 ? "" : " DESC"}`,
    );
    return {
      statement: new ScanSql(
        `${facts.table}${plan.where === "" ? "" : ` WHERE ${plan.where}`}${order.length === 0 ? "" : ` ORDER BY ${order.join(", ")}`}`,
      ),
      params: plan.params,
      matches: plan.exact ? always : createMatcher(selection.filter),
    };
  }

  /** A row that is requested by its key is read even if it is damaged, so it is refused by name. */
  function planWhole(filter: Filter, facts: CollectionFacts): FilterPlan {
    const plan = planFilter(filter, facts);
    const condition = facts.neverPartial || isOneByKey(filter, facts) ? "" : wholeRows(facts);
    return { ...plan, where: [condition, plan.where].filter((one) => one !== "").join(" AND ") };
  }

  /** MongoDB sorts an array by its least or greatest element. SQLite can't, so a sort that meets an array is refused. */
  function refuseArrays(sort: Sort, plan: { where: string; params: Key[] }, facts: CollectionFacts): void {
    for (const [path] of sort) {
      if (isSortedPath(path, facts)) continue;
      const condition = `${plan.where === "" ? "" : `${plan.where} AND `}${keyExpression(path)}=${arrayKeySql}`;
      const met = file
        .statement(`SELECT 1 FROM ${facts.table} WHERE ${condition} LIMIT 1`)
        .get(...plan.params);
      if (met !== undefined) throw new UnsupportedOnEmbedded(`sorting by ${path}, which holds arrays`);
    }
  }

  /** Requires a `limit` of 1. */
  function first(selection: Selection): Row | undefined {
    return whole(selection.filter, undefined, (facts) => {
      const scan = planScan(selection, facts);
      if (scan.matches !== always || selection.skip !== 0) return limited(scan, selection)[0];
      const found = file.statement(scan.statement.ending("LIMIT 1")).get(...scan.params);
      return found === undefined ? undefined : readRow(found);
    });
  }

  /** SQLite counts if it can decide the filter alone. */
  function count(selection: Selection): number {
    return whole(selection.filter, 0, (facts) => {
      const scan = planScan(selection, facts);
      if (scan.matches !== always) return list(selection, () => 1).length;
      const found = file.statement(scan.statement.count).get(...scan.params);
      const total = Math.max(0, (typeof found?.n === "number" ? found.n : 0) - selection.skip);
      return selection.limit === 0 ? total : Math.min(total, selection.limit);
    });
  }

  /** The places of rows that may match, to read them later. */
  function candidates(filter: Filter): number[] {
    return whole(filter, [], (facts) => {
      const scan = planScan(allOf(filter), facts);
      const places: number[] = [];
      for (const found of file.statement(scan.statement.places).iterate(...scan.params)) {
        if (typeof found.seq === "number") places.push(found.seq);
      }
      return places;
    });
  }

  /** The row at a place, unless it is gone, damaged, or no longer matches. */
  function at(seq: number, matches: (document: StoredDocument) => boolean): Row | undefined {
    return whole({}, undefined, (facts) => {
      if (facts.damaged.has(seq)) return undefined;
      const found = file.statement(`SELECT seq, doc FROM ${facts.table} WHERE seq=?`).get(seq);
      if (found === undefined) return undefined;
      const row = readRow(found);
      return matches(row.document) ? row : undefined;
    });
  }

  /** The document must have its `_id`. Creates a missing collection. */
  function insert(document: StoredDocument): void {
    const facts = catalogue.ensure(name);
    catalogue.noteArrays(facts, document);
    const text = encodeDocument(document);
    write(facts, document, () =>
      file.statement(`INSERT INTO ${facts.table}(id, doc) VALUES (?, ?)`).run(idKey(document), text),
    );
  }

  /** @returns false if nothing changes. */
  function rewrite(row: Row, document: StoredDocument): boolean {
    const text = encodeDocument(document);
    if (text === row.text) return false;
    const facts = catalogue.ensure(name);
    catalogue.noteArrays(facts, document);
    write(facts, document, () =>
      file.statement(`UPDATE ${facts.table} SET doc=? WHERE seq=?`).run(text, row.seq),
    );
    return true;
  }

  /** Removes all matches with one statement, if SQLite can decide the filter alone. @returns how many; undefined if it can't */
  function removeDecided(filter: Filter): number | undefined {
    return whole<number | undefined>(filter, 0, (facts) => {
      const plan = planWhole(filter, facts);
      if (!plan.exact) return undefined;
      const where = plan.where === "" ? "" : ` WHERE ${plan.where}`;
      return Number(file.statement(`DELETE FROM ${facts.table}${where}`).run(...plan.params).changes);
    });
  }

  function remove(row: Row): void {
    const facts = catalogue.ensure(name);
    file.statement(`DELETE FROM ${facts.table} WHERE seq=?`).run(row.seq);
  }

  function write(facts: CollectionFacts, document: StoredDocument, statement: () => unknown): void {
    try {
      statement();
    } catch (thrown) {
      if (sqliteCode(thrown) !== sqliteConstraintCode || !(thrown instanceof Error)) throw thrown;
      throw conflictError(facts, document, thrown.message);
    }
  }

  return { name, list, first, count, candidates, at, insert, rewrite, remove, removeDecided };
}

/** Plans by the shape of a filter, for a collection in one state. */
type Planned = {
  facts: CollectionFacts;
  /** How many paths with arrays and damaged rows it had. Both numbers only grow. */
  marks: number;
  plans: Map<string, { statement: ScanSql; isExact: boolean }>;
};

/** Whether SQLite sorts by a path as MongoDB does, because no document has an array there. */
function isSortedPath(path: string, facts: CollectionFacts): boolean {
  return path === "_id" || (facts.indexedPaths.has(path) && !facts.arrayPaths.has(path));
}

/** The matcher of a filter that SQLite decides alone. */
const always: Matcher = () => true;

function idKey(document: StoredDocument): Key {
  const id = document._id;
  const key = id === undefined || id === null ? undefined : keyOf(id);
  if (key === undefined)
    throw new UnsupportedOnEmbedded("an _id that is not a string, number, date or ObjectId");
  return key;
}

/** Reads the unique key from SQLite's message: "... failed: index 'i:<collection>:<index>'" or "... .id". */
function conflictError(facts: CollectionFacts, document: StoredDocument, message: string): Error {
  const index = facts.indexes.find((one) => message.includes(`'i:${facts.name}:${one.name}'`));
  if (index === undefined && !message.endsWith(".id")) return serverError(mongoCode.duplicateKey, message);
  const keyPattern = index?.key ?? { _id: 1 };
  const keyValue: StoredDocument = {};
  for (const path of Object.keys(keyPattern)) keyValue[path] = valueAt(document, path) ?? null;
  return duplicateKeyError({ collection: facts.name, index: index?.name ?? "_id_", keyPattern, keyValue });
}
