import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ofEveryProcess } from "../../../sandbox/tool-process.ts";
import { carryOut } from "../../../src/cli/carry-out.ts";
import { type CommandTools, parseCommandLine } from "../../../src/cli/command.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { readConfig } from "../../../src/config.ts";

/** The outcome of an operator's command. */
export type Ran = { code: number; out: string; err: string };

/**
 * Runs a command of src/cli.ts within this process: a separate process for each costs more than most commands.
 * test/refusals/cli.thorough.test.ts shows that the program itself prints and ends in the same way. @param variables The environment of the
 * program. @param input Lines of standard input. @param clock By default, the machine's.
 */
export async function runCommand(
  variables: Record<string, string>,
  command: readonly string[],
  input: readonly string[] = [],
  clock?: Clock,
): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await carryOut(command, {
    config: () => readConfig(variables),
    out: (text) => (out += `${text}\n`),
    err: (text) => (err += `${text}\n`),
    input: async function* () {
      for (const line of input) yield await Promise.resolve(line);
    },
    ...(clock === undefined ? {} : { clock }),
  });
  return { code, out, err };
}

/** Runs a program of Node until it exits, as an operator does; kills it after a minute. */
export async function runNode(args: readonly string[], variables: Record<string, string>, folder: string) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...ofEveryProcess(), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const tooLong = setTimeout(() => child.kill("SIGKILL"), 60_000);
  await once(child, "close");
  clearTimeout(tooLong);
  return { code: child.exitCode, out, err };
}

/** A completely valid environment, with its database in a folder. */
export function rightVariables(folder: string): Record<string, string> {
  return {
    PUBLIC_URL: "https://tool.example",
    SECRET_KEY: "a-secret-key-of-at-least-thirty-two-bytes",
    DATABASE_URL: `file:${join(folder, "database")}`,
    CLASSROOM_BASE_URL: "https://api.example",
    CLASSROOM_APP_URL: "https://app.example",
    CLASSROOM_API_KEY: "api-key-of-production",
    CLASSROOM_WEBHOOK_SECRET: "production-secret-now",
  };
}

/** Runs a command, and returns what it printed as JSON. @throws when its exit code is not 0 */
export async function runCli(
  variables: Record<string, string>,
  command: readonly string[],
): Promise<unknown> {
  const { code, out, err } = await runCommand(variables, [...command, "--json"]);
  if (code !== 0) throw new Error(`cli ${command.join(" ")} ended with ${String(code)}: ${err}`);
  return JSON.parse(out);
}

const unneeded = () => Promise.reject(new Error("is not needed"));

/** What a single command is given; the rest must not be used. */
export function commandTools({
  values,
  ...given
}: Partial<Omit<CommandTools, "values">> & { values?: Partial<CommandTools["values"]> }): CommandTools {
  return {
    values: { ...parseCommandLine([]).values, ...values },
    config: () => {
      throw new Error("is not needed");
    },
    stores: unneeded,
    database: unneeded,
    clock: unneeded,
    line: unneeded,
    say: () => undefined,
    ...given,
  };
}
