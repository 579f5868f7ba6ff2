import { monitorEventLoopDelay } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { defaultGradePolicy } from "../../src/domain/grade-policy.ts";
import { defaultUnplannedRule } from "../../src/domain/unplanned-rule.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { inLanes } from "../../src/kernel/async.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { processReceipts } from "../../src/inbox/process-receipts.ts";
import { webhookHandlers } from "../../src/inbox/webhook-handlers.ts";
import { gradeAfterChange } from "../../src/modules/grading/regrade.ts";
import { gradeMember } from "../../src/modules/grading/grade-members.ts";
import { answerClass } from "../../src/modules/unplanned/answer-class.ts";
import { lookForClasses } from "../../src/modules/unplanned/look-for-classes.ts";
import { settleNext } from "../../src/modules/unplanned/settle-class.ts";
import { presenceWebhooks } from "../../src/modules/presence/record-signals.ts";
import { createTaskQueue } from "../../src/tasks/task-queue.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { openGradingCourse, policyWith } from "../support/builders/grading-course.ts";
import { openRecordedCourse } from "../support/builders/recorded-course.ts";
import { seedGrading } from "../support/builders/seed-grading.ts";
import { waitingReceipt } from "../support/builders/waiting-receipt.ts";
import { until } from "../support/until.ts";
import { type BenchRow, timed, timeRow } from "./bench-row.ts";
import { openFramed } from "./open-framed.ts";
import { type QueueWorld, startQueueWorld } from "./queue-world.ts";
import { openSpareSender } from "./spare-sender.ts";
import { type Prepared, prepareLaunch } from "./walk-in.ts";

const sessions = 60;
const wantedMs = 5_000;
const wantedStallMs = 250;
/** So many turns of everybody, the first before the burst, that who came has left at the end. */
const burst = { people: 250, webhooks: 10_250, sideBySide: 64 };
const launchesPerSecond = 10;
const launchesBefore = 200;
const minute = 60_000;
const patienceMs = 120_000;

/**
 * A class that nobody planned, of a course that is graded already: how long until it is a session and everybody's score is wanted,
 * beside a change of the policy in the same course, and for a tenth of the people. Then 10,000 webhooks about people in a Space, at
 * once: what becomes of grades and launches meanwhile, and how much is written for each. Takes about three minutes.
 */
export async function benchUnplanned(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const people of [100, 1_000]) rows.push(...(await adoption(people)));
  return [...rows, ...(await launchesBesideBurst()), ...(await writesOfBurst())];
}

/** A course of so many learners with 60 graded sessions, who all were in its Space for an hour without a plan. */
async function classOf(people: number) {
  const course = await openGradingCourse();
  const { stores, key } = course;
  await seedGrading(course, { learners: people, sessions });
  await stores.courses.claimSpace(key.courseId, "bench", 0, 1);
  await stores.courses.keepSpace(key.courseId, "bench", "space");
  await course.setPolicy(defaultGradePolicy);
  await course.regrade();
  const began = course.clock.now();
  const visitors = Array.from({ length: people + 1 }, (_none, n) => n);
  await inLanes(32, visitors, async (n) => {
    const userId = n === people ? "a-stranger" : `user-${n}`;
    const session = { environment: "production" as const, spaceId: "space", sessionId: "session-1" };
    const sign = { tab: `tab-${n}`, room: "room" };
    const from = { ...sign, at: began + (n % 20) * minute, kind: "join" as const };
    const to = { ...sign, at: began + (60 - (n % 7)) * minute, kind: "leave" as const };
    await stores.presences.note({ ...session, userId }, [from, to], false);
  });
  course.pass(120 * minute);
  return course;
}

async function adoption(people: number): Promise<BenchRow[]> {
  const course = await classOf(people);
  const { stores, key } = course;
  const deps = {
    ...course.deps,
    ...{ onKind: () => undefined, translatorOf: createTranslator() },
    whileSessionsChange: <T>(of: { id: string; registrationId: string }, change: () => Promise<T>) =>
      gradeAfterChange(course.deps, of, "everybody", change),
  };
  const of = `${people.toLocaleString("en")} learners x ${sessions} sessions`;
  const only = async () => {
    const [found] = await stores.unplannedClasses.listOfCourse(key.courseId, 0, 1);
    if (found === undefined) throw new Error("no class was found");
    return found;
  };
  const answered = async (to: "class" | "none") => {
    const answer = { to, by: "per-Ina", rule: defaultUnplannedRule };
    if (!(await answerClass(deps, await course.course(), await only(), answer)))
      throw new Error("the answer did not count");
    while (await settleNext(deps));
    await course.regrade();
  };
  try {
    const graded = await course.scores();
    const look = await timed(() =>
      lookForClasses(deps, { environment: "production", spaceId: "space" }, null),
    );
    const { learners } = await only();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const made = await timed(() => answered("class"));
    delay.disable();
    const scores = await course.scores();
    const changed = Object.keys(graded).filter((one) => graded[one] !== scores[one]).length;
    const back = await timed(() => answered("none"));
    const same = isDeepStrictEqual(await course.scores(), graded);
    const policy = await timed(async () => {
      await course.setPolicy(policyWith({ credit: { PRESENT: 90, LATE: 40, ABSENT: 0, EXCUSED: null } }));
      await course.regrade();
    });
    return [
      timeRow(`unplanned class of ${learners} found by a look; ${of}`, look, wantedMs),
      timeRow(`made a session, until all scores are wanted (${changed} change); ${of}`, made, wantedMs),
      timeRow("made a session: longest stall of the event loop", delay.max / 1e6, wantedStallMs),
      timeRow(`taken back, until all scores are ${same ? "what they were" : "WRONG"}; ${of}`, back, wantedMs),
      timeRow(`beside it, policy changed, every score changes; ${of}`, policy, wantedMs),
    ];
  } finally {
    await course.close();
  }
}

/** Launches at an even rate before a burst and during it, until all of it was processed and the class found. */
async function launchesBesideBurst(): Promise<BenchRow[]> {
  const world = await startQueueWorld({ people: burst.people, processes: 1 });
  const [tool] = world.tools;
  const { spaceId, userIds, secret } = world.webhooks;
  const to = { url: `${tool?.url ?? ""}/webhooks/production`, secret };
  try {
    const courseId = await gradeEverybody(world);
    const wanted = async () =>
      (await world.stores.deliveries.listOfCourse(world.registration.id, courseId))
        .map(({ personId, columnKey, desired }) => JSON.stringify([personId, columnKey, desired]))
        .toSorted();
    const prepared = await prepareLaunches(world, 3 * launchesBefore);
    const bodies = Array.from({ length: burst.people + burst.webhooks }, (_none, n) =>
      JSON.stringify(signOf(spaceId, userIds, n, Date.now())),
    );
    const send = async (some: readonly string[]) => {
      // Not before: the tool ends connections that are idle for seconds.
      const sender = await openSpareSender(to, burst.sideBySide);
      await inLanes(burst.sideBySide, some, async (body) => {
        const status = await sender.post(body);
        if (status !== 202) throw new Error(`a webhook was answered with ${status}`);
      });
      sender.close();
      const now = Date.now();
      const left = async () => (await world.stores.receipts.countLeft(now)) === 0;
      await until(patienceMs, "the webhooks were processed", left, 50);
    };
    // Everybody has come: the page of a launch names who is there, and does so before the burst as during it.
    await send(bodies.splice(0, burst.people));
    const before = await launchEvenly(prepared.splice(0, launchesBefore), () => false);
    const grades = await wanted();
    const state = { over: false };
    const sent = async () => {
      await send(bodies);
      state.over = true;
    };
    const began = performance.now();
    const [during] = await Promise.all([launchEvenly(prepared, () => state.over), sent()]);
    const took = performance.now() - began;
    const asked = async () => (await world.stores.unplannedClasses.listOfCourse(courseId, 0, 2)).length === 1;
    await until(patienceMs, "the class was found", asked, 100);
    const after = await wanted();
    const changed = after.filter((one) => !grades.includes(one)).length;
    const of = `${burst.webhooks.toLocaleString("en")} presence webhooks of ${burst.people} people`;
    return [
      {
        measure: `${of}: grades that changed, of ${grades.length}, also after the class was found`,
        value: String(changed),
        limit: "0",
        ratio: changed === 0 && grades.length === burst.people ? "as it must be" : "WRONG",
      },
      {
        measure: `${of}: sent at once, all processed`,
        value: `${(took / 1_000).toFixed(1)} s`,
        limit: "none",
        ratio: "-",
      },
      {
        measure: `framed launches, ${launchesPerSecond} a second, p50, p95 and p99 of ${before.length} before`,
        value: timesOf(before),
        limit: "none",
        ratio: "-",
      },
      {
        measure: `the same of ${during.length} during it`,
        value: timesOf(during),
        limit: "p50 1.5 times",
        ratio: `${(quantile(during, 0.5) / quantile(before, 0.5)).toFixed(2)} times`,
      },
    ];
  } finally {
    await world.close();
  }
}

/** One session, in which everybody was present. @returns the course's id */
async function gradeEverybody({ stores, registration }: QueueWorld): Promise<string> {
  const registrationId = registration.id;
  const [course] = await stores.courses.findByContexts(registrationId, ["2"]);
  if (course === undefined) throw new Error("the tool knows no course");
  const deps = {
    ...stores,
    ...{ wake: () => undefined, clock: systemClock, ids: randomIds, logger: createLogger("silent") },
    translatorOf: createTranslator(),
  };
  const endsAt = Date.now() - 24 * 60 * minute;
  const times = { startsAt: endsAt - 60 * minute, endsAt, cancelled: false, readAt: endsAt };
  const event = { environment: course.environment, eventId: "event_graded", courseId: course.id };
  await stores.events.save({ ...event, spaceId: course.spaceId, title: "Graded", ...times });
  const listed = await stores.people.findMany(
    (await stores.members.listAfter({ registrationId, courseId: course.id }, "", 1_000)).map(
      ({ personId }) => personId,
    ),
  );
  const learners = listed.filter(({ sub }) => sub.startsWith("learner-"));
  await inLanes(8, learners, async (person) => {
    const key = { registrationId, courseId: course.id, eventId: event.eventId, personId: person.id };
    const said = { status: "PRESENT", notes: null, at: endsAt, updatedBy: null };
    await stores.attendance.record(key, said, { id: randomIds.id("att"), sectionIds: [] });
    await gradeMember(deps, course, person);
  });
  await settleScores(stores);
  return course.id;
}

/** As if the gradebook had them all: no LMS is there to take them, and what is tried again would go on beside the launches. */
async function settleScores({ deliveries }: QueueWorld["stores"]): Promise<void> {
  for (;;) {
    const holder = randomIds.id("hold");
    const now = Date.now() + 60 * minute;
    const one = await deliveries.claimDue(holder, now, now + minute);
    if (one === null) return;
    const arrived = { state: "delivered", waitingSince: null } as const;
    await deliveries.settle(one.id, holder, one.desired?.revision ?? 0, arrived);
  }
}

/** Twenty minutes ago a stranger and everybody else went in and out of one class, so that it is looked at soon. */
function signOf(spaceId: string, userIds: readonly string[], number: number, now: number) {
  const turn = Math.floor(number / userIds.length);
  const user = number < 2 ? "user_stranger" : (userIds[number % userIds.length] ?? "");
  const joins = number < 2 ? number === 0 : turn % 2 === 0;
  const minutesAgo = number === 1 ? 20 : 60 - turn;
  return {
    ...{ _type: "SPACE_USER", spaceId, sessionId: "session_bench", roomId: "room_bench" },
    timestamp: new Date(now - minutesAgo * minute + number).toISOString(),
    eventType: joins ? "joinSpace" : "leaveSpace",
    ...{ userId: user, userTabId: `tab_${user}` },
  };
}

async function prepareLaunches(world: QueueWorld, count: number): Promise<Prepared[]> {
  const [tool] = world.tools;
  if (tool === undefined) throw new Error("there is no tool");
  const prepared: Prepared[] = [];
  for (let n = 0; n < count; n += 1)
    prepared.push(await prepareLaunch(world, tool, world.learners[n % world.learners.length] ?? {}));
  return prepared;
}

/** @returns ms of each, from its moment to the end of its page, whatever becomes of those before. */
async function launchEvenly(prepared: readonly Prepared[], isOver: () => boolean): Promise<number[]> {
  const began = performance.now();
  const answers: Promise<number>[] = [];
  for (const [n, one] of prepared.entries()) {
    const due = began + (n * 1_000) / launchesPerSecond;
    await systemClock.sleep(Math.max(0, due - performance.now()));
    if (isOver()) break;
    answers.push(
      openFramed(one.tool.url, one).then(async (page) => {
        await page.arrayBuffer();
        if (!page.ok) throw new Error(`a launch was answered with ${page.status}`);
        return performance.now() - due;
      }),
    );
  }
  return Promise.all(answers);
}

/** The same webhooks in one process, as many at a time as are sent side by side, with every write beyond their own counted. */
async function writesOfBurst(): Promise<BenchRow[]> {
  const course = await openRecordedCourse();
  const { stores } = course;
  const writes = { presence: 0, looks: 0 };
  const { add, note, settle } = stores.presences;
  const presences: typeof stores.presences = {
    ...stores.presences,
    add: (...given) => {
      writes.presence += 1;
      return add(...given);
    },
    note: (...given) => {
      writes.presence += 1;
      return note(...given);
    },
    settle: (...given) => {
      writes.presence += 1;
      return settle(...given);
    },
  };
  const { store } = stores.tasks;
  const tasks = createTaskQueue({
    ...store,
    enqueue: (...given) => {
      writes.looks += 1;
      return store.enqueue(...given);
    },
  });
  const counted = { ...course.deps, ...stores, presences, tasks };
  // As a process has them: what it remembers of the looks it wanted holds for all batches.
  const deps = { ...counted, webhooks: webhookHandlers([presenceWebhooks(counted)]) };
  const userIds = Array.from({ length: burst.people }, (_none, n) => `user_${n}`);
  course.pass(120 * minute);
  const now = course.clock.now();
  try {
    for (let from = 0; from < burst.webhooks; from += burst.sideBySide) {
      const some = Array.from({ length: Math.min(burst.sideBySide, burst.webhooks - from) }, (_none, n) =>
        signOf("space", userIds, from + n, now),
      );
      for (const body of some) await stores.receipts.insert(waitingReceipt(body, now));
      while (await processReceipts(deps));
    }
    const each = (writes.presence + writes.looks) / burst.webhooks;
    return [
      {
        measure: `writes for each presence webhook beside its own, ${burst.sideBySide} at a time (${writes.looks} of all want a look)`,
        value: each.toFixed(2),
        limit: "3",
        ratio: `${((each / 3) * 100).toFixed(0)}%`,
      },
    ];
  } finally {
    await course.close();
  }
}

function timesOf(launches: readonly number[]): string {
  return `${[0.5, 0.95, 0.99].map((part) => quantile(launches, part).toFixed(0)).join(", ")} ms`;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
