import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { z } from "zod";
import type { DemoWorld, DemoWorldOptions } from "../../../sandbox/demo-world.ts";
import { openCourseLink } from "../../../sandbox/open-course-link.ts";
import { createVisitor } from "../../../sandbox/visitor.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import { type Acceptance, type Progress, sendBurst } from "./burst-sender.ts";
import { startWorld, walkIn } from "./start-world.ts";
import { until } from "../until.ts";
import { giveApiUser } from "../builders/give-api-user.ts";
import { required } from "../required.ts";

/** What a status is worth under every course's initial policy; null is left out. */
const credit = { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null } as const;
const statuses = ["PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;
type Status = keyof typeof credit;

/** Attendance webhooks and their expected result. */
export type BurstScript = {
  /** In the order in which they are sent; some are sent twice, and later changes before earlier ones. */
  bodies: readonly string[];
  /** The final score of each learner, by the classroom's user id; null if there is none to send. */
  scores: ReadonlyMap<string, number | null>;
  /** How many different changes there are for each learner: nobody needs to be sent more scores than that. */
  changes: ReadonlyMap<string, number>;
};

/**
 * Writes a burst as at the end of a big class: statuses set and changed again within minutes. The scores are computed here and not with the
 * tool's own rules. @param options.count Webhooks in total; every tenth repeats one of the others.
 */
export function writeBurst(options: {
  userIds: readonly string[];
  eventIds: readonly string[];
  count: number;
  seed: number;
}): BurstScript {
  const { userIds, eventIds, count } = options;
  const random = seededRandom(options.seed);
  const oneOf = <T>(list: readonly T[]): T => {
    return required(list[Math.floor(random() * list.length)]);
  };
  const began = Date.now() - count * 1_000;
  const last = new Map<string, Map<string, Status>>(userIds.map((userId) => [userId, new Map()]));
  const changes = new Map<string, number>(userIds.map((userId) => [userId, 0]));
  const bodies: string[] = [];
  const repeated = Math.floor(count / 10);
  for (let number = 0; number < count - repeated; number += 1) {
    // Everybody is marked once before people are picked at random.
    const userId = userIds[number] ?? oneOf(userIds);
    const eventId = oneOf(eventIds);
    const status = oneOf(statuses);
    const known = last.get(userId);
    const prevStatus = known?.get(eventId);
    known?.set(eventId, status);
    changes.set(userId, (changes.get(userId) ?? 0) + 1);
    bodies.push(
      JSON.stringify({
        eventId,
        userId,
        timestamp: new Date(began + number * 1_000).toISOString(),
        updatedBy: "user_host",
        ...(prevStatus === undefined ? {} : { prevStatus: { status: prevStatus } }),
        currentStatus: { status },
      }),
    );
  }
  for (let number = 0; number < repeated; number += 1) bodies.push(oneOf(bodies));
  const shuffled = bodies
    .map((body) => ({ body, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ body }) => body);
  const scores = new Map([...last].map(([userId, events]) => [userId, scoreOf([...events.values()])]));
  return { bodies: shuffled, scores, changes };
}

/** The mean of the statuses that count, rounded half up to hundredths with whole numbers. */
function scoreOf(last: readonly Status[]): number | null {
  const counted = last.map((status) => credit[status]).filter((one) => one !== null);
  if (counted.length === 0) return null;
  const sum = counted.reduce<number>((total, one) => total + one, 0);
  return Math.floor((2 * sum * 100 + counted.length) / (2 * counted.length)) / 100;
}

const courseId = "2";
const linkId = "1";
/** The learners' ids in the LMS are numbers from here on. */
const firstSub = 1_001;
const hour = 3_600_000;

/** A course with a gradebook that can receive a burst of attendance. */
export type BurstWorld = {
  world: DemoWorld;
  /** The classroom's ids of the learners, in the order of their ids in the LMS. */
  userIds: readonly string[];
  eventIds: readonly string[];
  /** What the tool has stored; its metrics may be seconds old, and each process has its own. */
  stores: Stores;
  close: () => Promise<void>;
};

/** What the stand-in LMS received for one learner. */
export type Posts = {
  /** Scores it accepted, in their order. */
  taken: readonly (number | null)[];
  /** How many of these it already had. */
  repeated: number;
};

/** Starts the world with enrolled learners who have an API user each, so that none has to be created at four calls a second. */
export async function startBurstWorld(options: {
  learners: number;
  events: number;
  /** How the tool is started; by default, as in every story. */
  startTool?: NonNullable<DemoWorldOptions["startTool"]>;
  databaseUrl?: string;
}): Promise<BurstWorld> {
  const { learners: _learners, events: _events, ...how } = options;
  const world = await startWorld({ learners: 1, ...how });
  const url = world.variables.DATABASE_URL ?? "";
  const database = await openDatabase({ url, logger: createLogger("silent") });
  const close = async () => {
    await database.close();
    await world.close();
  };
  try {
    const stores = await openStores(database.connection);
    const userIds = await enrol(world, stores, options.learners);
    const eventIds = await holdEvents(world, stores, options.events);
    return { world, userIds, eventIds, stores, close };
  } catch (thrown) {
    console.error(world.output().slice(-3_000));
    await close();
    throw thrown;
  }
}

/** Adds learners to the LMS and, as if the classroom had created their users, to the tool. */
async function enrol(world: DemoWorld, stores: Stores, count: number): Promise<string[]> {
  const subs = Array.from({ length: count }, (_none, at) => String(firstSub + at));
  const registration = required((await stores.registrations.list())[0]);
  const place = { registrationId: registration.id, deploymentId: "1" };
  const listed = subs.map((sub) => ({
    sub,
    name: `New Person ${sub}`,
    givenName: "New",
    familyName: `Person ${sub}`,
    email: null,
  }));
  const { environment } = registration;
  const people = await stores.people.recordMany(place, listed, {
    newId: () => randomIds.id("per"),
    environment,
  });
  const userIds: string[] = [];
  for (const sub of subs) {
    const id = people.get(sub)?.id ?? "";
    const userId = `user_of_${sub}`;
    await giveApiUser(stores.people, id, { userId, name: `New Person ${sub}` });
    userIds.push(userId);
  }
  // Not earlier, or the tool would find them in the roster and have users created for them.
  world.lms.enrolMany(
    courseId,
    subs.map((id) => ({ id, role: "student" })),
  );
  await walkIn(world, "student1", linkId);
  await openCourseLink(createVisitor(), world.lms, "teacher1", linkId, { framed: true });
  await until(30_000, "the tool read the roster", async () => {
    const [course] = await stores.courses.findByContexts(registration.id, [courseId]);
    if (course === undefined) return false;
    const key = { registrationId: registration.id, courseId: course.id };
    return (await stores.members.page(key, null, { skip: 0, limit: 1 })).total >= count;
  });
  return userIds;
}

/** Schedules sessions in the course's Space and waits until the tool has read them. */
async function holdEvents(world: DemoWorld, stores: Stores, count: number): Promise<string[]> {
  const space = required(world.classroom.spaces()[0]);
  // Webhooks report everybody who walked in, too.
  await until(30_000, "the tool read who came", async () => (await leftReceipts(stores)) === 0);
  const { done: read } = await stores.receipts.countByState();
  const eventIds = Array.from({ length: count }, (_none, at) => {
    const startsAt = Date.now() - (at + 2) * hour;
    const title = `Lesson ${at + 1}`;
    return world.classroom.createEvent({ spaceId: space.spaceId, title, startsAt, endsAt: startsAt + hour })
      .eventId;
  });
  await until(30_000, "the tool read the sessions", async () => {
    return (await stores.receipts.countByState()).done >= read + count;
  });
  return eventIds;
}

/** How many webhooks are pending. */
async function leftReceipts({ receipts }: Stores): Promise<number> {
  const { waiting, asking, unmatched } = await receipts.countByState();
  return waiting + asking + unmatched;
}

/** The webhooks of a burst for this world. */
export function burstFor({ userIds, eventIds }: BurstWorld, count: number, seed: number): BurstScript {
  return writeBurst({ userIds, eventIds, count, seed });
}

/** Sends them to the tool, to whichever of its processes runs at the moment. */
export function send(
  { world }: BurstWorld,
  script: BurstScript,
  patience: number,
  progress?: Progress,
): Promise<Acceptance> {
  const secret = world.variables.CLASSROOM_WEBHOOK_SECRET ?? "";
  const to = { url: `${world.toolUrl}/webhooks/production`, secret };
  return sendBurst(to, script.bodies, { patience, ...(progress === undefined ? {} : { progress }) });
}

/** Learners whose grade in the gradebook is not the expected one, with both. */
export function wrongScores({ world, userIds }: BurstWorld, { scores }: BurstScript): string[] {
  const shown = new Map(
    world.lms
      .gradebook(courseId)
      .learners.map(({ personId, grades }) => [personId, grades[0]?.value ?? null]),
  );
  return userIds.flatMap((userId, at) => {
    const wanted = scores.get(userId) ?? null;
    const found = shown.get(String(firstSub + at)) ?? null;
    return found === wanted ? [] : [`learner ${firstSub + at}: ${found} instead of ${wanted}`];
  });
}

/** Whether the tool has no webhooks or scores left to process. */
export async function isQuiet({ stores }: BurstWorld): Promise<boolean> {
  return (await leftReceipts(stores)) === 0 && (await stores.deliveries.countByState()).waiting === 0;
}

/** How many webhooks the tool gave up, and how many different ones it has processed. */
export async function outcomesOf({ stores }: BurstWorld): Promise<{ failed: number; done: number }> {
  // Counted in the database: killed processes had not yet written all of their counters.
  const count = (state: "failed" | "done") => stores.receipts.countUpTo(state, 1_000_000);
  return { failed: await count("failed"), done: await count("done") };
}

const postSchema = z.object({ userId: z.string(), scoreGiven: z.number().nullish() });

/** What the stand-in accepted for each learner; with status 0 the answer was lost, but the score had arrived. */
export function postsOf({ world, userIds }: BurstWorld): Posts[] {
  const taken = new Map<string, (number | null)[]>();
  for (const { status, body } of world.lms.scores()) {
    const post = postSchema.safeParse(body);
    if (!post.success || !(status === 0 || status === 200)) continue;
    const { userId, scoreGiven = null } = post.data;
    taken.set(userId, [...(taken.get(userId) ?? []), scoreGiven]);
  }
  return userIds.map((_userId, at) => {
    const own = taken.get(String(firstSub + at)) ?? [];
    return {
      taken: own,
      repeated: own.filter((score, place) => place > 0 && score === own[place - 1]).length,
    };
  });
}

/**
 * Sends a burst, and kills the tool (SIGKILL) several times at random points of it and restarts it: while webhooks arrive, and while scores
 * are computed or sent. Resolves when every webhook is acknowledged and the tool runs. @returns how the burst was received.
 */
export async function sendAndKill(
  burst: BurstWorld,
  script: BurstScript,
  { times, random, patience }: { times: number; random: () => number; patience: number },
) {
  const progress: Progress = { acknowledged: 0 };
  const { world } = burst;
  const before = world.lms.scores().length;
  const wanted = [...script.scores.values()].filter((score) => score !== null).length;
  // Each learner who has a score causes at least one call; kills cost time, not calls, so every point is reached.
  const points = Array.from({ length: times }, () => random() * (script.bodies.length + wanted * 0.9)).sort(
    (one, other) => one - other,
  );
  const kill = async () => {
    for (const point of points) {
      const isThere = () => progress.acknowledged + world.lms.scores().length - before >= point;
      await until(patience, "the burst has come this far", isThere, 5);
      await world.tool().end("SIGKILL");
      await world.restartTool();
    }
  };
  const killing = kill();
  try {
    return await send(burst, script, patience, progress);
  } finally {
    // Otherwise it would start the tool again after everything has ended.
    await killing;
  }
}

/**
 * From now on the LMS fails 30 of 100 calls for tokens, columns and scores: with 500, 429 with and without a time to wait, and no answer;
 * for scores also with 409, an answer that is lost after the work was done, and one that comes too late. Reading grades from it still
 * works, so that each attempt ends as the call itself decided.
 */
export function failingLms({ world }: BurstWorld, { timeOuts = true } = {}): void {
  const { faults } = world.lms;
  // The first fault that hits applies, so a later one hits a little less often than its share of all calls.
  faults.add({ on: "scores", how: "answer", status: 409, share: 0.06 });
  faults.add({ on: "scores", how: "lose-answer", share: 0.08 });
  // The tool waits ten seconds for an answer, which a short test cannot afford.
  if (timeOuts) faults.add({ on: "scores", how: "slow", delayMs: 11_000, share: 0.01 });
  for (const on of ["token", "line-items", "line-item", "scores"] as const) {
    if (on !== "scores") faults.add({ on, how: "hang-up", share: 0.15 });
    faults.add({ on, how: "answer", status: 500, share: 0.09 });
    faults.add({ on, how: "answer", status: 429, retryAfter: 1, share: 0.05 });
    faults.add({ on, how: "answer", status: 429, share: 0.05 });
  }
}
