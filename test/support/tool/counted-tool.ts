import { ServerResponse } from "node:http";
import { mongo } from "mongoose";
import type { ToolProcess } from "../../../sandbox/tool-process.ts";
import { startTool } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { currentRequest } from "../../../src/kernel/request-scope.ts";
import { EmbeddedCollection } from "../../../src/storage/embedded/embedded-collection.ts";
import { isAskedByServer } from "../stand-ins/mongo-server.ts";

/** One command of the database, while it was in progress; of a request, or of work in the background. */
export type Command = { what: string; request: string | null; began: number; ended: number };

/** The tool in this process, so that its database commands can be counted. */
export async function startCountedTool(variables: Record<string, string>): Promise<ToolProcess> {
  const tool = await startTool(readConfig(variables), { logger: createLogger("silent") });
  return {
    get child(): never {
      throw new Error("The tool runs inside the test's process.");
    },
    output: () => "",
    end: async () => {
      await tool.stop();
      return 0;
    },
  };
}

/**
 * Adds every command from now on: those of MongoDB's driver by its monitoring, or calls of the embedded engine's collections. @returns a
 * function that ends it
 */
export function watchCommands(engine: "mongodb" | "embedded", seen: Command[]): () => void {
  const note = (what: string): Command => {
    const command = { what, request: currentRequest(), began: performance.now(), ended: Infinity };
    seen.push(command);
    return command;
  };
  return engine === "mongodb" ? watchDriver(note) : watchEngine(note);
}

/** Adds the time when each request is answered, by the tool in this process. @returns a function that ends it */
export function watchAnswers(answeredAt: Map<string | null, number>): () => void {
  return around(ServerResponse.prototype, "end", () => {
    answeredAt.set(currentRequest(), performance.now());
  });
}

/** The database's address requests it with `monitorCommands=true`. */
function watchDriver(note: (what: string) => Command): () => void {
  const open = new Map<number, Command>();
  return around(mongo.MongoClient.prototype, "emit", (given) => {
    const [, event] = given;
    if (event instanceof mongo.CommandStartedEvent) {
      const { commandName, command, requestId } = event;
      open.set(requestId, note(`${commandName} ${String(command[commandName])}`));
    } else if (event instanceof mongo.CommandSucceededEvent || event instanceof mongo.CommandFailedEvent) {
      const command = open.get(event.requestId);
      if (command !== undefined) command.ended = performance.now();
    }
  });
}

const asked = [
  ["find", "findOne", "countDocuments", "distinct", "insertOne", "insertMany"],
  ["updateOne", "updateMany", "replaceOne", "deleteOne", "deleteMany", "findOneAndUpdate"],
  ["findOneAndDelete", "bulkWrite"],
].flat();

function watchEngine(note: (what: string) => Command): () => void {
  const ends = asked.map((name) =>
    around(EmbeddedCollection.prototype, name, (_given, { collectionName }) => {
      if (!isAskedByServer()) note(`${name} ${collectionName}`);
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** @returns a function that removes it again */
function around<T extends object>(
  prototype: T,
  name: string,
  before: (given: readonly unknown[], of: T) => void,
): () => void {
  const call: unknown = Reflect.get(prototype, name);
  if (typeof call !== "function") throw new Error(`There is no ${name} to watch.`);
  const own = Object.getOwnPropertyDescriptor(prototype, name);
  const value = function (this: T, ...given: unknown[]): unknown {
    before(given, this);
    return Reflect.apply(call, this, given);
  };
  Object.defineProperty(prototype, name, { configurable: true, writable: true, value });
  return () => {
    if (own === undefined) Reflect.deleteProperty(prototype, name);
    else Object.defineProperty(prototype, name, own);
  };
}

/** The longest chain of commands of which each began after the previous one was answered. */
export function roundTrips(commands: readonly Command[]): number {
  let rounds = 0;
  let last = -Infinity;
  for (const { began, ended } of commands.toSorted((one, other) => one.ended - other.ended))
    if (began >= last) {
      rounds += 1;
      last = ended;
    }
  return rounds;
}
