import type { Course } from "../../../src/domain/course.ts";
import {
  occurrencesOf,
  type Recurrence,
  type SessionTimes,
} from "../../../src/modules/scheduling/rules/recurrence.ts";
import { runPlan } from "../../../src/modules/scheduling/run-plan.ts";
import { listSessions } from "../../../src/modules/scheduling/list-sessions.ts";
import { refreshEvent } from "../../../src/modules/scheduling/keep-event.ts";
import { planSessions } from "../../../src/modules/scheduling/plan-sessions.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { OpenedStores } from "./open-empty-stores.ts";
import { classroomRoleOf } from "../../../src/domain/person.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { giveMissingApiUser, recordPerson } from "./give-api-user.ts";
import { approveSpaceFor, giveSpace } from "./approve-space.ts";
import { newCourse, launchedCourse } from "./launched-course.ts";
import { classroomClient } from "../stand-ins/classroom-client.ts";
import { quickClassroom } from "../stand-ins/quick-classroom.ts";
import { registrationOf } from "./registration.ts";
import { required } from "../required.ts";

const hour = 3_600_000;
const registrationId = "reg_1";

/** What a classroom must be configured with for changing, cancelling and listing events. */
const withChanges = {
  operations: {
    updateEvent: {
      routes: [
        {
          method: "PATCH",
          path: "/events/{eventId}",
          body: { title: "{title}", startsAt: "{startsAt}", endsAt: "{endsAt}" },
        },
      ],
    },
    cancelEvent: { routes: [{ method: "DELETE", path: "/events/{eventId}" }] },
    findEvents: { routes: [{ method: "GET", path: "/events", query: { spaceId: "{spaceId}" } }] },
  },
};

/**
 * Courses on an empty database and a stand-in classroom over HTTP, with a clock that stands still. @param options.changes Whether the
 * classroom lets us change, cancel and list events. @param options.dialect An operator's dialect, instead of that.
 */
export async function openPlannedCourse(
  planning: OpenedStores,
  options: { changes?: boolean; dialect?: object } = {},
) {
  const changes = options.changes ?? false;
  const logger = createLogger("silent");
  const { stores } = planning;
  await planning.empty();
  const time = { now: Date.UTC(2026, 8, 1, 8) };
  const clock: Clock = { ...systemClock, now: () => time.now };
  const classroom = await quickClassroom({ eventChanges: changes });
  const dialect = options.dialect ?? (changes ? withChanges : {});
  const client = classroomClient(classroom, { dialect, clock });
  const { spaceId } = await client.createSpace(
    { name: "Biology", access: "Public", waitingRoom: false },
    { priority: "background" },
  );
  await stores.registrations.insert(registrationOf({ id: registrationId }));
  const ending = new AbortController();
  const changed: string[] = [];
  const deps = {
    ...stores,
    classroomOf: () => client,
    clock,
    ids: randomIds,
    logger,
    translatorOf: createTranslator(),
    ending: ending.signal,
    onMatchable: () => Promise.resolve(),
    isSpaceOrigin: () => true,
    wake: () => undefined,
    whileSessionsChange: async <T>(
      { id }: Pick<Course, "id" | "registrationId">,
      change: () => Promise<T>,
    ): Promise<T> => {
      const result = await change();
      changed.push(id);
      return result;
    },
  };

  /** A course in the Space, or in a separate one. */
  const addCourse = async (id: string, title = id, own = spaceId): Promise<Course> => {
    await stores.courses.record(
      { registrationId, deploymentId: "1", contextId: id },
      launchedCourse({ title, label: "", courseUrl: `https://lms.test/course/${id}` }),
      newCourse(id),
    );
    await giveSpace(stores, { id, registrationId, environment: "production" }, own);
    await stores.courses.setTimeZone(id, "Europe/Berlin");
    return courseOf(id);
  };
  const courseOf = async (id: string): Promise<Course> => {
    return required(await stores.courses.find(id));
  };
  /** A person in a course, with a user in the classroom. */
  const addMember = async (
    courseId: string,
    name: string,
    role: "instructor" | "learner",
    sectionIds: readonly string[] = [],
  ): Promise<string> => {
    const personId = `per-${name}`;
    await recordPerson(stores.people, personId, { name, sub: name, registrationId });
    const user = { userId: `user-${name}`, name, role: classroomRoleOf(role) };
    await giveMissingApiUser(stores.people, personId, user);
    await stores.members.recordLaunch(
      { registrationId, courseId, personId },
      { role, testUser: false, listName: name, lastLaunchAt: 1 },
      sectionIds,
      randomIds.id("mem"),
    );
    return personId;
  };

  /** Another Space, which belongs to no course. */
  const anotherSpace = async (name: string): Promise<string> =>
    (await client.createSpace({ name, access: "Public", waitingRoom: false }, { priority: "background" }))
      .spaceId;
  /** A link of a course opens a Space. */
  const link = async (courseId: string, linkedSpaceId: string) => {
    await approveSpaceFor(stores, await courseOf(courseId), linkedSpaceId);
    return stores.courseLinks.record(
      { registrationId, deploymentId: "1", courseId, linkId: `link-${linkedSpaceId}` },
      { id: randomIds.id("cho"), choice: { kind: "space", spaceId: linkedSpaceId } },
      randomIds.id("lnk"),
    );
  };

  await addCourse("bio", "Biology");
  await addMember("bio", "Tess", "instructor");

  return {
    stores,
    classroom,
    client,
    spaceId,
    deps,
    time,
    changed,
    addCourse,
    addMember,
    anotherSpace,
    link,
    courseOf,
    /** Tess plans Mondays at ten in Berlin, from 19 October 2026 on (the clocks change on the 25th). */
    plan: async (
      plan: Partial<SessionTimes> & {
        recurrence?: Recurrence;
        batch?: string;
        title?: string;
        sectionIds?: readonly string[];
        counts?: boolean;
        courseId?: string;
        spaceId?: string | null;
      } = {},
    ) => {
      const { recurrence = { every: "once" }, batch = randomIds.secret(), title = "Lesson {number}" } = plan;
      const times = { date: "2026-10-19", time: "10:00", minutes: 60, timeZone: "Europe/Berlin", ...plan };
      return planSessions(deps, await courseOf(plan.courseId ?? "bio"), "per-Tess", {
        batch,
        title,
        occurrences: occurrencesOf(times, recurrence).list,
        repeats: recurrence.every !== "once",
        sectionIds: plan.sectionIds ?? [],
        counts: plan.counts ?? true,
        spaceId: plan.spaceId ?? null,
      });
    },
    /** Lets the worker do everything that is due now. */
    work: async () => {
      while (await runPlan(deps));
    },
    plans: async () => (await stores.sessionPlans.listOfCourse("bio", 500)).reverse(),
    sessions: async () => (await listSessions(deps, { id: "bio" })).reverse(),
    /** The webhook of a change is processed. */
    note: (eventId: string, eventType = "EVENT_CREATED", recurring: string | null = null) =>
      refreshEvent(deps, { environment: "production", eventId, eventType, at: time.now, recurring }),
    later: (ms: number) => {
      time.now += ms;
    },
    hour,
    close: () => classroom.close(),
  };
}

export type PlannedCourse = Awaited<ReturnType<typeof openPlannedCourse>>;
