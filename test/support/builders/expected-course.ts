import { testAccounts } from "./test-accounts.ts";
import type { ClassroomRole } from "../../../src/domain/person.ts";
import type { JoinSettings } from "../../../src/settings/options.ts";
import type { CallOptions } from "../../../src/classroom/create-reader.ts";
import { type LoginsApp, prepareLogins } from "../../../src/modules/joining/prepare-logins.ts";
import { type EnteringApp, enterClass } from "../../../src/modules/joining/enter-class.ts";
import { type ExpectingApp, expectClasses } from "../../../src/modules/joining/expect-classes.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { openEmptyStores, type StoresFrom } from "./open-empty-stores.ts";
import { giveApiUser } from "./give-api-user.ts";
import { newCourse, launchedCourse } from "./launched-course.ts";
import { registrationOf } from "./registration.ts";
import { required } from "../required.ts";
import { eventOf } from "./event.ts";

export const minute = 60_000;
const registrationId = "reg_1";

/** One call of the classroom's authorize. */
export type Authorized = { at: number; userId: string; url: string };

/**
 * Courses on their own embedded database, with a classroom that lets four calls a second through, and a clock that otherwise stands still.
 * @param from See `openEmptyStores`.
 */
export async function openExpectedCourses(from?: StoresFrom) {
  const { stores, databaseUrl, sweepExpired, close } = await openEmptyStores(from);
  const time = { now: Date.UTC(2026, 8, 14, 9) };
  const clock = { ...systemClock, now: () => time.now };
  const authorized: Authorized[] = [];
  const users = new Map<string, number>();
  const ending = new AbortController();
  const classroom: {
    /** What authorize does before it answers; throws to make it fail. */
    before: (userId: string) => void | Promise<void>;
    /** Real time between two calls (ms), for what happens between them. */
    realMs: number;
    /** How far a call moves this process's clock (ms). */
    clockMs: number;
    /** In which roles people can be added to a Space; the people who were added, in order. */
    adds: ClassroomRole[];
    added: { userId: string; role: ClassroomRole }[];
  } = { before: () => undefined, realMs: 0, clockMs: 250, adds: [], added: [] };
  const call = async ({ onWait, onPermit, signal }: CallOptions) => {
    await onWait?.();
    if (classroom.realMs > 0) await systemClock.sleep(classroom.realMs);
    signal?.throwIfAborted();
    time.now += classroom.clockMs;
    await onPermit?.();
  };
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const deps: LoginsApp & ExpectingApp & EnteringApp = {
    ...stores,
    quietCourses: new Map(),
    registrations: {
      ...stores.registrations,
      find: (id) => Promise.resolve(registrationOf({ id, family: "canvas" })),
    },
    classroomOf: () => ({
      usersHaveRoles: true,
      createSpace: () => Promise.reject(new Error("no Space is to be made")),
      addsToSpace: classroom.adds,
      addToSpace: async ({ userId, role }, options) => {
        await call(options);
        classroom.added.push({ userId, role });
      },
      createApiUser: async ({ reference }, options) => {
        await call(options);
        const personId = reference.replace(/-(host|participant)$/, "");
        users.set(personId, (users.get(personId) ?? 0) + 1);
        return { userId: `user of ${reference}` };
      },
      authorize: async ({ userId, redirectUrl }, options) => {
        await call(options);
        await classroom.before(userId);
        const login = `${redirectUrl}#token-${String(authorized.length)}`;
        authorized.push({ at: time.now, userId, url: login });
        return { url: login };
      },
    }),
    accounts: testAccounts("production"),
    appUrlOf: () => "https://classroom.test",
    isSpaceOrigin: () => true,
    onMatchable: () => Promise.resolve(),
    wake: () => undefined,
    waitingQueue: {
      settled: () => Promise.resolve(),
      currentView: () => Promise.resolve({ state: "gone" }),
      watch: () => () => undefined,
      notify: () => undefined,
      stop: () => undefined,
    },
    sealer,
    ending: ending.signal,
    clock,
    ids: randomIds,
    logger: createLogger("silent"),
  };

  const courseOf = async (id: string) => {
    return required(await stores.courses.find(id));
  };
  /** Looks ahead until there is nothing new. */
  const look = async () => {
    while (await expectClasses(deps, "production"));
  };
  return {
    url: databaseUrl,
    sweepExpired,
    stores,
    deps,
    time,
    authorized,
    /** How often an API user was created, by our id of the person. */
    users,
    classroom,
    ending,
    courseOf,
    /** A course with its Space and a class; people are called "<course> <number>", and hosts have the last numbers. */
    addCourse: async (id: string, size: number, options: { hosts?: number; users?: boolean } = {}) => {
      const { hosts = 1, users: known = true } = options;
      await stores.courses.record(
        { registrationId, deploymentId: "1", contextId: id },
        launchedCourse({ title: id, label: id }),
        newCourse(id),
      );
      await stores.courses.claimSpace(id, "test", 1, 2);
      await stores.courses.keepSpace(id, "test", `space-${id}`);
      const subs = Array.from({ length: size }, (_none, n) => `${id} ${String(n).padStart(5, "0")}`);
      const people = await stores.people.recordMany(
        { registrationId, deploymentId: "1" },
        subs.map((sub) => ({ sub, name: null, givenName: null, familyName: null, email: null })),
        { newId: () => randomIds.id("per"), environment: "production" },
      );
      const ids = subs.map((sub) => people.get(sub)?.id ?? "");
      if (known) {
        for (const [n, personId] of ids.entries()) {
          const role = n >= size - hosts ? "host" : "participant";
          await giveApiUser(stores.people, personId, { userId: `user of ${personId}`, role });
        }
      }
      await stores.members.applyRoster({ registrationId, courseId: id }, 0, {
        made: ids.map((personId, n) => ({
          personId,
          id: randomIds.id("mem"),
          to: { role: n >= size - hosts ? "instructor" : "learner", listName: String(n) },
        })),
        changed: [],
      });
      return ids;
    },
    /** A session of a course that starts in `startsIn` minutes. */
    schedule: (
      courseId: string,
      startsIn: number,
      lasts = 60,
      change: { eventId?: string; cancelled?: boolean } = {},
    ) =>
      stores.events.save(
        eventOf({
          eventId: `event-${courseId}`,
          spaceId: `space-${courseId}`,
          startsAt: time.now + startsIn * minute,
          endsAt: time.now + (startsIn + lasts) * minute,
          courseId,
          readAt: time.now,
          ...change,
        }),
      ),
    look,
    /** One turn of the worker. */
    turn: () => prepareLogins(deps, "production"),
    /** Looks ahead and works until nothing is due. */
    work: async () => {
      await look();
      while (await prepareLogins(deps, "production"));
    },
    /** An instructor changes the settings of a course. */
    change: async (courseId: string, settings: Partial<JoinSettings>) => {
      const course = await courseOf(courseId);
      const { door, spaceAccess } = course;
      const to = { door, spaceAccess, settings: { ...course.settings, ...settings } };
      if (!(await stores.courses.changeSettings(courseId, course.settingsRevision, to)))
        throw new Error("the settings were not changed");
    },
    /** A person comes to enter. @returns the login they were given, null if they have to queue. */
    enter: async (
      courseId: string,
      personId: string,
      change: Partial<Parameters<typeof enterClass>[1]> = {},
    ) => {
      const member = await stores.members.find(registrationId, courseId, personId);
      const entered = await enterClass(deps, {
        courseId,
        personId,
        courseLinkId: null,
        role: member?.role ?? "learner",
        locale: null,
        mobile: false,
        shown: "tab",
        ...change,
      });
      return entered.state === "inside" ? entered.url : null;
    },
    /** The stored data about the logins of a course, by person. */
    logins: async (courseId: string) =>
      new Map(
        (await stores.logins.listOfCourse({ registrationId, courseId })).map((login) => [
          login.personId,
          login,
        ]),
      ),
    close,
  };
}

export type ExpectedCourses = Awaited<ReturnType<typeof openExpectedCourses>>;

/** An error response of the classroom. */
export function refusal(temporary: boolean, details: Record<string, unknown> = {}): NamedError {
  return new NamedError(temporary ? "classroom-busy" : "classroom-refused", "no", { temporary, details });
}
