import { randomBytes } from "node:crypto";
import { createLogger } from "../../../src/kernel/logger.ts";
import { type DemoWorld, type DemoWorldOptions, startDemoWorld } from "../../../sandbox/demo-world.ts";
import { type AssumptionName, assumptionNames, turnedOf } from "../../../sandbox/assumptions.ts";
import { enterByCourseLink } from "../../../sandbox/open-course-link.ts";
import { createVisitor } from "../../../sandbox/visitor.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { asClients, dialectOfClients, dialectOfTurned, otherOriginOf } from "../stand-ins/dialects.ts";
import { addressesOf, startTool } from "./tool-cluster.ts";
import { required } from "../required.ts";

const silent = createLogger("silent");
/** Which assumptions of the stand-ins are reversed in all stories of this run; none when TURNED is not set. */
const turned = turnedOf(process.env.TURNED ?? "");
const mongoUrl = process.env.MONGODB_URL;
if (mongoUrl === undefined) {
  console.warn("\n*** MONGODB_URL is not set: the stories ran on the embedded engine only ***\n");
}

export type Turns = Partial<Record<AssumptionName, boolean>>;

export type WorldOptions = Partial<DemoWorldOptions> & {
  /** How many of the thirty are enrolled: the classroom takes four calls a second, so a whole class costs time. */
  learners?: number;
  /** The assumptions that a story fixes: reversed (true) or not (false), whatever the others of this run are. */
  turns?: Turns;
  /** Changes the dialect file that this run's classroom needs. */
  dialectWith?: (usual: object) => object;
};

/** Both stand-ins and the tool as a separate process; on a fresh database of MONGODB_URL when that is set. */
export async function startWorld(options: WorldOptions = {}): Promise<DemoWorld> {
  const { learners = 30, turns = {}, dialectWith = (usual: object) => usual, ...wanted } = options;
  const here = new Set([...turned, ...namesOf(turns, true)]);
  for (const name of namesOf(turns, false)) here.delete(name);
  const isSpoken = here.size > 0 || asClients || options.dialectWith !== undefined;
  const dialect: DemoWorldOptions["dialect"] = ({ appUrl }) =>
    dialectWith(
      asClients ? dialectOfClients(appUrl, [...here]) : dialectOfTurned(here, otherOriginOf(appUrl)),
    );
  const rest: Partial<DemoWorldOptions> = {
    turned: here,
    ...(isSpoken ? { dialect } : {}),
    ...(asClients ? { spelling: "clients" } : {}),
    ...wanted,
  };
  const world = await startWholeWorld(rest);
  for (let number = learners; number < 30; number += 1) {
    for (const course of ["2", "3"]) world.lms.unenrol(course, String(11 + number));
  }
  return world;
}

function namesOf(turns: Turns, isTurned: boolean): AssumptionName[] {
  return assumptionNames.filter((name) => turns[name] === isTurned);
}

async function startWholeWorld(options: Partial<DemoWorldOptions>): Promise<DemoWorld> {
  if (mongoUrl === undefined) return startDemoWorld({ logger: silent, startTool, ...options });
  const url = new URL(mongoUrl);
  url.pathname = `/story_${randomBytes(6).toString("hex")}`;
  const world = await startDemoWorld({ logger: silent, startTool, databaseUrl: url.href, ...options });
  return {
    ...world,
    close: async () => {
      await world.close();
      const database = await openDatabase({ url: url.href, logger: silent });
      await database.connection.dropDatabase();
      await database.close();
    },
  };
}

/** A person walks into the Space from a course link, top level; an instructor by the button. @returns their user id in the classroom. */
export async function walkIn(world: DemoWorld, person: string, linkId: string): Promise<string> {
  const answer = await enterByCourseLink(createVisitor(), world.lms, person, linkId);
  if (answer.status !== 303)
    throw new Error(`the launch of ${person} answered ${answer.status}: ${answer.text}`);
  const token = new URL(answer.location ?? "").searchParams.get("token");
  const login = world.classroom.authorizations().find((one) => one.token === token);
  return required(login, `the login that ${person} was sent on with`).userId;
}

/** The host holds a session in the course's Space and marks one person. @returns the event's id. */
export function holdSession(world: DemoWorld, courseName: string, userId: string, status: Status): string {
  const space = required(world.classroom.spaces().find((one) => one.name.startsWith(courseName)));
  const now = Date.now();
  const event = world.classroom.createEvent({
    spaceId: space.spaceId,
    title: "Lesson",
    startsAt: now - 3_600_000,
    endsAt: now,
  });
  world.classroom.markAttendance({ eventId: event.eventId, userId, status });
  return event.eventId;
}

export type Status = "PRESENT" | "LATE" | "ABSENT" | "EXCUSED";

/** The learner's grade that the gradebook shows in the course's column, counted from the first. */
export function gradeOfLearner(
  world: DemoWorld,
  courseId: string,
  username: string,
  column = 0,
): number | null {
  const learner = world.lms.gradebook(courseId).learners.find((one) => one.username === username);
  return learner?.grades[column]?.value ?? null;
}

/**
 * One figure of the tool's /metrics, such as `spaces_lti_receipts{state="done"}`. What each instance counts separately (`_total`) is summed;
 * the others say what is in the store.
 */
export async function metric(world: DemoWorld, name: string): Promise<number> {
  const urls = /_total\b/.test(name) ? addressesOf(world.tool(), world.toolUrl) : [world.toolUrl];
  const figures = await Promise.all(
    urls.map(async (url) => {
      const text = await (await fetch(new URL("/metrics", url))).text();
      const line = text.split("\n").find((one) => one.startsWith(`${name} `));
      return line === undefined ? 0 : Number(line.slice(name.length + 1));
    }),
  );
  return figures.reduce((sum, figure) => sum + figure, 0);
}
