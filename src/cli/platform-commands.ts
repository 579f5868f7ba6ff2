import {
  decideDeployment,
  setFamily,
  setNewDeployments,
  setTrustedAudiences,
  switchRegistration,
} from "../modules/operations/change-registration.ts";
import { familyChoices, lmsFamilies } from "../domain/lms-product.ts";
import { listDeployments } from "../modules/registration/answer-deployments.ts";
import type { ConnectionCheck } from "../modules/registration/connection-report.ts";
import { testConnection } from "../modules/registration/test-connection.ts";
import { type NamedCourse, planSameLms, type SameLms } from "../modules/registration/same-lms.ts";
import { saySameLms } from "../modules/operations/say-same-lms.ts";
import { acceptOrRefuse, type Command, operatorParts, timeText, UsageError, word } from "./command.ts";

const whichOne = "Which registration? See: npm run cli -- platform list";

/** platform list */
export const listPlatforms: Command = async ({ stores }) => {
  const registrations = await (await stores()).registrations.list();
  const lines = registrations.map(
    (one) =>
      `${one.id}  ${one.active ? "on " : "off"}  ${one.environment}  ${one.issuer}  ${one.clientId}  ${one.name}`,
  );
  return {
    text: lines.length === 0 ? "No LMS is registered. Start with: npm run cli -- invite" : lines.join("\n"),
    json: registrations,
  };
};

/** platform enable ID, platform disable ID */
export function switchPlatform(words: readonly string[], active: boolean): Command {
  const id = word(words, 0, whichOne);
  return async (tools) => {
    await switchRegistration(await operatorParts(tools), id, active);
    return { text: `${id} is ${active ? "enabled" : "disabled"}.`, json: { id, active } };
  };
}

/** platform deployments ID */
export function showDeployments(words: readonly string[]): Command {
  const id = word(words, 0, whichOne);
  return async (tools) => {
    const list = await listDeployments(await operatorParts(tools), id);
    const lines = list.deployments.map(
      (one) => `${one.status}  first seen ${timeText(one.firstSeenAt)}  ${one.deploymentId}`,
    );
    const seen = lines.length === 0 ? ["None has been seen yet."] : lines;
    return { text: [`New deployments: ${list.newDeployments}`, ...seen].join("\n"), json: list };
  };
}

/** platform deployment ID DEPLOYMENT accept|refuse */
export function answerOneDeployment(words: readonly string[]): Command {
  const id = word(words, 0, whichOne);
  const deploymentId = word(words, 1, `Which deployment? See: npm run cli -- platform deployments ${id}`);
  const status = acceptOrRefuse(words[2], "The answer to a deployment") === "accept" ? "accepted" : "refused";
  return async (tools) => {
    await decideDeployment(await operatorParts(tools), id, deploymentId, status);
    return { text: `Deployment ${deploymentId} is ${status}.`, json: { id, deploymentId, status } };
  };
}

/** platform new-deployments ID accept|refuse */
export function answerComingDeployments(words: readonly string[]): Command {
  const id = word(words, 0, whichOne);
  const newDeployments = acceptOrRefuse(words[1], "The answer to new deployments");
  return async (tools) => {
    await setNewDeployments(await operatorParts(tools), id, newDeployments);
    return {
      text: `${id}: launches from new deployments are ${newDeployments === "accept" ? "accepted" : "refused"} from now on.`,
      json: { id, newDeployments },
    };
  };
}

/** platform audiences ID [AUDIENCE...] */
export function setPlatformAudiences(words: readonly string[]): Command {
  const id = word(words, 0, whichOne);
  const trustedAudiences = words.slice(1);
  return async (tools) => {
    await setTrustedAudiences(await operatorParts(tools), id, trustedAudiences);
    const which = trustedAudiences.length === 0 ? "nobody else" : trustedAudiences.join(", ");
    return { text: `${id}: tokens may be meant for us and ${which}.`, json: { id, trustedAudiences } };
  };
}

/** platform family ID moodle|canvas|other|learn */
export function setPlatformFamily(words: readonly string[]): Command {
  const id = word(words, 0, whichOne);
  const family = familyChoices.find((one) => one === words[1]);
  if (family === undefined) throw new UsageError(`The family is ${lmsFamilies.join(", ")} or learn.`);
  return async (tools) => {
    const now = await setFamily(await operatorParts(tools), id, family);
    return { text: `${id} is treated as ${now}.`, json: { id, family: now } };
  };
}

/** platform same-as NEW OLD [--dry-run] */
export function samePlatform(words: readonly string[]): Command {
  const newId = word(words, 0, whichOne);
  const oldId = word(words, 1, "The same as which earlier registration? See: npm run cli -- platform list");
  return async (tools) => {
    const parts = await operatorParts(tools);
    const dryRun = tools.values["dry-run"];
    const plan = dryRun ? await planSameLms(parts, newId, oldId) : await saySameLms(parts, newId, oldId);
    return { text: sameText(plan, dryRun), json: plan };
  };
}

function sameText(plan: SameLms, dryRun: boolean): string {
  const { from, to, kept, moved, replaced, conflicts, lastLaunchAt } = plan;
  const listed = (courses: readonly NamedCourse[]) =>
    courses.map(
      ({ id, title, spaceId }) => `    ${id}  ${title}${spaceId === null ? "" : `  Space ${spaceId}`}`,
    );
  const part = (courses: readonly NamedCourse[], what: string) =>
    courses.length === 0 ? [] : [`  ${courses.length} ${what}`, ...listed(courses)];
  const last = lastLaunchAt === null ? "never" : timeText(lastLaunchAt);
  return [
    dryRun ? "Nothing was changed. This would happen:" : "Done:",
    `  ${to.name} (${to.id}) is reached by the client id ${from.clientId} instead of ${to.clientId}, which is refused from then on (last used ${last}).`,
    `  ${kept} of its courses keep their Spaces, people and grades. Their columns are looked for again when they are opened.`,
    ...part(moved, "courses opened since under the new client id go over with all that is in them:"),
    ...part(replaced, "courses were opened under both, with nothing in the new one: the earlier one counts."),
    ...part(
      conflicts,
      "courses are in use under both: the earlier one counts, the new one stays as it is and is not reached any more:",
    ),
  ].join("\n");
}

/** platform test ID */
export function testPlatform(words: readonly string[]): Command {
  const id = word(words, 0, whichOne);
  return async (tools) => {
    const { lms, ...parts } = await operatorParts(tools);
    const report = await testConnection({ ...parts, ...lms }, id);
    return {
      text: report.checks.map(checkText).join("\n"),
      json: report,
      bad: report.checks.some(({ outcome }) => outcome === "fails"),
    };
  };
}

function checkText({ step, outcome, message }: ConnectionCheck): string {
  return `${outcome.padEnd(9)}  ${step.padEnd(10)}  ${message}`;
}
