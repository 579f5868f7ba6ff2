import { beforeEach, describe, expect, test } from "vitest";
import { processReceipts, processSlowReceipts } from "../../support/process-receipts.ts";
import { listUnknownWebhooks } from "../../../src/inbox/find-receipts.ts";
import { purge } from "../../../src/modules/operations/upkeep.ts";
import {
  countHere,
  listHere,
  presenceOfPeople,
  reportedEnds,
} from "../../../src/modules/presence/presence-of-people.ts";
import { alertWebhooks } from "../../../src/modules/alerts/alerts.ts";
import { recordingWebhooks } from "../../../src/modules/recordings/handle-webhooks.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { withoutClassroom } from "../../support/builders/space-webhooks.ts";
import { approveSpaceFor } from "../../support/builders/approve-space.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";
import { giveApiUser, recordPerson } from "../../support/builders/give-api-user.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const minute = 60_000;
const hour = 60 * minute;

const course = await forAllTests(openRecordedCourse());
beforeEach(() => course.restart());

const counted: string[] = [];
const deps = () => ({
  ...withoutClassroom(course),
  wake: () => undefined,
  onKind: ({ family, event_type }: { family: string; event_type: string }, count: number) => {
    counted.push(`${family} ${event_type} ${count}`);
  },
  logger: createLogger("silent"),
});
/** Handlers of a Space's other webhooks. */
const spaceWebhooks = (given: ReturnType<typeof deps>) => [...recordingWebhooks(given), alertWebhooks(given)];

/** Stores a received webhook without processing it. */
async function store(body: Record<string, unknown>): Promise<void> {
  await course.stores.receipts.insert(waitingReceipt(body, course.clock.now()));
}

/** Webhooks are received in this order. */
async function receive(...bodies: readonly Record<string, unknown>[]): Promise<void> {
  for (const body of bodies) await store(body);
  while (await processReceipts(deps(), spaceWebhooks(deps())));
}

const space = (eventType: string, userId: string, ago: number, more: Record<string, unknown> = {}) => ({
  _type: "SPACE_USER",
  spaceId: "space",
  sessionId: "session-1",
  timestamp: new Date(course.clock.now() - ago).toISOString(),
  eventType,
  userId,
  roomId: "room",
  userTabId: `tab-${userId}`,
  ...more,
});
const ended = (ago = 0) => ({
  _type: "SPACE_SESSION",
  spaceId: "space",
  sessionId: "session-1",
  timestamp: new Date(course.clock.now() - ago).toISOString(),
  eventType: "SESSION_ENDED",
});

/** A learner with a user in the classroom. */
async function enters(name: string): Promise<string> {
  await course.enrol(name);
  await giveApiUser(course.stores.people, `per-${name}`, { userId: `user-${name}`, name });
  return `user-${name}`;
}

const here = async () => countHere(deps(), await course.course());
const keptOf = (userId: string) =>
  course.stores.presences.listOfUsers("production", ["space", "far-away"], [userId], {
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
  });
const shownIn = async (eventId: string, name: string) => {
  const event = required(await course.stores.events.find("production", eventId));
  const presence = await presenceOfPeople(deps(), await course.course(), [event], [`per-${name}`]);
  return presence.of(eventId, `per-${name}`);
};

describe("people in the Space now", () => {
  test("are counted, and named if they are people of this course", async () => {
    const ada = await enters("Ada");
    const came = space("joinSpace", ada, 5 * minute);
    await receive(
      space("joinSpace", ada, 50 * minute),
      space("leaveSpace", ada, 40 * minute),
      came,
      space("joinSpace", "user-of-elsewhere", minute),
    );
    expect(await here()).toBe(2);
    expect(await listHere(deps(), await course.course())).toEqual({
      all: 2,
      people: [{ personId: "per-Ada", name: "Ada", role: "learner", since: Date.parse(came.timestamp) }],
      others: 1,
    });
  });

  test("are hidden in a course that has lost its right to the Space", async () => {
    await receive(space("joinSpace", await enters("Ada"), 5 * minute));
    expect(await here()).toBe(1);
    const { environment, id } = await course.course();
    await course.stores.spaceRegister.take(id, { environment, spaceId: "space" });
    expect(await here()).toBe(0);
    expect(await listHere(deps(), await course.course())).toEqual({ all: 0, people: [], others: 0 });
  });

  test("are counted once if they are there as a host and as a participant", async () => {
    const ada = await enters("Ada");
    const { people } = course.stores;
    await giveApiUser(people, "per-Ada", { userId: "ada-host", name: "Ada", role: "host" });
    const first = space("joinSpace", "ada-host", 8 * minute);
    await receive(
      space("joinSpace", ada, 5 * minute),
      first,
      space("joinSpace", await enters("Ben"), minute),
    );
    expect(await here()).toBe(2);
    const listed = await listHere(deps(), await course.course());
    expect(listed).toMatchObject({ all: 2, others: 0 });
    expect(listed.people.map(({ name }) => name)).toEqual(["Ada", "Ben"]);
    expect(listed.people[0]?.since).toBe(Date.parse(first.timestamp));
    await receive(space("leaveSpace", "ada-host", 0));
    expect(await here()).toBe(2);
  });

  test("are counted once if they are in two sessions and the end of one was never reported", async () => {
    const ada = await enters("Ada");
    await receive(
      space("joinSpace", ada, 2 * hour),
      space("joinSpace", ada, minute, { sessionId: "session-2" }),
    );
    expect(await here()).toBe(1);
  });

  test("are gone once the session has ended, even if their coming is reported afterwards", async () => {
    const [ada, ben] = [await enters("Ada"), await enters("Ben")];
    await receive(space("joinSpace", ada, hour));
    expect(await here()).toBe(1);
    await receive(ended());
    expect(await here()).toBe(0);
    await receive(space("joinSpace", ben, 50 * minute));
    expect(await here()).toBe(0);
    expect(await course.stores.receipts.countByState()).toMatchObject({ done: 3, kept: 0 });
  });

  test("are stored only once their Space has a course, as far as they came within a day", async () => {
    const { stores, clock, key } = course;
    await receive(space("joinSpace", "user-1", minute, { spaceId: "far-away" }));
    course.pass(24 * hour + 1);
    await receive(space("joinSpace", "user-2", minute, { spaceId: "far-away" }));
    expect(await stores.receipts.countByState()).toMatchObject({ done: 0, kept: 2 });
    expect([await keptOf("user-1"), await keptOf("user-2")]).toEqual([[], []]);
    const ours = { ...key, id: key.courseId, environment: "production" };
    await approveSpaceFor(stores, ours, "far-away");
    await stores.courses.replaceSpace(ours, "space", "far-away");
    const linked = { kind: "space", environment: "production", id: "far-away" } as const;
    await stores.receipts.retryWaiting(linked, clock.now());
    await processSlowReceipts(deps(), spaceWebhooks(deps()));
    expect(await keptOf("user-1")).toEqual([]);
    expect(await keptOf("user-2")).toHaveLength(1);
    expect(await stores.receipts.countByState()).toMatchObject({ done: 1, kept: 1, again: 0 });
  });

  test("are there from now on if a webhook's time is unreadable or in the future", async () => {
    const [ada, ben] = [await enters("Ada"), await enters("Ben")];
    const from = course.clock.now();
    await receive(space("joinSpace", ada, 0, { timestamp: "soon" }), space("joinSpace", ben, -hour));
    const { people } = await listHere(deps(), await course.course());
    const to = course.clock.now();
    expect(people).toHaveLength(2);
    expect(people.filter(({ since }) => since < from || since > to)).toEqual([]);
  });

  test("cost one write for all reports of a person in between, and each webhook has its own outcome", async () => {
    const ada = await enters("Ada");
    const noted: number[] = [];
    let away = true;
    const { presences } = course.stores;
    const counting = {
      ...deps(),
      presences: {
        ...presences,
        note: (...args: Parameters<typeof presences.note>) => {
          noted.push(args[1].length);
          if (away) throw new Error("the store is away");
          return presences.note(...args);
        },
      },
    };
    const told = [
      space("leaveSpace", ada, minute),
      space("waveHand", ada, 4 * minute),
      space("joinSpace", ada, 10 * minute),
      space("hideTab", ada, 8 * minute),
      space("unhideTab", ada, 6 * minute),
    ];
    for (const body of told) await store(body);
    await processReceipts(counting, spaceWebhooks(counting));
    expect(await course.stores.receipts.countByState()).toMatchObject({ waiting: 5, done: 0 });
    away = false;
    const later = course.clock.now() + minute;
    while (await processReceipts({ ...counting, clock: { ...course.clock, now: () => later } }));
    expect(noted).toEqual([4, 4]);
    expect(await course.stores.receipts.countByState()).toMatchObject({ waiting: 0, done: 4, kept: 1 });
    const [record] = await keptOf(ada);
    expect(record?.signs.map(({ kind }) => kind).sort()).toEqual(["hide", "join", "leave", "unhide"]);
    expect(await here()).toBe(0);
  });

  test("cost one write each time somebody comes and goes", async () => {
    const ada = await enters("Ada");
    await receive(space("joinSpace", ada, 10 * minute));
    const writes: string[] = [];
    const { presences } = course.stores;
    const noting =
      <Given extends unknown[], Told>(name: string, write: (...given: Given) => Told) =>
      (...given: Given): Told => {
        writes.push(name);
        return write(...given);
      };
    const counting = {
      ...deps(),
      presences: {
        ...presences,
        add: noting("add", presences.add),
        note: noting("note", presences.note),
        settle: noting("settle", presences.settle),
      },
    };
    for (const [n, eventType] of ["leaveSpace", "joinSpace", "leaveSpace"].entries()) {
      await store(space(eventType, ada, (8 - n) * minute));
      while (await processReceipts(counting, spaceWebhooks(counting)));
      expect(await here()).toBe(n % 2);
    }
    expect(writes).toEqual(["add", "add", "add"]);
  });

  test("keep two signs of a person that are processed at the same time", async () => {
    const ada = await enters("Ada");
    await receive(space("joinSpace", ada, 10 * minute));
    const { presences } = course.stores;
    const key = { environment: "production", spaceId: "space", userId: ada } as const;
    const [known] = await keptOf(ada);
    const found = await presences.find({ ...key, sessionId: known?.sessionId ?? "" });
    const left = { at: course.clock.now(), kind: "leave", tab: "other", room: "" } as const;
    const of = { ...key, sessionId: known?.sessionId ?? "" };
    const gone = { open: false, endedAt: null };
    expect(await presences.add(of, found?.revision ?? 0, [left], gone)).toBe(true);
    expect(await presences.add(of, found?.revision ?? 0, [{ ...left, tab: "third" }], gone)).toBe(false);
    expect((await keptOf(ada)).flatMap(({ signs }) => signs)).toHaveLength(2);
  });

  test("cost one write each when a thousand come together, and no list of people", async () => {
    const calls = { note: 0, settle: 0, list: 0 };
    const { presences } = course.stores;
    const counting = {
      ...deps(),
      presences: {
        ...presences,
        note: (...args: Parameters<typeof presences.note>) => {
          calls.note += 1;
          return presences.note(...args);
        },
        settle: (...args: Parameters<typeof presences.settle>) => {
          calls.settle += 1;
          return presences.settle(...args);
        },
      },
      people: new Proxy(course.stores.people, {
        get: (target, name, receiver) => {
          calls.list += 1;
          const value: unknown = Reflect.get(target, name, receiver);
          return value;
        },
      }),
    };
    const bodies = Array.from({ length: 1_000 }, (_, n) => space("joinSpace", `user-${n}`, minute));
    await Promise.all(bodies.map(store));
    while (await processReceipts(counting, spaceWebhooks(counting)));
    expect(calls).toEqual({ note: 1_000, settle: 0, list: 0 });
    expect(await here()).toBe(1_000);
    expect(await listHere(deps(), await course.course())).toMatchObject({ all: 1_000, others: 1_000 });
  }, 60_000);
});

describe("presence beside the attendance of a session", () => {
  test("shows when somebody was in its Space, and their other tabs", async () => {
    const ada = await enters("Ada");
    await course.lesson("one");
    await receive(
      space("joinSpace", ada, 58 * minute),
      space("hideTab", ada, 40 * minute),
      space("unhideTab", ada, 35 * minute),
      space("leaveSpace", ada, 2 * minute),
    );
    expect(await shownIn("one", "Ada")).toMatchObject({ minutes: 56, hiddenMinutes: 5 });
    expect(await shownIn("one", "Ina")).toBeNull();
  });

  test("is shown every day, even if the classroom names no session", async () => {
    const ada = await enters("Ada");
    for (const day of ["one", "two", "three"]) {
      await course.lesson(day);
      const of = { sessionId: undefined };
      await receive(space("joinSpace", ada, 50 * minute, of), space("leaveSpace", ada, 20 * minute, of));
      expect(await shownIn(day, "Ada")).toMatchObject({ minutes: 30 });
      course.pass(24 * hour);
    }
  });

  test("does not include a session in another Space", async () => {
    const ada = await enters("Ada");
    await course.lesson("elsewhere", 0, { spaceId: "far-away" });
    await receive(space("joinSpace", ada, 58 * minute), space("leaveSpace", ada, 2 * minute));
    expect(await shownIn("elsewhere", "Ada")).toBeNull();
  });

  test("counts for a user an instructor matched to the learner", async () => {
    await course.enrol("Ada");
    await course.lesson("one");
    await receive(space("joinSpace", "guest", 50 * minute), space("leaveSpace", "guest", 20 * minute));
    expect(await shownIn("one", "Ada")).toBeNull();
    await course.stores.userMatches.insert({
      id: "match",
      registrationId: course.key.registrationId,
      deploymentId: "1",
      environment: "production",
      userId: "guest",
      personId: "per-Ada",
      courseId: course.key.courseId,
      by: "per-Ina",
      at: 1,
    });
    expect(await shownIn("one", "Ada")).toMatchObject({ minutes: 30 });
  });

  test("counts for a user of an earlier record of the learner, with which theirs was merged", async () => {
    await enters("Ada");
    await course.lesson("one");
    await receive(space("joinSpace", "earlier", 50 * minute), space("leaveSpace", "earlier", 20 * minute));
    const { id, registrationId, sub } = required(await course.stores.people.find("per-Ada"));
    await recordPerson(course.stores.people, "per-earlier", { registrationId, sub, deploymentId: "earlier" });
    await giveApiUser(course.stores.people, "per-earlier", { userId: "earlier" });
    const people = collectionsByModel(course.connection)("Person");
    await people.updateOne({ _id: "per-earlier" }, { $set: { mergedInto: id } });
    expect(await shownIn("one", "Ada")).toMatchObject({ minutes: 30 });
  });

  test("changes neither attendance nor a grade, whatever comes", async () => {
    const ada = await enters("Ada");
    await course.lesson("one");
    const { registrationId, courseId } = course.key;
    const grades = async () => ({
      attendance: await course.stores.attendance.listOfPeople(registrationId, courseId, ["per-Ada"]),
      deliveries: await course.stores.deliveries.listOfCourse(registrationId, courseId),
    });
    expect(await grades()).toEqual({ attendance: [], deliveries: [] });
    await receive(
      space("joinSpace", ada, 58 * minute),
      space("hideTab", ada, 40 * minute),
      space("sitsStill", ada, 30 * minute),
      space("leaveSpace", ada, 2 * minute),
      ended(),
    );
    expect(await shownIn("one", "Ada")).not.toBeNull();
    expect(await grades()).toEqual({ attendance: [], deliveries: [] });
    await course.classroomSays("Ada", "one", "ABSENT", 1);
    const marked = await grades();
    await receive(space("joinSpace", ada, minute), space("joinSpace", ada, minute, { userTabId: "b" }));
    expect(await grades()).toEqual(marked);
  });
});

test("the end of a session belongs to the one in its Space that began last, unless it was over long before", async () => {
  const now = course.clock.now();
  const lesson = (key: string, startsAgo: number, spaceId = "space") => ({
    key,
    spaceId,
    startsAt: now - startsAgo,
    endsAt: now - startsAgo + hour,
  });
  const sessions = [lesson("old", 30 * hour), lesson("one", 2 * hour), lesson("other", 2 * hour, "b")];
  const end = ended(50 * minute);
  await receive(end);
  expect(await reportedEnds(deps(), { environment: "production" }, sessions)).toEqual(
    new Map([["one", Date.parse(end.timestamp)]]),
  );
  expect(await reportedEnds(deps(), { environment: "production" }, sessions.slice(0, 1))).toEqual(new Map());
});

describe("stored presence", () => {
  test("is deleted with the webhooks after 90 days", async () => {
    const ada = await enters("Ada");
    await receive(space("joinSpace", ada, 2 * minute), space("leaveSpace", ada, minute));
    const kept = () => keptOf(ada);
    const at = course.clock.now();
    await purge({ ...deps(), clock: { ...course.clock, now: () => at + 89 * 24 * hour } });
    expect(await kept()).toHaveLength(1);
    await purge({ ...deps(), clock: { ...course.clock, now: () => at + 91 * 24 * hour } });
    expect(await kept()).toEqual([]);
  });

  test("of one person in one session is limited, and further signs break nothing", async () => {
    const key = {
      environment: "production",
      spaceId: "space",
      sessionId: "session-1",
      userId: "user-1",
    } as const;
    const sign = (n: number) => ({ at: n, kind: "join", tab: "tab", room: "" }) as const;
    await course.stores.presences.note(key, [sign(1)], true);
    const more = Array.from({ length: 999 }, (_, n) => sign(n + 2));
    await Promise.all(more.map((one) => course.stores.presences.note(key, [one], true)));
    expect(await course.stores.presences.note(key, [sign(1_001)], true)).toBeNull();
    const [record] = await keptOf("user-1");
    expect(record?.signs).toHaveLength(1_000);
  }, 60_000);
});

describe("names that the document does not list", () => {
  test("are stored and counted, under their own name in the list and as other in the metrics", async () => {
    counted.length = 0;
    const ada = await enters("Ada");
    await receive(
      space("dances", ada, minute),
      space("dances", ada, 2 * minute),
      { _type: "WHITEBOARD", eventType: "DRAWN" },
      { _type: "SPACE_SESSION", spaceId: "space", sessionId: "s", eventType: "SESSION_PAUSED" },
      space("joinSpace", ada, minute),
    );
    const unknown = await listUnknownWebhooks(deps());
    expect(new Set(unknown.map(({ family, eventType, count }) => `${family} ${eventType} ${count}`))).toEqual(
      new Set(["SPACE_USER dances 2", "WHITEBOARD DRAWN 1", "SPACE_SESSION SESSION_PAUSED 1"]),
    );
    expect(counted.toSorted()).toEqual([
      "SPACE_SESSION other 1",
      "SPACE_USER joinSpace 1",
      "SPACE_USER other 2",
      "other other 1",
    ]);
    expect(await course.stores.receipts.countByState()).toMatchObject({ kept: 4, done: 1 });
  });

  test("are counted up to a limit", async () => {
    const { unknownWebhooks } = course.stores;
    const one = { environment: "production", count: 1, firstAt: 1, lastAt: 1 } as const;
    for (let n = 0; n < 310; n += 1) await unknownWebhooks.add({ ...one, family: `NEW_${n}`, eventType: "" });
    const all = await unknownWebhooks.list();
    expect(all).toHaveLength(301);
    expect(all.find(({ family }) => family === "(others)")).toMatchObject({ count: 10 });
  });
});
