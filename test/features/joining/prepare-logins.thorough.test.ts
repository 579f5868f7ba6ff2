import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ExpectedCourses,
  minute,
  openExpectedCourses,
  refusal,
} from "../../support/builders/expected-course.ts";
import { approveSpaceFor } from "../../support/builders/approve-space.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

let world: ExpectedCourses;
forEachTest(async () => (world = await openExpectedCourses()));

const key = (courseId: string, personId: string) => ({ registrationId: "reg_1", courseId, personId });
const forward = async (minutes: number) => {
  world.time.now += minutes * minute;
  await world.work();
};
/** Works until a moment, looking every minute as the workers do. */
const until = async (moment: number) => {
  while (world.time.now < moment) await forward(Math.min(1, (moment - world.time.now) / minute));
};

/** @returns the function that found the LMS before */
function switchOff() {
  const { find } = world.deps.registrations;
  world.deps.registrations.find = async (id) => {
    const registration = await find(id);
    return registration === null ? null : { ...registration, active: false };
  };
  return find;
}

describe("a class of forty", () => {
  let class_: string[];
  let start: number;
  beforeEach(async () => {
    class_ = await world.addCourse("bio", 40, { hosts: 2 });
    start = world.time.now + 60 * minute;
    await world.schedule("bio", 60);
  });
  const everybody = () => [...class_].sort().map((id) => `user of ${id}`);
  const host = () => class_[39] ?? "";
  const learner = () => class_[0] ?? "";

  test("is authorized as late as possible, five minutes before its session, hosts first, each once", async () => {
    await until(start);
    expect(world.authorized.map(({ userId }) => userId).sort()).toEqual(everybody());
    const hosts = class_.slice(38).map((id) => `user of ${id}`);
    expect(
      world.authorized
        .slice(0, 2)
        .map(({ userId }) => userId)
        .sort(),
    ).toEqual(hosts.sort());
    const moments = world.authorized.map(({ at }) => at);
    const { usableUntil = 0 } = (await world.logins("bio")).get(host()) ?? {};
    expect(usableUntil).toBeGreaterThan(start + 45 * minute);
    expect(usableUntil).toBeLessThanOrEqual(Math.min(...moments) + 55 * minute + 1_000);
    expect(Math.max(...moments)).toBeLessThanOrEqual(start - 5 * minute + 60_000);
    expect(Math.min(...moments)).toBeGreaterThan(start - 7 * minute);
  });

  test("is added to its Space before its logins are fetched, each once, and is still ready in time", async () => {
    world.classroom.adds = ["host", "participant"];
    const [told = ""] = class_;
    const course = await world.courseOf("bio");
    const known = [{ userId: `user of ${told}`, role: "participant" as const }];
    await world.stores.spaceUsers.noteMade(course, "space-bio", known, 1);
    await until(start);
    expect(world.authorized).toHaveLength(40);
    const added = world.classroom.added.map(({ userId, role }) => `${userId}, ${role}`);
    const notAtStart = class_.slice(1).map((id, at) => `user of ${id}, ${at < 37 ? "participant" : "host"}`);
    expect(added.toSorted()).toEqual(notAtStart.toSorted());
    expect(Math.max(...world.authorized.map(({ at }) => at))).toBeLessThanOrEqual(
      start - 5 * minute + 60_000,
    );
    await world.schedule("bio", 60, 120);
    await until(start + 70 * minute);
    expect(world.classroom.added).toHaveLength(39);
  });

  test("enters without a queue, and no login is given out twice", async () => {
    await until(start);
    const given = await Promise.all(class_.map((id) => world.enter("bio", id)));
    expect(given.every((url) => url !== null)).toBe(true);
    expect(new Set(given).size).toBe(40);
    expect(await Promise.all(class_.map((id) => world.enter("bio", id)))).toEqual(class_.map(() => null));
  });

  test("gives fifty launches of one person at the same moment one login", async () => {
    await until(start);
    const given = await Promise.all(Array.from({ length: 50 }, () => world.enter("bio", learner())));
    expect(given.filter((url) => url !== null)).toHaveLength(1);
  });

  test("uses no login after 55 minutes", async () => {
    await until(start);
    const usableUntil = (await world.logins("bio")).get(learner())?.usableUntil ?? 0;
    world.time.now = usableUntil;
    expect(await world.enter("bio", learner())).toBeNull();
    world.time.now = usableUntil - 1;
    expect(await world.enter("bio", learner())).not.toBeNull();
  });

  test("fetches one new login for people who have not come when theirs expires, and none after the end", async () => {
    await world.schedule("bio", 60, 240);
    await until(start);
    await world.enter("bio", host());
    await until(start + 300 * minute);
    const logins = await world.logins("bio");
    expect(world.authorized).toHaveLength(79);
    expect(logins.get(host())?.fetches).toBe(1);
    expect(logins.get(learner())?.fetches).toBe(2);
  });

  test("authorizes nobody who came through the queue before their turn", async () => {
    await world.look();
    world.time.now = start - 10 * minute;
    expect(await world.enter("bio", learner())).toBeNull();
    await until(start + minute);
    expect(world.authorized).toHaveLength(39);
    expect((await world.logins("bio")).has(learner())).toBe(false);
  });

  test("expects somebody who looks in early again at the start, with one more login", async () => {
    const early = host();
    world.time.now = start - 44 * minute;
    await world.look();
    await world.stores.expectedClasses.moveBegins([
      { id: `bio event-bio ${String(start)}`, dueAt: start - 40 * minute },
    ]);
    world.time.now = start - 40 * minute;
    while (await world.turn());
    world.time.now = start - 25 * minute;
    expect(await world.enter("bio", early)).not.toBeNull();
    await until(start);
    expect(await world.enter("bio", early)).not.toBeNull();
    await until(start + 5 * minute);
    expect(await world.enter("bio", early)).toBeNull();
    expect((await world.logins("bio")).get(early)?.fetches).toBe(2);
  });

  describe("with logins that wait, when something changes", () => {
    beforeEach(() => until(start - 3 * minute));
    const tokens = async () =>
      [...(await world.logins("bio")).values()].filter(({ usableUntil }) => usableUntil > world.time.now)
        .length;

    test("settings of the course: the old logins are never used, and everybody gets a new one", async () => {
      await world.change("bio", { galleryView: true });
      expect(await world.enter("bio", learner())).toBeNull();
      await forward(1.1);
      expect(await tokens()).toBe(39);
      const url = await world.enter("bio", host());
      expect(url).toContain("gv=true");
      expect(world.authorized).toHaveLength(40 + 39);
    });

    test("settings of the course, three times: nobody costs more than two logins", async () => {
      for (const galleryView of [true, false, true]) {
        await world.change("bio", { galleryView });
        await forward(1.1);
      }
      expect(await tokens()).toBe(0);
      expect(world.authorized.map(({ userId }) => userId).sort()).toEqual(
        [...everybody(), ...everybody()].sort(),
      );
    });

    test("the Space of people's link: they get logins for the new one", async () => {
      const link = await world.stores.courseLinks.record(
        { registrationId: "reg_1", deploymentId: "1", courseId: "bio", linkId: "l" },
        null,
        "lnk_1",
      );
      await world.enter("bio", host(), { courseLinkId: link.id });
      const course = { id: "bio", registrationId: "reg_1", environment: "production" } as const;
      await approveSpaceFor(world.stores, course, "space-guest");
      await world.stores.courseLinks.choose(link.id, { kind: "space", spaceId: "space-guest" });
      for (const id of class_.slice(0, 5)) {
        const member = await world.stores.members.find("reg_1", "bio", id);
        const lastEntry = { courseLinkId: link.id, locale: null, mobile: false };
        await world.stores.members.recordEntry(member?.id ?? "", lastEntry);
      }
      const came = await world.enter("bio", learner(), { courseLinkId: link.id });
      expect(came).toBeNull();
      await forward(1.1);
      expect(await world.enter("bio", class_[1] ?? "", { courseLinkId: link.id })).toContain("space-guest");
      // People who never came through the link are still expected in the course's own Space.
      expect(await world.enter("bio", class_[20] ?? "")).toContain("/spaces/space-bio");
    });

    test("the session is cancelled: nobody is authorized from then on", async () => {
      const before = world.authorized.length;
      await world.schedule("bio", 2, 60, { cancelled: true });
      await world.change("bio", { galleryView: true });
      await forward(1.1);
      await forward(10);
      expect(world.authorized).toHaveLength(before);
    });

    test("the session is postponed: everybody is authorized again for the new time", async () => {
      await world.schedule("bio", 120);
      await forward(1.1);
      expect(world.authorized).toHaveLength(40);
      await until(start + 118 * minute);
      expect(world.authorized).toHaveLength(80);
    });
  });

  test.each(["host", "nobody"] as const)(
    "gives no host's login to somebody who has a lower role by now (%s starts the call)",
    async (call) => {
      await world.change("bio", { call });
      await until(start - 3 * minute);
      expect(world.authorized).toHaveLength(40);
      const lowerRole = async (id: string) => {
        const lower = {
          role: "learner",
          testUser: false,
          student: true,
          lastLaunchAt: world.time.now,
          listName: "x",
        } as const;
        await world.stores.members.recordLaunch(key("bio", id), lower, null, "mem");
      };
      await lowerRole(host());
      expect(await world.enter("bio", host())).toBeNull();
      const other = class_[38] ?? "";
      await lowerRole(other);
      await forward(1.1);
      expect(world.authorized.slice(40).map(({ userId }) => userId)).toEqual([
        `user of ${other}-participant`,
      ]);
      const url = await world.enter("bio", other);
      expect(url).toBe(world.authorized.at(-1)?.url);
      expect(url).not.toContain("startCall");
    },
  );

  test("a switched-off LMS costs no call", async () => {
    switchOff();
    await until(start);
    expect(world.authorized).toEqual([]);
  });
});

describe("the people who are expected", () => {
  test("are students and instructors in the course; people without an API user get one first", async () => {
    const ids = await world.addCourse("bio", 6, { users: false });
    const [left = "", preview = "", mentor = "", ...rest] = ids;
    const facts = { role: "learner", lastLaunchAt: 1, listName: "" } as const;
    await world.stores.members.recordLaunch(key("bio", preview), { ...facts, testUser: true }, null, "x");
    await world.stores.members.recordLaunch(
      key("bio", mentor),
      { ...facts, testUser: false, student: false },
      null,
      "x",
    );
    await world.stores.members.applyRoster({ registrationId: "reg_1", courseId: "bio" }, world.time.now, {
      made: [],
      changed: [{ personId: left, id: "", to: { active: false } }],
    });
    await world.schedule("bio", 3);
    await world.work();
    const authorized = world.authorized.map(({ userId }) => userId);
    expect(authorized.filter((userId) => userId.endsWith("-host"))).toHaveLength(1);
    expect(authorized.map((userId) => userId.replace(/-(host|participant)$/, "")).sort()).toEqual(
      rest.map((id) => `user of ${id}`).sort(),
    );
    expect([...world.users]).toEqual(expect.arrayContaining(rest.map((id) => [id, 1])));
  });

  test("keep their login if they never came and a host with another language was here last", async () => {
    const ids = await world.addCourse("bio", 10, { hosts: 2 });
    const [learner = ""] = ids;
    const [german = "", french = ""] = ids.slice(8);
    const launch = async (id: string, locale: string) => {
      world.time.now += 1_000;
      const facts = {
        role: "instructor",
        testUser: false,
        lastLaunchAt: world.time.now,
        listName: "",
      } as const;
      const member = await world.stores.members.recordLaunch(key("bio", id), facts, null, "x");
      await world.stores.members.recordEntry(member.id, { courseLinkId: null, locale, mobile: false });
    };
    await launch(french, "fr");
    await launch(german, "de");
    await world.schedule("bio", 3);
    await world.work();
    for (let round = 0; round < 2; round += 1) {
      await launch(french, "fr");
      await forward(1.1);
      await launch(german, "de");
      await forward(1.1);
    }
    await launch(french, "fr");
    await forward(1.1);
    expect(world.authorized).toHaveLength(10);
    expect(await world.enter("bio", learner, { locale: "de" })).toContain("language=de");
  });
});

test("several classes that start together share the calls, and the earliest goes first", async () => {
  await world.addCourse("large", 300);
  await world.addCourse("small", 60);
  await world.addCourse("soon", 10);
  const start = world.time.now + 60 * minute;
  await world.schedule("large", 60);
  await world.schedule("small", 60);
  await world.schedule("soon", 59);
  await world.look();
  world.time.now = start - 6 * minute;
  await world.work();
  const courses = world.authorized.map(({ url }) => /space-(\w+)/.exec(url)?.[1]);
  expect(courses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "soon"));
  const lastOfSmall = courses.lastIndexOf("small");
  const largeBefore = courses.slice(0, lastOfSmall).filter((course) => course === "large").length;
  expect(largeBefore).toBeGreaterThan(40);
  expect(largeBefore).toBeLessThanOrEqual(76);
  expect(world.authorized).toHaveLength(370);
  expect(new Set(world.authorized.map(({ userId }) => userId)).size).toBe(370);
}, 60_000);

describe("when the classroom fails", () => {
  test("it is asked only now and then, and in the end everybody has a login", async () => {
    await world.addCourse("bio", 20);
    await world.schedule("bio", 10);
    let calls = 0;
    world.classroom.before = () => {
      calls += 1;
      throw refusal(true);
    };
    await world.work();
    await until(world.time.now + 6 * minute);
    expect(calls).toBeGreaterThan(0);
    // One turn that finds the trouble, then one call after each pause.
    expect(calls).toBeLessThan(16 + 8);
    world.classroom.before = () => undefined;
    await until(world.time.now + 6 * minute);
    expect((await world.logins("bio")).size).toBe(20);
    expect(world.authorized).toHaveLength(20);
  });

  test("for one person, two calls are spent and nobody waits for long", async () => {
    const [refused = ""] = await world.addCourse("bio", 20);
    await world.schedule("bio", 10);
    let calls = 0;
    world.classroom.before = (userId) => {
      if (userId !== `user of ${refused}`) return;
      calls += 1;
      throw refusal(false);
    };
    await until(world.time.now + 15 * minute);
    expect(calls).toBe(2);
    expect(world.authorized).toHaveLength(19);
    expect(await world.enter("bio", refused)).toBeNull();
  });
});

describe("when the store fails", () => {
  const dueIn = async () => {
    const [plan] = await world.stores.expectedClasses.listStarting("production", 0, Number.MAX_SAFE_INTEGER);
    return (plan?.dueAt ?? NaN) - world.time.now;
  };
  const away = () => Promise.reject(new Error("the store is away"));
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeEach(async () => {
    unhandled.length = 0;
    await world.addCourse("bio", 20);
    await world.schedule("bio", 3);
    await world.look();
    process.on("unhandledRejection", note);
  });
  afterEach(() => process.off("unhandledRejection", note));

  test("after the classroom did, the process survives, and the class is retried soon", async () => {
    const { logins } = world.deps;
    world.deps.logins = { ...logins, keep: away };
    const reached: string[] = [];
    world.classroom.before = (userId) => {
      reached.push(userId);
      throw refusal(false);
    };
    expect(await world.turn()).toBe(true);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
    expect(reached.length).toBeLessThan(20);
    expect(await dueIn()).toBe(15_000);
    world.deps.logins = logins;
    world.classroom.before = () => undefined;
    await forward(0.25);
    expect(world.authorized).toHaveLength(20);
  });

  test("while a class is listed, it is retried after seconds, not after ten minutes", async () => {
    const { members } = world.deps;
    world.deps.members = { ...members, listAfter: away };
    await world.turn();
    expect(await dueIn()).toBe(15_000);
    world.time.now += 15_000;
    await world.turn();
    expect(await dueIn(), "twice as long").toBe(30_000);
    world.deps.members = members;
    await forward(0.5);
    expect(world.authorized).toHaveLength(20);
  });

  test("during a turn, sent calls are finished, and no listener for the end of the process remains", async () => {
    const { expectedClasses } = world.deps;
    world.deps.expectedClasses = { ...expectedClasses, othersWait: away };
    await world.turn();
    expect(getEventListeners(world.ending.signal, "abort")).toEqual([]);
    expect(world.authorized.length).toBeGreaterThan(0);
    expect((await world.logins("bio")).size).toBe(world.authorized.length);
    expect(await dueIn()).toBe(15_000);
  });
});

test("a class of a switched-off LMS is left alone for ten minutes, and no login counts as spent", async () => {
  await world.addCourse("bio", 5);
  await world.schedule("bio", 15);
  await world.look();
  world.time.now += 10 * minute;
  const find = switchOff();
  expect(await world.turn()).toBe(true);
  world.deps.registrations.find = find;
  world.time.now += 10 * minute - 1;
  expect(await world.turn()).toBe(false);
  expect((await world.logins("bio")).size).toBe(0);
  world.time.now += 1;
  await world.work();
  expect(world.authorized).toHaveLength(5);
});

describe("a class that many enter at once", () => {
  const come = async (ids: readonly string[]) => {
    for (const id of ids) await world.enter("bio", id);
  };

  test("has everybody else authorized once; a quiet class has nobody", async () => {
    const ids = await world.addCourse("bio", 40);
    await world.addCourse("idle", 40);
    await come(ids.slice(0, 4));
    await world.work();
    expect(world.authorized).toEqual([]);
    await come(ids.slice(4, 8));
    await world.work();
    expect(world.authorized.map(({ userId }) => userId).sort()).toEqual(
      ids
        .slice(8)
        .map((id) => `user of ${id}`)
        .sort(),
    );
    await forward(2);
    await forward(60);
    expect(world.authorized).toHaveLength(32);
  });

  test("that is being authorized for its session is not planned twice", async () => {
    const ids = await world.addCourse("bio", 40);
    await world.schedule("bio", 3);
    await world.look();
    await come(ids.slice(0, 8));
    await world.work();
    expect(world.authorized).toHaveLength(32);
    const open = await world.stores.expectedClasses.listOpen(
      { registrationId: "reg_1", courseId: "bio" },
      world.time.now,
    );
    expect(open.map(({ reason }) => reason.kind)).toEqual(["session"]);
  });
});

test("somebody who enters while their call waits for its turn is not authorized a second time", async () => {
  const [learner = ""] = await world.addCourse("bio", 1, { hosts: 0 });
  await world.schedule("bio", 3);
  await world.look();
  world.classroom.realMs = 2_500;
  const linedUp = Promise.withResolvers<undefined>();
  const { classroomOf } = world.deps;
  world.deps.classroomOf = (environment) => {
    const client = classroomOf(environment);
    return {
      ...client,
      authorize: (entry, options) => {
        const onWait = async () => {
          await options.onWait?.();
          linedUp.resolve(undefined);
        };
        return client.authorize(entry, { ...options, onWait });
      },
    };
  };
  const turn = world.turn();
  await linedUp.promise;
  expect(await world.enter("bio", learner)).toBeNull();
  await turn;
  expect(world.authorized).toEqual([]);
});

describe("over several processes", () => {
  test("nobody is authorized twice, whichever process works", async () => {
    const others = [await openExpectedCourses(world.url), await openExpectedCourses(world.url)];
    const all = [world, ...others];
    // Claims need clocks that agree; clocks that move with each process's own calls soon differ by ten seconds.
    for (const one of all) one.classroom.clockMs = 0;
    try {
      const ids = [...(await world.addCourse("bio", 60)), ...(await world.addCourse("his", 60))];
      await world.schedule("bio", 4);
      await world.schedule("his", 4);
      await Promise.all(all.map((one) => one.work()));
      await Promise.all(all.map((one) => one.work()));
      const authorized = all.flatMap((one) => one.authorized.map(({ userId }) => userId));
      expect(authorized.sort()).toEqual(ids.map((id) => `user of ${id}`).sort());
    } finally {
      for (const one of others) await one.close();
    }
  });

  test("the class of one that died is claimed by another after ten seconds", async () => {
    await world.addCourse("bio", 10);
    await world.schedule("bio", 3);
    await world.look();
    const { expectedClasses } = world.stores;
    const { now } = world.time;
    expect(await expectedClasses.claimNext("production", "dead", now, now + 10_000)).not.toBeNull();
    expect(await world.turn()).toBe(false);
    world.time.now += 10_000;
    expect(await world.turn()).toBe(true);
    expect(world.authorized).toHaveLength(10);
  });

  test("one that lost its claim sends nothing else", async () => {
    await world.addCourse("bio", 10);
    await world.schedule("bio", 3);
    world.classroom.realMs = 100;
    world.classroom.before = async () => {
      const later = world.time.now + 60_000;
      await world.stores.expectedClasses.claimNext("production", "thief", later, later + 10_000);
    };
    await world.look();
    await world.turn();
    expect(world.authorized.length).toBeLessThan(3);
  });

  test("one that is stopped finishes its calls, and continues where it was after the next start", async () => {
    const ids = await world.addCourse("bio", 30);
    await world.schedule("bio", 3);
    world.classroom.realMs = 20;
    world.classroom.before = () => {
      if (world.authorized.length >= 9) world.ending.abort();
    };
    await world.work();
    const sent = world.authorized.length;
    expect(sent).toBeLessThan(13);
    expect((await world.logins("bio")).size).toBe(sent);
    const next = await openExpectedCourses(world.url);
    try {
      next.time.now = world.time.now;
      await next.work();
      const all = [...world.authorized, ...next.authorized].map(({ userId }) => userId);
      expect(all.sort()).toEqual(ids.map((id) => `user of ${id}`).sort());
    } finally {
      await next.close();
    }
  });
});
