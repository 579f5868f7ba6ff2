import { describe, expect, test } from "vitest";
import { applyNextMatch } from "../../../src/modules/matching/apply-matches.ts";
import { keepEvent } from "../../../src/modules/scheduling/keep-event.ts";
import {
  answerEvent,
  choosableMembers,
  matchUser,
  undoEvent,
  undoMatch,
} from "../../../src/modules/matching/match-user.ts";
import { countUnmatched } from "../../../src/modules/matching/list-unmatched.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";
import { eventOf } from "../../support/builders/event.ts";

const database = await forAllTests(openEmptyStores());
const hour = 3_600_000;
const ina = "per-Ina";

let world: MatchingCourse;
forEachTest(async () => (world = await openMatchingCourse({ from: database })));

const match = async (userId: string, name: string, confirmed = false) =>
  matchUser(world.deps, await world.course(), ina, { userId, personId: `per-${name}`, confirmed });
const answer = async (eventId: string, said: "ours" | "not-ours" | "open") =>
  answerEvent(world.deps, await world.course(), ina, eventId, said);

describe("somebody who is unknown here", () => {
  test("is listed with the sessions, whether a webhook or a reading named them", async () => {
    const guest = await world.user("Ann Adler");
    await world.enrol("Ann Adler");
    const [first, second] = [await world.held(3 * hour), await world.held(2 * hour)];
    expect(await world.webhook(guest, first, "LATE")).toMatchObject({ kind: "unmatched" });
    world.classroom.markAttendance({ eventId: second, userId: guest, status: "PRESENT" });
    await world.read();
    const { users } = await world.unmatched();
    expect(users).toMatchObject([
      {
        userId: guest,
        sessions: [
          { eventId: second, status: "PRESENT" },
          { eventId: first, status: "LATE" },
        ],
      },
    ]);
    expect(await countUnmatched(world.deps, await world.course())).toBe(1);
    // Never by name.
    expect(await world.statusOf("Ann Adler", first)).toBeNull();
  });

  test("is matched with one click, for the past and the future, and the grade follows", async () => {
    const guest = await world.user("Guest");
    await world.enrol("Ann");
    const [first, second] = [await world.held(3 * hour), await world.held(2 * hour)];
    await world.webhook(guest, first, "LATE");
    expect(await match(guest, "Ann")).toMatchObject({ kind: "matched" });
    await world.apply();
    expect(await world.statusOf("Ann", first)).toBe("LATE");
    expect(await world.scoreOf("Ann")).toBe(80);
    await world.webhook(guest, second, "PRESENT");
    expect(await world.scoreOf("Ann")).toBe(90);
    expect((await world.unmatched()).users).toEqual([]);
    expect(await world.audit()).toMatchObject([
      { what: "person-matched", on: { personId: "per-Ann" }, by: { name: "Ina Instructor" } },
    ]);
  });

  test("is unmatched again, with exactly what came through the match", async () => {
    const own = await world.enters("Ann");
    const guest = await world.user("Guest");
    const [first, second] = [await world.held(3 * hour), await world.held(2 * hour)];
    await world.webhook(own, first, "PRESENT");
    await world.webhook(guest, second, "ABSENT");
    const matched = await match(guest, "Ann", true);
    await world.apply();
    expect(await world.scoreOf("Ann")).toBe(50);
    const { match: made } = matched.kind === "matched" ? matched : expect.fail("not matched");
    expect(await undoMatch(world.deps, await world.course(), ina, made.id)).toMatchObject({ id: "per-Ann" });
    await world.apply();
    expect(await world.scoreOf("Ann")).toBe(100);
    expect(await world.statusOf("Ann", second)).toBeNull();
    expect((await world.unmatched()).users).toMatchObject([{ userId: guest }]);
    expect(await undoMatch(world.deps, await world.course(), ina, made.id)).toBeNull();
    // They may be somebody else after all.
    await world.enrol("Ben");
    expect(await match(guest, "Ben")).toMatchObject({ kind: "matched" });
    await world.apply();
    expect(await world.scoreOf("Ben")).toBe(0);
  });

  test("cannot be matched with a person who has a classroom user already, unless that is confirmed", async () => {
    await world.enters("Ann");
    const guest = await world.user("Guest");
    const lesson = await world.held(hour);
    await world.webhook(guest, lesson, "PRESENT");
    expect(await match(guest, "Ann")).toMatchObject({ kind: "has-another" });
    expect((await world.unmatched()).users).toHaveLength(1);
    expect(await match(guest, "Ann", true)).toMatchObject({ kind: "matched" });
    await world.enrol("Ben");
    await expect(match(guest, "Ben")).rejects.toMatchObject({ code: "user-matched-already" });
  });

  test("cannot be matched with a person of another course", async () => {
    const guest = await world.user("Guest");
    await world.webhook(guest, await world.held(hour), "PRESENT");
    await world.known("per-Stranger", "Stranger");
    await expect(match(guest, "Stranger")).rejects.toMatchObject({ code: "learner-unknown" });
  });

  test("can only be matched with one person", async () => {
    const ann = await world.enters("Ann");
    await world.enrol("Bob");
    await expect(match(ann, "Bob")).rejects.toMatchObject({ code: "user-matched-already" });
  });

  test("stays matched when another course undoes it", async () => {
    const guest = await world.user("Guest");
    await world.enrol("Ann");
    const made = await match(guest, "Ann");
    const id = made.kind === "matched" ? made.match.id : "";
    expect(await undoMatch(world.deps, { ...(await world.course()), id: "another" }, ina, id)).toBeNull();
    expect(await undoMatch(world.deps, await world.course(), ina, id)).toMatchObject({ id: "per-Ann" });
  });

  test("stays ignored until they attend again", async () => {
    const guest = await world.user("Guest");
    await world.webhook(guest, await world.held(hour), "PRESENT");
    const { id } = await world.course();
    await world.stores.unmatchedAttendance.putAside(id, guest, 1);
    expect(await countUnmatched(world.deps, await world.course())).toBe(0);
    expect((await world.unmatched()).users).toMatchObject([{ aside: true }]);
    await world.webhook(guest, await world.held(hour), "PRESENT");
    expect(await countUnmatched(world.deps, await world.course())).toBe(1);
  });

  test("is offered people without a classroom user first", async () => {
    await world.enters("Ann");
    await world.enrol("Zoe");
    const names = (await choosableMembers(world.deps, await world.course())).map(({ name }) => name);
    expect(names).toEqual(["Zoe", "Ann"]);
  });
});

test("a match that a crash interrupted is applied by the next process", async () => {
  const guest = await world.user("Guest");
  await world.enrol("Ann");
  const lesson = await world.held(hour);
  await world.webhook(guest, lesson, "LATE");
  await match(guest, "Ann");
  const dead = () => new Promise<never>((_resolve, reject) => reject(new Error("killed")));
  const dying = {
    ...world.deps,
    attendanceSummaries: new Proxy(world.deps.attendanceSummaries, { get: () => dead }),
    userMatches: { ...world.deps.userMatches, applied: dead, postpone: dead },
  };
  await expect(applyNextMatch(dying)).rejects.toThrow("killed");
  expect(await world.scoreOf("Ann")).toBeUndefined();
  expect(await applyNextMatch(world.deps), "its holder may be alive").toBe(false);
  world.pass(11_000);
  await world.apply();
  expect(await world.scoreOf("Ann")).toBe(80);
});

describe("a session that belongs to no course", () => {
  test("is listed in courses of its people, by number and never by name", async () => {
    const ann = await world.enters("Ann");
    const unlinked = await world.held(hour, null);
    const elsewhere = await world.held(hour, await world.space("Private lesson"));
    await world.webhook(ann, unlinked, "PRESENT");
    await world.webhook(ann, elsewhere, "PRESENT");
    // Earlier ones that belong to the course by now do no harm.
    for (let at = 1; at <= 50; at += 1) {
      const of = { ...world.key, environment: "production", eventId: `!${at}` } as const;
      await world.stores.events.save(eventOf(of));
      await world.stores.unassignedEvents.note(of, 1);
    }
    await world.webhook(await world.user("Stranger"), unlinked, "PRESENT");
    const { events, users } = await world.unmatched();
    expect(events.map(({ eventId, people }) => [eventId, people]).toSorted()).toEqual(
      [
        [unlinked, 1],
        [elsewhere, 1],
      ].toSorted(),
    );
    expect(users).toEqual([]);
    expect(JSON.stringify(events)).not.toContain("Ann");
  });

  test("becomes the course's, with its past and future attendance", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(hour, null);
    await world.webhook(ann, lesson, "LATE");
    expect(await answer(lesson, "ours")).toBe(true);
    await world.apply();
    expect(await world.scoreOf("Ann")).toBe(80);
    const { courseId } = world.key;
    // Read again, with only its Space to identify it.
    await world.stores.events.save(
      eventOf({
        eventId: lesson,
        spaceId: null,
        startsAt: world.clock.now() - 2 * hour,
        endsAt: world.clock.now() - hour,
        courseId: null,
      }),
    );
    await world.webhook(ann, lesson, "PRESENT");
    expect(await world.scoreOf("Ann")).toBe(100);
    expect((await world.stores.events.find("production", lesson))?.courseId).toBe(courseId);
    expect((await world.unmatched()).events).toEqual([]);
    expect(await world.read()).toBe(1);
    expect((await world.audit()).map(({ what }) => what)).toEqual(["event-matched"]);
  });

  test("is returned: attendance and grades are as before, and it is listed as unassigned", async () => {
    const [ann, ben] = [await world.enters("Ann"), await world.enters("Ben")];
    const guest = await world.user("Guest");
    await match(guest, "Ben", true);
    const [ours, trip] = [await world.held(3 * hour), await world.held(hour, null)];
    await world.webhook(ann, ours, "PRESENT");
    await world.webhook(ben, ours, "PRESENT");
    await world.webhook(ann, trip, "ABSENT");
    await world.webhook(guest, trip, "ABSENT");
    await answer(trip, "ours");
    await world.apply();
    // This one was reported only to the course.
    await world.webhook(ann, trip, "LATE");
    expect([await world.scoreOf("Ann"), await world.scoreOf("Ben")]).toEqual([90, 50]);
    expect((await world.unmatched()).ours).toMatchObject([{ eventId: trip, by: { id: ina } }]);
    const { registrationId, courseId } = world.key;
    const held = { registrationId, courseId, eventId: trip, personId: "per-Ben" };
    await world.stores.attendance.correct(
      held,
      { status: "PRESENT", notes: null, reason: null, by: ina, at: world.clock.now() },
      { id: "unused", sectionIds: [] },
    );
    expect(await undoEvent(world.deps, await world.course(), ina, trip)).toBe(true);
    expect(await undoEvent(world.deps, await world.course(), ina, trip)).toBe(false);
    await world.apply();
    expect([await world.scoreOf("Ann"), await world.scoreOf("Ben")]).toEqual([100, 100]);
    expect(await world.statusOf("Ben", trip)).toBeNull();
    expect((await world.stores.events.find("production", trip))?.courseId).toBeNull();
    const { events, ours: left } = await world.unmatched();
    expect(left).toEqual([]);
    expect(events).toMatchObject([{ eventId: trip, people: 2 }]);
    expect((await world.audit()).map(({ what }) => what).toSorted()).toEqual(
      ["event-match-undone", "event-matched", "person-matched"].toSorted(),
    );
    // It may be claimed again: nothing the classroom reported is lost.
    await answer(trip, "ours");
    await world.apply();
    expect([await world.scoreOf("Ann"), await world.scoreOf("Ben")]).toEqual([90, 50]);
  });

  test("that is claimed, returned and claimed again before any of it was applied, is ours", async () => {
    const ann = await world.enters("Ann");
    const trip = await world.held(hour, null);
    await world.webhook(ann, trip, "LATE");
    await answer(trip, "ours");
    world.pass(1);
    await undoEvent(world.deps, await world.course(), ina, trip);
    world.pass(1);
    await answer(trip, "ours");
    await world.apply();
    expect(await world.scoreOf("Ann")).toBe(80);
    world.pass(1);
    await undoEvent(world.deps, await world.course(), ina, trip);
    world.pass(1);
    // Hiding it does not prevent its return.
    expect(await answer(trip, "not-ours")).toBe(true);
    await world.apply();
    expect(await world.scoreOf("Ann")).toBeUndefined();
  });

  describe.each([
    ["applied", "and the undo was applied immediately", true, true],
    ["applied", "and the undo is applied later", true, false],
    ["said only", "and the undo was applied at once", false, true],
    ["said only", "and the undo is applied later", false, false],
  ])("that is ours, %s", (_how, _when, applied, atOnce) => {
    test(`stays out of the course when it is undone while its webhook is being stored, ${_when}`, async () => {
      const ann = await world.enters("Ann");
      const trip = await world.held(hour, null);
      await world.webhook(ann, trip, "LATE");
      await answer(trip, "ours");
      if (applied) await world.apply();
      world.pass(1_000);
      let undone = false;
      const events = {
        ...world.deps.events,
        saveNewer: async (...given: Parameters<typeof world.deps.events.saveNewer>) => {
          if (!undone) {
            undone = true;
            await undoEvent(world.deps, await world.course(), ina, trip);
            if (atOnce) await world.apply();
          }
          return world.deps.events.saveNewer(...given);
        },
      };
      const known = required(await world.stores.events.find("production", trip));
      const told = {
        readAt: world.clock.now(),
        at: world.clock.now(),
        eventType: null,
        by: null,
        recurring: false,
      };
      const moved = { ...known, title: "Moved" };
      await keepEvent({ ...world.deps, events }, { environment: "production", eventId: trip }, moved, told);
      world.pass(1_000);
      await world.apply();
      expect(undone).toBe(true);
      expect(await world.stores.events.find("production", trip)).toMatchObject({
        title: "Moved",
        courseId: null,
      });
      expect(await world.scoreOf("Ann")).toBeUndefined();
    });
  });

  test("brings in only the attendance of people in the course", async () => {
    const ann = await world.enters("Ann");
    await world.known("per-Otto", "Otto Other");
    const otto = await world.user("Otto");
    await giveApiUser(world.stores.people, "per-Otto", { userId: otto, name: "Otto" });
    const lesson = await world.held(hour, null);
    for (const userId of [ann, otto]) await world.webhook(userId, lesson, "PRESENT");
    await answer(lesson, "ours");
    await world.apply();
    const { registrationId, courseId } = world.key;
    const facts = await world.stores.attendance.listOfEvent(registrationId, courseId, lesson);
    expect(facts.map(({ personId }) => personId)).toEqual(["per-Ann"]);
  });

  test("is hidden when it is not ours, and shown again on request", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(hour, null);
    await world.webhook(ann, lesson, "PRESENT");
    expect(await answer(lesson, "not-ours")).toBe(true);
    expect(await world.unmatched()).toMatchObject({ events: [], hidden: [{ eventId: lesson }] });
    expect(await answer(lesson, "open")).toBe(true);
    expect((await world.unmatched()).events).toHaveLength(1);
  });

  test("is not given to a course without any of its people, or to two courses", async () => {
    const ann = await world.enters("Ann");
    const lesson = await world.held(hour, null);
    expect(await answer(lesson, "ours")).toBe(false);
    await world.webhook(ann, lesson, "PRESENT");
    const { registrationId } = world.key;
    const other = { registrationId, courseId: "crs_2", environment: "production" as const, eventId: lesson };
    await world.stores.unassignedEvents.note(other, 1);
    expect(await world.stores.unassignedEvents.answer(other, "ours", { by: "per-Otto", at: 1 })).toBe(true);
    expect(await answer(lesson, "ours")).toBe(false);
  });
});
