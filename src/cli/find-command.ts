import { lmsFamilies } from "../domain/lms-product.ts";
import { type Answer, type Command, type CommandTools, UsageError } from "./command.ts";

/** Commands that change nothing, so they leave the database as it is. */
const readers: ReadonlySet<string> = new Set([
  "account list",
  "platform list",
  "platform deployments",
  "person find",
  "spaces list",
  "report usage",
  "report last-attendance",
  "jobs",
  "api-key list",
]);

/** @param words As typed. */
export function onlyReads(words: readonly string[]): boolean {
  return readers.has(words.slice(0, 2).join(" ")) || readers.has(words[0] ?? "");
}

/** The words that commands ask for, and what is printed if one is missing. */
const questions: ReadonlyMap<string, string> = new Map([
  ["ACCOUNT", "Which account? See: npm run cli -- account list"],
  ["REGISTRATION", "Which registration? See: npm run cli -- platform list"],
  ["DEPLOYMENT", "Which deployment? See: npm run cli -- platform deployments ID"],
  ["ANSWER", "The answer to a deployment is accept or refuse."],
  ["ANSWER-TO-NEW", "The answer to new deployments is accept or refuse."],
  ["FAMILY", `The family is ${lmsFamilies.join(", ")} or learn.`],
  ["OLD", "The same as which earlier registration? See: npm run cli -- platform list"],
  ["LMS", "In which LMS? See: npm run cli -- platform list"],
  ["TEXT", "Which person? A user id of the LMS or the classroom, or how a name or an e-mail address begins."],
  ["PERSON", "Which person? See: npm run cli -- person find REGISTRATION TEXT"],
  ["COURSE", "Which course? Its id is on its page of the console."],
  ["SPACE", "Which Space? Its id is what follows /spaces/ in its address."],
  ["COLLECTION", "Which collection? npm run doctor names it."],
  ["INDEX", "Which index?"],
  ["API-KEY", "Which key? See: npm run cli -- api-key list"],
  ["BACKUP", "Into which file? Such as: backup spaces-backup.sqlite"],
  ["FILE", "Which file? Such as: restore spaces-backup.sqlite"],
]);

type Row = { load: () => Promise<Command>; questions: string[] };

/** Loads commands on demand, because loading takes longer than answering a wrong word. @param rows By name, and the words that must follow. */
function of<Part>(
  load: () => Promise<Part>,
  rows: Record<string, (part: Part) => Command>,
): (readonly [name: string, row: Row])[] {
  return Object.entries(rows).map(([typed, pick]) => {
    const [name, ...words] = typed.split(/ (?=[A-Z])/);
    const asked = words.map((word) => questions.get(word) ?? `${word} is missing.`);
    return [name ?? "", { load: async () => pick(await load()), questions: asked }];
  });
}

const commands: ReadonlyMap<string, Row> = new Map([
  ...of(() => import("./init.ts"), { init: (part) => part.init }),
  ...of(() => import("./platform-commands.ts"), {
    invite: (part) => part.invite,
    "platform add": (part) => part.addPlatform,
    "platform list": (part) => part.listPlatforms,
    "platform enable REGISTRATION": (part) => part.switchPlatform(true),
    "platform disable REGISTRATION": (part) => part.switchPlatform(false),
    "platform deployments REGISTRATION": (part) => part.showDeployments,
    "platform deployment REGISTRATION DEPLOYMENT ANSWER": (part) => part.answerOneDeployment,
    "platform new-deployments REGISTRATION ANSWER-TO-NEW": (part) => part.answerComingDeployments,
    "platform audiences REGISTRATION": (part) => part.setPlatformAudiences,
    "platform family REGISTRATION FAMILY": (part) => part.setPlatformFamily,
    "platform same-as REGISTRATION OLD": (part) => part.samePlatform,
    "platform test REGISTRATION": (part) => part.testPlatform,
    "platform incident REGISTRATION": (part) => part.incident,
    "keys rotate": (part) => part.rotate,
    "keys reseal": (part) => part.reseal,
    "config canvas": (part) => part.canvasConfig,
    "config moodle": (part) => part.moodleConfig,
  }),
  ...of(() => import("./account-commands.ts"), {
    "account add": (part) => part.addOne,
    "account list": (part) => part.listAccounts,
    "account change ACCOUNT": (part) => part.changeOne,
    "account bind ACCOUNT": (part) => part.bindOne,
    "account rotate ACCOUNT": (part) => part.rotateOne,
    "account pause ACCOUNT": (part) => part.pauseOne(true),
    "account resume ACCOUNT": (part) => part.pauseOne(false),
    "account remove ACCOUNT": (part) => part.removeOne,
  }),
  ...of(() => import("./person-commands.ts"), {
    "platform uninstall REGISTRATION": (part) => part.uninstall,
    "person find LMS TEXT": (part) => part.findPeople,
    "person export PERSON": (part) => part.exportOne,
    "person erase PERSON": (part) => part.eraseOne,
    "course export COURSE": (part) => part.exportOneCourse,
    "course erase COURSE": (part) => part.eraseOneCourse,
  }),
  ...of(() => import("./space-commands.ts"), {
    "spaces list": (part) => part.listAllSpaces,
    "spaces approve SPACE": (part) => part.approveOneSpace,
    "spaces close SPACE": (part) => part.closeOneSpace,
  }),
  ...of(() => import("./api-key-commands.ts"), {
    "api-key add": (part) => part.addKey,
    "api-key list": (part) => part.listKeys,
    "api-key end API-KEY": (part) => part.endKey,
  }),
  ...of(() => import("./operation-commands.ts"), {
    "audit export": (part) => part.exportLog,
    "report usage": (part) => part.reportUsage,
    "report last-attendance": (part) => part.reportLastAttendance,
    "deliveries retry": (part) => part.retryDeliveries,
    jobs: (part) => part.jobs,
  }),
  ...of(() => import("./webhook-commands.ts"), {
    replay: (part) => part.replay,
    "webhooks connect": (part) => part.setWebhooks,
  }),
  ...of(() => import("./database-commands.ts"), {
    prepare: (part) => part.prepare,
    "drop damaged COLLECTION": (part) => part.dropDamaged,
    "drop index COLLECTION INDEX": (part) => part.dropLeftover("index"),
    "drop collection COLLECTION": (part) => part.dropLeftover("collection"),
    "backup BACKUP": (part) => part.backUpTo,
    "restore FILE": (part) => part.restoreFrom,
    restored: (part) => part.restored,
    copy: (part) => part.copy,
  }),
  ...of(() => import("./doctor.ts"), { doctor: (part) => part.doctor }),
]);

export const commandNames: readonly string[] = [...commands.keys()];

/** Runs before the configuration is read, so a mistyped command needs no database. @throws UsageError for no command, or a missing word */
export async function findCommand(
  words: readonly string[],
): Promise<(tools: CommandTools) => Promise<Answer>> {
  const named = [2, 1].find((count) => commands.has(words.slice(0, count).join(" "))) ?? 0;
  const found = commands.get(words.slice(0, named).join(" "));
  if (found === undefined)
    throw new UsageError(words.length === 0 ? "Which command?" : `There is no command "${words.join(" ")}".`);
  const given = words.slice(named);
  const missing = found.questions[given.length];
  if (missing !== undefined) throw new UsageError(missing);
  const command = await found.load();
  return (tools) => command(tools, ...given);
}

const families = [...lmsFamilies, "learn"].join("|");

const usage = `Usage: npm run cli -- <command> [--json]

  init [--public-url URL] [--base-url URL] [--app-url URL] [--api-key KEY] [--proxies N] [--contact TEXT] [--port N]
      [--database URL] [--file .env] [--change]
      Writes .env: asks what no option answers, makes secrets, checks port, database and clock. --change sets single values.
  invite [--institution NAME] [--account ID | --new-account ID [--name TEXT]] [--administrators in|out] [--hours 72]
      Prints a one-time registration address for an LMS administrator. With an institution or a new account, its
      administrators are let in to set up the account, unless --administrators says out.
  account add --id ID --base-url URL --app-url URL --api-key KEY [--webhook-secret SECRET]
      [--stage production|staging] [--name TEXT] [--dialect-file FILE] [--calls-per-second N] [--analytics-seconds N]
      Adds a contract with the classroom service. Read a secret from a file (--api-key-file, --webhook-secret-file) or, with
      "-", from the next line of standard input. Without a webhook secret, the command makes one.
  account list
  account change ID [--name TEXT] [--stage production|staging] [--base-url URL] [--app-url URL] [--dialect-file FILE]
      [--calls-per-second N] [--analytics-seconds N]
      The dialect is a file of JSON; limits are below the service's (4 calls a second, 2 seconds). "usual" removes one.
  account bind ID --registration ID [--deployment ID]
      New courses of an LMS, or of one deployment, use this account. Existing courses keep theirs.
  account rotate ID --api-key KEY | --webhook-secret SECRET | --end-previous
      The previous webhook secret stays valid until --end-previous.
  account pause ID | account resume ID
      While paused, nobody enters its Spaces and nothing calls its service. Webhooks are stored, and grades are sent.
  account remove ID
      Removes an unused account and ends its open invitations.
  platform add --issuer URL --client-id ID --auth-url URL --token-url URL --jwks-url URL
      [--deployment-id ID] [--new-deployments accept|refuse] [--family ${families}]
      [--token-audience TEXT] [--account ID] [--name TEXT]
      Adds an LMS by hand. The first launch names its product, unless --family does.
  platform list
  platform disable ID | platform enable ID
  platform deployments ID
      Lists deployments of an LMS, and when each was first seen.
  platform deployment ID DEPLOYMENT accept|refuse
  platform new-deployments ID accept|refuse
      Sets what happens to launches from new deployments.
  platform audiences ID [AUDIENCE...]
      Lists further recipients that a token of this LMS may name. Without any: none, as at the beginning.
  platform family ID ${families}
      Sets the product of an LMS; "learn" takes it from its launches.
  platform same-as NEW OLD [--dry-run]
      Joins a new registration with an earlier one of the same LMS. Courses keep their Spaces.
  platform test ID
      Tests keys, launch, token, roster, columns and results, and names what is not allowed. Ends with 1 if a test fails.
  platform incident ID [--since TIME]
      After a break-in at an LMS: signs with a new key, forgets access tokens and ends all sessions. Lists who entered since
      TIME (7d).
  platform uninstall ID --name NAME
      Switches an LMS off and removes all of its records: people, courses, attendance, scores, keys.
  person find REGISTRATION TEXT
      Finds people by user id (LMS or classroom), or by the start of a name or e-mail address.
  person export ID
      Prints everything stored about somebody, as JSON.
  person erase ID
      Erases everything stored about somebody. Grades in the LMS and the user in the classroom stay.
  course export ID | course erase ID
      The same for a course with everybody's attendance and scores in it.
  spaces list [--registration ID]
      Lists Spaces made elsewhere: requests, courses that use them, and closed ones.
  spaces approve SPACE --course ID
      Lets a course use such a Space. Only an operator can give a Space to a second LMS.
  spaces close SPACE [--account ID]
      Closes a Space for every course, until you approve it again.
  api-key add --registration ID [--deployment ID] [--scope attendance:read,grades:read,people:read] --until DATE [--name TEXT]
      Prints a new key to the API, once. Every key reads courses and sessions. DATE is its last day (UTC).
  api-key list [--registration ID]
  api-key end ID
  keys rotate ID... | keys rotate --all [--now]
      Publishes the next signing key for an LMS, or for all, before its 30 days are over.
      --now withdraws the present one immediately.
  keys reseal
      Seals all stored secrets under the current SECRET_KEY. Then you can remove SECRET_KEY_PREVIOUS.
  replay ID | replay --state failed|unmatched|kept|done|waiting|asking|again[,...] [--family NAME|none|other]
      [--account ID] [--since TIME] [--until TIME] [--reason CODE] [--text ID] [--dry-run]
      Processes webhooks again. TIME is 2026-09-14, a time with its zone, or an age: 30m, 12h, 3d. --dry-run counts them.
  deliveries retry ID | deliveries retry [--state refused|waiting] [--registration ID] [--course ID] [--reason CODE]
      [--dry-run]
      Sends refused (or waiting) scores again. Grades that teachers changed stay as they are.
  jobs
      Lists scheduled jobs: last run, outcome, next run. Ends with 1 if a job failed.
  doctor [--account ID] [--create [--space ID]]
      Checks database, classroom and PUBLIC_URL, and shows the service's answers. --create also creates a user of each role,
      a Space (or uses ID) and a login. Ends with 1 if something is wrong.
  webhooks connect [--account ID]
      Sets this tool's webhook address and secret in the classroom.
  audit export [--after ID]
      Prints the audit log as lines of JSON, oldest first, from after an entry's id.
  report usage [--from TIME] [--to TIME] [--registration ID | --account ID]
      Prints usage by week (UTC); 13 weeks without --from. --json has a line for each week, LMS and account.
  report last-attendance --registration ID --from DAY --to DAY [--course COURSE] [--csv]
      Prints each learner's first and last day of attendance in courses with sessions on these days (2026-09-14, by the
      course's clock), and what says so. COURSE is an id, or how a title or short name begins.
  prepare
      Updates the database to this release and makes its indexes, before the tool starts.
  drop damaged COLLECTION
      Deletes damaged records of the embedded database, which doctor names. Restore a backup instead, if you have one.
  drop index COLLECTION NAME | drop collection NAME
      Drops leftovers of an earlier release, which doctor names. No process of another release may run.
  backup FILE
      Writes everything in the embedded database into one file, also while the tool runs, and checks the file.
  restore FILE [--replace]
      Restores a backup; stop the tool first. --replace keeps the present database beside it. The next start compares every
      score with its gradebook.
  restored [--backup-of TIME]
      After a restore by other means (mongorestore, a snapshot), with the tool stopped: compares scores as restore does.
  copy --to file:FOLDER|mongodb://...
      Copies everything from DATABASE_URL into an empty database and compares both; stop the tool first.
  config canvas|moodle [--public-url URL]
      Prints what an LMS administrator enters: Canvas's configuration, or the values for Moodle.`;

/** The usage of commands that begin with a word. All of it if there are none. */
export function usageOf(word: string | undefined): string {
  const [head = "", ...parts] = usage.split(/\n(?= {2}\S|\n)/);
  const fitting = parts.filter((part) => part.trim().split(/\s/, 1)[0] === word);
  if (fitting.length === 0) return usage;
  return [head, "", ...fitting, "", "All commands: npm run cli -- --help"].join("\n");
}
