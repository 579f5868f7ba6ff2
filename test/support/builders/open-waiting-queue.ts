import { testAccounts } from "./test-accounts.ts";
import { expect, vi } from "vitest";
import type { CallOptions } from "../../../src/classroom/create-reader.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import { admitNext } from "../../../src/modules/joining/admission.ts";
import { findTarget } from "../../../src/modules/joining/entry-target.ts";
import {
  closedFor,
  reserveFor,
  type Admission,
  enterClass,
  type Entered,
  takeLogin,
  ticketDigest,
} from "../../../src/modules/joining/enter-class.ts";
import { createWaitingQueue } from "../../../src/modules/joining/waiting-queue.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { openEmptyStores } from "./open-empty-stores.ts";
import { classroomRoleOf } from "../../../src/domain/person.ts";
import { giveMissingApiUser, recordPerson } from "./give-api-user.ts";
import { newCourse, launchedCourse } from "./launched-course.ts";
import { registrationOf } from "./registration.ts";

const appUrl = "https://app.test";

/** A call to authorize that a test answers by hand. */
export type HeldCall = {
  userId: string;
  redirectUrl: string;
  /** The throttle lets it through. */
  permit: () => void;
  answer: () => void;
  fail: (error: Error) => void;
};

/**
 * The waiting queue on its own embedded database, in front of a classroom whose calls a test lets through and answers. Everybody has an API
 * user already: Ann's is "user-ann". @param options.url Another process's database to share; an empty one by default.
 */
export async function openWaitingQueue(options: { clock: Clock; url?: string }) {
  const { clock } = options;
  const logger = createLogger("silent");
  const { stores, databaseUrl, close } = await openEmptyStores(options.url);
  const calls: HeldCall[] = [];
  const never = () => Promise.reject(new Error("everything is made already in these tests"));
  const classroom = {
    usersHaveRoles: true,
    createSpace: never,
    createApiUser: never,
    addsToSpace: [],
    addToSpace: never,
    authorize: (entry: { userId: string; redirectUrl: string }, { onWait, onPermit, signal }: CallOptions) =>
      new Promise<{ url: string }>((resolve, reject) => {
        void onWait?.();
        const number = calls.length + 1;
        signal?.addEventListener("abort", () => {
          reject(new Error("aborted"));
        });
        calls.push({
          ...entry,
          permit: () => {
            void onPermit?.();
          },
          answer: () => {
            void onPermit?.();
            resolve({ url: `${appUrl}/login/${entry.userId}/${number}` });
          },
          fail: (error) => {
            void onPermit?.();
            reject(error);
          },
        });
      }),
  };
  const ending = new AbortController();
  const waitingQueue = createWaitingQueue({ ...stores, clock, logger });
  const deps = {
    ...stores,
    classroomOf: () => classroom,
    accounts: testAccounts("production"),
    appUrlOf: () => appUrl,
    isSpaceOrigin: () => true,
    waitingQueue,
    sealer: createSealer("a secret key that is long enough for anybody"),
    clock,
    ids: randomIds,
    logger,
    ending: ending.signal,
    wake: () => undefined,
    onMatchable: () => Promise.resolve(),
  };
  await stores.registrations.insert(registrationOf()).catch(() => undefined); // another process did

  /** A course with its Space ("space-of-biology"). */
  const course = async (id: string): Promise<void> => {
    await stores.courses.record(
      { registrationId: "reg_1", deploymentId: "1", contextId: id },
      launchedCourse({ title: id, label: "" }),
      newCourse(id),
    );
    await stores.courses.claimSpace(id, "test", 0, 1);
    await stores.courses.keepSpace(id, "test", `space-of-${id}`);
  };
  const arrival = (courseId: string, name: string, role: Entry["role"] = "learner"): Entry => ({
    courseId,
    personId: `per-${name}`,
    courseLinkId: null,
    role,
    locale: null,
    mobile: false,
    shown: "tab",
  });
  /** Somebody becomes a member with an API user. */
  const member = async (courseId: string, name: string, role: Entry["role"] = "learner"): Promise<void> => {
    const personId = `per-${name}`;
    await recordPerson(stores.people, personId, { name, sub: name });
    await giveMissingApiUser(stores.people, personId, {
      userId: `user-${name}`,
      name,
      role: classroomRoleOf(role),
    });
    await stores.members.recordLaunch(
      { registrationId: "reg_1", courseId, personId },
      { role, testUser: false, listName: name, lastLaunchAt: 1 },
      null,
      randomIds.id("mem"),
    );
  };

  return {
    url: databaseUrl,
    stores,
    calls,
    waitingQueue,
    /** The process ends and cannot wait. */
    end: () => {
      ending.abort();
    },
    deps,
    course,
    member,
    /** A person opens the course's link, and is a member from then on. */
    arrive: async (courseId: string, name: string, role: Entry["role"] = "learner"): Promise<Entered> => {
      await member(courseId, name, role);
      return enterClass(deps, arrival(courseId, name, role));
    },
    arrival,
    /** Queues a person who looks at the page with the button. @returns why entry is closed; then they have no position */
    reserve: async (courseId: string, name: string, role: Entry["role"] = "learner") => {
      const target = await findTarget(deps, arrival(courseId, name, role));
      const closed = await closedFor(deps, target);
      if (closed === null) await reserveFor(deps, target);
      return closed;
    },
    /** Takes the next person out of the queue; null if nobody waits. */
    next: () => admitNext(deps, "production"),
    /** Takes everybody out of the queue and lets them in; the user ids in the order of the calls. */
    letAllIn: async (): Promise<string[]> => {
      const from = calls.length;
      for (;;) {
        const made = calls.length;
        const admitted = await admitNext(deps, "production");
        if (admitted === null) return calls.slice(from).map(({ userId }) => userId);
        await vi.waitFor(() => expect(calls.length).toBe(made + 1), 30_000);
        calls.at(-1)?.answer();
        await admitted.done;
      }
    },
    /** The response to opening the waiting page. */
    look: async (entered: Entered): Promise<Admission> => {
      if (entered.state !== "waiting") throw new Error("they do not wait");
      const position = await stores.queuePositions.findByTicket(ticketDigest(entered.ticket));
      return position === null ? { state: "gone" } : takeLogin(deps, position);
    },
    close: async () => {
      waitingQueue.stop();
      await close();
    },
  };
}
