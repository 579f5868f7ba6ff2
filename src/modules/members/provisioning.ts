import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import { type ApiUser, classroomRoleOf, madeAs, referenceOf } from "../../domain/person.ts";
import type { Person } from "../../domain/course.ts";
import { deploymentOfScope } from "../../domain/person-scope.ts";
import {
  isOutcomeUnknown,
  messageOf,
  NamedError,
  problemCodeOf,
  waitIfNothingTried,
} from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { type ActiveRegistrationApp, requireActiveRegistration } from "../registration/registrations.ts";
import { createWorker, type Worker } from "../../tasks/create-worker.ts";
import { apiUserOf, ensureApiUser, enqueueApiUsers } from "./api-users.ts";
import {
  closedPauseMs,
  elsewherePauseMs,
  type Provisioning,
  provisioningRetryAfter,
  refusedPauseMs,
  unknownPauseMs,
  usersToRename,
  willEnter,
} from "./rules/provisioning.ts";

/** What preparing people for their entry needs. */
export type ProvisioningApp = ActiveRegistrationApp &
  Pick<App, "courses" | "members" | "people" | "provisioning" | "provisionsOf"> &
  Pick<App, "clock" | "ids" | "logger" | "onMatchable" | "wake"> & {
    classroomOf: (
      environment: AccountId,
    ) => Pick<ClassroomClient, "usersHaveRoles" | "createApiUser" | "updateApiUser">;
  };

/** `ending` is aborted when this process is about to end. */
type PreparingApp = ProvisioningApp & { ending: AbortSignal };

/** This many refusals in a row point to the classroom instead of the people. */
const maxRefusals = 5;
const firstPauseMs = 5_000;
const maxPauseMs = 10 * 60_000;

/** The calls of one second. More lanes would only wait for the throttle. */
const lanes = 4;

export function provisioningWorker(
  app: ProvisioningApp & { onOutcome: (outcome: ProvisioningOutcome) => void },
): Worker {
  const step = provisioningStep(app);
  return createWorker(app, { name: "provisioning", lanes, step });
}

/** LMSs take turns, then their courses, then people by how long they have waited. While the classroom fails, pauses grow. */
export function provisioningStep(
  app: ProvisioningApp & { onOutcome: (outcome: ProvisioningOutcome) => void },
): (ending: AbortSignal) => Promise<boolean> {
  const { provisioning, clock } = app;
  const trouble = createTrouble();
  let lastLms = "";

  return async (ending) => {
    const now = clock.now();
    const resting = trouble.resting(now);
    const lms = await provisioning.nextLms(lastLms, now, resting);
    if (lms === null) return false;
    lastLms = lms;
    const turn = await provisioning.takeTurn(lms, now, resting);
    if (turn === null) return true; // another lane was faster
    const holder = app.ids.id("hold");
    const due = await provisioning.claim(turn, holder, now, now + leaseMs);
    if (due === null) {
      await provisioning.rest(turn);
      return true;
    }
    const outcome = await provisionPerson({ ...app, ending }, due, holder);
    if (outcome === "shut") await provisioning.postpone(turn, clock.now() + closedPauseMs);
    trouble.learn(turn.environment, outcome, clock.now());
    app.onOutcome(outcome);
    return true;
  };
}

function createTrouble() {
  const seen = new Map<AccountId, { failures: number; refusals: number; until: number }>();
  return {
    resting: (now: number) =>
      [...seen].filter(([, { until }]) => until > now).map(([environment]) => environment),
    learn: (environment: AccountId, outcome: ProvisioningOutcome, now: number): void => {
      if (outcome === "made" || outcome === "renamed") seen.delete(environment);
      if (outcome !== "failed" && outcome !== "refused") return;
      const known = seen.get(environment) ?? { failures: 0, refusals: 0, until: 0 };
      const refusals = outcome === "refused" ? known.refusals + 1 : known.refusals;
      if (outcome === "refused" && refusals < maxRefusals) {
        seen.set(environment, { ...known, refusals });
        return;
      }
      // Lanes that fail together count as one failure.
      const failures = known.until > now ? known.failures : known.failures + 1;
      const until = now + Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), maxPauseMs);
      seen.set(environment, { failures, refusals, until });
    },
  };
}

/** "shut": the course is closed at present. "failed": because of the classroom. "refused": because of this person. */
export type ProvisioningOutcome =
  | "made"
  | "renamed"
  | "nothing"
  | "shut"
  | "elsewhere"
  | "failed"
  | "refused";

async function provisionPerson(app: PreparingApp, due: Provisioning, holder: string) {
  const { provisioning } = app;
  const extend = (until: number) => provisioning.extend(due.id, holder, until);
  try {
    const outcome = await withClaim(app, { until: 0, extend }, () => attempt(app, due));
    await provisioning.settle(due.id, holder);
    if (outcome !== "nothing") await enqueueAgain(app, due);
    return outcome;
  } catch (thrown) {
    const { outcome, change } = afterFailure(app, due, thrown);
    await provisioning.putOff(due.id, holder, change);
    return outcome;
  }
}

async function attempt(app: PreparingApp, { registrationId, courseId, personId }: Provisioning) {
  const person = await app.people.find(personId);
  const member = await app.members.find(registrationId, courseId, personId);
  if (person === null || member === null || !willEnter(member)) return "nothing";
  const role = classroomRoleOf(member.role);
  const renamed = usersToRename(person);
  if (person.apiUsers[role] !== null && renamed.length === 0) return "nothing";
  // A person shared by all deployments enters through the course's deployment.
  const deployment =
    deploymentOfScope(person.deploymentId) !== person.deploymentId
      ? await app.courses.find(courseId)
      : person;
  await requireActiveRegistration(app, deployment ?? person);
  const options = { priority: "background", signal: app.ending } as const;
  if (person.apiUsers[role] === null) {
    await ensureApiUser(app, person, role, options);
    return "made";
  }
  return rename(app, person, renamed, options);
}

async function rename(app: PreparingApp, person: Person, renamed: readonly ApiUser[], options: CallOptions) {
  const { updateApiUser } = app.classroomOf(person.environment);
  if (updateApiUser === null) return "nothing";
  for (const { id } of renamed) {
    const role = madeAs(person, id);
    const user = {
      ...apiUserOf(person, role === "unknown" ? "participant" : role),
      reference: referenceOf(person.id, role),
    };
    await updateApiUser({ ...user, userId: id }, options);
    await app.people.keepApiUserName(person.id, { id, name: user.name });
  }
  return "renamed";
}

/** If the name changed during the call, the person is due again. */
async function enqueueAgain(app: PreparingApp, { registrationId, courseId, personId }: Provisioning) {
  const person = await app.people.find(personId);
  const course = await app.courses.find(courseId);
  const member = await app.members.find(registrationId, courseId, personId);
  if (person === null || course === null || member === null) return;
  await enqueueApiUsers(app, course, [{ person, role: classroomRoleOf(member.role) }]);
}

type Failure = {
  outcome: ProvisioningOutcome;
  change: Partial<Pick<Provisioning, "dueAt" | "attempts" | "problem" | "problemCode" | "refused">>;
};

/** Codes of problems that only an administrator can solve. */
export const needsAdministrator: ReadonlySet<string> = new Set([
  "registration-unknown",
  "platform-inactive",
  "deployment-refused",
  "account-paused",
  "environment-off",
]);

const aboutThePerson: ReadonlySet<string> = new Set(["classroom-refused", "classroom-wants-email"]);

function afterFailure(app: PreparingApp, due: Provisioning, thrown: unknown): Failure {
  const now = app.clock.now();
  if (app.ending.aborted) return { outcome: "elsewhere", change: { dueAt: now } };
  const code = thrown instanceof NamedError ? thrown.code : "unexpected";
  if (needsAdministrator.has(code)) return { outcome: "shut", change: { dueAt: now + closedPauseMs } };
  if (code === "still-being-made") return { outcome: "elsewhere", change: { dueAt: now + elsewherePauseMs } };
  const wait = waitIfNothingTried(thrown);
  if (wait !== null) return { outcome: "failed", change: { dueAt: now + wait } };
  const attempts = due.attempts + 1;
  app.logger.warn(
    { person: due.personId, course: due.courseId, attempts, code, error: messageOf(thrown) },
    "an API user could not be prepared",
  );
  const problemCode = problemCodeOf(thrown);
  if (isOutcomeUnknown(thrown)) {
    // The user may have been made without an answer, so the background doesn't retry. The person's entry makes it.
    const change = {
      dueAt: now + unknownPauseMs,
      attempts,
      problem: thrown.message,
      problemCode,
      refused: true,
    };
    return { outcome: "failed", change };
  }
  if (thrown instanceof NamedError && !thrown.temporary) {
    const change = {
      dueAt: now + refusedPauseMs,
      attempts,
      problem: thrown.message,
      problemCode,
      refused: true,
    };
    return { outcome: aboutThePerson.has(code) ? "refused" : "failed", change };
  }
  const problem = thrown instanceof NamedError ? thrown.message : "Something went wrong on our side.";
  const dueAt = now + provisioningRetryAfter(attempts);
  return { outcome: "failed", change: { dueAt, attempts, problem, problemCode, refused: false } };
}
