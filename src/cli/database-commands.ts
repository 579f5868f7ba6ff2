import { resolve } from "node:path";
import { systemClock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { createLogger } from "../kernel/logger.ts";
import { beginComparing, noteRestore } from "../modules/operations/upkeep.ts";
import { copyDatabase, hasRecords } from "../storage/copy-database.ts";
import { backUp, restore } from "../storage/embedded/back-up.ts";
import { type Database, folderOf, openDatabase } from "../storage/open-database.ts";
import { openStores } from "../open-stores.ts";
import { listLeftovers } from "../storage/examine-database.ts";
import { schemaStateOf } from "../storage/prepare-schema.ts";
import { kindsOn, storedCollection } from "../storage/records.ts";
import { type Command, type CommandTools, timeOf, UsageError } from "./command.ts";
import { startWaitMs } from "../storage/limits.ts";

export const backUpTo: Command = async (tools, name) => {
  const file = resolve(name);
  const done = await backUp(embeddedFolder(tools, "mongodump"), file, systemClock.now());
  return {
    text: `${file} has everything as it is now: ${done.documents} record(s), SHA-256 ${done.digest}. It is of use only with the SECRET_KEY of today: keep that elsewhere.`,
    json: { file, ...done },
  };
};

export const prepare: Command = async (tools) => {
  // Opened as when the tool starts.
  const { connection } = await tools.database();
  const state = await schemaStateOf(connection);
  const version = state?.version ?? 0;
  const kinds = kindsOn(connection).size;
  return {
    text: `The database is ready for this release. Its records have version ${version}, and ${kinds} kinds of records have their indexes.`,
    json: { version, kinds },
  };
};

export const dropDamaged: Command = async (tools, collection) => {
  const database = await tools.database();
  const dropped = await database.dropDamaged(collection);
  return {
    text: `${dropped} damaged record(s) of ${collection} are deleted.`,
    json: { collection, dropped },
  };
};

/** Only drops what no model knows. */
export function dropLeftover(what: "index" | "collection"): Command {
  return async (tools, collection, second) => {
    const index = what === "index" ? second : null;
    const { connection } = await tools.database();
    const found = (await listLeftovers(connection)).find((one) => one.collection === collection);
    const isLeftover = index === null ? found?.indexes === null : found?.indexes?.includes(index) === true;
    const name = index === null ? collection : `${collection} ${index}`;
    if (!isLeftover)
      throw new UsageError(`The database has no ${what} ${name} that this release does not know.`);
    const rows = storedCollection(connection, collection);
    await (index === null ? rows.drop() : rows.dropIndex(index));
    return { text: `The ${what} ${name} is dropped.`, json: { collection, index } };
  };
}

export const restoreFrom: Command = (tools, name) => {
  const file = resolve(name);
  const folder = embeddedFolder(tools, "mongorestore");
  const now = systemClock.now();
  const mark = new Date(now).toISOString().replace(/[:.]/g, "-");
  const done = restore(file, folder, { replace: tools.values.replace, mark, now });
  const aside = done.aside === null ? "" : ` What was there before is ${done.aside}.`;
  return Promise.resolve({
    text: `${folder} has the ${done.documents} record(s) of ${file}.${aside} Start the tool with the SECRET_KEY of the backup's time. Every score is compared with its gradebook then; what differs is a conflict on its course's page of grades.`,
    json: { folder, ...done },
  });
};

export const restored: Command = async (tools) => {
  const [stores, clock] = [await tools.stores(), await tools.clock()];
  const now = clock.now();
  const backupOf = tools.values["backup-of"];
  const lastBegun = await stores.jobs.lastBegun();
  const isRunning = lastBegun !== null && now - lastBegun < runningForMs;
  if (backupOf === undefined && isRunning)
    throw new UsageError(
      "When was the backup taken? The tool has worked with this database since, so that nothing else tells. Such as: restored --backup-of 2026-09-14T03:00:00Z",
    );
  const backupAt = backupOf === undefined ? null : timeOf(backupOf, "--backup-of", now);
  if (backupAt !== null && backupAt > now) throw new UsageError("--backup-of is a time in the past.");
  const deps = { ...stores, clock, logger: createLogger("silent") };
  await noteRestore(deps, { backupAt, restoredAt: now });
  const begun = await beginComparing(deps);
  return {
    text: `Before anything is sent, ${begun.scores} score(s) of ${begun.courses} course(s) are compared with their gradebooks. The attendance of ${begun.sessions} session(s) is read again. A score that differs is a conflict on its course's page of grades.`,
    json: begun,
  };
};

/** If a tool began a job within this time, it may be running, because one begins each minute. */
const runningForMs = 5 * 60_000;

export const copy: Command = async (tools) => {
  const { databaseUrl } = tools.config();
  const target = tools.values.to;
  if (target === undefined) throw new UsageError("Where to? Such as: copy --to mongodb://host/spaces-lti");
  if (target === databaseUrl) throw new UsageError("--to is the database of DATABASE_URL itself.");
  const opened: Database[] = [];
  const open = async (url: string): Promise<Database> => {
    const database = await openDatabase({ url, logger: createLogger("warn"), patienceMs: startWaitMs });
    opened.push(database);
    return database;
  };
  try {
    const from = await open(databaseUrl);
    await openStores(from.connection, { patienceMs: startWaitMs });
    const to = await open(target);
    const isBegun = (await schemaStateOf(to.connection))?.state === "copying";
    await openStores(to.connection, { evenHalfCopied: true, patienceMs: startWaitMs });
    if (!isBegun && (await hasRecords(to.connection))) throw refusal("copy-target-used");
    const copied = await copyDatabase(
      { from: from.connection, to: to.connection },
      {
        now: systemClock.now(),
        onCollection: (name, documents) => {
          if (documents > 0) tools.say(`${name}: ${documents}`);
        },
      },
    );
    const total = copied.reduce((sum, { documents }) => sum + documents, 0);
    return {
      text: `${total} record(s) of ${copied.length} kinds are copied, and the same in both by count and digest. Now set DATABASE_URL to the new database and start the tool; SECRET_KEY stays the same.`,
      json: { total, collections: copied },
    };
  } finally {
    for (const database of opened) await database.close();
  }
};

function embeddedFolder(tools: CommandTools, instead: string): string {
  const { databaseUrl } = tools.config();
  if (databaseUrl.startsWith("file:")) return folderOf(databaseUrl);
  throw refusal("backup-of-mongodb", { values: { instead } });
}
