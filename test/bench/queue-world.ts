import { testAccounts } from "../support/builders/test-accounts.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createThrottle } from "../../src/classroom/throttle.ts";
import type { Course } from "../../src/domain/course.ts";
import type { Entry } from "../../src/domain/entry.ts";
import type { Registration } from "../../src/domain/registration.ts";
import { findTarget, fingerprintNow } from "../../src/modules/joining/entry-target.ts";
import { loginPurpose, usableUntil } from "../../src/modules/joining/enter-class.ts";
import { type Clock, systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { createSealer } from "../../src/kernel/sealer.ts";
import { usualReplyTimes } from "../../sandbox/stand-in-classroom/traffic.ts";
import {
  startStandInClassroom,
  type StandInClassroom,
} from "../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freePort, startToolProcess, type ToolProcess } from "../../sandbox/tool-process.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores, type Stores } from "../../src/open-stores.ts";
import { learnerRole, startPlatform, type TinyPlatform } from "../support/stand-ins/signed-launch.ts";
import { claimsOf } from "../support/tool/tiny-world.ts";
import { prepareLaunch, walkIn } from "./walk-in.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { giveApiUser } from "../support/builders/give-api-user.ts";

const logger = createLogger("silent");
/** People written at once; each write is one transaction. */
const atOnce = 200;
const appUserPath = "/users/createAPIUser";

/** One instance of the tool. */
type ToolInstance = ToolProcess & { url: string };

/** A course before people enter: tools on one database, a stand-in that enforces its limit, and an LMS that signs. */
export type QueueWorld = {
  tools: readonly ToolInstance[];
  classroom: StandInClassroom;
  platform: TinyPlatform;
  registration: Registration;
  stores: Stores;
  /** The claims of each learner of the course. */
  learners: readonly Record<string, unknown>[];
  /** The course's Space, the API users of its learners, and the secret of the webhooks about them. */
  webhooks: { spaceId: string; userIds: readonly string[]; secret: string };
  /** Gives everybody a login, as when they are authorized before a session. */
  authorizeEverybody: () => Promise<void>;
  /** Nobody calls the classroom for this long (ms), as after a 429 with Retry-After. */
  pauseCalls: (ms: number) => void;
  close: () => Promise<void>;
};

/** A clock that runs fast at first, so that the stand-in creates a thousand API users at once, and then shows the real time. */
function hurriedClock(): Clock & { runOnTime: () => void } {
  let fast: number | null = Date.now() - 1_000_000_000;
  return {
    sleep: systemClock.sleep,
    now: () => {
      if (fast === null) return Date.now();
      fast += 1_000;
      return fast;
    },
    runOnTime: () => {
      fast = null;
    },
  };
}

/**
 * Starts it with this many learners, all known and with API users, and an instructor who has created the Space. @param options.start How an
 * instance is started; by default, the tool as an operator runs it. @param options.databaseUrl Where everything is stored, and stays; by
 * default, a folder that is removed at the end.
 */
export async function startQueueWorld(options: {
  people: number;
  processes: number;
  start?: (variables: Record<string, string>) => Promise<ToolProcess>;
  databaseUrl?: string | undefined;
}): Promise<QueueWorld> {
  const platform = await startPlatform();
  const apiKey = randomIds.secret();
  const secretKey = randomIds.secret(48);
  const clock = hurriedClock();
  const webhookSecret = randomIds.secret();
  const classroom = await startStandInClassroom({
    port: await freePort(),
    clock,
    logger,
    apiKey,
    webhookSecret,
    replyTimes: null, // with a clock that runs fast, until everybody is known
  });
  const userIds: string[] = [];
  for (let number = 0; number < options.people; number += 1) {
    const response = await fetch(`${classroom.apiUrl}${appUserPath}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: `Learner ${number}`, role: "participant" }),
    });
    if (!response.ok) throw new Error(`an API user was refused: ${response.status}`);
    await response.arrayBuffer();
    userIds.push(classroom.users().at(-1)?.userId ?? "");
  }
  clock.runOnTime();
  classroom.setReplyTimes(usualReplyTimes);

  const folder = await mkdtemp(join(tmpdir(), "spaces-bench-entry-"));
  const databaseUrl = options.databaseUrl ?? `file:${folder}`;
  const database = await openDatabase({ url: databaseUrl, logger });
  const stores = await openStores(database.connection);
  const { issuer, jwksUrl } = platform;
  const registration = registrationOf({ id: "reg_bench", issuer, jwksUrl, family: "other" });
  await stores.registrations.insert(registration);
  const tools: ToolInstance[] = [];
  for (let number = 0; number < options.processes; number += 1) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const tool = await (options.start ?? startToolProcess)({
      PUBLIC_URL: url,
      PORT: String(port),
      SECRET_KEY: secretKey,
      DATABASE_URL: databaseUrl,
      CLASSROOM_BASE_URL: classroom.apiUrl,
      CLASSROOM_APP_URL: classroom.appUrl,
      CLASSROOM_API_KEY: apiKey,
      CLASSROOM_WEBHOOK_SECRET: webhookSecret,
      ALLOW_PRIVATE_PLATFORMS: "1",
    });
    tools.push({ ...tool, url });
  }
  const [first] = tools;
  if (first === undefined) throw new Error("there is no tool");
  const world = { tools, classroom, platform, registration, stores };
  // The launches of the instructor and of one learner, and the entry page behind them.
  for (const claims of [claimsOf({ sub: "teacher", name: "Tessa Teacher" }), learnerClaims("warm-up")])
    await walkIn(await prepareLaunch(world, first, claims));
  const [course] = await stores.courses.findByContexts(registration.id, ["2"]);
  if (course === undefined) throw new Error("the tool knows no course");
  const subs = userIds.map((_none, number) => `learner-${number}`);
  const personIds = await enrol(stores, course, subs, userIds);

  return {
    ...world,
    learners: subs.map(learnerClaims),
    webhooks: { spaceId: course.spaceId ?? "", userIds, secret: webhookSecret },
    authorizeEverybody: () =>
      authorizeAll({ stores, course, secretKey, appUrl: classroom.appUrl }, personIds),
    pauseCalls: (ms) => {
      createThrottle({ store: stores.throttle, key: apiKey, clock: systemClock, ids: randomIds }).pause(ms);
    },
    close: async () => {
      await Promise.all(tools.map((tool) => tool.end("SIGTERM")));
      await database.close();
      await classroom.close();
      await platform.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function learnerClaims(sub: string): Record<string, unknown> {
  return claimsOf({ sub, name: `Lena ${sub}`, roles: [learnerRole] });
}

/** Creates people and members as a roster does, and gives each their API user. @returns our ids of them. */
async function enrol(
  stores: Stores,
  course: Course,
  subs: readonly string[],
  userIds: readonly string[],
): Promise<string[]> {
  const { registrationId, deploymentId, environment } = course;
  const personIds: string[] = [];
  for (let at = 0; at < subs.length; at += atOnce) {
    const listed = subs
      .slice(at, at + atOnce)
      .map((sub) => ({ sub, name: `Lena ${sub}`, givenName: "Lena", familyName: sub, email: null }));
    const people = await stores.people.recordMany({ registrationId, deploymentId }, listed, {
      newId: () => randomIds.id("per"),
      environment,
    });
    const ids = listed.map(({ sub }) => people.get(sub)?.id ?? "");
    const made = ids.map((personId) => ({
      personId,
      id: randomIds.id("mem"),
      to: { role: "learner" } as const,
    }));
    await stores.members.applyRoster({ registrationId, courseId: course.id }, Date.now(), {
      made,
      changed: [],
    });
    personIds.push(...ids);
  }
  for (const [index, id] of personIds.entries()) {
    await giveApiUser(stores.people, id, { userId: userIds[index] ?? "", name: `Learner ${index}` });
  }
  return personIds;
}

async function authorizeAll(
  deps: { stores: Stores; course: Course; secretKey: string; appUrl: string },
  personIds: readonly string[],
): Promise<void> {
  const { stores, course } = deps;
  const sealer = createSealer(deps.secretKey);
  const appUrlOf = () => deps.appUrl;
  const { registrationId, deploymentId } = course;
  const seen = await stores.people.findBySub({ registrationId, deploymentId, sub: "warm-up" });
  const known = await stores.members.find(registrationId, course.id, seen?.id ?? "");
  if (known?.lastEntry == null) throw new Error("nobody has come before");
  for (const personId of personIds) {
    const { courseLinkId, locale, mobile } = known.lastEntry;
    const entry: Entry = {
      courseId: course.id,
      personId,
      courseLinkId,
      locale,
      mobile,
      role: "learner",
      shown: "tab",
    };
    const fingerprint = fingerprintNow(
      { appUrlOf },
      await findTarget({ ...stores, accounts: testAccounts("production") }, entry),
    );
    if (fingerprint === null) throw new Error("there can be no login");
    await stores.logins.keep({
      registrationId: course.registrationId,
      courseId: course.id,
      personId,
      login: sealer.seal(loginPurpose(entry), `${deps.appUrl}/spaces/ahead?token=${randomIds.secret()}`),
      fingerprint,
      usableUntil: usableUntil(Date.now()),
      plan: "bench",
      fetches: 1,
      usedAt: null,
      retainedUntil: usableUntil(Date.now()),
    });
  }
}
