import { beforeEach, describe, expect, test } from "vitest";
import type { ListReply } from "../../../src/classroom/create-reader.ts";
import type { SessionReply } from "../../../src/classroom/read-sessions.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import {
  type SessionFigures,
  readAgainMs,
  maxReads,
} from "../../../src/modules/analytics/rules/session-figures.ts";
import { readNextAnalytics } from "../../../src/modules/analytics/read-analytics.ts";
import { purge } from "../../../src/modules/operations/upkeep.ts";
import { sessionAnalytics } from "../../../src/modules/recordings/recording-readings.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

type Answer = ListReply<SessionReply> | Error;

const environment = "production";
const day = 24 * 3_600_000;

let answer: Answer;
let asked: string[];
/** Time since the beginning of a test (ms). */
let passed = 0;
const clock = { ...systemClock, now: () => course.clock.now() + passed };
const course = await forAllTests(openRecordedCourse());
beforeEach(async () => {
  await course.restart();
  answer = listed();
  asked = [];
  passed = 0;
});

const whole = { more: null, failure: null };
const entry = (figures: Partial<SessionFigures> = {}, sessionId = "session-1"): SessionReply => ({
  sessionId,
  spaceId: "space",
  startedAt: null,
  endedAt: null,
  figures: { figures: [], series: [], cut: false, ...figures },
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
  while (await readNextAnalytics({ ...course.deps, clock, classroomOf: () => ({ readSessions }) }));
}
const kept = async () => {
  const ever = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const all = await course.stores.sessionFigures.listOfSpaces(environment, ["space"], ever);
  return all.find(({ sessionId }) => sessionId === "session-1") ?? null;
};
const taskOf = async (sessionId: string) => {
  const task = await course.stores.tasks.find(sessionAnalytics, {
    environment,
    spaceId: "space",
    sessionId,
    endedAt: 0,
  });
  return task === null ? null : task.problem;
};

describe("what the classroom reports about a session", () => {
  test("is read and stored once, however often the session's end is reported", async () => {
    answer = listed(entry({ figures: [{ path: "score", value: 4 }] }));
    await course.ended("session-1");
    await work();
    await course.ended("session-1");
    await course.ended("session-1");
    await work();
    expect(asked.length, "a repeated end reads it again at most once").toBeLessThanOrEqual(2);
    expect(await kept()).toMatchObject({ spaceId: "space", figures: [{ path: "score", value: 4 }] });
  });

  test("is read again while the list lacks it, but only a few times", async () => {
    answer = listed(entry({}, "another"));
    await course.ended("session-1");
    for (let look = 0; look < maxReads + 3; look += 1) {
      await work();
      passed += readAgainMs;
    }
    expect(asked).toHaveLength(maxReads);
    expect(await kept()).toBeNull();
  });

  test.each([403, 405, 501])(
    "is not a failure if the classroom has no such list and answers %i",
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

  test("is read once if the classroom answers 404 after the session's end", async () => {
    answer = { entries: [], ...whole, missing: true };
    await course.ended("session-1");
    for (let look = 0; look < maxReads; look += 1) {
      await work();
      passed += readAgainMs;
    }
    expect(asked).toEqual(["session-1"]);
  });

  test("is read again after a failure", async () => {
    answer = new Error("the classroom is away");
    await course.ended("session-1");
    await work();
    answer = listed(entry());
    passed += 3_600_000;
    await work();
    expect(await kept()).not.toBeNull();
  });

  test("isn't read for a Space without a course", async () => {
    await course.ended("session-1", course.clock.now(), "far-away");
    await work();
    expect(asked).toEqual([]);
    expect(await taskOf("session-1")).toBeNull();
  });

  test("is deleted half a year later", async () => {
    answer = listed(entry());
    await course.ended("session-1");
    await work();
    passed += 179 * day;
    await purge({ ...course.deps, clock });
    expect(await kept()).not.toBeNull();
    passed += 2 * day;
    await purge({ ...course.deps, clock });
    expect(await kept()).toBeNull();
  });
});
