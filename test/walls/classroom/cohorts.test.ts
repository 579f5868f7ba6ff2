import { describe, expect, test } from "vitest";
import type { ClassroomClient } from "../../../src/classroom/client.ts";
import type { StandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { json, service } from "./answering-service.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const options = { priority: "instructor" } as const;

async function classroomWith(change: { cohortList?: boolean } = {}): Promise<StandInClassroom> {
  return closedAfterTest(await quickClassroom({ apiKey: "the-key", cohortList: true, ...change }));
}

function listOf(classroom: StandInClassroom, route: object | null): ClassroomClient["cohortList"] {
  const dialect = route === null ? {} : { operations: { findCohorts: { routes: [route] } } };
  return clientOf(classroom, dialect).cohortList;
}

const clientOf = (classroom: StandInClassroom, dialect: object = {}) =>
  classroomClient(classroom, { dialect, apiKey: "the-key", patienceMs: 300 });

const whole = { method: "GET", path: "/programs/cohorts" };

test("no list of cohorts is requested unless a dialect file names one", async () => {
  expect(listOf(await classroomWith(), null)).toBeNull();
});

test("60 cohorts in pages of 25 are all found, with only their names", async () => {
  const classroom = await classroomWith();
  const made = Array.from({ length: 60 }, (_, at) =>
    classroom.createCohort({ programId: `p${at % 2}`, name: `Group ${at}`, attendeeIds: ["u"] }),
  );
  classroom.setPages({ manner: "next", size: 25 });
  const list = listOf(classroom, whole);
  expect(list?.ofProgram).toBe(false);
  const found = await list?.read(undefined, options);
  expect(found?.entries).toHaveLength(60);
  expect(found?.entries[0]).toEqual({ programId: "p0", cohortId: made[0]?.cohortId, name: "Group 0" });
  expect(found?.more).toBeNull();
  expect(classroom.calls().filter(({ operation }) => operation === "findCohorts")).toHaveLength(3);
});

test("entries without a program get the program of a list for one program", async () => {
  const classroom = await classroomWith();
  classroom.createCohort({ programId: "p", name: "Group" });
  const list = listOf(classroom, { ...whole, query: { program: "{programId}" } });
  expect(list?.ofProgram).toBe(true);
  expect((await list?.read("p", options))?.entries).toMatchObject([{ programId: "p", name: "Group" }]);
});

test("a service without such a list lists nothing", async () => {
  const classroom = await classroomWith({ cohortList: false });
  await expect(listOf(classroom, whole)?.read(undefined, options)).resolves.toMatchObject({ entries: [] });
});

describe("the people of a cohort", () => {
  const people = (number: number) => Array.from({ length: number }, (_, at) => ({ userId: `u${at}` }));
  const cutOf = async (reply: object) => {
    const { client } = await service((_asked, response) => json(response, 200, { cohortId: "c", ...reply }));
    const cohort = await client().readCohort({ programId: "p", cohortId: "c" }, options);
    return [cohort?.attendees?.length, cohort?.cut];
  };

  test("sends no more than a page if it gives a total", async () => {
    const classroom = await classroomWith();
    const attendeeIds = people(60).map(({ userId }) => userId);
    const { programId, cohortId } = classroom.createCohort({ name: "Big", attendeeIds });
    const client = clientOf(classroom);
    expect((await client.readCohort({ programId, cohortId }, options))?.cut).toBeNull();
    classroom.setPages({ manner: "offset", size: 25 });
    const read = await client.readCohort({ programId, cohortId }, options);
    expect([read?.attendees?.length, read?.cut]).toEqual([25, { read: 25, total: 60 }]);
  });

  test.each<[string, object, unknown]>([
    ["a number beside the list", { attendees: people(2), totalAttendees: 3 }, { read: 2, total: 3 }],
    ["pages inside it", { attendees: { results: people(2), totalRecords: 3 } }, { read: 2, total: 3 }],
    ["a next page", { attendees: { items: people(2), next: "/more" } }, { read: 2, total: null }],
    [
      "only a sign that there are more",
      { attendees: { items: people(2), hasMore: true } },
      { read: 2, total: null },
    ],
    ["as many as fit on its page", { attendees: { items: people(2), limit: 2 } }, { read: 2, total: null }],
    ["several pages", { attendees: { items: people(2), totalPages: 2 } }, { read: 2, total: null }],
    ["a cursor", { attendees: { items: people(2), nextCursor: "c" } }, { read: 2, total: null }],
    [
      "organizers that are cut off",
      { attendees: people(2), organizers: { data: people(2), total: 9 } },
      { read: 2, total: 9 },
    ],
  ])("the list is incomplete if the reply has %s", async (_what, reply, cut) => {
    expect(await cutOf(reply)).toEqual([2, cut]);
  });

  test.each<[string, object]>([
    ["no word about pages", { attendees: people(2) }],
    ["as many as it counts", { attendees: people(2), attendeeCount: 2 }],
    ["a limit that it does not reach", { attendees: people(2), limit: 3 }],
    ["the last page", { attendees: { results: people(2), pageNumber: 1, totalPages: 1 } }],
    ["an end", { attendees: { items: people(2), hasMore: false, next: null } }],
  ])("the list is complete if the reply has %s", async (_what, reply) => {
    expect(await cutOf(reply)).toEqual([2, null]);
  });
});
