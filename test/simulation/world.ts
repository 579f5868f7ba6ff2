import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTasks } from "node-cron";
import { startTool } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { messageOf } from "../../src/kernel/errors.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { createInvitation } from "../../src/modules/registration/registrations.ts";
import { erasePerson } from "../../src/modules/privacy/erase.ts";
import { openStores, type Stores } from "../../src/open-stores.ts";
import {
  type StandInClassroom,
  startStandInClassroom,
} from "../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import type { LmsSeed } from "../../sandbox/stand-in-lms/lms-records.ts";
import { type StandInLms, startStandInLms } from "../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { databaseFileName } from "../../src/storage/embedded/sqlite-file.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { collectionsByModel, kindsOn } from "../../src/storage/records.ts";
import { emptyDatabase, type DatabaseFile } from "../support/builders/open-empty-stores.ts";
import { crash, newOwner, type Owner, pause, runAs } from "./instances.ts";
import { loop } from "./loop.ts";

/** Nothing waits for a disk there. */
const inMemory = "/dev/shm";

/** The ports of everything. */
export const ports = { tool: 3_000, classroom: 4_000, lms: 5_000 };
export const toolUrl = `http://127.0.0.1:${ports.tool}`;
export const webhookUrl = `${toolUrl}/webhooks/production`;

/** One course: its link, its teacher and its learners by their ids in the LMS. */
export type CoursePlan = {
  id: string;
  title: string;
  link: string;
  teacher: string;
  learners: readonly string[];
  /** A teacher who becomes a learner during the term. */
  assistant: string | null;
  /** Learners who are enrolled weeks later. */
  late: readonly string[];
};

export type WorldPlan = {
  manners: "moodle" | "canvas";
  instances: number;
  courses: readonly CoursePlan[];
  /** Weeks of classes, or a single class of each course. */
  isTerm: boolean;
};

/** One process of the tool. */
export type Instance = {
  owner: () => Owner;
  /** Resolves when it listens; never if it is killed before. */
  start: () => Promise<void>;
  kill: () => void;
  /** Sets its machine's clock ahead (ms), even after a restart. */
  setDrift: (ms: number) => void;
};

export type World = {
  plan: WorldPlan;
  lms: StandInLms;
  classroom: StandInClassroom;
  instances: readonly Instance[];
  /** The people in their browsers. */
  people: Owner;
  /** The same database as the tool's, read beside it. */
  stores: Stores;
  /** How many records of each kind are claimed at a moment (ms), by their collection. */
  claimed: (now: number) => Promise<string[]>;
  /** Tasks that failed, and run only after a moment (ms). */
  putOff: (until: number) => Promise<string[]>;
  /** Bodies of the stored webhooks. */
  storedWebhooks: () => Promise<ReadonlySet<string>>;
  /** Warnings and errors of all instances, oldest first. */
  log: () => readonly string[];
  /** Why instances could not start. */
  failedStarts: () => readonly string[];
  /** What must not be in any log line. */
  secrets: readonly string[];
  /** The tool's id for somebody, by their name. */
  idOf: (name: string) => Promise<string>;
  /** Records that contain a text, by their collection, so that nothing erased comes back. */
  recordsWith: (text: string) => string[];
  /** An operator erases somebody, by the tool's id. */
  erase: (personId: string) => Promise<void>;
  /** Switches off the machines with the tool until then (virtual ms). */
  offUntil: (at: number) => void;
  /** Runs work later as somebody who looks after the machines. */
  later: (ms: number, work: () => void) => void;
  close: () => void;
};

const nameOf = (id: string) => ({ given: `Given${id}`, family: `Family${id}` });
export const learnerOf = (id: string) => ({
  id,
  username: `user${id}`,
  ...nameOf(id),
  email: `user${id}@example.test`,
  role: "student" as const,
});
/** A person's name in the classroom. */
export const fullNameOf = (id: string): string => `${nameOf(id).given} ${nameOf(id).family}`;

function seedOf({ courses }: WorldPlan): LmsSeed {
  const person = (id: string, role: "teacher" | "student") => ({
    id,
    username: `user${id}`,
    ...nameOf(id),
    email: `user${id}@example.test`,
    role,
    sections: [],
  });
  return {
    name: "Simulated College",
    sharing: { names: true, email: true },
    courses: courses.map(({ id, title, link, teacher, assistant, learners, late }) => ({
      id,
      title,
      shortname: `C${id}`,
      sections: [{ id: `${id}01`, name: "Monday group" }],
      people: [
        ...[teacher, assistant].flatMap((one) => (one === null ? [] : person(one, "teacher"))),
        ...learners.filter((one) => !late.includes(one)).map((learner) => person(learner, "student")),
      ],
      links: [{ id: link, title: "Online classroom", graded: true, url: null, custom: {} }],
    })),
  };
}

let emptyFiles: readonly DatabaseFile[] = [];

/** Before the first world: creating all collections and indexes would take each world a CPU second. */
export async function prepareWorlds(): Promise<void> {
  emptyFiles = await emptyDatabase();
}

/** Both stand-ins and all instances of the tool, registered with each other, before anybody has come. */
export async function startWorld(plan: WorldPlan): Promise<World> {
  // Ids drawn in advance belong to the world before.
  randomIds.secret(4_096);
  const silent = createLogger("silent");
  const owners = new Set<Owner>();
  const owned = (name: string, pid: number) => {
    const owner = newOwner(name, pid);
    owners.add(owner);
    return owner;
  };
  const lines: string[] = [];
  const failedStarts: string[] = [];
  const logger = createLogger("warn", { write: (line) => void lines.push(line) });
  const apiKey = randomIds.secret();
  const webhookSecret = randomIds.secret();
  const lms = await runAs(owned("lms", 2), () =>
    startStandInLms({
      port: ports.lms,
      clock: systemClock,
      logger: silent,
      seed: seedOf(plan),
      manners: plan.manners,
      // Longer than any known LMS: a key must be published long before it signs.
      keySetKeptMs: 20 * 3_600_000,
    }),
  );
  const classroom = await runAs(owned("classroom", 3), () =>
    startStandInClassroom({
      port: ports.classroom,
      clock: systemClock,
      logger: silent,
      apiKey,
      webhookSecret,
      webhookUrl,
      institution: { autoAttendance: false },
      watchStalls: false,
    }),
  );
  const folder = mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), "spaces-lti-simulation-"));
  for (const { name, bytes } of emptyFiles) writeFileSync(join(folder, name), bytes);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
  const config = readConfig({
    PUBLIC_URL: toolUrl,
    PORT: String(ports.tool),
    SECRET_KEY: randomIds.secret(48),
    DATABASE_URL: `file:${folder}`,
    CLASSROOM_BASE_URL: classroom.apiUrl,
    CLASSROOM_APP_URL: classroom.appUrl,
    CLASSROOM_API_KEY: apiKey,
    CLASSROOM_WEBHOOK_SECRET: webhookSecret,
    ALLOW_PRIVATE_PLATFORMS: "1",
  });
  const instances = Array.from({ length: plan.instances }, (_none, at): Instance => {
    let runs = 0;
    let owner = newOwner("", 0);
    let driftMs = 0;
    return {
      owner: () => owner,
      start: async () => {
        runs += 1;
        owner = owned(`tool${at + 1}`, 1_000 * (at + 1) + runs);
        owner.driftMs = driftMs;
        await runAs(owner, async () => {
          await startTool(config, { logger }).catch((thrown: unknown) => {
            failedStarts.push(messageOf(thrown));
          });
        });
      },
      kill: () => {
        crash(owner, loop.now);
        loop.forgetDead();
      },
      setDrift: (ms) => {
        driftMs = ms;
        owner.driftMs = ms;
      },
    };
  });
  await Promise.all(instances.map((instance) => instance.start()));
  const reading = owned("reader", 4);
  const operator = owned("operator", 5);
  const database = await runAs(reading, () => openDatabase({ url: config.databaseUrl, logger: silent }));
  const stores = await runAs(reading, () => openStores(database.connection));
  const { url } = await createInvitation(
    { ...stores, clock: systemClock, ids: randomIds, publicUrl: toolUrl },
    { account: "production", hours: 72 },
  );
  const dialog = await createVisitor().open(await lms.beginRegistration(url), { framed: true });
  if (dialog.status !== 200) throw new Error(`registration answered ${dialog.status}: ${dialog.text}`);
  return {
    plan,
    lms,
    classroom,
    instances,
    people: owned("people", 6),
    stores,
    secrets: [apiKey, webhookSecret],
    claimed: (now) =>
      runAs(reading, async () => {
        const found: string[] = [];
        for (const name of kindsOn(database.connection).keys()) {
          const held = { leaseUntil: { $gt: now } };
          const count = await collectionsByModel(database.connection)(name).countDocuments(held);
          if (count > 0) found.push(`${name}: ${count}`);
        }
        return found;
      }),
    putOff: (until) =>
      runAs(reading, async () => {
        const failed = { problem: { $ne: null }, dueAt: { $gt: until, $lt: Number.MAX_SAFE_INTEGER } };
        const tasks = await database.connection.collection("tasks").find(failed).toArray();
        return tasks.map((task) => `${String(task._id)}: ${JSON.stringify(task["problem"])}`);
      }),
    storedWebhooks: () =>
      runAs(reading, async () => {
        const receipts = await database.connection.collection("receipts").find({}).toArray();
        return new Set(receipts.map(({ body }) => String(body)));
      }),
    idOf: (name) =>
      runAs(reading, async () => {
        const found = await database.connection.collection("people").findOne({ name });
        return String(found?.["_id"] ?? "");
      }),
    recordsWith: (text) =>
      runAs(reading, () => {
        const file = new DatabaseSync(join(folder, databaseFileName), { readOnly: true });
        const tables = file.prepare(
          "SELECT name FROM sqlite_schema WHERE name LIKE 'c:%' AND type = 'table'",
        );
        const found = tables
          .all()
          .map(({ name }) => String(name))
          .filter((name) => file.prepare(`SELECT 1 FROM "${name}" WHERE instr(doc, ?) LIMIT 1`).get(text));
        file.close();
        return found;
      }),
    erase: async (personId) => {
      await runAs(reading, () =>
        erasePerson(
          { ...stores, clock: systemClock, ids: randomIds, wake: () => undefined, who: "console" },
          personId,
        ),
      );
    },
    offUntil: (at) => {
      // The reader beside them would look for expired records every minute.
      pause(reading, loop.now, at);
      for (const instance of instances) {
        instance.kill();
        loop.after(at - loop.now, () => void instance.start(), operator);
      }
    },
    log: () => lines,
    failedStarts: () => failedStarts,
    later: (ms, work) => void loop.after(ms, work, operator),
    close: () => {
      for (const owner of owners) crash(owner, loop.now);
      for (const task of getTasks().values()) void task.destroy();
      loop.clear();
      process.off("exit", removeFolder);
      removeFolder();
    },
  };
}
