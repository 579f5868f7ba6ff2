import { inspect } from "node:util";
import { ConfigError, type Config } from "../config.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import { createLogger, type Logger } from "../kernel/logger.ts";
import { startWaitMs } from "../storage/limits.ts";
import type { Database } from "../storage/open-database.ts";
import { parseCommandLine, UsageError } from "./command.ts";
import { findCommand, onlyReads, usageOf } from "./find-command.ts";

/** Where a command finds its configuration, and where it prints. */
type Terminal = {
  config: () => Config;
  out: (text: string) => void;
  /** Prints notes before the answer, and errors. */
  err: (text: string) => void;
  /** Standard input, for secrets that must not end up in a shell's history. */
  input: () => AsyncIterable<string>;
  /** For how long a database that doesn't answer is asked again. Default: as long as at a start. */
  patienceMs?: number;
  /** The machine's, unless a test passes another. */
  clock?: Clock;
};

/** @param typed The words after the program's name. @returns the exit code: 2 for a mistyped command or name, 1 for a failure, otherwise 0. */
export async function carryOut(typed: readonly string[], given: Terminal): Promise<number> {
  const terminal = { ...given, out: escaping(given.out), err: escaping(given.err) };
  try {
    return await run(typed, terminal);
  } catch (thrown) {
    const wrongUse = isWrongUse(thrown);
    if (wrongUse) terminal.err(`${messageOf(thrown)}\n\n${usageOf(typed[0])}`);
    else
      terminal.err(
        thrown instanceof NamedError || thrown instanceof ConfigError ? messageOf(thrown) : inspect(thrown),
      );
    return wrongUse ? 2 : 1;
  }
}

/** People choose their names, and control characters in one would move the cursor or command the terminal. */
function escaping(print: (text: string) => void) {
  const code = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (text: string) => print(text.replace(/[^\P{Cc}\n\t]/gu, code));
}

/** Prints warnings as notes before the answer. */
function notesTo(err: Terminal["err"]): Logger {
  const say = (_facts: object, message: string) => {
    err(message);
  };
  return { ...createLogger("silent"), warn: say, error: say };
}

async function run(
  typed: readonly string[],
  { config, out, err, input, patienceMs = startWaitMs, clock: machineClock = systemClock }: Terminal,
): Promise<number> {
  const { positionals, values } = parseCommandLine(typed);
  if (values.help) {
    out(usageOf(positionals[0]));
    return 0;
  }
  const command = await findCommand(positionals);
  let database: Database | undefined;
  const open = async () => {
    // Loaded only now, so a mistyped command answers immediately.
    const { openDatabase } = await import("../storage/open-database.ts");
    const { openStoreClock } = await import("../storage/store-clock.ts");
    const { openStores } = await import("../open-stores.ts");
    const asItIs = onlyReads(positionals);
    const asked = { asItIs, logger: notesTo(err), patienceMs };
    database = await openDatabase({ url: config().databaseUrl, clock: machineClock, ...asked });
    // Claims and due times are compared by the store's time, as in the tool's processes.
    const clock = asItIs ? machineClock : await openStoreClock(database, machineClock);
    return { database, clock, stores: await openStores(database.connection, { ...asked, clock }) };
  };
  let opening: ReturnType<typeof open> | undefined;
  try {
    const opened = () => (opening ??= open());
    const answer = await command({
      values,
      config,
      say: err,
      line: nextLine(input),
      stores: async () => (await opened()).stores,
      database: async () => (await opened()).database,
      clock: async () => (await opened()).clock,
    });
    for await (const line of answer.lines ?? []) out(line);
    if (answer.lines === undefined) out(values.json ? JSON.stringify(answer.json, null, 2) : answer.text);
    return answer.bad === true ? 1 : 0;
  } finally {
    await database?.close();
  }
}

function nextLine(input: Terminal["input"]): () => Promise<string> {
  let lines: AsyncIterator<string> | undefined;
  return async () => {
    lines ??= input()[Symbol.asyncIterator]();
    const next = await lines.next();
    return next.done === true ? "" : next.value.trim();
  };
}

/** Errors of a mistyped name. */
const unknownThings: readonly string[] = [
  "no-such-registration",
  "deployment-unknown",
  "no-such-person",
  "no-such-course",
  "receipt-unknown",
  "score-unknown",
];

function isWrongUse(thrown: unknown): boolean {
  if (thrown instanceof NamedError) return unknownThings.includes(thrown.code);
  return thrown instanceof UsageError || isParseError(thrown);
}

/** Thrown by node:util's parseArgs. */
function isParseError(thrown: unknown): boolean {
  return thrown instanceof TypeError && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS");
}
