import { testAccounts } from "../../support/builders/test-accounts.ts";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { oldestUnsent } from "../../../src/modules/grading/show-grades.ts";
import { checkReadiness, checkWarnings } from "../../../src/modules/operations/health.ts";
import { watchUnsent } from "../../../src/modules/operations/upkeep.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";

const hour = 3_600_000;
let world: GradebookCourse;
let logged: string[];
beforeEach(async () => {
  world = await openGradebookCourse("moodle");
  logged = [];
});
afterEach(() => world.end());
afterAll(closeGradebooks);

const deps = () => ({
  ...world.stores,
  unsentAlarmAfter: hour,
  clock: world.clock,
  logger: createLogger("info", {
    write: (line) => {
      logged.push(line);
    },
  }),
  ping: () => Promise.resolve(),
  storeTime: { lead: () => ({ ms: 0, doubtMs: 0 }) },
});
/** What an operator is warned about. */
const warned = async () =>
  (
    await checkWarnings({ ...world.stores, ...deps(), accounts: testAccounts(), silenceAlarmAfter: hour })
  ).map(({ what }) => what);
/** Every process looks, each minute. */
const look = () => Promise.all([watchUnsent(deps()), watchUnsent(deps()), watchUnsent(deps())]);

describe("a score that does not reach its gradebook", () => {
  test("raises an alarm after the configured time, logged once at its beginning and once at its end", async () => {
    world.lms.faults.add({ on: "scores", how: "answer", status: 503 });
    await world.want("11", 80);
    await world.deliver();
    world.pass(hour / 2);
    await look();
    expect(logged).toEqual([]);
    expect(await warned()).toEqual([]);
    world.pass(hour);
    await world.deliver();
    await look();
    await look();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('"level":"error"');
    // One LMS's gradebook takes no process out of service.
    expect(await checkReadiness(deps())).toEqual({ ready: true, problems: [] });
    expect(await warned()).toEqual(["scores"]);
    const { since, ...rest } = await oldestUnsent(deps(), world.course);
    expect(rest).toEqual({ tooLong: true, waiting: 1 });
    expect(world.clock.now() - (since ?? 0)).toBeGreaterThan(hour);

    // Pressing "send again" does not make it younger.
    await world.stores.deliveries.retryCourse("reg_1", world.place.courseId, world.clock.now());
    expect((await oldestUnsent(deps(), world.course)).since).toBe(since);

    world.lms.faults.clear();
    await world.deliver();
    await look();
    await look();
    expect(logged).toHaveLength(2);
    expect(await checkReadiness(deps())).toMatchObject({ ready: true });
    expect(await oldestUnsent(deps(), world.course)).toEqual({ since: null, tooLong: false, waiting: 0 });
  });

  test("waits for an instructor if a teacher's grade holds it: no alarm, but counted", async () => {
    await world.want("11", 80);
    await world.deliver();
    world.pass(2_000);
    world.lms.overrideGrade(world.columns()[0]?.id ?? "", "11", 44);
    world.pass(2_000);
    await world.want("11", 90);
    await world.deliver();
    world.pass(5 * hour);
    await look();
    expect(logged).toEqual([]);
    expect(await oldestUnsent(deps(), world.course)).toEqual({ since: null, tooLong: false, waiting: 0 });
  });
});
