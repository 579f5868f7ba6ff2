import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linkSection, unlinkSection } from "../../../src/modules/cohorts/section-links.ts";
import { readCohort } from "../../../src/modules/cohorts/cohorts.ts";
import { changeSessions } from "../../../src/modules/scheduling/change-sessions.ts";
import { formOfSession } from "../../../src/modules/scheduling/pages/session-change-page.ts";
import { findSession, showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const place = { registrationId: "reg_1", courseId: "bio" };
/** What an operator writes if POST /events accepts cohorts. */
const dialect = {
  operations: {
    createEvent: {
      routes: [
        {
          method: "POST",
          path: "/events",
          body: {
            title: "{title}",
            spaceId: "{spaceId}",
            startsAt: "{startsAt}",
            endsAt: "{endsAt}",
            attendeeIds: "{attendeeUserIds}",
            cohortIds: "{cohortIds}",
          },
        },
      ],
    },
  },
};

const database = await forAllTests(openEmptyStores());
let course: PlannedCourse;
beforeEach(async () => {
  course = await openPlannedCourse(database, { dialect });
  for (const lmsSectionId of ["morning", "evening"])
    await course.stores.sections.record(
      place,
      { lmsSectionId, lmsName: lmsSectionId, lmsSetName: null },
      `sec-${lmsSectionId}`,
    );
});
afterEach(() => course.close());

/** A cohort of the classroom that we know of. */
async function cohort(name: string): Promise<{ programId: string; cohortId: string }> {
  const { programId, cohortId } = course.classroom.createCohort({ programId: "p", name });
  await readCohort(course.deps, { environment: "production", programId, cohortId });
  return { programId, cohortId };
}
const link = async (lmsSectionId: string, to: { programId: string; cohortId: string }, courseId = "bio") =>
  linkSection(course.deps, await course.courseOf(courseId), "per-Tess", { lmsSectionId, ...to });
const sectionsOf = async () => (await course.sessions()).map(({ sectionIds }) => sectionIds);

describe("a section that is linked to a cohort", () => {
  test("passes its cohort to a session planned for it, and its own learners are invited", async () => {
    await course.addMember("bio", "Ann", "learner", ["morning"]);
    await course.addMember("bio", "Ben", "learner", ["evening"]);
    const early = await cohort("Early");
    await link("morning", early);
    await course.plan({ sectionIds: ["morning"] });
    await course.plan({ sectionIds: ["morning", "evening"], date: "2026-10-20" });
    await course.plan({ date: "2026-10-21" });
    await course.work();
    expect(course.classroom.events().map(({ attendeeIds, cohortIds }) => [attendeeIds, cohortIds])).toEqual([
      [["user-Ann"], [early.cohortId]],
      // Evening has no cohort: the session would be for fewer people than planned.
      [["user-Ann", "user-Ben"], undefined],
      [["user-Ann", "user-Ben"], undefined],
    ]);
  });

  test("has the sessions that the classroom created for its cohort, and grades follow", async () => {
    const early = await cohort("Early");
    await link("morning", early);
    const { spaceId } = course;
    const event = course.classroom.createEvent({ spaceId, title: "Lab", cohortIds: [early.cohortId] });
    await course.note(event.eventId);
    course.classroom.createEvent({ spaceId, title: "All", cohortIds: ["another"] });
    expect(await sectionsOf()).toEqual([["morning"]]);
    expect(course.changed).toContain("bio");
    const bio = await course.courseOf("bio");
    const record = required(await findSession(course.deps, bio, `event:${event.eventId}`));
    const form = formOfSession(record, bio);
    expect(form, "saved as it is, it keeps its section").toMatchObject({ who: "some", section: ["morning"] });
  });

  test("gets them when it is linked, loses them when unlinked, and keeps what was decided here", async () => {
    const early = await cohort("Early");
    const of = { spaceId: course.spaceId, cohortIds: [early.cohortId] };
    const events = ["Lab", "Talk"].map((title, at) =>
      course.classroom.createEvent({ ...of, title, startsAt: course.time.now + at }),
    );
    const say = async (at: number, sectionIds: string[]) => {
      const bio = await course.courseOf("bio");
      const record = required(await findSession(course.deps, bio, `event:${events[at]?.eventId ?? ""}`));
      const own = { sectionIds, counts: at === 0 };
      return changeSessions(course.deps, bio, "per-Tess", { record, scope: "one" }, { own });
    };
    for (const { eventId } of events) await course.note(eventId);
    expect(await sectionsOf()).toEqual([[], []]);
    // This says nothing about sections.
    await say(1, []);
    const before = course.changed.length;
    const linked = await link("morning", early);
    expect(await sectionsOf()).toEqual([["morning"], ["morning"]]);
    expect(course.changed.length).toBeGreaterThan(before);
    await say(0, ["evening"]);
    await unlinkSection(course.deps, await course.courseOf("bio"), "per-Tess", linked.id);
    expect(await sectionsOf()).toEqual([["evening"], []]);
  });

  test("keeps the cohort of a session that is changed here until the classroom reports another", async () => {
    await course.close();
    const body = { startsAt: "{startsAt}", endsAt: "{endsAt}" };
    const updateEvent = { routes: [{ method: "PATCH", path: "/events/{eventId}", body }] };
    const changing = { operations: { ...dialect.operations, updateEvent } };
    course = await openPlannedCourse(database, { changes: true, dialect: changing });
    const morning = { lmsSectionId: "morning", lmsName: "Morning", lmsSetName: null };
    await course.stores.sections.record(place, morning, "sec-morning");
    const early = await cohort("Early");
    await link("morning", early);
    await course.plan({ sectionIds: ["morning"] });
    await course.work();
    const { eventId = "" } = course.classroom.events()[0] ?? {};
    await course.note(eventId);
    const bio = await course.courseOf("bio");
    const { next } = await showSessions(course.deps, { id: "bio" });
    const record = required(await findSession(course.deps, bio, next[0]?.key ?? ""));
    course.later(1_000);
    const half = { date: null, time: "09:00", minutes: 30, timeZone: "Europe/Berlin" };
    await changeSessions(course.deps, bio, "per-Tess", { record, scope: "one" }, { times: half });
    await course.work();
    const kept = await course.stores.events.find("production", eventId);
    expect((kept?.endsAt ?? 0) - (kept?.startsAt ?? 0)).toBe(30 * 60_000);
    expect(kept).toMatchObject({ cohortIds: [early.cohortId], sectionIds: ["morning"] });
  });

  test("decides the course of a session if links of several courses open one Space", async () => {
    await course.addCourse("chem", "Chemistry", await course.anotherSpace("Chemistry"));
    await course.stores.sections.record(
      { ...place, courseId: "chem" },
      { lmsSectionId: "c1", lmsName: "C1", lmsSetName: null },
      "sec-c1",
    );
    const shared = await course.anotherSpace("Shared");
    for (const id of ["bio", "chem"]) await course.link(id, shared);
    const late = await cohort("Late");
    await link("c1", late, "chem");
    const told = course.classroom.createEvent({ spaceId: shared, title: "Lab", cohortIds: [late.cohortId] });
    const unnoticed = course.classroom.createEvent({ spaceId: shared, title: "Talk" });
    for (const { eventId } of [told, unnoticed]) await course.note(eventId);
    const find = (eventId: string) => course.stores.events.find("production", eventId);
    expect(await find(told.eventId)).toMatchObject({ courseId: "chem", sectionIds: ["c1"] });
    expect(await find(unnoticed.eventId)).toMatchObject({ courseId: null });
  });
});
