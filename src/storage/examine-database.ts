import { type Connection, mongo } from "mongoose";
import { refusal } from "../kernel/refusal.ts";
import type { FileCheck } from "./embedded/file-threads.ts";
import { type Database, hasManyMembers } from "./open-database.ts";
import { kindsOn } from "./records.ts";

/** A finding for operators. `todo` is null if there is nothing to do. */
export type DatabaseFinding = { level: "fine" | "note" | "wrong"; message: string; todo: string | null };

/** What an operator should know about the database. Reads an embedded one completely. Changes nothing. */
export async function examineDatabase(database: Database): Promise<DatabaseFinding[]> {
  const { connection, engine } = database;
  const found = [
    ...(engine === "embedded" ? fileFindings(await database.check()) : await serverFindings(connection)),
    ...leftoverFindings(await listLeftovers(connection)),
  ];
  const fine = engine === "embedded" ? "Its file is whole." : "It is a replica set, used as it should be.";
  return found.length > 0 ? found : [{ level: "fine", message: fine, todo: null }];
}

/** @throws NamedError "database-damaged" */
export async function requireWhole(database: Pick<Database, "check">): Promise<void> {
  const found = fileFindings(await database.check());
  if (found.length === 0) return;
  throw refusal("database-damaged", { values: { what: found.map(({ message }) => message).join(" ") } });
}

function fileFindings({ problems, damaged }: FileCheck): DatabaseFinding[] {
  const byCollection = [...Map.groupBy(damaged, ({ collection }) => collection)];
  return [
    ...(problems.length === 0
      ? []
      : [
          {
            level: "wrong" as const,
            message: `SQLite finds the file damaged: ${problems.join("; ")}.`,
            todo: "Stop the tool, restore a backup (npm run cli -- restore FILE --replace), and look at the disk.",
          },
        ]),
    ...byCollection.map(([collection, rows]) => ({
      level: "wrong" as const,
      message: `${rows.length === 1 ? "A damaged record" : `${String(rows.length)} damaged records`} of ${collection}: ${rows.map(({ id }) => id).join(", ")}.`,
      todo: `Restore a backup, or delete what is damaged there: npm run cli -- drop damaged ${collection}`,
    })),
  ];
}

/** The driver's options and a server's answer to `hello`. */
export type ServerFacts = { hello: unknown; readPreference: string; retryWrites: boolean };

async function serverFindings(connection: Connection): Promise<DatabaseFinding[]> {
  const client: unknown = connection.getClient();
  if (!(client instanceof mongo.MongoClient)) throw new Error("The database is no MongoDB.");
  const { readPreference, retryWrites } = client.options;
  return judgeServer({
    hello: await connection.db?.admin().command({ hello: 1 }),
    readPreference: readPreference.mode,
    retryWrites,
  });
}

export function judgeServer({ hello, readPreference, retryWrites }: ServerFacts): DatabaseFinding[] {
  const found: DatabaseFinding[] = [];
  if (!hasManyMembers(hello))
    found.push({
      level: "note",
      message: "The server is a standalone MongoDB: nothing takes over when it fails.",
      todo: "Make it a replica set of three members, or of one, and name it in DATABASE_URL (replicaSet=...).",
    });
  if (readPreference !== "primary")
    found.push({
      level: "wrong",
      message: `DATABASE_URL reads from members that may be behind (readPreference=${readPreference}): decisions are made on what is no longer so.`,
      todo: "Take readPreference out of DATABASE_URL.",
    });
  if (!retryWrites)
    found.push({
      level: "note",
      message: "DATABASE_URL has retryWrites=false: each change of the primary fails what is being written.",
      todo: "Take retryWrites out of DATABASE_URL.",
    });
  return found;
}

/** Something in the database that this release doesn't know. `indexes` is null if it is the whole collection. */
export type Leftover = { collection: string; indexes: readonly string[] | null };

/** Lists leftovers. Only an operator drops them, because another release that also runs may use them. */
export async function listLeftovers(connection: Connection): Promise<Leftover[]> {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  const known = new Map(
    [...kindsOn(connection).values()].map(({ collection, indexes }) => [
      collection,
      new Set(["_id_", ...indexes.map(({ key, name }) => name ?? indexNameOf(key))]),
    ]),
  );
  const leftovers: Leftover[] = [];
  const collections = (await db.listCollections().toArray()).map(({ name }) => name);
  for (const collection of collections.filter((one) => !one.startsWith("system.")).sort()) {
    const expected = known.get(collection);
    const present = expected === undefined ? null : await db.collection(collection).listIndexes().toArray();
    const indexes = present?.map(({ name }) => String(name)).filter((name) => expected?.has(name) === false);
    if (indexes?.length !== 0) leftovers.push({ collection, indexes: indexes ?? null });
  }
  return leftovers;
}

/** The name that MongoDB gives an index. */
function indexNameOf(key: object): string {
  return Object.entries(key).flat().join("_");
}

function leftoverFindings(leftovers: readonly Leftover[]): DatabaseFinding[] {
  const command = "npm run cli -- drop";
  return leftovers.map(({ collection, indexes }) => ({
    level: "note",
    message:
      indexes === null
        ? `This release does not know the collection ${collection}.`
        : `This release does not know ${indexes.length === 1 ? "an index" : `${String(indexes.length)} indexes`} of ${collection}, which each write keeps up to date: ${indexes.join(", ")}.`,
    todo: `When no process of another release uses this database any more:\n${(indexes === null
      ? [`${command} collection ${collection}`]
      : indexes.map((name) => `${command} index ${collection} ${name}`)
    ).join("\n")}`,
  }));
}
