import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  refusedPauseMs,
  closedPauseMs,
  unknownPauseMs,
} from "../../../src/modules/members/rules/provisioning.ts";
import { showPeople } from "../../../src/modules/members/people.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { openProvisioning, type ProvisioningCourse } from "../../support/builders/open-provisioning.ts";
import { listedAs } from "../../support/builders/roster-course.ts";
import { noApiUsers } from "../../../src/domain/person.ts";
import { giveApiUser, onlyUserOf } from "../../support/builders/give-api-user.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { required } from "../../support/required.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

const teacher = {
  rights: { role: "instructor", staffRole: "teacher", testUser: false },
  learner: false,
} as const;
const busy = () =>
  new NamedError("classroom-unreachable", "The classroom did not answer.", { temporary: true });
const refused = () => new NamedError("classroom-refused", "The classroom refused that.");

let course: ProvisioningCourse;
forEachTest(async () => (course = await openProvisioning()));

const names = () => course.made.map(({ name, role }) => `${name}, ${role}`).sort();
const page = () =>
  showPeople({ ...course.deps, ...course.stores }, course.course, { page: 1, sectionId: null });
const classOf = (size: number) => Array.from({ length: size }, (_none, n) => listedAs(`s${n + 1}`));

/** Waits until a call for somebody's user has begun. */
async function isBeingMade(sub: string): Promise<void> {
  const { id } = await course.personOf(sub);
  const free = () => {
    const now = course.clock.now();
    return course.stores.people.claimApiUser(id, "participant", "a third one", { now, until: 0 });
  };
  await vi.waitFor(async () => expect(await free()).toBe(false), 30_000);
}

describe("after a roster was read", () => {
  test("students and instructors get an API user before they come; mentors, guests and people who left do not", async () => {
    await course.launch("guest", "learner");
    await course.read([
      listedAs("t", { ...teacher, name: "Tess" }),
      listedAs("1", { name: "Ann", givenName: null, familyName: null, email: null }),
      listedAs("2"),
      listedAs("mentor", { learner: false }),
      listedAs("gone", { active: false }),
      listedAs("preview", { rights: { role: "learner", staffRole: null, testUser: true } }),
    ]);
    await course.work();
    expect(names()).toEqual(["Ann, participant", "Learner 2, participant", "Tess, host"]);
    expect(course.made.find(({ name }) => name === "Ann")).toMatchObject({
      givenName: null,
      familyName: null,
      email: null,
    });
    const { id, apiUsers } = await course.personOf("2");
    const participant = { id: `user-of-${id}-participant`, name: "Learner 2" };
    expect(apiUsers).toEqual({ ...noApiUsers, participant });
  });

  test("an unchanged roster costs nothing, even while people wait or were refused", async () => {
    course.classroom.answer = ({ name }) =>
      name === "Learner 1" ? Promise.reject(refused()) : Promise.resolve(`user-of-${name}`);
    const everybody = [listedAs("1"), listedAs("2"), listedAs("3")];
    await course.read(everybody);
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 3, refused: 0 });
    await course.read(everybody);
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 3, refused: 0 });
    await course.work();
    await course.read(everybody);
    expect(await course.work(), "one look at most").toBe(0);
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 1 });
    expect(course.made).toHaveLength(2);
  });

  test("a user who may have been created without an answer is not created again", async () => {
    let calls = 0;
    course.classroom.answer = () => {
      calls += 1;
      return Promise.reject(
        new NamedError("classroom-unreachable", "?", { temporary: true, details: { outcome: "unknown" } }),
      );
    };
    await course.read([listedAs("1")]);
    await course.work();
    course.pass(unknownPauseMs - 60_000);
    await course.work();
    expect(calls).toBe(1);
    course.classroom.answer = ({ reference }) => Promise.resolve(`user-of-${reference}`);
    expect(await course.comes(await course.personOf("1")), "they come").toMatch(/^user-of-/);
  });

  test("a user is not created for somebody who leaves before their turn, until they are back", async () => {
    await course.read([listedAs("1"), listedAs("2")]);
    await course.read([listedAs("2")]);
    await course.work();
    expect(names()).toEqual(["Learner 2, participant"]);
    await course.read([listedAs("1"), listedAs("2")]);
    await course.work();
    expect(names()).toEqual(["Learner 1, participant", "Learner 2, participant"]);
  });

  test.each([
    ["somebody who learns in two courses is made once", "learner", ["participant"]],
    [
      "somebody who learns in one course and teaches another is made for each",
      "instructor",
      ["host", "participant"],
    ],
  ] as const)("%s", async (_who, role, made) => {
    await course.read([listedAs("1")]);
    const { id } = await course.personOf("1");
    const other = { registrationId: "reg_1", courseId: "crs_2", environment: "production" } as const;
    await course.stores.members.recordLaunch(
      { registrationId: "reg_1", courseId: "crs_2", personId: id },
      { role, testUser: false, listName: "1", lastLaunchAt: 1 },
      null,
      "mem_2",
    );
    await course.stores.provisioning.enqueue(other, [id], course.clock.now());
    await course.work();
    expect(course.made.map((user) => user.role).toSorted()).toEqual(made);
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 0 });
  });
});

describe("no user is created", () => {
  test("while the LMS is switched off, until it is on again", async () => {
    await course.read(classOf(5));
    course.registration.active = false;
    expect(await course.work(), "the whole course is left alone after one look").toBe(1);
    course.registration.active = true;
    expect(await course.work()).toBe(0);
    course.pass(closedPauseMs);
    await course.work();
    expect(course.made).toHaveLength(5);
  });

  test("in a deployment that was refused", async () => {
    const deployment = { registrationId: "reg_1", deploymentId: "1", firstSeenAt: 0 } as const;
    await course.stores.deployments.record({ ...deployment, status: "refused" });
    await course.read(classOf(2));
    await course.work();
    expect(course.made).toEqual([]);
  });

  test("for an environment that is not configured", async () => {
    Object.assign(course.deps, { provisionsOf: () => ({ makes: false, renames: false }) });
    await course.read(classOf(2));
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 0 });
    expect((await page()).readiness).toMatchObject({ expected: 2, ready: 0, preparing: 0 });
  });
});

describe("somebody who enters", () => {
  beforeEach(async () => {
    course.classroom.line = Promise.withResolvers();
    await course.read(classOf(1));
  });

  test("does not wait behind the class for the API user that is being created, and has only one", async () => {
    const preparing = course.step();
    await vi.waitFor(() => expect(course.classroom.inLine).toBe(1), 30_000);
    const userId = await course.comes(await course.personOf("s1"));
    expect(course.made, "made as they enter").toHaveLength(1);
    course.classroom.line.resolve(undefined);
    await preparing;
    await course.work();
    expect(course.made).toHaveLength(1);
    expect(onlyUserOf(await course.personOf("s1"))).toBe(userId);
  });

  test("frees the place that was kept for them in the queue", async () => {
    const preparing = course.step();
    await vi.waitFor(() => expect(course.classroom.inLine).toBe(1), 30_000);
    await course.comes(await course.personOf("s1"));
    await preparing; // the queue never opens
    expect(course.made).toHaveLength(1);
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 0 });
  });

  test("uses the answer of a call that has begun already", async () => {
    const reply = Promise.withResolvers<string>();
    course.classroom.answer = () => reply.promise;
    const preparing = course.step();
    course.classroom.line.resolve(undefined);
    await isBeingMade("s1");
    const entering = course.comes(await course.personOf("s1"));
    reply.resolve("the-one");
    expect(await entering).toBe("the-one");
    await preparing;
    expect(course.made).toHaveLength(1);
  });

  test("does not wait while the service asked the background to come back later", async () => {
    const { createApiUser } = course.workerDeps.classroomOf("production");
    const again = Promise.withResolvers<undefined>();
    course.workerDeps.classroomOf = () => ({
      usersHaveRoles: true,
      updateApiUser: null,
      createApiUser: async (user, options) => {
        if (options.priority === "entry") return createApiUser(user, options);
        await options.onWait?.();
        await options.onPermit?.();
        again.resolve(undefined); // after a 429 it queues again
        return createApiUser(user, options);
      },
    });
    const preparing = course.step();
    await again.promise;
    await vi.waitFor(() => expect(course.classroom.inLine).toBe(1), 30_000);
    await course.comes(await course.personOf("s1"));
    course.classroom.line.resolve(undefined);
    await preparing;
    expect(course.made).toHaveLength(1);
  });

  test("and is being let in is left to their entry", async () => {
    course.classroom.line.resolve(undefined);
    const { id } = await course.personOf("s1");
    const now = course.clock.now();
    const { people } = course.stores;
    await people.claimApiUser(id, "participant", "the entry", { now, until: now + 60_000 });
    const preparing = course.step();
    await preparing;
    expect(course.outcomes).toEqual(["elsewhere"]);
    await people.keepApiUser(id, "participant", "the entry", { id: "u", name: "Learner s1" });
    course.pass(60_000);
    await course.work();
    expect(course.made).toEqual([]);
    expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 0 });
  }, 20_000);
});

describe("courses and LMSs take turns", () => {
  test("so that ten people do not wait behind five hundred of another course or another LMS", async () => {
    await course.read(classOf(500));
    const { people, members, provisioning } = course.stores;
    const smallCourse = async (registrationId: string, courseId: string) => {
      const listed = Array.from({ length: 10 }, (_none, n) => ({
        sub: `${courseId} ${n}`,
        name: `${courseId} ${n}`,
        givenName: null,
        familyName: null,
        email: null,
      }));
      let n = 0;
      const known = await people.recordMany({ registrationId, deploymentId: "1" }, listed, {
        newId: () => `per_${courseId}_${(n += 1)}`,
        environment: "production",
      });
      const ids = [...known.values()].map(({ id }) => id);
      for (const personId of ids) {
        await members.recordLaunch(
          { registrationId, courseId, personId },
          { role: "learner", testUser: false, listName: "", lastLaunchAt: 1 },
          null,
          `mem ${personId}`,
        );
      }
      await provisioning.enqueue(
        { registrationId, courseId, environment: "production" },
        ids,
        course.clock.now(),
      );
    };
    await smallCourse("reg_1", "small");
    await smallCourse("reg_2", "other LMS");
    for (let made = 0; made < 50; made += 1) await course.step();
    const order = course.made.map(({ name }) => name.replace(/ \d+$/, "").replace(/s\d+$/, ""));
    const last = (name: string) => order.lastIndexOf(name) + 1;
    expect(order.filter((name) => name === "other LMS")).toHaveLength(10);
    expect(order.filter((name) => name === "small")).toHaveLength(10);
    expect(last("other LMS"), "every second one").toBeLessThanOrEqual(20);
    expect(last("small"), "every second one of its LMS's").toBeLessThanOrEqual(32);
  });
});

describe("when creating users fails", () => {
  test("for a while, it is retried later and later, and the page says why", async () => {
    await course.read(classOf(1));
    course.classroom.answer = () => Promise.reject(busy());
    await course.work();
    expect(course.outcomes).toEqual(["failed"]);
    expect((await page()).readiness).toMatchObject({
      expected: 1,
      ready: 0,
      preparing: 1,
      problem: "The classroom did not answer.",
    });
    const triedAfter = async (ms: number) => {
      course.pass(ms);
      await course.work();
      return course.outcomes.length;
    };
    expect(await triedAfter(20_000)).toBe(1);
    expect(await triedAfter(10_000)).toBe(2);
    expect(await triedAfter(50_000)).toBe(2);
    course.classroom.answer = () => Promise.resolve("u");
    expect(await triedAfter(10_000)).toBe(3);
    expect(course.made).toHaveLength(1);
    expect((await page()).readiness).toMatchObject({ ready: 1, preparing: 0, problem: null });
  });

  test("for good, the reason is stored, the others go on, and it is retried a day later", async () => {
    course.classroom.answer = ({ name }) =>
      name === "Learner s2" ? Promise.reject(refused()) : Promise.resolve(`user of ${name}`);
    await course.read(classOf(3));
    await course.work();
    expect(course.made).toHaveLength(2);
    expect((await page()).readiness).toEqual({
      expected: 3,
      ready: 2,
      preparing: 0,
      refused: 1,
      problem: null,
      problemCode: null,
      refusal: "The classroom refused that.",
      refusalCode: "classroom-refused",
    });
    course.pass(refusedPauseMs - 60_000);
    await course.work();
    expect(course.outcomes).toHaveLength(3);
    course.classroom.answer = () => Promise.resolve("u");
    course.pass(60_000);
    await course.work();
    expect(course.made).toHaveLength(3);
  });

  test("because the classroom is in trouble, it is not called for everybody", async () => {
    await course.read(classOf(60));
    let asked = 0;
    course.classroom.answer = () => {
      asked += 1;
      return Promise.reject(new NamedError("classroom-unauthorized", "The key is refused."));
    };
    for (let minute = 0; minute < 60; minute += 1) {
      await course.work();
      course.pass(60_000);
    }
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(15);
  });

  test("with everybody refused, there is a pause after five calls", async () => {
    await course.read(classOf(60));
    let asked = 0;
    course.classroom.answer = () => {
      asked += 1;
      return Promise.reject(refused());
    };
    await course.work();
    expect(asked).toBe(5);
  });

  test("because a process died, another takes over within ten seconds", async () => {
    await course.read(classOf(1));
    const now = course.clock.now();
    const turn = required(await course.stores.provisioning.takeTurn("reg_1", now, []));
    expect(await course.stores.provisioning.claim(turn, "dead", now, now + leaseMs)).not.toBeNull();
    await course.work();
    expect(course.made).toEqual([]);
    course.pass(leaseMs);
    await course.work();
    expect(course.made).toHaveLength(1);
  });

  test("because the tool ends, people in the queue are left to the next start immediately", async () => {
    course.classroom.line = Promise.withResolvers();
    await course.read(classOf(1));
    const preparing = course.step();
    await vi.waitFor(() => expect(course.classroom.inLine).toBe(1), 30_000);
    course.ending.abort();
    await preparing;
    expect(course.made).toEqual([]);
    const next = await openProvisioning({ from: course.url });
    await next.work();
    expect(next.made).toHaveLength(1);
    await next.close();
  });

  test("a call that has begun when the tool ends is finished, so that its answer is not lost", async () => {
    const reply = Promise.withResolvers<string>();
    course.classroom.answer = () => reply.promise;
    await course.read(classOf(1));
    const preparing = course.step();
    await isBeingMade("s1");
    course.ending.abort();
    reply.resolve("the-one");
    await preparing;
    expect(onlyUserOf(await course.personOf("s1"))).toBe("the-one");
  });
});

test("two processes create exactly eighty API users for eighty people, while some of them enter", async () => {
  const classroom = await quickClassroom();
  await course.read(classOf(80));
  const outcomes: string[][] = [[], []];
  const children = outcomes.map((told) => {
    const args = [join(import.meta.dirname, "provisioner.child.ts"), course.url, classroom.apiUrl, "key"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    child.on("message", (outcome) => {
      if (typeof outcome === "string") told.push(outcome);
    });
    return child;
  });
  try {
    course.classroom.answer = async ({ name, reference }) => {
      const answer = await fetch(`${classroom.apiUrl}/users/createAPIUser`, {
        method: "POST",
        headers: { authorization: "Bearer key", "content-type": "application/json" },
        body: JSON.stringify({ name, externalId: reference }),
      });
      return z.object({ userId: z.string() }).parse(await answer.json()).userId;
    };
    await vi.waitFor(() => expect(outcomes.every((told) => told.length > 3)).toBe(true), { timeout: 20_000 });
    await Promise.all(
      Array.from({ length: 25 }, async (_none, n) => course.comes(await course.personOf(`s${56 + n}`))),
    );
    await vi.waitFor(
      async () => expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 0 }),
      { timeout: 20_000 },
    );
    const references = classroom.users().map(({ externalId }) => externalId);
    expect(references).toHaveLength(80);
    expect(new Set(references).size).toBe(80);
    expect((await page()).readiness).toMatchObject({ expected: 80, ready: 80 });
    const known = new Set(classroom.users().map(({ userId }) => userId));
    for (const { sub } of classOf(80)) known.delete(onlyUserOf(await course.personOf(sub)) ?? "");
    expect(known.size, "each of them belongs to a person").toBe(0);
    expect(course.made.length, "some were made as they entered").toBeGreaterThan(0);
    for (const told of outcomes) expect(told.filter((one) => one === "made").length).toBeGreaterThan(5);
  } finally {
    for (const child of children) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    await classroom.close();
  }
}, 60_000);

describe("a name that changes in the LMS", () => {
  const named = (name: string | null) => listedAs("1", { name });
  const knownAs = async () =>
    (await page()).rows.map((row) => `${row.name ?? "?"} as ${row.knownAs ?? "such"}`);

  test("is shown with the classroom's one if that cannot be changed", async () => {
    await course.read([named("Ana Ruiz")]);
    await course.work();
    expect(await knownAs()).toEqual(["Ana Ruiz as such"]);
    await course.read([named("Ana Soto")]);
    expect(await course.work()).toBe(0);
    expect(await knownAs()).toEqual(["Ana Soto as Ana Ruiz"]);
    await course.read([named("Ana Ruiz")]);
    expect(await knownAs()).toEqual(["Ana Ruiz as such"]);
  });

  describe("if the dialect can send it", () => {
    beforeEach(async () => {
      await course.close();
      course = await openProvisioning({ renames: true });
    });
    const told = () => course.renamed.map(({ userId, name }) => `${userId} is ${name}`);

    test("is sent for both users of a person who teaches another course", async () => {
      await course.read([named("Ana Ruiz")]);
      await course.work();
      const { id } = await course.personOf("1");
      await giveApiUser(course.stores.people, id, { userId: "ana, host", name: "Ana Ruiz", role: "host" });
      await course.read([named("Ana Vega")]);
      await course.work();
      expect(course.renamed.map(({ userId, reference, name }) => [userId, reference, name])).toEqual([
        ["ana, host", `${id}-host`, "Ana Vega"],
        [`user-of-${id}-participant`, `${id}-participant`, "Ana Vega"],
      ]);
      await course.read([named("Ana Vega")]);
      expect(await course.work()).toBe(0);
    });

    test("is sent once for a user with both roles, under the id it was created with", async () => {
      await course.read([named("Ana Ruiz")]);
      const { id } = await course.personOf("1");
      const { people } = course.stores;
      const both = { id: "ana, both", name: "Ana Ruiz" };
      await people.claimApiUser(id, "unknown", "test", { now: 1, until: 2 });
      await people.keepApiUser(id, "unknown", "test", both);
      for (const role of ["participant", "host"] as const) await people.shareApiUser(id, role, both);
      await course.read([named("Ana Vega")]);
      await course.work();
      expect(course.renamed.map(({ userId, reference }) => [userId, reference])).toEqual([["ana, both", id]]);
    });

    test("is sent once, in its newest form", async () => {
      await course.read([named("Ana Ruiz")]);
      await course.work();
      await course.read([named("Ana Soto")]);
      await course.read([named("Ana Vega")]);
      await course.work();
      await course.read([named("Ana Vega")]);
      await course.work();
      const { id } = await course.personOf("1");
      expect(told()).toEqual([`user-of-${id}-participant is Ana Vega`]);
      expect(await knownAs()).toEqual(["Ana Vega as such"]);
      expect(course.made).toHaveLength(1);
    });

    test("is sent again if it changes while it is sent", async () => {
      await course.read([named("Ana Ruiz")]);
      await course.work();
      await course.read([named("Ana Soto")]);
      const reply = Promise.withResolvers<string>();
      course.classroom.answer = () => reply.promise;
      const telling = course.work();
      await vi.waitFor(async () => {
        const now = course.clock.now();
        expect(await course.stores.provisioning.takeTurn("reg_1", now, [])).not.toBeNull();
      }, 30_000);
      await course.read([named("Ana Vega")]);
      reply.resolve("");
      await telling;
      await course.work();
      expect(course.renamed.map(({ name }) => name)).toEqual(["Ana Soto", "Ana Vega"]);
      expect((await course.personOf("1")).apiUsers.participant?.name).toBe("Ana Vega");
    });

    test("is sent after it was withheld before, but not when the LMS begins to withhold it", async () => {
      await course.read([named(null)]);
      await course.work();
      await course.read([named("Ana Ruiz")]);
      await course.work();
      await course.read([named(null)]);
      await course.work();
      expect(course.renamed.map(({ name }) => name)).toEqual(["Ana Ruiz"]);
    });

    test("that the classroom refuses is stored with the reason, and the person can still enter", async () => {
      await course.read([named("Ana Ruiz")]);
      await course.work();
      course.classroom.answer = () => Promise.reject(refused());
      await course.read([named("Ana Soto")]);
      await course.work();
      expect(await course.stores.provisioning.count()).toEqual({ waiting: 0, refused: 1 });
      expect((await page()).readiness).toMatchObject({ expected: 1, ready: 1 });
      expect(await knownAs()).toEqual(["Ana Soto as Ana Ruiz"]);
    });
  });
});
