import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/call-options.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { type ApiUser, classroomRoleOf, madeAs, referenceOf } from "../../domain/api-user.ts";
import type { Person } from "../../domain/course.ts";
import { deploymentOfPlace } from "../../domain/person-place.ts";
import {
  elsewherePauseMs,
  type Provisioning,
  provisioningRetryAfter,
  refusedPauseMs,
  closedPauseMs,
  unknownPauseMs,
  usersToRename,
  willEnter,
} from "./rules/provisioning.ts";
import {
  isOutcomeUnknown,
  messageOf,
  NamedError,
  problemCodeOf,
  waitIfNothingTried,
} from "../../kernel/errors.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/require-active-registration.ts";
import { withClaim } from "../../kernel/with-claim.ts";
import { apiUserOf, ensureApiUser, type EnsureApiUserDeps } from "./ensure-api-user.ts";
import { wantApiUsers, type WantApiUsersDeps } from "./want-api-users.ts";

export type ProvisionPersonDeps = Omit<EnsureApiUserDeps, "classroomOf"> &
  RequireActiveRegistrationDeps &
  WantApiUsersDeps &
  Pick<App, "provisioning" | "courses" | "members" | "logger"> & {
    classroomOf: (
      environment: Person["environment"],
    ) => Pick<ClassroomClient, "usersHaveRoles" | "createApiUser" | "updateApiUser">;
    /** Aborted when this process ends: the queue is left for another one. */
    ending: AbortSignal;
  };

/** "shut": nobody of this course may enter at present. "failed" is about the classroom, "refused" about this person. */
export type ProvisioningOutcome =
  "made" | "renamed" | "nothing" | "shut" | "elsewhere" | "failed" | "refused";

export async function provisionPerson(
  deps: ProvisionPersonDeps,
  due: Provisioning,
  holder: string,
): Promise<ProvisioningOutcome> {
  const { provisioning } = deps;
  const extend = (until: number) => provisioning.extend(due.id, holder, until);
  try {
    const outcome = await withClaim(deps, { until: 0, extend }, () => attempt(deps, due));
    await provisioning.settle(due.id, holder);
    if (outcome !== "nothing") await wantAgain(deps, due);
    return outcome;
  } catch (thrown) {
    const { outcome, change } = afterFailure(deps, due, thrown);
    await provisioning.putOff(due.id, holder, change);
    return outcome;
  }
}

async function attempt(
  deps: ProvisionPersonDeps,
  { registrationId, courseId, personId }: Provisioning,
): Promise<"made" | "renamed" | "nothing"> {
  const person = await deps.people.find(personId);
  const member = await deps.members.find(registrationId, courseId, personId);
  if (person === null || member === null || !willEnter(member)) return "nothing";
  const role = classroomRoleOf(member.role);
  const renamed = usersToRename(person);
  if (person.apiUsers[role] !== null && renamed.length === 0) return "nothing";
  // A person shared by all deployments enters by the course's.
  const place =
    deploymentOfPlace(person.deploymentId) !== person.deploymentId
      ? await deps.courses.find(courseId)
      : person;
  await requireActiveRegistration(deps, place ?? person);
  const options = { priority: "background", signal: deps.ending } as const;
  if (person.apiUsers[role] === null) {
    await ensureApiUser(deps, person, role, options);
    return "made";
  }
  return rename(deps, person, renamed, options);
}

async function rename(
  deps: ProvisionPersonDeps,
  person: Person,
  renamed: readonly ApiUser[],
  options: CallOptions,
): Promise<"renamed" | "nothing"> {
  const { updateApiUser } = deps.classroomOf(person.environment);
  if (updateApiUser === null) return "nothing";
  for (const { id } of renamed) {
    const role = madeAs(person, id);
    const user = {
      ...apiUserOf(person, role === "unknown" ? "participant" : role),
      reference: referenceOf(person.id, role),
    };
    await updateApiUser({ ...user, userId: id }, options);
    await deps.people.keepApiUserName(person.id, { id, name: user.name });
  }
  return "renamed";
}

/** A name that changed during the call: they are due again. */
async function wantAgain(
  deps: ProvisionPersonDeps,
  { registrationId, courseId, personId }: Provisioning,
): Promise<void> {
  const person = await deps.people.find(personId);
  const course = await deps.courses.find(courseId);
  const member = await deps.members.find(registrationId, courseId, personId);
  if (person === null || course === null || member === null) return;
  await wantApiUsers(deps, course, [{ person, role: classroomRoleOf(member.role) }]);
}

type Failure = {
  outcome: ProvisioningOutcome;
  change: Partial<Pick<Provisioning, "dueAt" | "attempts" | "problem" | "problemCode" | "refused">>;
};

const shut: ReadonlySet<string> = new Set([
  "registration-unknown",
  "platform-inactive",
  "deployment-refused",
  "account-paused",
  "environment-off",
]);

const aboutThePerson: ReadonlySet<string> = new Set(["classroom-refused", "classroom-wants-email"]);

function afterFailure(deps: ProvisionPersonDeps, due: Provisioning, thrown: unknown): Failure {
  const now = deps.clock.now();
  if (deps.ending.aborted) return { outcome: "elsewhere", change: { dueAt: now } };
  const code = thrown instanceof NamedError ? thrown.code : "unexpected";
  if (shut.has(code)) return { outcome: "shut", change: { dueAt: now + closedPauseMs } };
  if (code === "still-being-made") return { outcome: "elsewhere", change: { dueAt: now + elsewherePauseMs } };
  const wait = waitIfNothingTried(thrown);
  if (wait !== null) return { outcome: "failed", change: { dueAt: now + wait } };
  const attempts = due.attempts + 1;
  deps.logger.warn(
    { person: due.personId, course: due.courseId, attempts, code, error: messageOf(thrown) },
    "an API user could not be prepared",
  );
  const problemCode = problemCodeOf(thrown);
  if (isOutcomeUnknown(thrown)) {
    // It may have been made without an answer: no retry in the background. Entry makes it.
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
