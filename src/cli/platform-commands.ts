import { familyChoices, lmsFamilies } from "../domain/lms-product.ts";
import { readAccountName } from "../modules/accounts/rules/account-input.ts";
import {
  addRegistration,
  answerIncident,
  decideDeployment,
  inviteLms,
  maxListedLaunches,
  rotateKeys,
  declareSameLms,
  setFamily,
  setNewDeployments,
  setTrustedAudiences,
  switchRegistration,
} from "../modules/operations/change-registration.ts";
import { resealAll } from "../modules/operations/upkeep.ts";
import { knownRegistration } from "../modules/registration/registrations.ts";
import { testConnection } from "../modules/registration/test-connection.ts";
import { type NamedCourse, planSameLms, type SameLms } from "../modules/registration/same-lms.ts";
import { accountNamed, readOrExplain } from "./account-commands.ts";
import {
  acceptOrRefuse,
  type Command,
  type CommandTools,
  operatorParts,
  timeOf,
  timeText,
  UsageError,
} from "./command.ts";
import { canvasConfiguration } from "../lms/products/canvas.ts";
import { manualValues } from "../lms/manual-registration.ts";
import { describeTool } from "../lms/registration-request.ts";
import { withoutTrailingSlashes } from "../kernel/text.ts";

export const invite: Command = async (tools) => {
  const { values } = tools;
  const hours = Number(values.hours);
  if (!(hours >= 1 && hours <= 24 * 30)) throw new UsageError("--hours must be a number between 1 and 720.");
  const { institution } = values;
  const made = newAccountIn(values);
  const letsAdministratorsIn = letsIn(values);
  const parts = await operatorParts(tools);
  const account = made?.id ?? accountNamed(values, parts.accounts).id;
  const { publicUrl } = parts.config;
  const { invitation, url } = await inviteLms(
    { ...parts, publicUrl },
    {
      account,
      hours,
      letsAdministratorsIn,
      ...(institution === undefined ? {} : { institution }),
      ...(made === null ? {} : { newAccountName: made.name }),
    },
  );
  const expires = timeText(invitation.expiresAt);
  const next = letsAdministratorsIn
    ? `\nIts administrators then open the tool in a course and choose "Open administration": a page leads them through the rest.`
    : "";
  return {
    text: `${url}\n\nGive this address to the LMS administrator; opened in a browser it says what to do. It works once, until ${expires}.\nMoodle: Site administration > Plugins > Activity modules > External tool > Manage tools > Tool URL.\nCanvas: Admin > Developer Keys > + Developer Key > LTI Registration; newer Canvas: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.${next}`,
    json: { url, account, expiresAt: expires },
  };
};

/** Null: an existing account. */
function newAccountIn({
  account,
  institution,
  name,
  "new-account": id,
}: CommandTools["values"]): { id: string; name: string } | null {
  if (id === undefined) return null;
  if (account !== undefined) throw new UsageError("Give --account or --new-account, not both.");
  return readOrExplain(readAccountName({ id, name: name ?? institution ?? id }));
}

/** One LMS may serve many institutions, so by default its administrators are let in only if an institution or a new account is named. */
function letsIn({ administrators, institution, "new-account": id }: CommandTools["values"]): boolean {
  if (administrators === undefined) return institution !== undefined || id !== undefined;
  if (administrators === "in" || administrators === "out") return administrators === "in";
  throw new UsageError("--administrators is in or out.");
}

export const addPlatform: Command = async (tools) => {
  const { values } = tools;
  const needed = (name: "issuer" | "client-id" | "auth-url" | "token-url" | "jwks-url"): string => {
    const value = values[name];
    if (value === undefined || value === "") throw new UsageError(`--${name} is missing.`);
    return value;
  };
  const family = familyNamed(values.family ?? "learn");
  const given = {
    issuer: needed("issuer"),
    clientId: needed("client-id"),
    authorizationUrl: needed("auth-url"),
    tokenUrl: needed("token-url"),
    jwksUrl: needed("jwks-url"),
    ...(family === "learn" ? {} : { family }),
    ...(values["new-deployments"] === undefined
      ? {}
      : { newDeployments: acceptOrRefuse(values["new-deployments"], "--new-deployments") }),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values["token-audience"] === undefined ? {} : { tokenAudience: values["token-audience"] }),
    ...(values["deployment-id"] === undefined ? {} : { deploymentId: values["deployment-id"] }),
  };
  const { lms, ...parts } = await operatorParts(tools);
  const { id: environment } = accountNamed(values, parts.accounts);
  const registration = await addRegistration(
    { ...parts, registerByHand: lms.registerByHand },
    { ...given, environment },
  );
  const { loginUrl, launchUrl, keysUrl } = lms.manualValues;
  return {
    text: `Registered ${registration.name} as ${registration.id}.\nIn the LMS, set:\n  login initiation  ${loginUrl}\n  redirect and target link  ${launchUrl}\n  public key set  ${keysUrl}`,
    json: registration,
  };
};

function familyNamed(name: string) {
  const family = familyChoices.find((one) => one === name);
  if (family === undefined) throw new UsageError(`The family is ${lmsFamilies.join(", ")} or learn.`);
  return family;
}

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

export function switchPlatform(active: boolean): Command {
  return async (tools, id) => {
    await switchRegistration(await operatorParts(tools), id, active);
    return { text: `${id} is ${active ? "enabled" : "disabled"}.`, json: { id, active } };
  };
}

export const showDeployments: Command = async (tools, id) => {
  const parts = await operatorParts(tools);
  const { newDeployments } = await knownRegistration(parts.registrations, id);
  const deployments = await parts.deployments.listOf(id);
  const lines = deployments.map(
    (one) => `${one.status}  first seen ${timeText(one.firstSeenAt)}  ${one.deploymentId}`,
  );
  const seen = lines.length === 0 ? ["None has been seen yet."] : lines;
  return {
    text: [`New deployments: ${newDeployments}`, ...seen].join("\n"),
    json: { newDeployments, deployments },
  };
};

export const answerOneDeployment: Command = async (tools, id, deploymentId, answer) => {
  const status = acceptOrRefuse(answer, "The answer to a deployment") === "accept" ? "accepted" : "refused";
  await decideDeployment(await operatorParts(tools), id, deploymentId, status);
  return { text: `Deployment ${deploymentId} is ${status}.`, json: { id, deploymentId, status } };
};

export const answerComingDeployments: Command = async (tools, id, answer) => {
  const newDeployments = acceptOrRefuse(answer, "The answer to new deployments");
  await setNewDeployments(await operatorParts(tools), id, newDeployments);
  return {
    text: `${id}: launches from new deployments are ${newDeployments === "accept" ? "accepted" : "refused"} from now on.`,
    json: { id, newDeployments },
  };
};

export const setPlatformAudiences: Command = async (tools, id, ...trustedAudiences) => {
  await setTrustedAudiences(await operatorParts(tools), id, trustedAudiences);
  const which = trustedAudiences.length === 0 ? "nobody else" : trustedAudiences.join(", ");
  return { text: `${id}: tokens may be meant for us and ${which}.`, json: { id, trustedAudiences } };
};

export const setPlatformFamily: Command = async (tools, id, name) => {
  const family = familyNamed(name);
  const now = await setFamily(await operatorParts(tools), id, family);
  return { text: `${id} is treated as ${now}.`, json: { id, family: now } };
};

export const samePlatform: Command = async (tools, newId, oldId) => {
  const parts = await operatorParts(tools);
  const dryRun = tools.values["dry-run"];
  const plan = dryRun ? await planSameLms(parts, newId, oldId) : await declareSameLms(parts, newId, oldId);
  return { text: sameText(plan, dryRun), json: plan };
};

function sameText(plan: SameLms, dryRun: boolean): string {
  const { from, to, courseCount, moved, replaced, conflicts, lastLaunchAt } = plan;
  const listed = (courses: readonly NamedCourse[]) =>
    courses.map(
      ({ id, title, spaceId }) => `    ${id}  ${title}${spaceId === null ? "" : `  Space ${spaceId}`}`,
    );
  const part = (courses: readonly NamedCourse[], what: string) =>
    courses.length === 0 ? [] : [`  Courses ${what}`, ...listed(courses)];
  const last = lastLaunchAt === null ? "never" : timeText(lastLaunchAt);
  return [
    dryRun ? "Nothing was changed. This would happen:" : "Done:",
    `  ${to.name} (${to.id}) is reached by the client id ${from.clientId} instead of ${to.clientId} (last used ${last}). Activities added with that one still open their course, but send no grades.`,
    `  Courses that keep their Spaces, people and grades: ${courseCount}. Their columns are looked for again when they are opened.`,
    ...part(moved, "opened since under the new client id; they go over with all that is in them:"),
    ...part(replaced, "opened under both, with nothing in the new one; the earlier one counts:"),
    ...part(conflicts, "in use under both; the earlier one continues, and nobody reaches the new one:"),
  ].join("\n");
}

export const testPlatform: Command = async (tools, id) => {
  const { lms, ...parts } = await operatorParts(tools);
  const report = await testConnection({ ...parts, ...lms }, id);
  return {
    text: report.checks
      .map(({ step, outcome, message }) => `${outcome.padEnd(9)}  ${step.padEnd(10)}  ${message}`)
      .join("\n"),
    json: report,
    bad: report.checks.some(({ outcome }) => outcome === "fails"),
  };
};

export const rotate: Command = async (tools, ...given) => {
  const { now: atOnce, all } = tools.values;
  if (all === given.length > 0)
    throw new UsageError("Which registration? See: npm run cli -- platform list, or say --all.");
  const { lms, ...parts } = await operatorParts(tools);
  const active = all ? (await parts.registrations.list()).filter((one) => one.active) : [];
  const rotated = [];
  for (const id of [...given, ...active.map((one) => one.id)]) {
    const next = await rotateKeys({ ...parts, ...lms }, id, { atOnce });
    rotated.push({ id, ...next, usedFrom: timeText(next.usedFrom) });
  }
  const lines = rotated.flatMap(({ id, kid, usedFrom, unseen }) => [
    `${id}: The key ${kid} is in the key set now and signs from ${usedFrom}.`,
    ...unseenLines(id, unseen),
  ]);
  const before = atOnce
    ? "The others are withdrawn."
    : "The present ones stay in the key set for a day after that.";
  const text = rotated.length === 0 ? ["No LMS is registered and switched on."] : [...lines, before];
  return { text: text.join("\n"), json: given.length === 1 ? rotated[0] : rotated };
};

/** What to do if the LMS hasn't used a key that signs from now on. */
function unseenLines(id: string, unseen: string | null): string[] {
  if (unseen === null) return [];
  return [
    `${id}: The LMS gave no access token for the new key, and may take the old one until it does. Run platform test ${id} until its token works. (${unseen})`,
  ];
}

export const incident: Command = async (tools, id) => {
  const { lms, ...parts } = await operatorParts(tools);
  const since = timeOf(tools.values.since ?? "7d", "--since", parts.clock.now());
  const { launches, ...done } = await answerIncident({ ...parts, ...lms }, id, since);
  const listed = launches.map(({ lastLaunchAt, ...one }) => ({
    ...one,
    at: lastLaunchAt === null ? "" : timeText(lastLaunchAt),
  }));
  const text = [
    `The key ${done.kid} signs from now on; the others are withdrawn.`,
    ...unseenLines(id, done.unseen),
    `${done.tokens} access token(s) forgotten, ${done.sessions} session(s) ended. People enter again from their course.`,
    `Last launch of each person in each course since ${timeText(since)}: ${listed.length}${listed.length < maxListedLaunches ? "" : " (the latest; there may be more)"}`,
    ...listed.map(
      ({ at, role, personId, courseId }) => `  ${at}  ${role.padEnd(10)}  ${personId}  ${courseId}`,
    ),
    "Next: change what leaked in the LMS. Until then, platform disable ID keeps everybody out.",
  ];
  return { text: text.join("\n"), json: { ...done, since: timeText(since), launches: listed } };
};

export const reseal: Command = async (tools) => {
  const done = await resealAll(await operatorParts(tools));
  return {
    text: `${done.keys} key(s) and the secrets of ${done.accounts} classroom account(s) are sealed under the current SECRET_KEY; ${done.tokens} access token(s) were forgotten. SECRET_KEY_PREVIOUS can be taken away once every process runs with the current SECRET_KEY.`,
    json: done,
  };
};

/** config canvas: the developer key's configuration, as `GET /lti/config/canvas.json` returns it. */
export const canvasConfig: Command = (tools) => {
  const json = canvasConfiguration(describeTool(publicUrlOf(tools)));
  return Promise.resolve({ text: JSON.stringify(json, null, 2), json });
};

/** config moodle: the values to enter by hand. */
export const moodleConfig: Command = (tools) => {
  const { products, ...values } = manualValues(describeTool(publicUrlOf(tools)));
  const { customParameters } = products.moodle;
  return Promise.resolve({
    text: [
      `Tool URL                  ${values.launchUrl}`,
      "LTI version               LTI 1.3",
      "Public key type           Keyset URL",
      `Public keyset             ${values.keysUrl}`,
      `Initiate login URL        ${values.loginUrl}`,
      `Redirection URI(s)        ${values.launchUrl}`,
      "Supports Deep Linking     yes",
      `Content selection URL     ${values.launchUrl}`,
      `Icon URL                  ${values.logoUrl}`,
      "Custom parameters:",
      ...customParameters.split("\n").map((line) => `  ${line}`),
    ].join("\n"),
    json: { ...values, customParameters },
  });
};

/** The URL given on the command line, or the configured one: files for others need no configuration. */
function publicUrlOf({ values, config }: CommandTools): string {
  const given = values["public-url"];
  if (given === undefined) return config().publicUrl;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("--public-url must be a full web address.");
  }
  return withoutTrailingSlashes(url.href);
}
