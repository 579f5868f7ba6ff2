import { type Command, UsageError } from "./command.ts";

type Named = (words: readonly string[]) => Promise<Command>;

const platformCommands = () => import("./platform-commands.ts");
const accountCommands = () => import("./account-commands.ts");
const keyCommands = () => import("./key-commands.ts");
const databaseCommands = () => import("./database-commands.ts");
const personCommands = () => import("./person-commands.ts");
const courseCommands = () => import("./course-commands.ts");
const spaceCommands = () => import("./space-commands.ts");
const auditCommands = () => import("./audit-commands.ts");
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
  ["invite", async () => (await import("./invite.ts")).invite],
  ["account add", async () => (await accountCommands()).addOne],
  ["account list", async () => (await accountCommands()).listAccounts],
  ["account change", async (words) => (await accountCommands()).changeOne(words)],
  ["account bind", async (words) => (await accountCommands()).bindOne(words)],
  ["account rotate", async (words) => (await accountCommands()).rotateOne(words)],
  ["account pause", async (words) => (await accountCommands()).pauseOne(words, true)],
  ["account remove", async (words) => (await accountCommands()).removeOne(words)],
  ["account resume", async (words) => (await accountCommands()).pauseOne(words, false)],
  ["platform add", async () => (await import("./add-platform.ts")).addPlatform],
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
  ["course export", async (words) => (await courseCommands()).exportOneCourse(words)],
  ["course erase", async (words) => (await courseCommands()).eraseOneCourse(words)],
  ["spaces list", async () => (await spaceCommands()).listAllSpaces],
  ["spaces approve", async (words) => (await spaceCommands()).approveOneSpace(words)],
  ["spaces close", async (words) => (await spaceCommands()).closeOneSpace(words)],
  ["keys rotate", async (words) => (await keyCommands()).rotate(words)],
  ["keys reseal", async () => (await keyCommands()).reseal],
  ["audit export", async () => (await auditCommands()).exportLog],
  ["report usage", async () => (await import("./report-usage.ts")).reportUsage],
  ["config canvas", async () => (await configCommands()).canvasConfig],
  ["config moodle", async () => (await configCommands()).moodleConfig],
  ["replay", async (words) => (await import("./replay.ts")).replay(words)],
  ["deliveries retry", async (words) => (await import("./deliveries-retry.ts")).retryDeliveries(words)],
  ["prepare", async () => (await databaseCommands()).prepare],
  ["drop damaged", async (words) => (await databaseCommands()).dropDamaged(words)],
  ["drop index", async (words) => (await databaseCommands()).dropLeftover(words, "index")],
  ["drop collection", async (words) => (await databaseCommands()).dropLeftover(words, "collection")],
  ["backup", async (words) => (await databaseCommands()).backUpTo(words)],
  ["restore", async (words) => (await databaseCommands()).restoreFrom(words)],
  ["restored", async () => (await databaseCommands()).restored],
  ["copy", async () => (await databaseCommands()).copy],
  ["jobs", async () => (await import("./jobs.ts")).jobs],
  ["doctor", async () => (await import("./doctor.ts")).doctor],
  ["webhooks connect", async () => (await import("./connect-webhooks.ts")).setWebhooks],
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
