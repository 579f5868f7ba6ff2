import {
  decideDeployment,
  setNewDeployments,
  switchRegistration,
} from "../features/console/change-registration.ts";
import { listDeployments } from "../features/registration/answer-deployments.ts";
import type { ConnectionCheck } from "../features/registration/connection-report.ts";
import { testConnection } from "../features/registration/test-connection.ts";
import { acceptOrRefuse, type Command, operatorParts, timeText, word } from "./command.ts";

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
