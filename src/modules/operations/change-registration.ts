import {
  knownRegistration,
  type LmsKeysApp,
  type RegistrationsApp,
  askDescription,
  type DescribeApp,
  createInvitation,
  type InvitationRequest,
} from "../registration/registrations.ts";
import { lmsIsBack, type LmsTroubleApp } from "../registration/lms-trouble.ts";
import { type AccountsApp, prepareAccount } from "../accounts/change-accounts.ts";
import { becomeSameLms, type SameLmsApp } from "../registration/same-lms.ts";
import type { App } from "../../app.ts";
import type { EndReason } from "../../domain/browser-session.ts";
import { userIdsOf } from "../../domain/person.ts";
import { type FamilyChoice, familyOfProduct } from "../../domain/lms-product.ts";
import type { Deployment, Invitation, Registration } from "../../domain/registration.ts";
import { messageOf } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { DescriptionGap } from "../../lms/tool-description.ts";
import type { AuditAction } from "../audit/rules/audit.ts";
import { courseName } from "../courses/rules/course.ts";
import { findPerson, type FindPersonApp, searchPeople } from "../privacy/erase.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import type { SessionsOf } from "../../storage/browser-session-store.ts";

/** What changing an LMS and ending sessions needs. */
export type OperatingApp = AuditApp &
  RegistrationsApp &
  LmsKeysApp &
  LmsTroubleApp &
  FindPersonApp &
  EndingApp &
  Pick<App, "courses">;

type EndingApp = Pick<App, "browserSessions" | "clock" | "consoleSessions">;

/** What an operator copies from the LMS. Defaults as in `ManualRegistration`. */
export type GivenRegistration = Pick<
  Registration,
  "issuer" | "clientId" | "authorizationUrl" | "tokenUrl" | "jwksUrl" | "environment"
> & {
  family?: Registration["family"];
  newDeployments?: Registration["newDeployments"];
  name?: string;
  /** Default: the token address is the audience of our assertions. */
  tokenAudience?: string;
  /** Default: taken from the first launch. */
  deploymentId?: string;
};

/** Adds an LMS by hand. @throws NamedError "bad-address", "bad-client-id" or "registration-exists" */
export async function addRegistration(app: AuditApp & Pick<App, "registerByHand">, given: GivenRegistration) {
  const registration = await app.registerByHand(given);
  const { id: registrationId, name: on } = registration;
  await writeAudit(app, { what: "registration-added", registrationId, on });
  return registration;
}

/**
 * Changes an LMS, and writes into the audit log what was done.
 * @param partOf Which part of the LMS was changed. Default: all of it. @throws NamedError "no-such-registration"
 */
async function change<Done>(
  app: AuditApp & Pick<App, "registrations">,
  registrationId: string,
  what: AuditAction,
  act: (before: Registration) => Promise<Done>,
  partOf?: (done: Done) => string,
): Promise<Done> {
  const before = await knownRegistration(app.registrations, registrationId);
  const done = await act(before);
  const on = partOf === undefined ? before.name : `${before.name} · ${partOf(done)}`;
  await writeAudit(app, { what, registrationId, on });
  return done;
}

/** Switching off ends all sessions and keeps scores back. Once it's on again, people launch again and scores are due. */
export async function switchRegistration(
  app: AuditApp & LmsTroubleApp & EndingApp & Pick<App, "registrations">,
  id: string,
  active: boolean,
): Promise<void> {
  await change(app, id, active ? "registration-switched-on" : "registration-switched-off", async () => {
    await app.registrations.set(id, { active });
    if (active) await lmsIsBack(app, id);
    else await endAll(app, { registrationId: id }, "lms-off");
  });
}

/** Takes effect at its next launch. Refusing ends its sessions. @throws "deployment-unknown" (never launched from) */
export async function decideDeployment(
  app: OperatingApp,
  id: string,
  deploymentId: string,
  status: Deployment["status"],
): Promise<void> {
  const decide = async () => {
    if (!(await app.deployments.setStatus(id, deploymentId, status, app.clock.now())))
      throw refusal("deployment-unknown", { values: { deployment: deploymentId }, status: 404 });
    if (status === "accepted") await lmsIsBack(app, id);
    else await endAll(app, { registrationId: id, deploymentId }, "deployment-refused");
  };
  await change(app, id, `deployment-${status}`, decide, () => deploymentId);
}

/** Decides about later deployments. Deployments already seen keep their answer. */
export async function setNewDeployments(app: OperatingApp, id: string, answer: "accept" | "refuse") {
  const what = answer === "accept" ? "new-deployments-accepted" : "new-deployments-refused";
  await change(app, id, what, () => app.registrations.set(id, { newDeployments: answer }));
}

/** Sends today's description of the tool. @returns what differs until the LMS adopts it. @throws the errors of `askDescription` */
export function sendDescription(app: OperatingApp & DescribeApp, id: string): Promise<DescriptionGap | null> {
  return change(app, id, "description-sent", (registration) => askDescription(app, registration, "send"));
}

/** Audiences that an LMS's tokens may name besides us. */
export async function setTrustedAudiences(app: OperatingApp, id: string, audiences: readonly string[]) {
  const set = () => app.registrations.set(id, { trustedAudiences: audiences });
  await change(app, id, "audiences-changed", set, () => audiences.join(", ") || "-");
}

/** Whether its administrators may enter their part of the console. If not, those inside are out immediately. */
export async function letAdministratorsIn(app: OperatingApp, id: string, enter: boolean): Promise<void> {
  const what = enter ? "administrators-let-in" : "administrators-kept-out";
  await change(app, id, what, () => app.registrations.set(id, { administratorsEnter: enter }));
}

/** Sets which product an LMS is, whatever it says about itself. @param family "learn" takes this back. */
export async function setFamily(app: OperatingApp, id: string, family: FamilyChoice) {
  const set = async ({ product = "" }: Registration) => {
    const now = family === "learn" ? familyOfProduct(product) : family;
    await app.registrations.setFamily(id, now, family === "learn" ? null : "operator");
    return now;
  };
  return change(app, id, "family-changed", set, (now) => now);
}

/**
 * Publishes the next key for one LMS now. It signs in an hour, and the present key stays published for a day after that.
 * @param options.atOnce The present key is compromised: signs with the next key now and withdraws the others.
 * @returns `unseen`: why the LMS may still accept a key that was withdrawn at once. Otherwise null.
 */
export async function rotateKeys(app: KeysApp, id: string, { atOnce = false }: { atOnce?: boolean } = {}) {
  const rotate = () => (atOnce ? app.signingKeys.replaceNow(id) : app.signingKeys.rotate(id));
  const next = await change(app, id, atOnce ? "key-replaced" : "key-rotated", rotate, ({ kid }) => kid);
  return { ...next, unseen: atOnce ? await useNewKey(app, id) : null };
}

/**
 * Asks for an access token, because Moodle caches our key set and accepts a withdrawn key until it meets one that it doesn't know (moodle:
 * lti_verify_with_keyset; measured on 5.1.3).
 */
async function useNewKey({ registrations, probes }: KeysApp, id: string): Promise<string | null> {
  const registration = await knownRegistration(registrations, id);
  try {
    await probes.missingScopes(registration, [probes.needed.membership]);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

type KeysApp = OperatingApp & Pick<App, "probes">;

/** `newAccountName`: the account doesn't exist yet, and the institution gives its addresses and key. */
type InvitedLms = InvitationRequest & { newAccountName?: string };

/**
 * Makes an invitation for an LMS administrator. The audit log doesn't contain it, because a reader could use it.
 * @throws NamedError "account-exists" if a new account's id is taken
 */
export async function inviteLms(
  app: AccountsApp & Pick<App, "invitations" | "publicUrl">,
  { newAccountName, ...invited }: InvitedLms,
): Promise<{ invitation: Invitation; url: string }> {
  const { account, hours, institution } = invited;
  if (newAccountName !== undefined) await prepareAccount(app, { id: account, name: newAccountName });
  const made = await createInvitation(app, invited);
  const whose = institution === undefined ? account : `${institution}, ${account}`;
  await writeAudit(app, { what: "invitation-made", registrationId: null, on: `${whose}, ${hours} h` });
  return made;
}

/** Makes a registration continue an earlier one of the same LMS. @throws the errors of `planSameLms` */
export async function declareSameLms(app: SameLmsApp & AuditApp, newId: string, oldId: string) {
  const done = await becomeSameLms(app, newId, oldId);
  const on = `${done.to.name} · ${done.to.clientId} > ${done.from.clientId}`;
  await writeAudit(app, { what: "same-lms", registrationId: done.to.id, on });
  return done;
}

/** @returns how many ended. @throws NamedError "no-such-registration" */
export async function endSessionsOfLms(app: OperatingApp, registrationId: string): Promise<number> {
  const { name } = await knownRegistration(app.registrations, registrationId);
  return endSessions(app, { registrationId }, name);
}

/** The answer to an incident lists at most this many of the latest launches. */
export const maxListedLaunches = 10_000;

/**
 * For a break-in at an LMS, or a leaked key: signs with a new key, withdraws the others, deletes the access tokens and ends all sessions.
 * Repeatable.
 * @param since Lists the last launch of each person in each course since this moment (ms).
 * @throws NamedError "no-such-registration"
 */
export async function answerIncident(
  app: KeysApp & Pick<App, "accessTokens" | "members">,
  id: string,
  since: number,
) {
  const { kid, unseen } = await rotateKeys(app, id, { atOnce: true });
  const tokens = await app.accessTokens.dropAll(id);
  const sessions = await endSessionsOfLms(app, id);
  const launches = await app.members.listLaunchedSince(id, since, maxListedLaunches);
  return { kid, unseen, tokens, sessions, launches };
}

/** @throws NamedError "no-such-course" */
export async function endSessionsOfCourse(app: OperatingApp, courseId: string): Promise<void> {
  const course = await app.courses.find(courseId);
  if (course === null) throw refusal("no-such-course", { status: 404 });
  await endSessions(app, { registrationId: course.registrationId, courseId }, courseName(course));
}

/** @throws NamedError "no-such-person" */
export async function endSessionsOfPerson(app: OperatingApp, personId: string): Promise<void> {
  const { registrationId } = await findPerson(app, { personId });
  await endSessions(app, { registrationId, personIds: [personId] }, personId);
}

/** Finds the person by the user id in an LMS or in the classroom, in all deployments. @throws NamedError "no-such-person" */
export async function endSessionsOfUser(app: OperatingApp, registrationId: string, userId: string) {
  const typed = userId.trim();
  const found = await searchPeople(app, registrationId, typed);
  const named = found.filter((person) => person.sub === typed || userIdsOf(person).includes(typed));
  if (named.length === 0) throw refusal("no-such-person", { status: 404 });
  for (const { id } of named) await endSessions(app, { registrationId, personIds: [id] }, id);
}

async function endSessions(app: OperatingApp, of: EndedSessions, on: string): Promise<number> {
  // An administrator of the LMS who ends them stays in the console, to see that it was done.
  const ended = await endAll(app, { ...of, exceptPersonId: app.personId }, "by-administrator");
  await writeAudit(app, { what: "sessions-ended", registrationId: of.registrationId, on });
  return ended;
}

type EndedSessions = Pick<SessionsOf, "registrationId" | "deploymentId" | "courseId" | "personIds">;

/** Ends sessions of course pages and, unless only a course is meant, of LMS administrators in the console. @returns how many ended */
async function endAll(
  app: EndingApp,
  { exceptPersonId, ...of }: EndedSessions & { exceptPersonId?: string | undefined },
  why: EndReason,
): Promise<number> {
  const ended = await app.browserSessions.endAll(of, app.clock.now(), why);
  return of.courseId === undefined
    ? ended + (await app.consoleSessions.endOf({ ...of, exceptPersonId }))
    : ended;
}
