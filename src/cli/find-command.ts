import { lmsFamilies } from "../domain/lms-product.ts";
import { type Command, UsageError } from "./command.ts";

type Named = (words: readonly string[]) => Promise<Command>;

const platformCommands = () => import("./platform-commands.ts");
const accountCommands = () => import("./account-commands.ts");
const databaseCommands = () => import("./database-commands.ts");
const personCommands = () => import("./person-commands.ts");
const spaceCommands = () => import("./space-commands.ts");
const operationCommands = () => import("./operation-commands.ts");
const webhookCommands = () => import("./webhook-commands.ts");
const configCommands = () => import("./config-commands.ts");

/** Commands that change nothing, so that they leave the database as it is. */
const readers: ReadonlySet<string> = new Set([
  ...["account list", "platform list", "platform deployments", "person find", "spaces list"],
  ...["report usage", "jobs"],
]);

/** @param words As typed. */
export function onlyReads(words: readonly string[]): boolean {
  return readers.has(words.slice(0, 2).join(" ")) || readers.has(words[0] ?? "");
}

/** Loaded on demand: loading takes longer than answering a wrong word. */
const commands: ReadonlyMap<string, Named> = new Map<string, Named>([
  ["invite", async () => (await platformCommands()).invite],
  ["account add", async () => (await accountCommands()).addOne],
  ["account list", async () => (await accountCommands()).listAccounts],
  ["account change", async (words) => (await accountCommands()).changeOne(words)],
  ["account bind", async (words) => (await accountCommands()).bindOne(words)],
  ["account rotate", async (words) => (await accountCommands()).rotateOne(words)],
  ["account pause", async (words) => (await accountCommands()).pauseOne(words, true)],
  ["account remove", async (words) => (await accountCommands()).removeOne(words)],
  ["account resume", async (words) => (await accountCommands()).pauseOne(words, false)],
  ["platform add", async () => (await platformCommands()).addPlatform],
  ["platform list", async () => (await platformCommands()).listPlatforms],
  ["platform enable", async (words) => (await platformCommands()).switchPlatform(words, true)],
  ["platform disable", async (words) => (await platformCommands()).switchPlatform(words, false)],
  ["platform deployments", async (words) => (await platformCommands()).showDeployments(words)],
  ["platform deployment", async (words) => (await platformCommands()).answerOneDeployment(words)],
  ["platform new-deployments", async (words) => (await platformCommands()).answerComingDeployments(words)],
  ["platform audiences", async (words) => (await platformCommands()).setPlatformAudiences(words)],
  ["platform family", async (words) => (await platformCommands()).setPlatformFamily(words)],
  ["platform same-as", async (words) => (await platformCommands()).samePlatform(words)],
  ["platform test", async (words) => (await platformCommands()).testPlatform(words)],
  ["platform uninstall", async (words) => (await personCommands()).uninstall(words)],
  ["person find", async (words) => (await personCommands()).findPeople(words)],
  ["person export", async (words) => (await personCommands()).exportOne(words)],
  ["person erase", async (words) => (await personCommands()).eraseOne(words)],
  ["course export", async (words) => (await personCommands()).exportOneCourse(words)],
  ["course erase", async (words) => (await personCommands()).eraseOneCourse(words)],
  ["spaces list", async () => (await spaceCommands()).listAllSpaces],
  ["spaces approve", async (words) => (await spaceCommands()).approveOneSpace(words)],
  ["spaces close", async (words) => (await spaceCommands()).closeOneSpace(words)],
  ["keys rotate", async (words) => (await platformCommands()).rotate(words)],
  ["keys reseal", async () => (await platformCommands()).reseal],
  ["audit export", async () => (await operationCommands()).exportLog],
  ["report usage", async () => (await operationCommands()).reportUsage],
  ["config canvas", async () => (await configCommands()).canvasConfig],
  ["config moodle", async () => (await configCommands()).moodleConfig],
  ["replay", async (words) => (await webhookCommands()).replay(words)],
  ["deliveries retry", async (words) => (await operationCommands()).retryDeliveries(words)],
  ["prepare", async () => (await databaseCommands()).prepare],
  ["drop damaged", async (words) => (await databaseCommands()).dropDamaged(words)],
  ["drop index", async (words) => (await databaseCommands()).dropLeftover(words, "index")],
  ["drop collection", async (words) => (await databaseCommands()).dropLeftover(words, "collection")],
  ["backup", async (words) => (await databaseCommands()).backUpTo(words)],
  ["restore", async (words) => (await databaseCommands()).restoreFrom(words)],
  ["restored", async () => (await databaseCommands()).restored],
  ["copy", async () => (await databaseCommands()).copy],
  ["jobs", async () => (await operationCommands()).jobs],
  ["doctor", async () => (await import("./doctor.ts")).doctor],
  ["webhooks connect", async () => (await webhookCommands()).setWebhooks],
]);

export const commandNames: readonly string[] = [...commands.keys()];

/** Chosen before the configuration is read: a mistyped command needs no database. @throws UsageError for no command, or a missing word */
export async function findCommand(words: readonly string[]): Promise<Command> {
  const [first = "", second = ""] = words;
  const two = commands.get(`${first} ${second}`);
  if (two !== undefined) return two(words.slice(2));
  const one = commands.get(first);
  if (one !== undefined) return one(words.slice(1));
  throw new UsageError(words.length === 0 ? "Which command?" : `There is no command "${words.join(" ")}".`);
}

const families = [...lmsFamilies, "learn"].join("|");

export const usage = `Usage: npm run cli -- <command> [--json]

  invite [--institution NAME] [--account ID | --new-account ID [--name TEXT]] [--administrators in|out] [--hours 72]
      Prints a one-time registration address for an LMS administrator. For one institution: its name, an account that it sets up itself, and
      whether its administrators are let in (they are where an institution or a new account is named).
  account add --id ID --base-url URL --app-url URL --api-key KEY [--webhook-secret SECRET]
      [--stage production|staging] [--name TEXT] [--dialect-file FILE] [--calls-per-second N] [--analytics-seconds N]
      Adds an institution's contract with the classroom service. A secret is also read from a file (--api-key-file,
      --webhook-secret-file) or, for "-", from the next line of standard input. Without a webhook secret one is made.
  account list
  account change ID [--name TEXT] [--stage production|staging] [--base-url URL] [--app-url URL] [--dialect-file FILE]
      [--calls-per-second N] [--analytics-seconds N]
      A file of JSON over the usual dialect, and limits below the service's (4 calls a second, analytics one in 2 seconds);
      "usual" takes one back.
  account bind ID --registration ID [--deployment ID]
      New courses of an LMS, or of one place in it, use this account. Courses that are there keep theirs.
  account rotate ID --api-key KEY | --webhook-secret SECRET | --end-previous
      The webhook secret from before is taken, too, until --end-previous.
  account pause ID | account resume ID
      Paused, nobody enters its Spaces and its service is asked nothing; webhooks are kept, grades go on.
  account remove ID
      Removes an account that nothing belongs to, such as that of an invitation nobody used; open invitations to it end.
  platform add --issuer URL --client-id ID --auth-url URL --token-url URL --jwks-url URL
      [--deployment-id ID] [--new-deployments accept|refuse] [--family ${families}]
      [--token-audience TEXT] [--account ID] [--name TEXT]
      Adds an LMS by hand. Which product it is, is learnt from the first launch unless --family says it.
  platform list
  platform disable ID | platform enable ID
  platform deployments ID
      Lists where the tool was installed in an LMS, and when each place was first seen.
  platform deployment ID DEPLOYMENT accept|refuse
  platform new-deployments ID accept|refuse
      Says what happens to launches from a place not seen yet.
  platform audiences ID [AUDIENCE...]
      Says whom besides us a token of this LMS may be meant for. Without any: nobody, as from the beginning.
  platform family ID ${families}
      Says which product an LMS is; "learn" leaves it to what the LMS calls itself.
  platform same-as NEW OLD [--dry-run]
      Says that a new registration is the same LMS as an earlier one, whose courses then keep their Spaces.
  platform test ID
      Tries keys, launch, token, roster, columns and results; names what is not allowed. Ends with 1 if something fails.
  platform uninstall ID --name NAME
      Switches an LMS off and removes all of its records: people, courses, attendance, scores, keys.
  person find REGISTRATION TEXT
      People by a user id of the LMS or the classroom, or by how a name or an e-mail address begins.
  person export ID
      Prints everything kept about somebody, as JSON.
  person erase ID
      Erases everything kept about somebody. The LMS keeps its grades, the classroom its user.
  course export ID | course erase ID
      The same for a course with everybody's attendance and scores in it.
  spaces list [--registration ID]
      Spaces that this tool did not make for a course: who asks for which, which course uses which, which are closed.
  spaces approve SPACE --course ID
      Lets a course use such a Space. Only an operator can give a Space to a second LMS.
  spaces close SPACE [--account ID]
      Closes a Space for every course, until it is approved again.
  keys rotate ID [--now]
      Brings in the next signing key towards an LMS. --now withdraws the present one at once.
  keys reseal
      Seals all stored secrets under the current SECRET_KEY, so that SECRET_KEY_PREVIOUS can be dropped.
  replay ID | replay --state failed|unmatched|kept|done|waiting|asking|again[,...] [--family NAME|none|other]
      [--account ID] [--since TIME] [--until TIME] [--reason CODE] [--text ID] [--dry-run]
      Has webhooks processed once more; what took effect already changes nothing. TIME is 2026-09-14, a time with its
      zone, or an age: 30m, 12h, 3d. --dry-run says how many fit.
  deliveries retry ID | deliveries retry [--state refused|waiting] [--registration ID] [--course ID] [--reason CODE]
      [--dry-run]
      Has scores sent that the LMS refused (or that wait). Teachers' grades that stand in the way stay as they are.
  jobs
      Lists what happens by the clock: when it last ran, what came of it, when it runs next. Ends with 1 if something failed.
  doctor [--account ID] [--create [--space ID]]
      Checks the classroom's address, its key, users, Spaces, logins and webhooks, and shows what the service answered.
      Changes nothing; --create makes a user of each role, a Space (or takes ID) and a login. Ends with 1 if something
      is wrong.
  webhooks connect [--account ID]
      Tells the classroom to send its webhooks to this tool, with the configured secret.
  audit export [--after ID]
      Prints the audit log as lines of JSON, oldest first, from after an entry's id.
  report usage [--from TIME] [--to TIME] [--registration ID | --account ID]
      How much the tool was used, by week of UTC; 13 weeks without --from. --json has a line for each week, LMS and account.
  prepare
      Brings the records of the database to this release and makes its indexes, as a step of its own before the tool is started.
      Waits for a server that does not answer yet.
  drop damaged COLLECTION
      Deletes what is damaged in a collection of the embedded database; doctor names it. Restore a backup instead if there is one.
  drop index COLLECTION NAME | drop collection NAME
      Drops what an earlier release left and this one does not know; doctor names it. No process of another release may run.
  backup FILE
      Writes everything in the embedded database into one file, also while the tool runs, and checks the file.
  restore FILE [--replace]
      Puts a backup in place; the tool is stopped. --replace puts the present database aside, beside the new one.
      Every score is compared with its gradebook at the next start.
  restored [--backup-of TIME]
      Says that the database was put back by other means (mongorestore, a snapshot); the tool is stopped. The same is done then.
  copy --to file:FOLDER|mongodb://...
      Copies everything from DATABASE_URL into an empty database and compares the two; the tool is stopped. Then set
      DATABASE_URL to the new one. SECRET_KEY stays the same.
  config canvas|moodle [--public-url URL]
      Prints what an LMS administrator enters: Canvas's configuration, or the values for Moodle.`;
