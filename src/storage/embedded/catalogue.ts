import { refusal } from "../../kernel/refusal.ts";
import { type Damaged, damagedIn, passingOver } from "./damage.ts";
import { encodeDocument, isRecord, sameValue, type StoredDocument } from "./stored-value.ts";
import { meetsArray } from "./paths.ts";
import {
  createIndexSql,
  type IndexSpec,
  isIdKey,
  partialOf,
  readStoredSpec,
  specDocument,
  type PartialClause,
  partialFilterClauses,
  readIndexSpec,
  scalarPathsOf,
} from "./index-spec.ts";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { writePlannerStatistics } from "./upkeep.ts";
import { scrubbedVersion } from "./file-threads.ts";
import { arrayKeySql, keyExpression } from "./sort-key.ts";
import { type SqliteFile, sqliteCode, sqliteConstraintCode } from "./sqlite-file.ts";
import { compareText } from "../../kernel/lists.ts";

/** Collections whose lists must be complete, because scores are computed from them. */
const neverPartial = new Set(["attendances"]);

export type CollectionFacts = {
  name: string;
  /** The quoted name of its table. */
  table: string;
  indexes: IndexSpec[];
  /** Every path that an index covers, except `_id`. */
  indexedPaths: Set<string>;
  /** Indexed paths that refuse arrays; see scalarPathsOf. */
  scalarPaths: Set<string>;
  /** The conditions of partial indexes, by path. */
  partialClauses: ReadonlyMap<string, readonly PartialClause[]>;
  /** Indexed paths at which a document has, or once had, an array. */
  arrayPaths: Set<string>;
  /** Places of damaged rows that we have met. */
  damaged: Set<number>;
  /** Reads that meet a damaged row are refused. */
  neverPartial: boolean;
};

const tables = `
CREATE TABLE IF NOT EXISTS engine_state (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, version INTEGER NOT NULL);
INSERT OR IGNORE INTO engine_state VALUES (1, 1, 1);
CREATE TABLE IF NOT EXISTS engine_collections (name TEXT PRIMARY KEY COLLATE NOCASE) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_indexes (collection TEXT NOT NULL, name TEXT NOT NULL, spec TEXT NOT NULL, PRIMARY KEY (collection, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_probe (id INTEGER PRIMARY KEY CHECK (id = 1), fill BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS engine_arrays (collection TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (collection, path)) WITHOUT ROWID;
`;

/**
 * Collections, indexes and array marks, stored in the file and cached here. Another process may change them, so the cache is checked at
 * the start of every transaction, and before reads (`refreshForReads`).
 */
export class Catalogue {
  readonly #file: SqliteFile;
  readonly #facts = new Map<string, CollectionFacts | undefined>();
  /** The SQL of all indexes by their names, while indexes are made, because SQLite reads all of them to find one. */
  #writtenSql: ReadonlyMap<string, string> | undefined;
  #dataVersion = -1;
  #version = -1;
  #isFresh = false;
  /** Called with damaged rows that weren't known since the cache was emptied. */
  onDamaged: (collection: string, met: readonly Damaged[]) => void = () => undefined;

  /** Creates the catalogue's own tables if they are missing. */
  constructor(file: SqliteFile) {
    this.#file = file;
    file.db.exec("BEGIN IMMEDIATE");
    const isNew = file.db.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() === undefined;
    // A new file never had deleted content that is not overwritten.
    if (isNew) file.db.exec(`PRAGMA user_version=${String(scrubbedVersion)}`);
    file.db.exec(`${tables} COMMIT;`);
    const format = numberOf(file.statement("SELECT format FROM engine_state").get(), "format");
    if (format !== 1) throw refusal("database-format", { values: { format } });
  }

  /** Empties the cache if another process changed the catalogue. Otherwise it costs one PRAGMA. */
  refresh(): void {
    const dataVersion = numberOf(this.#file.statement("PRAGMA data_version").get(), "data_version");
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    const version = numberOf(this.#file.statement("SELECT version FROM engine_state").get(), "version");
    if (version === this.#version) return;
    this.#version = version;
    this.#facts.clear();
    this.#writtenSql = undefined;
  }

  /**
   * As `refresh`, for reads (two dozen per launch): once for reads that follow each other with no event from outside between them. So
   * we see whatever another process has reported. If a change happens at the same moment, the first list ever at an indexed path may be
   * missed, as if we had read earlier.
   */
  refreshForReads(): void {
    if (this.#isFresh) return;
    this.refresh();
    this.#isFresh = true;
    // After everything that is ready has run, and before any event comes. At the end of the turn, it might be too late.
    process.nextTick(() => {
      this.#isFresh = false;
    });
  }

  /** Empties the cache after a transaction was rolled back. */
  forget(): void {
    this.#facts.clear();
    this.#writtenSql = undefined;
    this.#dataVersion = -1;
    this.#version = -1;
  }

  /** Undefined if the collection doesn't exist. */
  find(name: string): CollectionFacts | undefined {
    if (!this.#facts.has(name)) this.#facts.set(name, this.#read(name));
    return this.#facts.get(name);
  }

  /** Creates the collection if it is missing. Runs in a transaction. */
  ensure(name: string): CollectionFacts {
    return this.find(name) ?? this.#create(name);
  }

  names(): string[] {
    return this.#file
      .statement("SELECT name FROM engine_collections ORDER BY name")
      .all()
      .map((row) => textOf(row, "name"));
  }

  /** Tells SQLite's planner about all indexes. Runs in a transaction. */
  writePlannerStatistics(): void {
    this.#writtenSql = undefined;
    const tables = this.names().flatMap((name) => this.find(name) ?? []);
    writePlannerStatistics(
      this.#file,
      tables.map(({ name, indexes }) => ({
        table: `c:${name}`,
        indexes: indexes.map((spec) => ({ name: `i:${name}:${spec.name}`, spec })),
      })),
    );
  }

  /** Removes a collection with its documents and indexes. @returns false if there is none. Runs in a transaction. */
  drop(name: string): boolean {
    const facts = this.find(name);
    if (facts === undefined) return false;
    this.#file.db.exec(`DROP TABLE ${facts.table}`);
    this.#file.statement("DELETE FROM engine_collections WHERE name = ?").run(name);
    this.#file.statement("DELETE FROM engine_indexes WHERE collection = ?").run(name);
    this.#file.statement("DELETE FROM engine_arrays WHERE collection = ?").run(name);
    this.#changed(name);
    return true;
  }

  /**
   * Creates an index, or finds the same one. If an earlier release wrote its keys in other SQL, the index is built again, because queries
   * couldn't use it. Runs in a transaction. @returns its name.
   * @throws MongoServerError 85 or 86 if an index with that key or name has other options.
   */
  createIndex(collection: string, key: unknown, options: Record<string, unknown>): string {
    const spec = readIndexSpec(key, options);
    const facts = this.ensure(collection);
    if (isIdKey(spec.key)) return "_id_";
    const named = facts.indexes.find(({ name }) => name === spec.name);
    if (named !== undefined) {
      if (!sameValue(specDocument(named), specDocument(spec))) {
        const message = `An existing index has the same name as the requested index: ${spec.name}`;
        throw serverError(mongoCode.indexKeySpecsConflict, message);
      }
      if (!this.#isWrittenSo(facts, named)) {
        this.dropIndex(collection, named.name);
        this.#build(this.ensure(collection), spec);
      }
      return named.name;
    }
    for (const existing of facts.indexes) {
      if (sameValue(existing.key, spec.key) && sameValue(partialOf(existing), partialOf(spec))) {
        const message = `Index already exists with a different name: ${existing.name}`;
        throw serverError(mongoCode.indexOptionsConflict, message);
      }
    }
    this.#build(facts, spec);
    return spec.name;
  }

  #isWrittenSo({ name, table }: CollectionFacts, spec: IndexSpec): boolean {
    this.#writtenSql ??= new Map(
      this.#file
        .statement("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        .all()
        .map((row) => [textOf(row, "name"), textOf(row, "sql")]),
    );
    const written = this.#writtenSql.get(`i:${name}:${spec.name}`);
    return written === createIndexSql(spec, table, indexSqlName(name, spec.name));
  }

  /**
   * Deletes the damaged rows of a collection. SQLite can no longer find their index entries, so the indexes are rebuilt. Runs in a
   * transaction. @returns how many rows
   */
  dropDamaged(collection: string): number {
    const facts = this.find(collection);
    if (facts === undefined) return 0;
    const places = damagedIn(this.#file.db, facts.table).map(({ seq }) => seq);
    if (places.length === 0) return 0;
    for (const { name } of facts.indexes) this.dropIndex(collection, name);
    this.#file.db.exec(`DELETE FROM ${facts.table} WHERE seq IN (${places.join(",")})`);
    for (const spec of facts.indexes) this.#build(this.ensure(collection), spec);
    return places.length;
  }

  /** Runs in a transaction. */
  dropIndex(collection: string, name: string): void {
    const facts = this.find(collection);
    if (facts === undefined) throw serverError(mongoCode.namespaceNotFound, `ns not found ${collection}`);
    if (!facts.indexes.some((index) => index.name === name)) {
      throw serverError(mongoCode.indexNotFound, `index not found with name [${name}]`);
    }
    this.#file.db.exec(`DROP INDEX ${indexSqlName(collection, name)}`);
    this.#file
      .statement("DELETE FROM engine_indexes WHERE collection = ? AND name = ?")
      .run(collection, name);
    this.#changed(collection);
  }

  /** Notes arrays at indexed paths, where they make keys inexact for queries. Refuses them at a unique or partial path. */
  noteArrays(facts: CollectionFacts, document: StoredDocument): void {
    for (const path of facts.indexedPaths) {
      if (!meetsArray(document, path)) continue;
      if (facts.scalarPaths.has(path)) {
        throw new UnsupportedOnEmbedded(
          `an array at ${path}, which a unique or partial index of ${facts.name} covers`,
        );
      }
      if (facts.arrayPaths.has(path)) continue;
      this.#markArray(facts.name, path);
      facts.arrayPaths.add(path);
    }
  }

  /** @returns whether any of them is new */
  noteDamaged(facts: CollectionFacts, met: readonly Damaged[]): boolean {
    const news = met.filter(({ seq }) => !facts.damaged.has(seq));
    for (const { seq } of news) facts.damaged.add(seq);
    if (news.length > 0) this.onDamaged(facts.name, news);
    return news.length > 0;
  }

  #markArray(collection: string, path: string): void {
    this.#file.statement("INSERT OR IGNORE INTO engine_arrays VALUES (?, ?)").run(collection, path);
    this.#bump();
  }

  #create(name: string): CollectionFacts {
    if (!/^[A-Za-z][\w.-]*$/.test(name)) throw new UnsupportedOnEmbedded(`the collection name ${name}`);
    this.#file.statement("INSERT INTO engine_collections VALUES (?)").run(name);
    // `id` has no declared type, so keys of all types stay as they are. `seq` is the natural order.
    this.#file.db.exec(
      `CREATE TABLE ${tableOf(name)} (seq INTEGER PRIMARY KEY, id UNIQUE NOT NULL, doc TEXT NOT NULL)`,
    );
    this.#bump();
    const facts = factsOf(name, [], { arrayPaths: new Set(), damaged: new Set() });
    this.#facts.set(name, facts);
    return facts;
  }

  #build(facts: CollectionFacts, spec: IndexSpec): void {
    const scalar = new Set(scalarPathsOf(spec));
    const paths = new Set([...Object.keys(spec.key), ...scalar]);
    // A start with an empty folder makes some two hundred indexes, and there is nothing to look for yet.
    const isEmpty = this.#file.statement(`SELECT 1 FROM ${facts.table} LIMIT 1`).get() === undefined;
    try {
      // An index covers every row, so a damaged row is reported by name.
      passingOver(this.#file, this, { facts, isRefused: true }, () => {
        for (const path of isEmpty ? [] : paths) this.#noteArraysAt(facts, path, scalar.has(path));
        this.#file.db.exec(createIndexSql(spec, facts.table, indexSqlName(facts.name, spec.name)));
      });
    } catch (thrown) {
      if (sqliteCode(thrown) !== sqliteConstraintCode) throw thrown;
      const message = `E11000 duplicate key error collection: ${facts.name} index: ${spec.name}`;
      throw serverError(mongoCode.duplicateKey, message, { keyPattern: spec.key });
    }
    const stored = encodeDocument(specDocument(spec));
    this.#file.statement("INSERT INTO engine_indexes VALUES (?, ?, ?)").run(facts.name, spec.name, stored);
    const indexes = [...facts.indexes, readStoredSpec(stored)].toSorted((one, other) =>
      compareText(one.name, other.name),
    );
    this.#facts.set(facts.name, factsOf(facts.name, indexes, facts));
    this.#bump();
  }

  #noteArraysAt(facts: CollectionFacts, path: string, isRefused: boolean): void {
    const found = this.#file.db
      .prepare(`SELECT 1 FROM ${facts.table} WHERE ${keyExpression(path)}=${arrayKeySql} LIMIT 1`)
      .get();
    if (found === undefined) return;
    if (isRefused)
      throw new UnsupportedOnEmbedded(`a unique or partial index on ${path}, which holds arrays`);
    this.#markArray(facts.name, path);
    facts.arrayPaths.add(path);
  }

  #changed(name: string): void {
    this.#facts.delete(name);
    this.#bump();
  }

  #bump(): void {
    this.#writtenSql = undefined;
    this.#file.statement("UPDATE engine_state SET version = version + 1").run();
  }

  #read(name: string): CollectionFacts | undefined {
    const row = this.#file.statement("SELECT name FROM engine_collections WHERE name = ?").get(name);
    if (row === undefined) return undefined;
    if (row.name !== name)
      throw new UnsupportedOnEmbedded(`two collections that differ in case only (${name})`);
    const indexes = this.#file
      .statement("SELECT spec FROM engine_indexes WHERE collection = ? ORDER BY name")
      .all(name)
      .map((found) => readStoredSpec(textOf(found, "spec")));
    const arrays = this.#file.statement("SELECT path FROM engine_arrays WHERE collection = ?").all(name);
    const arrayPaths = new Set(arrays.map((found) => textOf(found, "path")));
    return factsOf(name, indexes, { arrayPaths, damaged: new Set() });
  }
}

/** @param indexes Sorted by name. */
function factsOf(
  name: string,
  indexes: IndexSpec[],
  { arrayPaths, damaged }: Pick<CollectionFacts, "arrayPaths" | "damaged">,
): CollectionFacts {
  const scalarPaths = new Set(indexes.flatMap(scalarPathsOf));
  const indexedPaths = new Set([...indexes.flatMap((index) => Object.keys(index.key)), ...scalarPaths]);
  indexedPaths.delete("_id");
  const partialClauses = Map.groupBy(
    indexes.flatMap(({ partialFilterExpression }) =>
      partialFilterExpression === undefined ? [] : partialFilterClauses(partialFilterExpression),
    ),
    ({ path }) => path,
  );
  const table = tableOf(name);
  const facts = { name, table, indexes, indexedPaths, scalarPaths, partialClauses, arrayPaths, damaged };
  return { ...facts, neverPartial: neverPartial.has(name) };
}

function tableOf(collection: string): string {
  return `"c:${collection}"`;
}

function indexSqlName(collection: string, index: string): string {
  return `"i:${collection}:${index.replaceAll('"', '""')}"`;
}

function numberOf(row: unknown, column: string): number {
  const value = isRecord(row) ? row[column] : undefined;
  if (typeof value !== "number") throw new Error(`SQLite returned no number for ${column}`);
  return value;
}

function textOf(row: unknown, column: string): string {
  const value = isRecord(row) ? row[column] : undefined;
  if (typeof value !== "string") throw new Error(`SQLite returned no text for ${column}`);
  return value;
}
