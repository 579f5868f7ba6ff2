import { existsSync } from "node:fs";
import { type CommandLine, parseCommandLine, UsageError } from "./cli/command.ts";
import { findCommand } from "./cli/find-command.ts";
import { usage } from "./cli/usage.ts";
import { ConfigError, readConfig } from "./config.ts";
import { messageOf, NamedError } from "./kernel/errors.ts";
import { createLogger } from "./kernel/logger.ts";
import type { Database } from "./storage/open-database.ts";

/** Names of things that do not exist: the person typed the wrong one. */
const unknownThings: readonly string[] = [
  "registration-unknown",
  "deployment-unknown",
  "person-unknown",
  "course-unknown",
  "receipt-unknown",
  "score-unknown",
];

/** Finds the command, carries it out and prints its answer. @returns the exit code */
async function run({ positionals, values }: CommandLine): Promise<number> {
  const command = await findCommand(positionals);
  const opened: Database[] = [];
  try {
    const answer = await command({
      values,
      config: readConfig,
      say: (line) => console.error(line),
      stores: async () => {
        // Loaded only now: a mistyped command answers at once.
        const { openDatabase } = await import("./storage/open-database.ts");
        const { openStores } = await import("./storage/open-stores.ts");
        const database = await openDatabase({
          url: readConfig().databaseUrl,
          logger: createLogger("silent"),
        });
        opened.push(database);
        return openStores(database.connection);
      },
    });
    console.log(values.json ? JSON.stringify(answer.json, null, 2) : answer.text);
    return answer.bad === true ? 1 : 0;
  } finally {
    for (const database of opened) await database.close();
  }
}

function isWrongUse(thrown: unknown): boolean {
  if (thrown instanceof NamedError) return unknownThings.includes(thrown.code);
  return thrown instanceof UsageError || isParseError(thrown);
}

/** node:util's parseArgs did not understand what was typed. */
function isParseError(thrown: unknown): boolean {
  return thrown instanceof TypeError && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS");
}

if (existsSync(".env")) process.loadEnvFile(".env");
try {
  process.exitCode = await run(parseCommandLine());
} catch (thrown) {
  const wrongUse = isWrongUse(thrown);
  if (wrongUse) console.error(`${messageOf(thrown)}\n\n${usage}`);
  else
    console.error(thrown instanceof NamedError || thrown instanceof ConfigError ? messageOf(thrown) : thrown);
  process.exitCode = wrongUse ? 2 : 1;
}
