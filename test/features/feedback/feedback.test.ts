import { beforeEach, describe, expect, test } from "vitest";
import type { Course } from "../../../src/domain/course.ts";
import { findVisit, findVisitByAttribution } from "../../../src/modules/feedback/find-visit.ts";
import { type FeedbackRequest, giveFeedback } from "../../../src/modules/feedback/give-feedback.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { giveApiUser, recordPerson } from "../../support/builders/give-api-user.ts";
import { approveSpaceFor, giveSpace } from "../../support/builders/approve-space.ts";
import { newCourse, launchedCourse } from "../../support/builders/launched-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { eventOf } from "../../support/builders/event.ts";

/** For the whole file: tests have their own records. */
const { stores } = await forAllTests(openEmptyStores());
const time = { now: 0 };
const clock = { now: () => time.now, sleep: () => Promise.resolve() };
const minute = 60_000;

beforeEach(() => {
  // Far in the future, so that the database, which uses the real time, deletes nothing during the test.
  time.now = Date.UTC(2100, 0, 4, 10, 30);
});

/** A course with a Space, in an LMS that is switched on. */
async function courseOf(registrationId: string, spaceId: string | null, deploymentId = "1") {
  const known = await stores.registrations.find(registrationId);
  if (known === null) {
    await stores.registrations.insert(
      registrationOf({
        id: registrationId,
        issuer: `https://${registrationId}.test`,
        clientId: "client",
        family: "other",
        createdAt: 1,
      }),
    );
  }
  const course = await stores.courses.record(
    { registrationId, deploymentId, contextId: randomIds.id("context") },
    launchedCourse({ title: "Course", label: "C" }),
    newCourse(randomIds.id("crs")),
  );
  if (spaceId !== null) await giveSpace(stores, course, spaceId);
  return (await stores.courses.find(course.id)) ?? course;
}

/** Somebody with a user in the classroom. */
async function personOf(registrationId: string, userId: string) {
  const person = await recordPerson(stores.people, randomIds.id("per"), {
    name: "Ada",
    sub: randomIds.id("sub"),
    registrationId,
  });
  await giveApiUser(stores.people, person.id, { userId, name: "Ada" });
  return person;
}

/** A learner of a course with a Space. */
async function someone() {
  const [reg, space, user] = [randomIds.id("reg"), randomIds.id("s"), randomIds.id("u")];
  const course = await courseOf(reg, space);
  const person = await personOf(reg, user);
  await enrol(course, person);
  return { reg, space, user, course, person };
}

/** A link of a course opens a Space that the course may use. */
async function linkTo(course: Course, space: string) {
  const key = { registrationId: course.registrationId, deploymentId: "1", courseId: course.id, linkId: "l1" };
  const { id } = await stores.courseLinks.record(key, null, randomIds.id("lnk"));
  await stores.courseLinks.choose(id, { kind: "space", spaceId: space });
  await approveSpaceFor(stores, course, space);
}

const enrol = (
  course: { registrationId: string; id: string },
  person: { id: string },
  lastLaunchAt = 1,
  role: "learner" | "instructor" = "learner",
) =>
  stores.members.recordLaunch(
    { registrationId: course.registrationId, courseId: course.id, personId: person.id },
    { role, testUser: false, listName: "", lastLaunchAt },
    null,
    randomIds.id("mem"),
  );

const deps = () => ({ ...stores, clock });
const visit = (spaceId: string, userId: string, eventId: string | null = null) =>
  findVisit(deps(), "production", { spaceId, userId, eventId, sessionId: null });

describe("The visit that an address names", () => {
  test("is that of a member of the course with the Space", async () => {
    const { course, space, user } = await someone();
    expect(await visit(space, user)).toMatchObject({ course: { id: course.id } });
  });

  test("is that of a member of a course with a link to another course's Space", async () => {
    const [reg, space, user] = [randomIds.id("reg"), randomIds.id("s"), randomIds.id("u")];
    await courseOf(reg, space);
    const course = await courseOf(reg, randomIds.id("s"));
    await enrol(course, await personOf(reg, user));
    expect(await visit(space, user)).toBeNull();
    await linkTo(course, space);
    expect(await visit(space, user)).toMatchObject({
      course: { id: course.id },
      occasion: { spaceId: space, eventId: null },
    });
  });

  test("is that of the right person if people of two LMSs have the same user in the classroom", async () => {
    const [one, other] = [randomIds.id("reg"), randomIds.id("reg")];
    const [space, user] = [randomIds.id("s"), randomIds.id("u")];
    const elsewhere = await courseOf(one, randomIds.id("s"));
    const course = await courseOf(other, space);
    await enrol(elsewhere, await personOf(one, user));
    const person = await personOf(other, user);
    await enrol(course, person);
    expect(await visit(space, user)).toMatchObject({ member: { personId: person.id } });
  });

  test("is in the course opened last, with the role there, if two courses share a Space", async () => {
    const [reg, space, user] = [randomIds.id("reg"), randomIds.id("s"), randomIds.id("u")];
    const [early, late] = [await courseOf(reg, space), await courseOf(reg, space)];
    const person = await personOf(reg, user);
    await enrol(late, person, 2, "instructor");
    await enrol(early, person, 1);
    expect(await visit(space, user)).toMatchObject({
      course: { id: late.id },
      member: { role: "instructor" },
    });
    await enrol(early, person, 3);
    expect(await visit(space, user)).toMatchObject({ course: { id: early.id }, member: { role: "learner" } });
  });

  test("is nobody's if the LMS was switched off or the deployment refused", async () => {
    const { reg, space, user } = await someone();
    await stores.deployments.record({
      registrationId: reg,
      deploymentId: "1",
      status: "accepted",
      firstSeenAt: 1,
    });
    expect(await visit(space, user)).not.toBeNull();
    await stores.deployments.setStatus(reg, "1", "refused");
    expect(await visit(space, user)).toBeNull();
    await stores.deployments.setStatus(reg, "1", "accepted");
    await stores.registrations.set(reg, { active: false });
    expect(await visit(space, user)).toBeNull();
  });

  test("is about the current event, even among hundreds that are planned", async () => {
    const { course, space, user } = await someone();
    const week = 7 * 24 * 60 * minute;
    for (let index = 0; index < 120; index += 1) {
      const startsAt = time.now - 30 * minute + index * week;
      await stores.events.save(
        eventOf({ eventId: `${space} ${index}`, spaceId: space, title: null, startsAt, courseId: course.id }),
      );
    }
    expect((await visit(space, user))?.occasion.eventId).toBe(`${space} 0`);
    // Next week's session cannot be rated yet.
    expect((await visit(space, user, `${space} 1`))?.occasion.eventId).toBe(`${space} 0`);
  });
});

describe("A person who tries addresses in a row", () => {
  const told = (spaceId: string, userId: string) => ({ spaceId, userId, eventId: null, sessionId: null });
  const spanKey = (from: string) => `wrong ${from} ${time.now - (time.now % (10 * minute))}`;

  /** Somebody in a class, and a place with that many misses. */
  async function placeWith(misses: number) {
    const { space, user } = await someone();
    const from = randomIds.id("place");
    for (let miss = 0; miss < misses; miss += 1) {
      await stores.feedback.countTry(spanKey(from), time.now + 10 * minute);
    }
    const asks = (userId: string, spaceId = space, with_ = deps()) =>
      findVisitByAttribution(with_, "production", told(spaceId, userId), from);
    return { asks, user, tries: () => stores.feedback.triesOf(spanKey(from)) };
  }

  test("learns nothing after 1,500 misses, but a school behind one address still does after 1,499", async () => {
    const { asks, user } = await placeWith(1_499);
    expect(await asks(user)).not.toBeNull();
    expect(await asks("user_nobody")).toBeNull();
    expect(await asks(user)).toBeNull();
    time.now += 10 * minute;
    expect(await asks(user)).not.toBeNull();
  });

  test("uses up no attempt by being right, or with a Space without a course", async () => {
    const { asks, user, tries } = await placeWith(0);
    await asks(user);
    await asks(user, randomIds.id("nowhere"));
    expect(await tries()).toBe(0);
    await asks("user_nobody");
    expect(await tries()).toBe(1);
  });

  test("uses up an attempt with a Space that only a link opens", async () => {
    const { asks, tries } = await placeWith(0);
    const [reg, space] = [randomIds.id("reg"), randomIds.id("s")];
    const course = await courseOf(reg, randomIds.id("s"));
    await linkTo(course, space);
    await asks("user_nobody", space);
    expect(await tries()).toBe(1);
  });

  test("gets no more attempts by asking many times at the same moment", async () => {
    const { asks } = await placeWith(1_498);
    let looks = 0;
    const listByApiUser: Stores["people"]["listByApiUser"] = async (...asked) => {
      looks += 1;
      return stores.people.listByApiUser(...asked);
    };
    const counting = { ...deps(), people: { ...stores.people, listByApiUser } };
    await Promise.all(Array.from({ length: 20 }, () => asks("user_nobody", undefined, counting)));
    expect(looks).toBe(2);
  });
});

describe("An answer", () => {
  const answer = { rating: 3, soundAndPicture: null, comment: null };
  async function asked(change: Partial<FeedbackRequest> = {}): Promise<FeedbackRequest> {
    const { reg, space, course, person } = await someone();
    return {
      registrationId: reg,
      courseId: course.id,
      personId: person.id,
      occasion: { spaceId: space, eventId: null, heldAt: Date.UTC(2026, 10, 21) },
      sessionId: null,
      ...change,
    };
  }
  const give = (who: FeedbackRequest, change: object = {}, from = randomIds.id("place")) =>
    giveFeedback(deps(), who, { ...answer, ...change }, from);
  async function kept(who: FeedbackRequest) {
    const [occasion] = await stores.feedback.occasionsOf(who.courseId, 5);
    return occasion === undefined ? [] : stores.feedback.answersTo(who.courseId, occasion.key);
  }

  test("sent ten times at the same moment is stored once", async () => {
    const who = await asked();
    await Promise.all(Array.from({ length: 10 }, () => give(who)));
    expect(await kept(who)).toEqual([{ rating: 3, soundAndPicture: null }]);
    expect(await stores.feedback.occasionsOf(who.courseId, 5)).toHaveLength(1);
  });

  test("is accepted again ten minutes after too many", async () => {
    const who = await asked();
    for (let index = 0; index < 10; index += 1) await give(who);
    await expect(give(who)).rejects.toMatchObject({ code: "feedback-too-often", temporary: true });
    time.now += 10 * minute;
    await give(who);
  });

  test("is accepted from one place as often as a large class is large, and no more", async () => {
    const who = await asked();
    const key = `place ${who.occasion.spaceId} school ${time.now - (time.now % (10 * minute))}`;
    await Promise.all(Array.from({ length: 1_499 }, () => stores.feedback.countTry(key, time.now + minute)));
    await give(who, {}, "school");
    await expect(give(who, {}, "school")).rejects.toMatchObject({ code: "feedback-too-often" });
    await give(who, {}, "home");
  });

  test.each([
    [
      "an instructor",
      (who: FeedbackRequest) =>
        enrol(
          { registrationId: who.registrationId, id: who.courseId },
          { id: who.personId },
          9,
          "instructor",
        ),
    ],
    ["a course that does not ask", (who: FeedbackRequest) => stores.courses.askFeedback(who.courseId, false)],
  ])("of %s is refused", async (_what, change) => {
    const who = await asked();
    await change(who);
    await expect(give(who)).rejects.toMatchObject({ code: "feedback-not-taken", status: 403 });
    expect(await kept(who)).toEqual([]);
  });

  test("of nobody and of another course's person is refused in the same words", async () => {
    const who = await asked();
    const refusals = [];
    for (const change of [
      { personId: "per_nobody" },
      { courseId: "crs_nowhere" },
      { personId: (await asked()).personId },
    ]) {
      refusals.push(await give({ ...who, ...change }).catch((thrown: unknown) => String(thrown)));
    }
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/wasn’t saved/);
  });
});
