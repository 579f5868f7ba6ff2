import { parseArgs } from "node:util";
import type { Config } from "../config.ts";
import { type Clock, dayMs, hourMs, readTimestamp, systemClock } from "../kernel/clock.ts";
import { randomIds } from "../kernel/ids.ts";
import { createLogger } from "../kernel/logger.ts";
import { createSealer } from "../kernel/sealer.ts";
import type { Lms } from "../lms/open-lms.ts";
import { lmsIsBack } from "../modules/registration/lms-trouble.ts";
import type { Stores } from "../open-stores.ts";
import type { Database } from "../storage/open-database.ts";
import type { Accounts } from "../modules/accounts/known-accounts.ts";

/** The typed words can't be carried out. */
export class UsageError extends Error {}

/** `text` for people, `json` for programs. */
export type Answer = {
  text: string;
  json: unknown;
  /** Replaces both, and is written while it's read. */
  lines?: AsyncIterable<string>;
  /** What it found is bad, so the program exits with 1. */
  bad?: boolean;
};

export type CommandLine = ReturnType<typeof parseCommandLine>;

/** Reads the configuration and opens the database only on demand, once. */
export type CommandTools = {
  values: CommandLine["values"];
  config: () => Config;
  stores: () => Promise<Stores>;
  database: () => Promise<Database>;
  /** The store's clock, or the machine's for commands that only read. */
  clock: () => Promise<Clock>;
  /** The next line of standard input. Empty after the last. */
  line: () => Promise<string>;
  /** Prints a note before the answer, which isn't part of the JSON. */
  say: (line: string) => void;
};

/**
 * @param words What is typed after its name: at least the words that the table of commands asks for.
 * @throws UsageError if a word or an option doesn't fit, before it reads the configuration
 */
export type Command = (tools: CommandTools, ...words: string[]) => Promise<Answer>;

/** @throws TypeError (code ERR_PARSE_ARGS_...) for an unknown option */
export function parseCommandLine(typed: readonly string[] = process.argv.slice(2)) {
  return parseArgs({
    args: [...typed],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      account: { type: "string" },
      "new-account": { type: "string" },
      institution: { type: "string" },
      administrators: { type: "string" },
      id: { type: "string" },
      stage: { type: "string" },
      "base-url": { type: "string" },
      "app-url": { type: "string" },
      "api-key": { type: "string" },
      "api-key-file": { type: "string" },
      "webhook-secret": { type: "string" },
      "webhook-secret-file": { type: "string" },
      "dialect-file": { type: "string" },
      "calls-per-second": { type: "string" },
      "analytics-seconds": { type: "string" },
      "end-previous": { type: "boolean", default: false },
      deployment: { type: "string" },
      hours: { type: "string", default: "72" },
      issuer: { type: "string" },
      "client-id": { type: "string" },
      "auth-url": { type: "string" },
      "token-url": { type: "string" },
      "jwks-url": { type: "string" },
      "token-audience": { type: "string" },
      "deployment-id": { type: "string" },
      "new-deployments": { type: "string" },
      family: { type: "string" },
      name: { type: "string" },
      now: { type: "boolean", default: false },
      all: { type: "boolean", default: false },
      "public-url": { type: "string" },
      create: { type: "boolean", default: false },
      space: { type: "string" },
      scope: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      "backup-of": { type: "string" },
      replace: { type: "boolean", default: false },
      state: { type: "string" },
      reason: { type: "string" },
      since: { type: "string" },
      until: { type: "string" },
      text: { type: "string" },
      registration: { type: "string" },
      csv: { type: "boolean", default: false },
      course: { type: "string" },
      after: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      file: { type: "string", default: ".env" },
      change: { type: "boolean", default: false },
      proxies: { type: "string" },
      port: { type: "string" },
      database: { type: "string" },
      contact: { type: "string" },
    },
  });
}

/** What use cases need. The audit log names the command line. */
export async function operatorParts(tools: CommandTools) {
  const config = tools.config();
  const [stores, clock] = [await tools.stores(), await tools.clock()];
  const { openLms } = await import("../lms/open-lms.ts");
  const { parseDialect } = await import("../classroom/parse-dialect.ts");
  const common = { clock, ids: randomIds };
  // Silent, because commands print their own results.
  const lms: Lms = openLms({
    config,
    stores,
    ...common,
    logger: createLogger("silent"),
    onLmsBack: (id) => lmsIsBack({ ...stores, ...common }, id),
  });
  return {
    ...stores,
    ...common,
    config,
    lms,
    accounts: await openAccounts(config, stores),
    sealer: createSealer(config.secretKey, config.secretKeyPrevious),
    addressProblem: lms.addressProblem,
    parseDialect,
    pauses: lms.pauses,
    signingKeys: lms.signingKeys,
    who: "command-line" as const,
    // The tool's processes find what is due within ten seconds.
    wake: () => undefined,
  };
}

/** The classroom accounts, including stored ones. */
export async function openAccounts(
  { builtInAccounts: builtIn, secretKey, secretKeyPrevious }: Config,
  { classroomAccounts }: Pick<Stores, "classroomAccounts">,
): Promise<Accounts> {
  const { createKnownAccounts } = await import("../modules/accounts/known-accounts.ts");
  const { parseDialect } = await import("../classroom/parse-dialect.ts");
  const sealer = createSealer(secretKey, secretKeyPrevious);
  const logger = createLogger("silent");
  return createKnownAccounts({
    builtIn,
    classroomAccounts,
    sealer,
    parseDialect,
    clock: systemClock,
    logger,
  });
}

/** @throws UsageError if it's neither */
export function acceptOrRefuse(text: string | undefined, what: string): "accept" | "refuse" {
  if (text === "accept" || text === "refuse") return text;
  throw new UsageError(`${what} is accept or refuse.`);
}

export function timeText(time: number): string {
  return new Date(time).toISOString();
}

const units: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", hourMs],
  ["d", dayMs],
]);

/** A moment (ms): a day (UTC), an ISO 8601 time, or how long ago ("30m", "12h", "3d"). @param option For the error. @throws UsageError */
export function timeOf(text: string, option: string, now: number): number {
  const [, number, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const length = units.get(unit);
  if (number !== undefined && length !== undefined) return now - Number(number) * length;
  const at = readTimestamp(text);
  if (at === null)
    throw new UsageError(
      `${option} is a day (2026-09-14), a time (2026-09-14T08:00:00Z) or an age (30m, 12h, 3d).`,
    );
  return at;
}
