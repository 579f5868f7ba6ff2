import type { StatementSync } from "node:sqlite";
import type { mongo } from "mongoose";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import type { Database } from "../../../src/storage/open-database.ts";

/** One query as the engine executed it. */
export type SeenQuery = {
  collection: string;
  /** The indexes it uses; empty for a full scan. */
  indexes: string[];
  /** Whether the engine had to sort the results. */
  sorts: boolean;
  /** Rows that the engine read, on the embedded engine; keys and documents it examined, on a MongoDB. */
  read: number;
};

/** What a piece of work queries in its database, with the engine's own plans. */
export async function seenQueries(
  database: Pick<Database, "connection">,
  work: () => Promise<unknown>,
): Promise<SeenQuery[]> {
  const client: unknown = database.connection.getClient();
  return client instanceof EmbeddedClient ? seenByEmbedded(client, work) : seenByMongo(database, work);
}

type Asked = { sql: string; params: Parameters<StatementSync["all"]>; rows: number };

async function seenByEmbedded(client: EmbeddedClient, work: () => Promise<unknown>): Promise<SeenQuery[]> {
  const { file } = client.engine;
  const asked: Asked[] = [];
  const statement = file.statement.bind(file);
  file.statement = (sql) => (/ FROM "?c:/.test(sql) ? watched(statement(sql), sql, asked) : statement(sql));
  try {
    await work();
  } finally {
    file.statement = statement;
  }
  return asked.map(({ sql, params, rows }) => {
    const steps = file.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...params);
    const plan = steps.map(({ detail }) => String(detail));
    return {
      collection: /FROM "?c:(\w+)/.exec(sql)?.[1] ?? sql,
      indexes: plan.flatMap(
        // Rows that were found are read again by SQLite's own key, an INTEGER.
        (step) => /^SEARCH .*USING (?:(?:COVERING )?INDEX (?:i:\w+:)?)?(\S+)/.exec(step)?.[1] ?? [],
      ),
      sorts: plan.some((step) => step.includes("TEMP B-TREE")),
      read: rows,
    };
  });
}

function watched(statement: StatementSync, sql: string, asked: Asked[]): StatementSync {
  const note = (params: Asked["params"], rows: number) => {
    asked.push({ sql, params, rows });
  };
  return new Proxy(statement, {
    get: (target, name) => {
      if (name === "all")
        return (...params: Asked["params"]) => {
          const rows = target.all(...params);
          note(params, rows.length);
          return rows;
        };
      if (name === "get")
        return (...params: Asked["params"]) => {
          const row = target.get(...params);
          note(params, row === undefined ? 0 : 1);
          return row;
        };
      if (name === "iterate")
        return function* (...params: Asked["params"]) {
          let rows = 0;
          try {
            for (const row of target.iterate(...params)) {
              rows += 1;
              yield row;
            }
          } finally {
            note(params, rows);
          }
        };
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      const bound: unknown = found.bind(target);
      return bound;
    },
  });
}

type Command = { collection: string; filter: object; options: mongo.FindOptions };

const isOptions = (given: unknown): given is mongo.FindOptions => typeof given === "object" && given !== null;

/** MongoDB's plans for its queries, requested after the work: mongoose reports what was queried. */
async function seenByMongo({ connection }: Pick<Database, "connection">, work: () => Promise<unknown>) {
  const commands: Command[] = [];
  connection.set("debug", (collection: string, method: string, filter: unknown, ...more: unknown[]) => {
    if (typeof filter !== "object" || filter === null || !/^(find|update|delete|count)/.test(method)) return;
    commands.push({ collection, filter, options: more.findLast(isOptions) ?? {} });
  });
  try {
    await work();
  } finally {
    connection.set("debug", false);
  }
  const seen: SeenQuery[] = [];
  for (const { collection, filter, options } of commands) {
    const found = connection.collection(collection).find(filter, options);
    const told: unknown = await found.explain("executionStats");
    const text = JSON.stringify(told);
    const count = (name: string) =>
      Math.max(0, ...[...text.matchAll(new RegExp(`"${name}":(\\d+)`, "g"))].map(([, n]) => Number(n)));
    seen.push({
      collection,
      indexes: text.includes('"COLLSCAN"')
        ? []
        : [...text.matchAll(/"indexName":"([^"]+)"/g)].map(([, name]) => name ?? ""),
      sorts: /"stage":"SORT/.test(text),
      read: count("totalKeysExamined") + count("totalDocsExamined"),
    });
  }
  return seen;
}
