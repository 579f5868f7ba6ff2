import type { CallOptions } from "../../../src/classroom/create-reader.ts";
import type { NewApiUser } from "../../../src/classroom/client.ts";
import type { Person } from "../../../src/domain/course.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import { ensureApiUser } from "../../../src/modules/members/api-users.ts";
import {
  type ProvisioningApp,
  type ProvisioningOutcome,
  provisioningStep,
} from "../../../src/modules/members/provisioning.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type { StoresFrom } from "./open-empty-stores.ts";
import { openRosterCourse } from "./roster-course.ts";
import { required } from "../required.ts";

/**
 * The roster's course with the worker that prepares its people, in front of a classroom whose calls a test holds back and answers. Time
 * passes only when a test says so. @param options.from See `openEmptyStores`.
 */
export async function openProvisioning(options: { from?: StoresFrom; renames?: boolean } = {}) {
  const course = await openRosterCourse("canvas", options.from);
  const { stores, deps } = course;
  let late = 0;
  course.clock.now = () => Date.now() + late;
  const made: (NewApiUser & { userId: string })[] = [];
  const renamed: (NewApiUser & { userId: string })[] = [];
  const registration: { active: boolean; of: (id: string) => Promise<Registration | null> } = {
    active: true,
    of: async (id) => {
      const found = await deps.registrations.find(id);
      return found === null ? null : { ...found, active: registration.active };
    },
  };
  const classroom = {
    /** Background calls wait in the queue until it is opened; people who enter are never delayed. */
    line: Promise.withResolvers<undefined>(),
    inLine: 0,
    /** The outcome of a call that was let through. */
    answer: (user: NewApiUser): Promise<string> => Promise.resolve(`user-of-${user.reference}`),
    renames: options.renames ?? false,
  };
  classroom.line.resolve(undefined);

  /** As in the real client, a call ends when its signal aborts: in the queue and in progress. */
  const called = async (user: NewApiUser, manner: CallOptions): Promise<string> => {
    const { priority, onWait, onPermit, signal } = manner;
    await onWait?.();
    classroom.inLine += 1;
    const left = new Promise<never>((_resolve, reject) => {
      const leave = () => {
        reject(signal?.reason instanceof Error ? signal.reason : new Error("left"));
      };
      if (signal?.aborted === true) leave();
      signal?.addEventListener("abort", leave, { once: true });
    });
    left.catch(() => undefined);
    try {
      if (priority !== "entry") await Promise.race([classroom.line.promise, left]);
    } finally {
      classroom.inLine -= 1;
    }
    await onPermit?.();
    return Promise.race([classroom.answer(user), left]);
  };
  const client = {
    usersHaveRoles: true,
    createApiUser: async (user: NewApiUser, manner: CallOptions) => {
      const userId = await called(user, manner);
      made.push({ ...user, userId });
      return { userId };
    },
    updateApiUser: async (user: NewApiUser & { userId: string }, manner: CallOptions) => {
      await called(user, manner);
      renamed.push(user);
    },
  };
  const ending = new AbortController();
  const outcomes: ProvisioningOutcome[] = [];
  const workerDeps: ProvisioningApp & { onOutcome: (outcome: ProvisioningOutcome) => void } = {
    ...deps,
    ...stores,
    registrations: { find: registration.of },
    provisionsOf: () => ({ makes: true, renames: classroom.renames }),
    wake: () => undefined,
    classroomOf: () => (classroom.renames ? client : { ...client, updateApiUser: null }),
    onMatchable: () => Promise.resolve(),
    onOutcome: (outcome) => {
      if (outcome !== "nothing") outcomes.push(outcome);
    },
    clock: course.clock,
    ids: randomIds,
    logger: createLogger("silent"),
  };
  Object.assign(deps, { provisionsOf: workerDeps.provisionsOf });
  const provision = provisioningStep(workerDeps);
  const step = () => provision(ending.signal);

  return {
    ...course,
    workerDeps,
    classroom,
    registration,
    made,
    renamed,
    outcomes,
    ending,
    step,
    /** Works until nothing is due. @returns how many steps that took. */
    work: async (): Promise<number> => {
      let steps = 0;
      while (await step()) steps += 1;
      return steps;
    },
    pass: (ms: number): void => {
      late += ms;
    },
    personOf: async (sub: string): Promise<Person> => {
      return required(await stores.people.findBySub({ registrationId: "reg_1", deploymentId: "1", sub }));
    },
    /** A person enters and needs an API user now. */
    comes: async (person: Person): Promise<string> => ensureApiUser(workerDeps, person, "participant"),
  };
}

export type ProvisioningCourse = Awaited<ReturnType<typeof openProvisioning>>;
