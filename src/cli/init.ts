import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { parseEnv } from "node:util";
import { createExchanges } from "../classroom/exchange.ts";
import { type Finding, finding } from "../classroom/doctor/finding.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import { randomIds } from "../kernel/ids.ts";
import { createLogger } from "../kernel/logger.ts";
import { openDatabase } from "../storage/open-database.ts";
import { secretOf } from "./account-commands.ts";
import { type Command, type CommandTools, UsageError } from "./command.ts";
import { section } from "./doctor.ts";

type Variables = Record<string, string | undefined>;

/** Variable, option, the default that Enter gives (null: an answer is required), question. */
const questions = [
  ["PUBLIC_URL", "public-url", null, "Where will people reach the tool? (https://classroom.example.edu)"],
  ["CLASSROOM_BASE_URL", "base-url", null, "The API address of the classroom service:"],
  ["CLASSROOM_APP_URL", "app-url", null, "The address where its Spaces open in a browser:"],
  ["CLASSROOM_API_KEY", "api-key", null, "Its API key:"],
  ["TRUST_PROXY", "proxies", "1", "How many reverse proxies are in front? [1]"],
  ["SECURITY_CONTACT", "contact", "", "E-mail address for reports of security problems, or just Enter:"],
] as const;

/** Variable, random bytes, and what the file says above it. */
const secrets = [
  ["SECRET_KEY", 48, "# Keep a copy elsewhere: without it nobody can open the database or a backup.\n"],
  ["CLASSROOM_WEBHOOK_SECRET", 24, "# The classroom signs its webhooks with it.\n"],
  ["ADMIN_PASSWORD", 18, "# Opens the console at /admin.\n"],
  ["METRICS_TOKEN", 24, "# The bearer token for /metrics.\n"],
] as const;

const checkMs = 10_000;
/** A `Date` header has whole seconds, and the answer took some time. */
const maxClockOffMs = 5_000;

/** init: asks, makes secrets, writes the variables into a file that only its owner can read, and checks them. */
export const init: Command = async (tools) => {
  const { file, change, port, database } = tools.values;
  const isNew = !existsSync(file);
  if (!isNew && !change)
    throw new UsageError(`${file} exists already. To change values in it, add --change.`);
  const before = isNew
    ? "# All variables: docs/reference/variables.md\n"
    : await orRefuse(file, () => readFile(file, "utf8"));
  const variables: Variables = { ...parseEnv(before), ...(await answersOf(tools)) };
  for (const [name, value] of Object.entries({ PORT: port, DATABASE_URL: database }))
    if (value !== undefined) variables[name] = value;
  if (isNew) {
    await askForRest(tools, variables);
    for (const [name, bytes] of secrets) variables[name] = randomIds.secret(bytes);
  }
  const problems = problemsOf(variables);
  if (problems.length > 0) throw new UsageError(`Nothing is written.\n${problems.join("\n")}`);
  await write(file, isNew, textOf(before, variables));
  const config = readConfig(variables);
  const checks = [await checkPort(config.port), await checkDatabase(config), await checkTime(config)];
  const parts = [
    `${file} is written, for your eyes only. Keep a copy of its SECRET_KEY in a safe place.`,
    section("Checked", checks),
    `Next: npm start, then npm run doctor. The console will be at ${config.publicUrl}/admin; ADMIN_PASSWORD in ${file} opens it.`,
  ];
  const text = parts.join("\n\n");
  return { text, json: { file, checks }, bad: checks.some(({ level }) => level === "wrong") };
};

async function answersOf(tools: CommandTools): Promise<Variables> {
  const answers: Variables = {};
  for (const [name, option] of questions) {
    const given = option === "api-key" ? await secretOf(tools, option) : tools.values[option];
    if (given !== undefined) answers[name] = given;
  }
  return answers;
}

/** If options leave out a required value, asks for everything that they leave out. */
async function askForRest({ say, line }: CommandTools, variables: Variables): Promise<void> {
  const asks = questions.some(([name, , usual]) => usual === null && variables[name] === undefined);
  for (const [name, option, usual, question] of questions) {
    if (variables[name] !== undefined) continue;
    if (asks) say(question);
    let problems: readonly string[] = [];
    do {
      const typed = (asks ? await line() : "") || usual;
      if (typed === null) throw new UsageError(`--${option} is missing.`);
      problems = problemsOf({ ...variables, [name]: typed }).filter((one) => one.startsWith(`${name} `));
      if (asks && problems.length > 0) say(`${problems.join("\n")}\nOnce more:`);
      variables[name] = typed;
    } while (asks && problems.length > 0);
  }
}

/** The problems of an environment. Empty if it's accepted. */
export function problemsOf(variables: Variables): readonly string[] {
  try {
    readConfig(variables);
    return [];
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.problems;
    throw thrown;
  }
}

/** The earlier text, with changed lines in place and new ones at the end. */
function textOf(before: string, variables: Variables): string {
  const old: Variables = parseEnv(before);
  let text = before.endsWith("\n") ? before : `${before}\n`;
  for (const [name, value = ""] of Object.entries(variables)) {
    if (value === (old[name] ?? "")) continue;
    const line = new RegExp(`^${name}=.*$`, "m");
    const [, , comment = ""] = secrets.find(([secret]) => secret === name) ?? [];
    text = line.test(text)
      ? text.replace(line, () => `${name}=${value}`)
      : `${text}${comment}${name}=${value}\n`;
  }
  const read: Variables = parseEnv(text);
  const lost = Object.keys(variables).filter((name) => (read[name] ?? "") !== variables[name]);
  if (lost.length === 0) return text;
  throw new UsageError(
    `Nothing is written: the line of ${lost.join(", ")} would be read as something else. A value has no quotes and no #; a secret may be in a file that ..._FILE names.`,
  );
}

/** A new file never replaces one that came in between. A changed file is written completely or not at all. */
async function write(file: string, isNew: boolean, text: string): Promise<void> {
  await orRefuse(file, async () => {
    const written = isNew ? file : `${file}.new`;
    // A file left behind by a killed command may be readable for others.
    if (!isNew) await rm(written, { force: true });
    await writeFile(written, text, { mode: 0o600, flag: "wx" });
    if (!isNew) await rename(written, file);
  });
}

async function orRefuse<T>(file: string, work: () => Promise<T>): Promise<T> {
  return work().catch((thrown: unknown) => {
    throw new UsageError(`${file} can't be read or written: ${messageOf(thrown)}`);
  });
}

async function checkPort(port: number): Promise<Finding> {
  const server = createServer();
  try {
    await once(server.listen(port), "listening");
  } catch (thrown) {
    const todo = "Is the tool running already? Otherwise choose another port with --port and --change.";
    return finding("note", "port", messageOf(thrown), { todo });
  }
  server.close();
  return finding("fine", "port", `${String(port)} is free.`);
}

async function checkDatabase({ databaseUrl: url }: Config): Promise<Finding> {
  try {
    const database = await openDatabase({ url, logger: createLogger("silent") });
    try {
      await database.ping();
    } finally {
      // Open connections would keep the command from ending.
      await database.close();
    }
    return finding("fine", "database", "It opens.");
  } catch (thrown) {
    return finding("wrong", "database", messageOf(thrown), {
      todo: "Set another with --database and --change.",
    });
  }
}

/** LMSs refuse what is signed with a wrong clock. The classroom's server says what time it is. */
async function checkTime({ builtInAccounts, outgoingProxy: proxyEnv }: Config): Promise<Finding> {
  const url = builtInAccounts[0]?.baseUrl ?? "";
  const exchange = createExchanges({ proxyEnv })({ method: "HEAD", url, headers: {}, body: null });
  AbortSignal.timeout(checkMs).addEventListener("abort", exchange.end);
  const time = await exchange.ready
    .then(exchange.send)
    .then(async () => Date.parse((await exchange.answer).headers.get("date") ?? ""))
    .catch(() => Number.NaN)
    .finally(exchange.end);
  const off = Math.round(Math.abs(systemClock.now() - time) / 1_000);
  if (Number.isNaN(off))
    return finding("note", "time", `${url} doesn't say what time it is: npm run doctor will say why.`);
  if (off * 1_000 <= maxClockOffMs) return finding("fine", "time", "This machine's clock is right.");
  const todo = "Set it by NTP (chrony, systemd-timesyncd).";
  return finding("wrong", "time", `This machine's clock is ${String(off)} seconds off.`, { todo });
}
