import { addPlatform } from "./add-platform.ts";
import { type Command, UsageError } from "./command.ts";
import { canvasConfig, moodleConfig } from "./config-commands.ts";
import { connectWebhooks } from "./connect-webhooks.ts";
import { doctor } from "./doctor.ts";
import { invite } from "./invite.ts";
import { reseal, rotate } from "./key-commands.ts";
import {
  answerComingDeployments,
  answerOneDeployment,
  listPlatforms,
  showDeployments,
  switchPlatform,
  testPlatform,
} from "./platform-commands.ts";

/** A command with the words that follow its name. */
type Named = (words: readonly string[]) => Command;

const commands: ReadonlyMap<string, Named> = new Map<string, Named>([
  ["invite", () => invite],
  ["platform add", () => addPlatform],
  ["platform list", () => listPlatforms],
  ["platform enable", (words) => switchPlatform(words, true)],
  ["platform disable", (words) => switchPlatform(words, false)],
  ["platform deployments", showDeployments],
  ["platform deployment", answerOneDeployment],
  ["platform new-deployments", answerComingDeployments],
  ["platform test", testPlatform],
  ["keys rotate", rotate],
  ["keys reseal", () => reseal],
  ["config canvas", () => canvasConfig],
  ["config moodle", () => moodleConfig],
  ["doctor", () => doctor],
  ["webhooks connect", () => connectWebhooks],
]);

/**
 * The command that was typed. Chosen before the configuration is read: a mistyped command needs no database.
 * @throws UsageError when there is none, or a word is missing
 */
export function findCommand(words: readonly string[]): Command {
  const [first = "", second = ""] = words;
  const two = commands.get(`${first} ${second}`);
  if (two !== undefined) return two(words.slice(2));
  const one = commands.get(first);
  if (one !== undefined) return one(words.slice(1));
  throw new UsageError(words.length === 0 ? "Which command?" : `There is no command "${words.join(" ")}".`);
}
