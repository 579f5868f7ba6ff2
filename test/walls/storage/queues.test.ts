import { beforeEach, describe, expect, test, vi } from "vitest";
import type { SentScore } from "../../../src/modules/grading/rules/delivery.ts";
import { seenQueries, type SeenQuery } from "../../support/builders/seen-queries.ts";
import { openOnEachEngine } from "./open-engine.ts";
import type { DueKind } from "../../../src/storage/due-heads.ts";
import { readRoster } from "../../../src/modules/members/roster-readings.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { required } from "../../support/required.ts";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import type { NewQueuePosition } from "../../../src/modules/joining/store/queue-position-store.ts";
import { createWaitingQueue } from "../../../src/modules/joining/waiting-queue.ts";
import { createLogger } from "../../../src/kernel/logger.ts";

const engines = await openOnEachEngine();

const minute = 60_000;

// How long a count is valid depends on this process's time, which passes only between tests: a slow machine reads no more.
let elapsed = 0;
beforeEach(() => {
  elapsed += 60 * minute;
  vi.spyOn(performance, "now").mockReturnValue(elapsed);
});

/** Claiming costs the same whatever waits elsewhere, as the engines' own plans and counts show. */
describe.each(engines)("A claim", ({ database, stores }) => {
  let made = 0;

  const score: SentScore = { score: 50, maximum: 100, comment: null };
  const wantScores = async (registrationId: string, count: number, now: number) => {
    const courseId = `course ${(made += 1)}`;
    for (let at = 0; at < count; at += 500) {
      const learners = Array.from({ length: Math.min(500, count - at) }, (_, n) => ({
        personId: `person ${at + n}`,
        sub: "sub",
        seen: { regrade: 1, summary: 1 },
        scores: new Map([["attendance", score]]),
        left: false,
      }));
      const newId = () => `made ${(made += 1)}`;
      await stores.deliveries.setDesired({ registrationId, courseId }, learners, { now, newId });
    }
  };

  /** By an index of the registration, of an id or of heads, in its order. */
  const goesByScope = ({ collection, indexes, sorts }: SeenQuery) =>
    !sorts &&
    indexes.length > 0 &&
    indexes.every((index) =>
      collection === "dueheads"
        ? /^(kind_1_dueAt_1|dueAt_1_kind_1|_id|sqlite_autoindex)/.test(index)
        : /^(registrationId_1|_id|sqlite_autoindex)/.test(index),
    );
  const read = (seen: readonly SeenQuery[]) => seen.reduce((sum, one) => sum + one.read, 0);

  test("of a score reads as much with three thousand scores of a busy LMS as with a hundred", async () => {
    const claim = (now: number) =>
      seenQueries(database, async () => {
        const pass = (id: string) => (id === "busy" ? "busy" : null);
        expect((await stores.deliveries.claimDue("me", now, now, pass))?.registrationId).toBe("other");
        expect(await stores.deliveries.busyLanes("other", now)).toBe(0);
        expect(await stores.deliveries.busyLanes("busy", now)).toBe(0);
      });
    await wantScores("busy", 100, 1_000);
    await wantScores("other", 3, 2_000);
    const few = await claim(10_000);
    await wantScores("busy", 2_900, 1_000);
    const many = await claim(10_000);
    expect(few.filter((one) => !goesByScope(one))).toEqual([]);
    expect(many.filter((one) => !goesByScope(one))).toEqual([]);
    expect(read(few)).toBeGreaterThan(0);
    expect(read(many)).toBeLessThanOrEqual(read(few));
  }, 60_000);
});

const now = 1_000_000;
const until = now + 10_000;
const me = "me";
const lms = "lms 1";
const course = { registrationId: lms, courseId: "course 1" };
const person = { ...course, personId: "person 1" };
/** What all queue positions here have in common. */
const learnersPlace = {
  environment: "production",
  courseLinkId: null,
  role: "learner",
  locale: null,
  mobile: false,
  shown: "tab",
  calls: 1,
} as const;

/** How each queue is asked for its next piece of work. */
const ofStores: Record<DueKind, (stores: Stores) => Promise<unknown>> = {
  deliveries: ({ deliveries }) => deliveries.claimDue(me, now, until),
  regrades: ({ regrades }) => regrades.claimDue(me, now, until),
  "institution-regrades": ({ institutionDefaults }) => institutionDefaults.claimRegrade(me, now, until),
  "owed-grades": ({ pendingRegrades }) => pendingRegrades.claimDue(now, until),
  columns: ({ columns }) => columns.claimUpdate(me, now, until),
  receipts: ({ receipts }) => receipts.claimDue(me, now, until, 50),
  "slow-receipts": ({ receipts }) => receipts.claimSlow(me, now, until, 50),
  people: async ({ provisioning }) => {
    await provisioning.nextLms("", now, []);
    await provisioning.takeTurn(lms, now, []);
    await provisioning.claim({ ...course, environment: "production", revision: 1 }, me, now, until);
  },
  matches: ({ userMatches }) => userMatches.claimDue(me, now, until),
  "claimed-sessions": ({ unassignedEvents }) => unassignedEvents.claimDue(me, now, until),
  marks: ({ attendanceMarks }) => attendanceMarks.claimDue(me, now, until),
  "session-plans": ({ sessionPlans }) => sessionPlans.claimDue(me, now, until),
  "space-changes": ({ courses }) => courses.claimSpaceChanges(now, until),
  erasures: ({ erasures }) => erasures.claimDue(me, now, until),
  door: ({ queuePositions }) => queuePositions.claimNext("production", me, now, until),
  ahead: ({ expectedClasses }) => expectedClasses.claimNext("production", me, now, until),
};
const claims = new Map(Object.entries(ofStores));
// Tasks of all kinds are found in the same way.
for (const { head } of readRoster.heads)
  claims.set(head, ({ tasks }) => tasks.claim(readRoster, me, now, until));

/** What a launch, an entry, a webhook, a score and a look at the waiting queue read about one person or one course. */
const hotPath: Record<string, (stores: Stores) => Promise<unknown>> = {
  "the LMS of a launch": ({ registrations }) => registrations.findByClient("https://lms.example", "client"),
  "its deployment": ({ deployments }) => deployments.find(lms, "1"),
  "the person of a launch": ({ people }) =>
    people.findBySub({ registrationId: lms, deploymentId: "1", sub: "sub" }),
  "the courses of a context": ({ courses }) => courses.findByContexts(lms, ["context 1"]),
  "a member": ({ members }) => members.find(lms, "course 1", "person 1"),
  "the columns of a course": ({ columns }) => columns.listOfCourse(lms, "course 1"),
  "a page's session": ({ browserSessions }) => browserSessions.find("session 1"),
  "a place in the line": ({ queuePositions }) => queuePositions.findByTicket("ticket"),
  "a new place in the line": ({ queuePositions }) =>
    queuePositions.join({
      ...learnersPlace,
      ...person,
      id: "place 1",
      ticket: "ticket 1",
      arrivedAt: now,
      seenUntil: until,
    }),
  "the line": ({ queuePositions }) => queuePositions.listWaiting("production", now),
  "what another process read of the line": ({ queueSummaries }) => queueSummaries.find("production"),
  "a turn at reading the line": ({ queueSummaries }) => queueSummaries.claim("production", now, until),
  "a login made ahead": ({ logins }) => logins.find(person),
  "the person of a webhook": ({ people }) => people.listByApiUser("production", "user 1"),
  "the course of a Space": ({ courses }) => courses.findBySpace("production", "space 1"),
  "the event of a webhook": ({ events }) => events.find("production", "event 1"),
  "the plan of a webhook's event": ({ sessionPlans }) => sessionPlans.findByEvent("production", "event 1"),
  "webhooks that wait for a person": ({ receipts }) =>
    receipts.retryWaiting({ kind: "user", environment: "production", id: "user 1" }, now),
  "what one request did": ({ audit }) => audit.listOfRequest("request 1"),
  "a learner's attendance": ({ attendance }) => attendance.listOfPeople(lms, "course 1", ["person 1"]),
  "a course's events": ({ events }) => events.listOfCourse("course 1", 50),
  "a course's sections": ({ sections }) => sections.listOf(lms, "course 1"),
  "busy lanes of an LMS": ({ deliveries }) => deliveries.busyLanes(lms, now),
  "more scores of a column": ({ deliveries }) =>
    deliveries.claimAlso({ ...course, columnKey: "attendance" }, me, now, until, 20),
  "people the classroom is still asked about": ({ receipts }) =>
    receipts.stillAskedAbout(["one", "other"], { by: now, since: now }, ["receipt 1"]),
  "scores that wait for more of the same person": ({ deliveries }) =>
    deliveries.endGathering(course, ["person 1"], now),
  "a column to look after": ({ columns }) => columns.claimToCheck(now, now),
  "what is due": ({ dueHeads }) => dueHeads.kindsDue(now),
  "the first work of every scope": ({ dueHeads }) => dueHeads.repair(["everything", "production", lms], now),
};

/** Work that belongs to an LMS is never looked for among that of all LMSs. */
const ofOneLms: ReadonlySet<string> = new Set(["deliveries", "regrades", "wanted-rosters", "rosters"]);

describe.each(engines)("Without reading a whole collection, or sorting", ({ database, stores }) => {
  /** Gives every queue something to do, as far as its heads know. */
  const announceAll = async () => {
    const heads = database.connection.collection<{ _id: string }>("dueheads");
    await heads.deleteMany({});
    await heads.insertMany(
      [...claims.keys()].flatMap((kind) =>
        ["everything", "production", lms].map((scope) => ({
          _id: `${kind} ${scope}`,
          kind,
          scope,
          dueAt: 1,
          revision: 1,
          looks: 0,
        })),
      ),
    );
  };
  const scans = ({ indexes, sorts }: SeenQuery) => sorts || indexes.length === 0;

  test.each([...claims])("the next of the queue %s is found", async (kind, claim) => {
    await announceAll();
    const seen = await seenQueries(database, () => claim(stores));
    const inside = seen.filter(({ collection }) => collection !== "dueheads");
    expect(inside.length).toBeGreaterThan(0);
    expect(seen.filter(scans)).toEqual([]);
    if (ofOneLms.has(kind))
      expect(
        inside
          .flatMap(({ indexes }) => indexes)
          .filter((index) => !/^(registrationId_1|kind_1_scope_1|_id)/.test(index)),
      ).toEqual([]);
  });

  test("the sessions of one person are found by the person, not among all of their LMS", async () => {
    const own = { registrationId: lms, courseId: "course 1", personIds: ["person 1"], courseLinkId: null };
    const seen = await seenQueries(database, () =>
      stores.browserSessions.endOldest(own, 20, now, "too-many"),
    );
    expect(seen.map(({ indexes }) => indexes)).toEqual([
      ["registrationId_1_courseId_1_personId_1_endedAt_1"],
    ]);
  });

  test.each(Object.entries(hotPath))("%s is found", async (_what, find) => {
    const seen = await seenQueries(database, () => find(stores));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(scans)).toEqual([]);
  });
});

/** Ahead of the machine’s time: otherwise the sweep, once a minute, would delete what has expired. */
const began = Date.UTC(2100, 0);

describe.each(engines)("The waiting queue", ({ database, stores }) => {
  let made = 0;
  let courseId = "";

  beforeEach(async () => {
    courseId = `course ${(made += 1)}`;
    await database.connection.collection("places").deleteMany({});
  });

  const joins = (came: number, course = courseId, role: "learner" | "instructor" = "learner") =>
    stores.queuePositions.join({
      id: `place ${(made += 1)}`,
      ticket: `ticket ${made}`,
      personId: `person ${made}`,
      environment: "production",
      registrationId: "lms",
      courseId: course,
      courseLinkId: null,
      role,
      locale: null,
      mobile: false,
      shown: "tab",
      calls: 1,
      arrivedAt: began + came,
      seenUntil: began + 1_000_000,
    });
  const line = () => stores.queuePositions.listWaiting("production", began);
  const cameOf = async () => (await line()).map(({ arrivedAt }) => arrivedAt - began);

  test("has people of a course in the order in which they came, not in which their launches ended", async () => {
    const random = seededRandom(7);
    const came = Array.from({ length: 60 }, (_none, n) => n * 10);
    // Each launch takes up to 300 ms, so it may overtake some thirty others.
    const asDone = came.toSorted((one, other) => one - other + (random() - random()) * 300);
    for (const at of asDone) await joins(at);
    expect(asDone).not.toEqual(came);
    expect(await cameOf()).toEqual(came);
    const turns = (await line()).map(({ turn }) => turn);
    expect(new Set(turns).size).toBe(came.length); // no turn is lost or given twice
  });

  test("is nearly in order even if all join in the same moment", async () => {
    const came = Array.from({ length: 40 }, (_none, n) => n * 10);
    await Promise.all(came.toReversed().map((at) => joins(at)));
    const order = await cameOf();
    const pairs = order.flatMap((one, at) => order.slice(at + 1).map((later) => one < later));
    expect(pairs.filter((right) => !right).length / pairs.length).toBeLessThan(0.05);
  });

  test("gives turns to the courses, and puts hosts in front", async () => {
    for (const at of [30, 20, 10]) await joins(at);
    for (const at of [60, 50, 40]) await joins(at, "another course");
    const host = await joins(70, courseId, "instructor");
    const [first, ...others] = await line();
    expect(first?.id).toBe(host.id);
    expect(others.map(({ arrivedAt }) => arrivedAt - began)).toEqual([10, 40, 20, 50, 30, 60]);
  });

  test("does not move a person who is being let in", async () => {
    const first = await joins(20);
    const claimed = await stores.queuePositions.claimNext("production", "me", began + 20, began + 10_000);
    expect(claimed?.id).toBe(first.id);
    await joins(10);
    await joins(30);
    expect(await cameOf()).toEqual([20, 10, 30]);
  });
});

/** A long queue costs no more than it must, as the engines' own counts show. */
describe.each(engines)("A long queue", ({ database, stores }) => {
  let now = 1_000_000;
  let made = 0;

  beforeEach(async () => {
    for (const name of ["places", "doorturns", "dueheads", "queuesummaries"])
      await database.connection.collection(name).deleteMany({});
    now += 60 * minute;
  });

  const places = () => database.connection.collection<{ _id: string }>("places");
  const positionOf = (presentMs: number): NewQueuePosition => {
    made += 1;
    now += 1;
    return {
      id: `place ${made}`,
      ticket: `ticket ${made}`,
      ...learnersPlace,
      registrationId: "lms",
      courseId: "course",
      personId: `person ${made}`,
      arrivedAt: now,
      seenUntil: now + presentMs,
    };
  };
  /** People join the queue; their pages stay open for `presentMs`. */
  const come = async (people: number, presentMs: number): Promise<string[]> => {
    const first = await stores.queuePositions.join(positionOf(presentMs));
    const row = await places().findOne({ _id: first.id });
    // A launch for each would take a minute.
    const rows = Array.from({ length: people - 1 }, () => {
      const { id, ...position } = positionOf(presentMs);
      return { ...row, ...position, _id: id, turn: first.turn + made };
    });
    for (let at = 0; at < rows.length; at += 500) await places().insertMany(rows.slice(at, at + 500));
    return [first.id, ...rows.map(({ _id }) => _id)];
  };
  const readOf = async (collection: string, work: () => Promise<unknown>): Promise<number> =>
    (await seenQueries(database, work))
      .filter((query) => query.collection === collection)
      .reduce((sum, { read }) => sum + read, 0);
  const openProcess = () =>
    createWaitingQueue({
      ...stores,
      clock: { now: () => now, sleep: () => new Promise(() => undefined) },
      logger: createLogger("silent"),
    });
  /** Their pages ask, like those whose streams are blocked. */
  const look = async (process: ReturnType<typeof openProcess>, ids: readonly string[]) => {
    for (const position of await stores.queuePositions.findMany(ids)) await process.currentView(position, 0);
  };

  test("of two thousand is read by one of two instances, while the other reads its own people", async () => {
    const ids = await come(2_000, 10 * minute);
    const [one, other] = [openProcess(), openProcess()];
    const [ofOne, ofOther] = [ids.slice(0, 50), ids.slice(1_950)];
    expect(await readOf("places", () => look(one, ofOne))).toBeGreaterThanOrEqual(2_000);
    expect(await readOf("places", () => look(other, ofOther))).toBeLessThanOrEqual(100);
    const last = required((await stores.queuePositions.findMany(ids.slice(-1)))[0]);
    expect(await other.currentView(last, 0)).toMatchObject({ state: "waiting", peopleBefore: 1_999 });
    one.stop();
    other.stop();
  }, 60_000);

  test("skips people who left once: later claims do not read them again", async () => {
    await come(2_000, minute);
    now += 2 * minute;
    const [present] = await come(1, 10 * minute);
    const claim = async () => {
      const claimed = await stores.queuePositions.claimNext("production", "me", now, now + 1);
      expect(claimed?.id).toBe(present);
      now += 1_000;
    };
    expect(await readOf("places", claim)).toBeGreaterThan(1_000);
    for (let batch = 0; batch < 4; batch += 1) await claim();
    expect(await readOf("places", claim)).toBeLessThanOrEqual(20);
  }, 60_000);

  test("keeps the turn of people who left: if they open the page again they go first, as before", async () => {
    const [first = "", second] = await come(2, minute);
    now += 2 * minute;
    await stores.queuePositions.seen([second ?? ""], now + minute);
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(second);
    expect(await stores.queuePositions.findMany([first])).toMatchObject([{ state: "left" }]);
    now += 1_000;
    await stores.queuePositions.seen([first], now + minute);
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(first);
  });

  test("keeps the turn of a person who left and presses the button again", async () => {
    const [first = "", second = ""] = await come(2, minute);
    now += 2 * minute;
    await stores.queuePositions.seen([second], now + minute);
    await stores.queuePositions.claimNext("production", "me", now, now + 1);
    const left = required((await stores.queuePositions.findMany([first]))[0]);
    now += 1_000;
    const again = { ...left, id: "another", ticket: "a new ticket", arrivedAt: now, seenUntil: now + minute };
    expect(await stores.queuePositions.join(again)).toMatchObject({
      id: first,
      turn: left.turn,
      state: "waiting",
    });
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(first);
  });

  test("lets in a person who was seen just when they were assumed to have left", async () => {
    const [only = ""] = await come(1, minute);
    await places().updateOne({ _id: only }, { $set: { state: "left" } });
    expect((await stores.queuePositions.claimNext("production", "me", now, now + 1))?.id).toBe(only);
  });
});
