import type { Connection } from "mongoose";
import type { RowOf } from "../domain/record.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Ids, randomIds } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { schemaVersionRecord } from "../modules/operations/rules/records.ts";
import { longerLease, released } from "./due-queue.ts";
import { openRecords, type Records } from "./records.ts";
import { schemaLeaseMs, schemaPollMs } from "./limits.ts";

type SchemaVersionRow = RowOf<typeof schemaVersionRecord>;

/** One migration of the stored records. */
export type Migration = {
  /** The version of the records afterwards. The first release wrote version 1. */
  to: number;
  what: string;
  /**
   * Changes stored documents in their stored form, not through today's models. May be killed and run again. A process of the previous
   * release may be writing. @param renew Called every few hundred documents. Keeps the turn, and throws if another process has it now.
   */
  run: (connection: Connection, renew: () => Promise<void>) => Promise<void>;
};

/**
 * In order, without a gap. Only what today's code can't read needs a migration; a new field gets its default when its store reads it. To
 * replace a field takes two releases, so processes of both can run side by side: first write both fields, then drop the old one.
 */
const allMigrations: readonly Migration[] = [];

export type PrepareSchemaDeps = {
  clock?: Clock;
  ids?: Ids;
  migrations?: readonly Migration[];
  logger?: Logger;
  /** How long to retry if a server doesn't answer (ms); default: not at all. */
  patienceMs?: number;
  /** Also opens a database into which another one is being copied, without migrating it. */
  evenHalfCopied?: boolean;
};

const only = "schema";

/**
 * Migrates the records to this release's version before anything else reads them. One process does it, the others wait. After a kill, its
 * turn runs out and another process runs the migration again.
 * @throws NamedError "database-newer" if a newer release has written to it, "database-incomplete" if a copy into it wasn't finished.
 */
export async function prepareSchema(connection: Connection, deps: PrepareSchemaDeps = {}): Promise<void> {
  const { clock = systemClock, ids = randomIds, migrations = allMigrations } = deps;
  const records = schemaVersions(connection);
  const newest = versionAfter(migrations);
  const holder = ids.id("hold");
  for (;;) {
    const row = (await records.row({ _id: only })) ?? (await begun(records, newest, clock.now()));
    refuseOthers(row, newest, deps.evenHalfCopied ?? false);
    // A partial copy is deleted when the copy is repeated.
    if (row.version === newest || row.state === "copying") return;
    const now = clock.now();
    const taken = await records.change(
      { _id: only, version: row.version, state: "ready", leaseUntil: { $lte: now } },
      { $set: { leaseHolder: holder, leaseUntil: now + schemaLeaseMs } },
    );
    if (!taken) {
      await clock.sleep(schemaPollMs);
      continue;
    }
    await carryOut({ connection, records, clock, holder, migrations }, row.version);
  }
}

/** Checks that a database can be read as it is; an empty one can. @throws as `prepareSchema`, and "database-older" */
export async function requireSchema(connection: Connection, deps: PrepareSchemaDeps = {}): Promise<void> {
  const newest = versionAfter(deps.migrations ?? allMigrations);
  const row = await schemaVersions(connection).row({ _id: only });
  if (row === null) return;
  refuseOthers(row, newest, false);
  if (row.version < newest) throw refusal("database-older", { values: { version: row.version, newest } });
}

/** Marks a database, so no tool starts on it. Sets this release's version, because an earlier release may have begun the copy. */
export async function markCopying(connection: Connection, copying: boolean, now: number): Promise<void> {
  const newest = versionAfter(allMigrations);
  await schemaVersions(connection).save(
    { _id: only },
    {
      $set: { state: copying ? "copying" : "ready", version: newest },
      $setOnInsert: { history: [{ version: newest, at: now }], ...released },
    },
  );
}

/** The version of a database's records, and whether they are complete; null if nothing was ever stored. */
export async function schemaStateOf(connection: Connection) {
  const row = await schemaVersions(connection).row({ _id: only });
  return row === null ? null : { version: row.version, state: row.state };
}

type Turn = {
  connection: Connection;
  records: Records<typeof schemaVersionRecord>;
  clock: Clock;
  holder: string;
  migrations: readonly Migration[];
};

async function carryOut({ connection, records, clock, holder, migrations }: Turn, version: number) {
  const next = migrations.find(({ to }) => to === version + 1);
  if (next === undefined) throw new Error(`There is no migration to schema ${version + 1}.`);
  const renew = async () => {
    if (!(await records.change(...longerLease(only, holder, clock.now() + schemaLeaseMs))))
      throw new Error("The turn to migrate the database was lost.");
  };
  await next.run(connection, renew);
  await records.change(
    { _id: only, version, leaseHolder: holder },
    { $set: { version: next.to, ...released }, $push: { history: { version: next.to, at: clock.now() } } },
  );
}

/** A new database has the newest version. */
function begun(records: Records<typeof schemaVersionRecord>, version: number, now: number) {
  const first = { version, state: "ready" as const, history: [{ version, at: now }], ...released };
  return records.saved({ _id: only }, { $setOnInsert: first });
}

function refuseOthers({ version, state }: SchemaVersionRow, newest: number, evenHalfCopied: boolean): void {
  if (state === "copying" && !evenHalfCopied) throw refusal("database-incomplete");
  if (version > newest) throw refusal("database-newer", { values: { version, newest } });
}

/** The first release wrote version 1. */
function versionAfter(migrations: readonly Migration[]): number {
  return 1 + migrations.length;
}

function schemaVersions(connection: Connection): Records<typeof schemaVersionRecord> {
  return openRecords(connection, schemaVersionRecord);
}
