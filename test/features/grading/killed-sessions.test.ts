import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEvent } from "../../../src/modules/attendance/record-attendance.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import {
  enqueueRegrade,
  gradeAfterChange,
  regradeCourse,
  runPendingRegrades,
} from "../../../src/modules/grading/regrade.ts";
import { runPlan } from "../../../src/modules/scheduling/run-plan.ts";
import { refreshEvent } from "../../../src/modules/scheduling/keep-event.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { policyWith } from "../../support/builders/grading-course.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());

const key = { registrationId: "reg_1", courseId: "bio" };
const hour = 3_600_000;
let course: PlannedCourse;

/** Ann was in the only session; her grade is out of all planned ones. */
beforeEach(async () => {
  course = await openPlannedCourse(database, { changes: true });
  await course.addMember("bio", "Ann", "learner");
  const { eventId } = created();
  await course.note(eventId);
  await course.stores.attendance.record(
    { ...key, eventId, personId: "per-Ann" },
    { status: "PRESENT", notes: null, at: 1, updatedBy: null },
    { id: "att-1", sectionIds: [] },
  );
  await gradeMembers(grading(), { registrationId: "reg_1", id: "bio" }, [{ id: "per-Ann", sub: "Ann" }]);
  const policy = policyWith({ denominator: { kind: "planned" } });
  await course.stores.courses.changePolicy("bio", 0, policy);
  await enqueueRegrade(grading(), "bio");
  await regrade();
  expect(await score()).toBe(100);
});
afterEach(() => course.close());

const created = () =>
  course.classroom.createEvent({
    title: "Lesson",
    spaceId: course.spaceId,
    startsAt: course.time.now + hour,
    endsAt: course.time.now + 2 * hour,
  });

function grading() {
  return course.deps;
}
async function regrade(): Promise<void> {
  while (await regradeCourse(grading()));
}
async function score() {
  const delivery = await course.stores.deliveries.find({
    ...key,
    columnKey: "attendance",
    personId: "per-Ann",
  });
  return delivery?.desired?.score;
}
/** What the grade should be, by the stored sessions. */
async function rightScore(): Promise<number> {
  const held = (await course.sessions()).filter(({ cancelled }) => !cancelled);
  return Math.round(10_000 / held.length) / 100;
}

/** Everything that a process uses, until it is killed after that many calls of its stores. */
function process(calls: number) {
  const all = grading();
  const names = [
    ...(["events", "sessionPlans", "courses", "courseLinks", "unassignedEvents", "pendingRegrades"] as const),
    ...(["regrades", "registrations", "people", "members"] as const),
  ];
  const { stores, isDead } = mortalStores(all, names, calls);
  const whileSessionsChange: typeof all.whileSessionsChange = (of, change) =>
    gradeAfterChange(stores, of, "everybody", change);
  return { deps: { ...stores, whileSessionsChange }, isDead };
}

/**
 * Does something in a process that is killed after the first call of its stores, then in one that is killed after the
 * second, and so on until one of them lives to the end; after each, others see to the grades.
 */
async function killedAtEveryMoment(work: (deps: ReturnType<typeof process>["deps"]) => Promise<unknown>) {
  for (let calls = 1; calls < 100; calls += 1) {
    const { deps, isDead } = process(calls);
    await work(deps).catch((thrown: unknown) => {
      if (!isDead()) throw thrown;
    });
    course.later(leaseMs + 1_000);
    while (await runPendingRegrades(grading()));
    await regrade();
    expect([calls, await score()]).toEqual([calls, await rightScore()]);
    if (!isDead()) {
      expect(calls, "moments at which it was killed").toBeGreaterThan(5);
      return;
    }
  }
  throw new Error("it never came to its end");
}

describe("a process that is killed at any moment leaves the right grades", () => {
  test("while it stores the event of a webhook, even if no other webhook names it", async () => {
    await killedAtEveryMoment((deps) => {
      const { eventId } = created();
      return refreshEvent(deps, {
        environment: "production",
        eventId,
        eventType: "EVENT_CREATED",
        at: course.time.now,
      });
    });
    expect((await course.sessions()).length).toBeGreaterThan(2);
  });

  test("while it stores a cancelled event", async () => {
    const events: { eventId: string }[] = [];
    for (let number = 0; number < 30; number += 1) {
      const event = created();
      await course.note(event.eventId);
      events.push(event);
    }
    await enqueueRegrade(grading(), "bio");
    await killedAtEveryMoment((deps) => {
      const { eventId = "" } = events.pop() ?? {};
      course.classroom.cancelEvent({ eventId });
      return refreshEvent(deps, {
        environment: "production",
        eventId,
        eventType: "EVENT_CANCELLED",
        at: course.time.now,
      });
    });
  });

  test("while it looks for the event of an attendance that no webhook had named", async () => {
    await killedAtEveryMoment((deps) => findEvent(deps, "production", created().eventId));
  });

  test("while it creates a planned session, which is created once", async () => {
    let batch = 0;
    const made = async () => {
      for (let tries = 0; tries < 5; tries += 1) {
        while (await runPlan(process(Infinity).deps));
        course.later(60_000);
      }
    };
    await killedAtEveryMoment(async (deps) => {
      await made();
      batch += 1;
      await course.plan({ batch: `batch-of-the-page-${batch}`, title: `Planned ${batch}` });
      await runPlan(deps);
    });
    await made();
    const titles = course.classroom.events().map(({ title }) => title);
    expect(new Set(titles.filter((title) => title !== "Lesson")).size).toBe(titles.length - 1);
  });
});
