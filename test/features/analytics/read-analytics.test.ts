import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ListReply } from "../../../src/classroom/create-reader.ts";
import type { SessionReply } from "../../../src/classroom/read-sessions.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { noFigures, type SessionFigures } from "../../../src/domain/session-figures.ts";
import { createKnownOffers, type KnownOffers } from "../../../src/modules/analytics/known-offers.ts";
import { readNextAnalytics } from "../../../src/modules/analytics/read-analytics.ts";
import { lookAgainMs, maxLooks } from "../../../src/modules/analytics/rules/limits.ts";
import { purge } from "../../../src/modules/operations/purge.ts";
import { sessionAnalytics } from "../../../src/modules/recordings/session-analytics.ts";
import { openRecordedCourse, type RecordedCourse } from "../../support/builders/recorded-course.ts";

type Answer = ListReply<SessionReply> | Error;

const environment = "production";
const day = 24 * 3_600_000;

let course: RecordedCourse;
let answer: Answer;
let asked: string[];
let offers: KnownOffers;
/** Since the beginning of a test (ms). */
let passed = 0;
const clock = { ...systemClock, now: () => course.clock.now() + passed };
beforeAll(async () => {
  course = await openRecordedCourse();
}, 30_000);
beforeEach(async () => {
  await course.restart();
  answer = listed();
  asked = [];
  passed = 0;
  offers = createKnownOffers();
});
afterAll(() => course.close());

const whole = { more: null, failure: null };
const entry = (figures: Partial<SessionFigures> = {}, sessionId = "session-1"): SessionReply => ({
  sessionId,
  ...{ spaceId: "space", startedAt: null, endedAt: null, participantCount: null },
  figures: { ...noFigures, ...figures },
});
function listed(...entries: SessionReply[]): Answer {
  return { entries, ...whole };
}

/** Everything that is due is read. */
async function work(): Promise<void> {
  const readSessions = ({ sessionId = "" }: { sessionId?: string }) => {
    asked.push(sessionId);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  while (await readNextAnalytics({ ...course.deps, clock, offers, classroomOf: () => ({ readSessions }) }));
}
const kept = () => course.stores.sessionFigures.find({ environment, sessionId: "session-1" });
const taskOf = async (sessionId: string) => {
  const task = await course.stores.tasks.find(sessionAnalytics, {
    ...{ environment, spaceId: "space", sessionId, endedAt: 0 },
  });
  return task === null ? null : task.problem;
};
const people = () => course.stores.sessionFigures.peopleIn({ environment, sessionId: "session-1" }, 10);

describe("what the classroom says of a session", () => {
  test("is asked once when its end is told, however often that is, and kept", async () => {
    answer = listed(
      entry({
        figures: [{ path: "score", value: 4 }],
        people: [{ userId: "u-1", figures: [{ path: "minutes", value: 42 }] }],
      }),
    );
    await course.ended("session-1");
    await work();
    await course.ended("session-1");
    await course.ended("session-1");
    await work();
    expect(asked.length, "a repeated end reads it again at most once").toBeLessThanOrEqual(2);
    expect(await kept()).toMatchObject({ spaceId: "space", figures: [{ path: "score", value: 4 }] });
    expect(await people()).toEqual([{ userId: "u-1", figures: [{ path: "minutes", value: 42 }] }]);
  });

  test("is replaced by a later reading, people included", async () => {
    const person = (userId: string) => ({ userId, figures: [{ path: "minutes", value: 1 }] });
    for (const all of [["u-1", "u-2"], ["u-2"]]) {
      answer = listed(entry({ people: all.map(person) }));
      await course.ended("session-1");
      await work();
    }
    expect((await people()).map(({ userId }) => userId)).toEqual(["u-2"]);
  });

  test("is asked for again while it is not in the list, and then no more", async () => {
    answer = listed(entry({}, "another"));
    await course.ended("session-1");
    for (let look = 0; look < maxLooks + 3; look += 1) {
      await work();
      passed += lookAgainMs;
    }
    expect(asked).toHaveLength(maxLooks);
    expect(await kept()).toBeNull();
  });

  test.each([403, 405, 501])(
    "is no failure where the classroom has no such list and answers %i",
    async (status) => {
      answer = new NamedError("classroom-refused", "It has none.", { details: { answer: status } });
      await course.ended("session-1");
      await work();
      passed += day;
      await work();
      expect(asked).toEqual(["session-1"]);
      expect(await taskOf("session-1")).toBeNull();
    },
  );

  /** Ends sessions at one time, and looks as often as there may be something to do. */
  async function endAll(...sessionIds: string[]): Promise<void> {
    for (const sessionId of sessionIds) await course.ended(sessionId);
    for (let look = 0; look < maxLooks + 1; look += 1) {
      await work();
      passed += lookAgainMs;
    }
  }
  const times = (sessionId: string) => asked.filter((one) => one === sessionId).length;

  test("is asked once a session where the classroom answers 404, and for one session a day as often as elsewhere", async () => {
    answer = { entries: [], ...whole, missing: true };
    await endAll("session-1", "session-2", "session-3");
    await endAll("session-4");
    const counts = ["session-1", "session-2", "session-3", "session-4"].map(times);
    expect(counts.toSorted((one, other) => one - other)).toEqual([1, 1, 1, maxLooks]);
    expect(times("session-4")).toBe(1);
    passed += day;
    await endAll("session-5");
    expect(times("session-5")).toBe(maxLooks);
  });

  test("is asked for again where 404 says that it is not there yet", async () => {
    answer = listed(entry());
    await endAll("session-1");
    answer = { entries: [], ...whole, missing: true };
    await endAll("session-2", "session-3");
    expect([times("session-2"), times("session-3")]).toEqual([maxLooks, maxLooks]);
  });

  test("is asked for again after a failure", async () => {
    answer = new Error("the classroom is away");
    await course.ended("session-1");
    await work();
    answer = listed(entry());
    passed += 3_600_000;
    await work();
    expect(await kept()).not.toBeNull();
  });

  test("is not asked for in a Space that no course has", async () => {
    await course.ended("session-1", course.clock.now(), "far-away");
    await work();
    expect(asked).toEqual([]);
    expect(await taskOf("session-1")).toBeNull();
  });

  test("is deleted half a year later, with what it said of people", async () => {
    answer = listed(entry({ people: [{ userId: "u-1", figures: [] }] }));
    await course.ended("session-1");
    await work();
    passed += 179 * day;
    await purge({ ...course.deps, ...course.stores, clock });
    expect(await kept()).not.toBeNull();
    passed += 2 * day;
    await purge({ ...course.deps, ...course.stores, clock });
    expect([await kept(), await people()]).toEqual([null, []]);
  });
});
