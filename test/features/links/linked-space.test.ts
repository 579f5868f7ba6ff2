import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { otherSpaceOf } from "../../../src/domain/course-link.ts";
import { customParameter } from "../../../src/domain/launch.ts";
import { linkOpens } from "../../../src/modules/launch/pages/home-panels.ts";
import { chooseLinks, offerChoices, recordLink } from "../../../src/modules/links/links.ts";
import { entryWindowEvents } from "../../../src/modules/joining/entry-target.ts";
import { findEvent } from "../../../src/modules/attendance/record-attendance.ts";
import { applyLeftSpaceChange, changeLink, linkSpace } from "../../../src/modules/links/link-space.ts";
import { linkedSpaces } from "../../../src/modules/scheduling/session-owners.ts";
import { knownSpaces } from "../../../src/modules/spaces/space-rights.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { approveSpaceFor } from "../../support/builders/approve-space.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";

const database = await forAllTests(openEmptyStores());

let course: PlannedCourse;
let lab: string;
beforeEach(async () => {
  course = await openPlannedCourse(database);
  lab = await course.anotherSpace("Lab");
});
afterEach(() => course.close());

const hour = 3_600_000;
const lesson = (spaceId: string, startsAt = course.time.now + hour) =>
  course.classroom.createEvent({ title: "Lab hour", spaceId, startsAt, endsAt: startsAt + hour }).eventId;
const courseOf = async (eventId: string) =>
  (await course.stores.events.find("production", eventId))?.courseId ?? null;
/** Attendance of the event is reported: its course is looked for. */
const attended = async (eventId: string) =>
  (await findEvent(course.deps, "production", eventId))?.courseId ?? null;

describe("an event in a Space that a link of a course opens", () => {
  test("belongs to that course when the classroom reports it", async () => {
    await course.link("bio", lab);
    const eventId = lesson(lab);
    await course.note(eventId);
    expect(await courseOf(eventId)).toBe("bio");
    expect(course.changed).toEqual(["bio"]);
  });

  test("belongs to that course when attendance arrives before the event", async () => {
    await course.link("bio", lab);
    const eventId = lesson(lab);
    expect(await attended(eventId)).toBe("bio");
    expect(await courseOf(eventId)).toBe("bio");
    expect(course.changed).toEqual(["bio"]);
  });

  test("belongs to no course if two have links to the Space, but stays with its course if the second link comes later", async () => {
    await course.addCourse("chem");
    await course.link("bio", lab);
    const before = lesson(lab);
    await course.note(before);
    await course.link("chem", lab);
    const after = lesson(lab);
    await course.note(after);
    expect(await attended(after)).toBeNull();
    course.later(1);
    await course.note(before, "EVENT_UPDATED");
    expect(await courseOf(before)).toBe("bio");
  });

  test("belongs to the only course with links to it", async () => {
    await course.link("bio", lab);
    await course.stores.courseLinks.record(
      { registrationId: "reg_1", deploymentId: "1", courseId: "bio", linkId: "second" },
      { id: "cho_2", choice: { kind: "space", spaceId: lab } },
      "lnk_2",
    );
    const eventId = lesson(lab);
    await course.note(eventId);
    expect(await courseOf(eventId)).toBe("bio");
  });

  test("belongs to the course that owns the Space, even with links from others", async () => {
    await course.addCourse("chem");
    await course.link("chem", course.spaceId);
    const eventId = lesson(course.spaceId);
    await course.note(eventId);
    expect(await courseOf(eventId)).toBe("bio");
  });

  test("belongs to no course if the link's course is in another environment", async () => {
    await course.link("bio", lab);
    const eventId = lesson(lab);
    await course.stores.events.save(
      eventOf({ environment: "staging", eventId, spaceId: lab, courseId: null, readAt: course.time.now }),
    );
    expect((await findEvent(course.deps, "staging", eventId))?.courseId ?? null).toBeNull();
  });
});

const deps = () => ({ ...course.deps, appUrlOf: () => course.classroom.appUrl });
const lead = async (id: string, chosen: Parameters<typeof changeLink>[4]) =>
  changeLink(deps(), await course.courseOf("bio"), "per-Tess", id, chosen);

describe("an instructor who points a link at another Space", () => {
  test("gets its future sessions into the course; past ones and other courses' are left alone", async () => {
    const [coming, past] = [lesson(lab), lesson(lab, course.time.now - 5 * hour)];
    await course.note(coming);
    await course.note(past);
    expect(await courseOf(coming)).toBeNull();
    const { id } = await course.link("bio", course.spaceId);
    await approveSpaceFor(course.stores, await course.courseOf("bio"), lab);
    await lead(id, { kind: "space", typed: lab });
    expect(await courseOf(coming)).toBe("bio");
    expect(await courseOf(past)).toBeNull();
    expect(await attended(past), "its attendance is still the course's").toBe("bio");
  });

  test("and back again loses its future sessions, but keeps those that began or were planned here", async () => {
    await course.link("bio", lab);
    const [coming, begun] = [lesson(lab), lesson(lab, course.time.now - 1)];
    await course.note(coming);
    await course.note(begun);
    await course.plan({ spaceId: lab });
    await course.work();
    const planned = course.classroom.events().find(({ title }) => title === "Lesson 1")?.eventId ?? "";
    const { id } = await course.link("bio", lab);
    await lead(id, { kind: "course-space" });
    expect(await knownSpaces(course.deps)("production", lab), "who is still there is heard").toBe(true);
    expect(await courseOf(coming)).toBeNull();
    expect(await courseOf(begun)).toBe("bio");
    expect(await courseOf(planned)).toBe("bio");
    course.later(1);
    await course.note(begun, "EVENT_UPDATED");
    expect(await courseOf(begun)).toBe("bio");
  });

  test("moves them in the same way by choosing in the LMS: at a new link's first launch, even a learner's, and again", async () => {
    const field = await course.anotherSpace("Field");
    const [here, there] = [lesson(lab), lesson(field)];
    await course.note(here);
    await course.note(there);
    const heard: string[] = [];
    const app = { ...deps(), onMatchable: ({ id }: { id: string }) => Promise.resolve(void heard.push(id)) };
    const launch = {
      link: { id: "new", title: "Lab" },
      rights: { role: "learner", staffRole: null, testUser: false },
    } as const;
    const opens = async (id: string, spaceId: string) => {
      const bio = await course.courseOf("bio");
      await approveSpaceFor(course.stores, bio, spaceId);
      const choice = { kind: "space", spaceId } as const;
      const key = { registrationId: "reg_1", deploymentId: "1", courseId: "bio" };
      await course.stores.linkChoices.insert({ id, ...key, choice, createdAt: 1 });
      await recordLink(app, bio, { ...launch, custom: { [customParameter.choice]: id } });
    };
    await opens("cho_8", lab);
    expect([await courseOf(here), heard]).toEqual(["bio", [lab]]);
    await opens("cho_9", field);
    course.later(2 * 60_000);
    while (await applyLeftSpaceChange(deps()));
    expect([await courseOf(here), await courseOf(there)]).toEqual([null, "bio"]);
  });
});

test("a course gets another course's Space only if its instructor knows that it is shared", async () => {
  await course.addCourse("chem", "Chemistry", lab);
  const bio = await course.courseOf("bio");
  await approveSpaceFor(course.stores, bio, lab);
  const wish = { personId: "per-Tess", seen: bio.spaceId, typed: lab };
  expect(await linkSpace(deps(), bio, { ...wish, mayShare: false })).toBe("shared");
  expect((await course.courseOf("bio")).spaceId).toBe(bio.spaceId);
  expect(await linkSpace(deps(), bio, { ...wish, mayShare: true })).toBe("linked");
});

test("a link of another course cannot be pointed at another Space", async () => {
  await course.addCourse("chem");
  const { id } = await course.link("chem", lab);
  await expect(lead(id, { kind: "course-space" })).rejects.toMatchObject({ code: "link-unknown" });
});

test("entry by a link to another Space opens only around the course's sessions in that Space", async () => {
  await course.link("bio", lab);
  const [here, there] = [lesson(course.spaceId), lesson(lab)];
  await course.note(here);
  await course.note(there);
  const biology = await course.courseOf("bio");
  const link = await course.link("bio", lab);
  expect((await entryWindowEvents(course.deps, biology, link)).events).toMatchObject([{ eventId: there }]);
  expect((await entryWindowEvents(course.deps, biology, null)).events).toHaveLength(2);
});

test("a link to one session that takes place in another Space opens that Space, and remains the link of that session", async () => {
  await course.link("bio", lab);
  const [here, there] = [lesson(course.spaceId), lesson(lab)];
  await course.note(here);
  await course.note(there);
  const biology = await course.courseOf("bio");
  const wanted = [here, there].map((eventId) => ({
    opens: { kind: "session" as const, eventId },
    title: "Lesson",
    text: null,
    points: null,
  }));
  const items = await chooseLinks(deps(), biology, "per-Tess", wanted);
  const opened = [];
  for (const { custom } of items) {
    const choice = await course.stores.linkChoices.find("reg_1", Object.values(custom)[0] ?? "");
    opened.push(choice === null ? "lost" : otherSpaceOf(choice.choice));
  }
  expect(opened).toEqual([null, lab]);
  expect(await linkedSpaces(course.deps, biology), "it is no link to all of that Space").toHaveLength(1);
});

test("a link is offered today's sessions, however many are planned after them", async () => {
  const today = lesson(course.spaceId);
  await course.note(today);
  for (let day = 1; day <= 100; day += 1)
    await course.stores.events.save(
      eventOf({ eventId: `day-${day}`, startsAt: course.time.now + (1 + 24 * day) * hour, courseId: "bio" }),
    );
  const { sessions } = await offerChoices(deps(), await course.courseOf("bio"), "per-Tess");
  expect(sessions.at(-1)?.eventId).toBe(today);
});

describe("sessions planned in a linked Space", () => {
  test("are created there, and belong to the course even if another one has a link to it", async () => {
    await course.addCourse("chem");
    await course.link("bio", lab);
    await course.link("chem", lab);
    await course.plan({ spaceId: lab });
    await course.work();
    const [event] = course.classroom.events();
    expect(event?.spaceId).toBe(lab);
    course.later(1);
    await course.note(event?.eventId ?? "");
    expect(await courseOf(event?.eventId ?? "")).toBe("bio");
    expect(await course.sessions()).toHaveLength(1);
  });

  test("are found if the answer was lost, even in another owner's Space", async () => {
    await course.link("bio", lab);
    await course.plan({ spaceId: lab });
    course.classroom.addFault({ operation: "createEvent", kind: "drop", takesEffect: true });
    await course.work();
    const [event] = course.classroom.events();
    const { title = "", startsAt = 0, endsAt = 0 } = (await course.plans())[0] ?? {};
    const eventId = event?.eventId ?? "";
    // As if its webhook had been read before, when its course was unknown.
    const unknown = eventOf({ eventId, spaceId: lab, title, startsAt, endsAt, courseId: null });
    await course.stores.events.save(unknown);
    course.later(60_000);
    await course.work();
    expect((await course.plans())[0]).toMatchObject({ state: "made", eventId });
    expect(await courseOf(eventId)).toBe("bio");
  });

  test("can be in any Space that a link of the course opens, each listed once, with its course", async () => {
    await course.addCourse("chem", "Chemistry");
    const biology = await course.courseOf("bio");
    expect(await linkedSpaces(course.deps, biology)).toEqual([]);
    await course.link("bio", lab);
    await course.link("bio", course.spaceId);
    expect(await linkedSpaces(course.deps, biology)).toEqual([{ spaceId: lab, ofCourse: null }]);
  });
});

test("a link to a session shows instructors its day in the course's time zone", async () => {
  const eventId = lesson(course.spaceId, Date.UTC(2026, 10, 16, 23, 30));
  await course.note(eventId);
  const key = { registrationId: "reg", deploymentId: "1", courseId: "bio", linkId: "link" };
  const choice = { kind: "session", eventId } as const;
  const { id: courseLinkId } = await course.stores.courseLinks.record(key, { id: "cho", choice }, "lnk");
  const bio = await course.courseOf("bio");
  const session = {
    ...key,
    courseLinkId,
    personId: "per-Tess",
    role: "instructor",
    staffRole: "teacher",
    locale: "en",
  } as const;
  const app = { ...course.deps, appUrlOf: () => "https://app.test" };
  const opens = await linkOpens(app, course.deps.translatorOf("en"), session, bio, null);
  expect(opens?.now).toContain("Tue 17 Nov 2026");
});
