import { z } from "zod";
import type { DemoWorld, DemoWorldOptions } from "../../../sandbox/demo-world.ts";
import { openCourseLink } from "../../../sandbox/open-course-link.ts";
import { createVisitor } from "../../../sandbox/visitor.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import { type BurstScript, writeBurst } from "./burst-script.ts";
import { type Acceptance, type Progress, sendBurst } from "./burst-sender.ts";
import { startWorld, walkIn } from "./start-world.ts";
import { until } from "../until.ts";
import { giveApiUser } from "../builders/give-api-user.ts";

const courseId = "2";
const linkId = "1";
/** Ids of the learners in the LMS are numbers from here on. */
const firstSub = 1_001;
const hour = 3_600_000;

/** A course with a gradebook in which a burst of attendance can arrive. */
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
  /** Scores it took, in their order. */
  taken: readonly (number | null)[];
  /** Of these, how many said what it had already. */
  repeated: number;
};

/**
 * Starts it with so many learners, all enrolled, known and with an API user: nobody has to be made at four calls a second.
 */
export async function startBurstWorld(options: {
  learners: number;
  events: number;
  /** How the tool is started; as in every story when left out. */
  startTool?: DemoWorldOptions["startTool"];
}): Promise<BurstWorld> {
  const { startTool } = options;
  const world = await startWorld({ learners: 1, ...(startTool === undefined ? {} : { startTool }) });
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

/** Puts learners into the LMS and, as if the classroom had made their users, into the tool. */
async function enrol(world: DemoWorld, stores: Stores, count: number): Promise<string[]> {
  const subs = Array.from({ length: count }, (_none, at) => String(firstSub + at));
  const [registration] = await stores.registrations.list();
  if (registration === undefined) throw new Error("the tool knows no LMS");
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
  // Only now, or the tool would find them in the roster and have users made for them.
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
  const [space] = world.classroom.spaces();
  if (space === undefined) throw new Error("the course has no Space");
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

/** How many webhooks wait for something. */
async function leftReceipts({ receipts }: Stores): Promise<number> {
  const { waiting, asking, unmatched } = await receipts.countByState();
  return waiting + asking + unmatched;
}

/** The webhooks of a burst for this world. */
export function burstFor({ userIds, eventIds }: BurstWorld, count: number, seed: number): BurstScript {
  return writeBurst({ userIds, eventIds, count, seed });
}

/** Sends them to the tool, whichever process of it runs at the moment. */
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

/** Learners whose grade in the gradebook is not the one that has to be, with both. */
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

/** Whether the tool has nothing left to do with webhooks and scores. */
export async function isQuiet({ stores }: BurstWorld): Promise<boolean> {
  return (await leftReceipts(stores)) === 0 && (await stores.deliveries.countByState()).waiting === 0;
}

/** How many webhooks the tool gave up, and how many different ones it has seen through. */
export async function outcomesOf({ stores }: BurstWorld): Promise<{ failed: number; done: number }> {
  // Counted: what is kept count of lacks what killed processes had not written down.
  const count = (state: "failed" | "done") => stores.receipts.countUpTo(state, 1_000_000);
  return { failed: await count("failed"), done: await count("done") };
}

const postSchema = z.object({ userId: z.string(), scoreGiven: z.number().nullish() });

/** What the stand-in took for each learner; status 0 is a lost answer, and the score had arrived. */
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
