import { statfs } from "node:fs/promises";
import driver from "mongoose/lib/drivers/node-mongodb-native/index.js";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { type BackupStamp, forgetStamp, readStamp } from "./back-up.ts";
import { Catalogue } from "./catalogue.ts";
import { createDamageLog } from "./damage.ts";
import { EmbeddedCollection, type Engine } from "./embedded-collection.ts";
import { checkFile, type FileCheck, scrubbedVersion, scrubFile } from "./file-threads.ts";
import { minFreeBytes, probeBytes, writeProofMs } from "./limits.ts";
import { logLoss, LogMark } from "./log-mark.ts";
import { mongoCode, serverError, UnsupportedOnEmbedded } from "./mongo-errors.ts";
import { readOptions } from "./read-options.ts";
import { databaseFileName, diskFull, markMade, openingError, SqliteFile } from "./sqlite-file.ts";
import { RequestWatch, Turns } from "./turns.ts";
import { ExpirySweep } from "./upkeep.ts";
import { WriteBatch } from "./write-batch.ts";

type EmbeddedOptions = { folder: string; logger: Logger; clock: Clock };

type CollectionIndexes = {
  collection: string;
  indexes: readonly ({ key: object } & Record<string, unknown>)[];
};

const logLost = `the database's write-ahead log is missing or shorter than it was (${databaseFileName}-wal, unless another program has opened the database since): what was stored last before the tool ended is lost, and nothing tells how much; put the file back while the tool is stopped, or restore a backup`;

/** Replaces the MongoClient of MongoDB's driver: one open folder with one database. */
export class EmbeddedClient {
  readonly #engine: Engine;
  readonly #folder: string;
  readonly #logMark: LogMark;
  readonly #collections = new Map<string, EmbeddedCollection>();
  readonly sweep: ExpirySweep;

  constructor({ folder, logger, clock }: EmbeddedOptions) {
    const file = new SqliteFile(folder);
    this.#folder = folder;
    this.#logMark = new LogMark(file.db, folder);
    try {
      const loss = logLoss(file.db, folder);
      this.#logMark.forget();
      const catalogue = new Catalogue(file);
      const watch = new RequestWatch();
      const batch = new WriteBatch(file, catalogue, watch, () => this.#logMark.committed());
      catalogue.onDamaged = createDamageLog(logger);
      this.#engine = { file, catalogue, batch, turns: new Turns(watch) };
      markMade(folder);
      if (loss !== null) logger.error({ folder, log: loss }, logLost);
    } catch (thrown) {
      file.close();
      throw openingError(folder, thrown);
    }
    this.sweep = new ExpirySweep({ engine: this.#engine, logger, clock });
  }

  /** For tests that break it on purpose. */
  get engine(): Engine {
    return this.#engine;
  }

  /** There is one database, which has no name. */
  db(name?: string): EmbeddedDb {
    if (name !== undefined) throw new UnsupportedOnEmbedded(`a second database (${name})`);
    return {
      databaseName: "embedded",
      collection: (name) => this.#collection(name),
      createCollection: (name, options) => this.#createCollection(name, options),
      dropDatabase: () => this.#dropDatabase(),
      listCollections: () => ({
        toArray: () =>
          Promise.resolve(this.#engine.catalogue.names().map((name) => ({ name, type: "collection" }))),
      }),
      command: () => Promise.reject(new UnsupportedOnEmbedded("database commands")),
      admin: () => {
        throw new UnsupportedOnEmbedded("admin commands");
      },
      watch: () => {
        throw new UnsupportedOnEmbedded("change streams");
      },
    };
  }

  /**
   * Resolves if the file can be read and written: a commit succeeded lately, or succeeds now. If the disk has refused something, only a
   * probe of some size proves it, because a small one may fit into the log.
   */
  async ping(): Promise<void> {
    const { file, batch } = this.#engine;
    file.statement("SELECT version FROM engine_state").get();
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < minFreeBytes) throw diskFull();
    if (batch.hasWritten(writeProofMs)) return;
    const probes = batch.isInTrouble() ? [probeBytes, 0] : [0];
    for (const bytes of probes)
      await batch.run(() =>
        file.statement("INSERT OR REPLACE INTO engine_probe VALUES (1, zeroblob(?))").run(bytes),
      );
    batch.isWell();
  }

  /**
   * Leaves no byte of deleted content in the files; see scrubFile. Writers wait.
   * @param evenBig Also if that takes long.
   * @returns false if something is left, so try again later.
   */
  async scrub(evenBig: boolean): Promise<boolean> {
    const { batch } = this.#engine;
    batch.refuseWhenClosed();
    // Scrubbing empties the log.
    this.#logMark.forget();
    return batch.whileLocked(() => scrubFile(this.#folder, evenBig));
  }

  /** Reads the whole file in a separate thread. @returns what is wrong, in words, and rows that aren't documents. */
  async check(): Promise<FileCheck> {
    this.#engine.batch.refuseWhenClosed();
    const found = await checkFile(this.#folder);
    for (const { collection, ...row } of found.damaged) {
      const facts = this.#engine.catalogue.find(collection);
      if (facts !== undefined) this.#engine.catalogue.noteDamaged(facts, [row]);
    }
    return found;
  }

  /** @returns how many damaged rows it deleted */
  dropDamaged(collection: string): Promise<number> {
    const { catalogue, batch } = this.#engine;
    return batch.run(() => catalogue.dropDamaged(collection));
  }

  /** Whether the file was never rewritten since we started to overwrite deleted content. */
  owesScrub(): boolean {
    return this.#engine.file.statement("PRAGMA user_version").get()?.["user_version"] !== scrubbedVersion;
  }

  /** The stamp of the backup that it was, until `forgetBackup`; otherwise null. */
  backup(): BackupStamp | null {
    return readStamp(this.#engine.file.db);
  }

  /** Call it when the restore is stored. */
  forgetBackup(): Promise<void> {
    return this.#engine.batch.run(() => {
      forgetStamp(this.#engine.file.db);
    });
  }

  /** Creates missing collections and indexes. At the end, tells SQLite's planner how selective each index is. */
  async makeIndexes(wanted: readonly CollectionIndexes[]): Promise<void> {
    const { catalogue, batch } = this.#engine;
    const left = wanted.values();
    await batch.runInSlices(() => {
      const { done, value } = left.next();
      if (done === true) {
        catalogue.writePlannerStatistics();
        return {};
      }
      catalogue.ensure(value.collection);
      for (const { key, ...options } of value.indexes) catalogue.createIndex(value.collection, key, options);
      return null;
    });
  }

  close(): Promise<void> {
    this.sweep.stop();
    this.#engine.batch.close();
    this.#logMark.whileClosing(() => this.#engine.file.close());
    return Promise.resolve();
  }

  startSession(): never {
    throw new UnsupportedOnEmbedded("sessions and transactions");
  }

  #collection(name: string): EmbeddedCollection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const collection = new EmbeddedCollection(this.#engine, name);
    this.#collections.set(name, collection);
    return collection;
  }

  #createCollection(name: string, options: unknown): Promise<EmbeddedCollection> {
    const { catalogue, batch } = this.#engine;
    return batch.run(() => {
      readOptions("createCollection", options, []);
      if (catalogue.find(name) !== undefined) {
        throw serverError(mongoCode.namespaceExists, `Collection embedded.${name} already exists.`);
      }
      catalogue.ensure(name);
      return this.#collection(name);
    });
  }

  #dropDatabase(): Promise<boolean> {
    const { catalogue, batch } = this.#engine;
    return batch.run(() => {
      for (const name of catalogue.names()) catalogue.drop(name);
      return true;
    });
  }
}

type EmbeddedDb = {
  databaseName: string;
  collection: (name: string) => EmbeddedCollection;
  createCollection: (name: string, options?: unknown) => Promise<EmbeddedCollection>;
  dropDatabase: () => Promise<boolean>;
  listCollections: () => { toArray: () => Promise<{ name: string; type: string }[]> };
  command: () => Promise<never>;
  admin: () => never;
  watch: () => never;
};

/**
 * A driver for `mongoose.setDriver()` (record 0007). We keep mongoose's native connection and collection classes and only replace the
 * client. NativeCollection forwards every call to what `connection.db.collection(name)` returns.
 */
export function createEmbeddedDriver(options: EmbeddedOptions) {
  class EmbeddedConnection extends driver.Connection {
    override createClient(): Promise<this> {
      return new Promise((resolve) => {
        const client = new EmbeddedClient(options);
        // The fields that mongoose's own createClient sets. `db` and `client` are read-only in its typings.
        Object.assign(this, { client, db: client.db(), name: "embedded", host: "localhost", port: 0 });
        this.onOpen();
        resolve(this);
      });
    }
  }
  return {
    Connection: EmbeddedConnection,
    Collection: driver.Collection,
    ClientEncryption: driver.ClientEncryption,
    BulkWriteResult: driver.BulkWriteResult,
  };
}
