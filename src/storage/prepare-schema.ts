import { type Connection, type Model, Schema } from "mongoose";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Ids, randomIds } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, longerLease, released } from "./lease.ts";
import { schemaLeaseMs, schemaPollMs } from "./limits.ts";

type SchemaVersionRow = LeaseFields & {
  _id: string;
  version: number;
  /** "copying" while another database is being copied into this one: half of it is worse than nothing. */
  state: "ready" | "copying";
  /** `at` (ms): when the version was reached. */
  history: { version: number; at: number }[];
};

/** One step forward of the stored records. */
export type Migration = {
  /** The version of the records afterwards; the first release wrote version 1. */
  to: number;
  what: string;
  /**
   * Changes stored documents, as they are stored and not through today's models. May be killed and run again; a process
   * of the release before may be writing.
   * @param renew Called every few hundred documents: keeps the turn, and throws when another process has it now.
   */
  run: (connection: Connection, renew: () => Promise<void>) => Promise<void>;
};

/**
 * In order, without a gap. Only what today's code cannot read needs one: a new field gets a default where its store reads
 * it. A field goes in two releases, so that processes of both can run side by side: first write both, then drop.
 */
const allMigrations: readonly Migration[] = [];

export type PrepareSchemaDeps = {
  clock?: Clock;
  ids?: Ids;
  migrations?: readonly Migration[];
  logger?: Logger;
  /** How long a server that does not answer is asked again; by default it is not. */
  patienceMs?: number;
  /** Also opens a database into which another one is being copied, without migrating it. */
  evenHalfCopied?: boolean;
};

const only = "schema";

/**
 * Migrates the records to this release's version before anything else reads them. One process does it, the others wait;
 * after a kill its turn runs out, and the migration is run again.
 * @throws NamedError "database-newer" when a newer release has written there, "database-incomplete" when a copy into it
 *   was not finished.
 */
export async function prepareSchema(connection: Connection, deps: PrepareSchemaDeps = {}): Promise<void> {
  const { clock = systemClock, ids = randomIds, migrations = allMigrations } = deps;
  const model = schemaVersions(connection);
  const newest = versionAfter(migrations);
  const holder = ids.id("hold");
  for (;;) {
    const row = (await model.findById(only).lean()) ?? (await begun(model, newest, clock.now()));
    refuseOthers(row, newest, deps.evenHalfCopied ?? false);
    // A partial copy is deleted when it is repeated.
    if (row.version === newest || row.state === "copying") return;
    const now = clock.now();
    const taken = await model.updateOne(
      { _id: only, version: row.version, state: "ready", leaseUntil: { $lte: now } },
      { $set: { leaseHolder: holder, leaseUntil: now + schemaLeaseMs } },
    );
    if (taken.matchedCount === 0) {
      await clock.sleep(schemaPollMs);
      continue;
    }
    await carryOut({ connection, model, clock, holder, migrations }, row.version);
  }
}

/** That a database can be read as it is; one without records can. @throws as `prepareSchema`, and "database-older" */
export async function requireSchema(connection: Connection, deps: PrepareSchemaDeps = {}): Promise<void> {
  const newest = versionAfter(deps.migrations ?? allMigrations);
  const row = await schemaVersions(connection).findById(only).lean();
  if (row === null) return;
  refuseOthers(row, newest, false);
  if (row.version < newest) throw refusal("database-older", { values: { version: row.version, newest } });
}

/** No tool starts on a database marked so. Its version is this release's: an earlier one may have begun the copy. */
export async function markCopying(connection: Connection, copying: boolean, now: number): Promise<void> {
  const model = schemaVersions(connection);
  const newest = versionAfter(allMigrations);
  await retriedOnDuplicate(() =>
    model.updateOne(
      { _id: only },
      {
        $set: { state: copying ? "copying" : "ready", version: newest },
        $setOnInsert: { history: [{ version: newest, at: now }], ...released },
      },
      { upsert: true },
    ),
  );
}

/** The version of a database's records, and whether they are complete; null where nothing was ever stored. */
export async function schemaStateOf(
  connection: Connection,
): Promise<Pick<SchemaVersionRow, "version" | "state"> | null> {
  const row = await schemaVersions(connection).findById(only).lean();
  return row === null ? null : { version: row.version, state: row.state };
}

type Turn = {
  connection: Connection;
  model: Model<SchemaVersionRow>;
  clock: Clock;
  holder: string;
  migrations: readonly Migration[];
};

async function carryOut(
  { connection, model, clock, holder, migrations }: Turn,
  version: number,
): Promise<void> {
  const next = migrations.find(({ to }) => to === version + 1);
  if (next === undefined) throw new Error(`There is no migration to schema ${version + 1}.`);
  const renew = async () => {
    const renewed = await model.updateOne(...longerLease(only, holder, clock.now() + schemaLeaseMs));
    if (renewed.matchedCount === 0) throw new Error("The turn to migrate the database was lost.");
  };
  await next.run(connection, renew);
  await model.updateOne(
    { _id: only, version, leaseHolder: holder },
    {
      $set: { version: next.to, ...released },
      $push: { history: { version: next.to, at: clock.now() } },
    },
  );
}

/** A new database is of the newest version. */
async function begun(
  model: Model<SchemaVersionRow>,
  version: number,
  now: number,
): Promise<SchemaVersionRow> {
  return retriedOnDuplicate(() =>
    model
      .findOneAndUpdate(
        { _id: only },
        { $setOnInsert: { version, state: "ready", history: [{ version, at: now }], ...released } },
        { upsert: true, returnDocument: "after" },
      )
      .lean(),
  );
}

function refuseOthers({ version, state }: SchemaVersionRow, newest: number, evenHalfCopied: boolean): void {
  if (state === "copying" && !evenHalfCopied) {
    throw refusal("database-incomplete");
  }
  if (version > newest) {
    throw refusal("database-newer", { values: { version, newest } });
  }
}

/** 1 is what the first release wrote. */
function versionAfter(migrations: readonly Migration[]): number {
  return 1 + migrations.length;
}

function schemaVersions(connection: Connection): Model<SchemaVersionRow> {
  const known = connection.models.SchemaVersion;
  const schema = new Schema<SchemaVersionRow>(
    {
      _id: { type: String, required: true },
      version: { type: Number, required: true },
      state: { type: String, required: true },
      history: { type: Schema.Types.Mixed, required: true },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  return known === undefined
    ? connection.model<SchemaVersionRow>("SchemaVersion", schema)
    : connection.model<SchemaVersionRow>("SchemaVersion");
}
