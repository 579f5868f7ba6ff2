import { afterEach, expect, test } from "vitest";
import { createClassroomClient } from "../../../src/classroom/client.ts";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { parseDialect } from "../../../src/classroom/parse-dialect.ts";
import type { CohortList } from "../../../src/classroom/read-cohorts.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  startStandInClassroom,
  type StandInClassroom,
} from "../../../src/sandbox/stand-in-classroom/stand-in-classroom.ts";
import { freeThrottle } from "../../support/free-throttle.ts";

const options = { priority: "instructor" } as const;
const logger = createLogger("silent");
const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function classroomWith(change: { cohortList?: boolean } = {}): Promise<StandInClassroom> {
  const classroom = await startStandInClassroom({
    ...{ port: 0, clock: systemClock, logger, apiKey: "the-key", webhookSecret: "secret" },
    ...{ rateLimit: false, replyTimes: null, cohortList: true },
    ...change,
  });
  open.push(classroom);
  return classroom;
}

function listOf(classroom: StandInClassroom, route: object | null): CohortList | null {
  const dialect = route === null ? {} : { operations: { findCohorts: { routes: [route] } } };
  return createClassroomClient({
    environment: {
      name: "production",
      baseUrl: classroom.apiUrl,
      appUrl: classroom.appUrl,
      apiKey: "the-key",
    },
    ...{ dialect: parseDialect(dialect), throttle: freeThrottle, open: createExchanges() },
    ...{ clock: systemClock, logger, patienceMs: 300 },
  }).cohortList;
}

const whole = { method: "GET", path: "/programs/cohorts" };

test("the classroom is asked for no list of cohorts unless a dialect file names one", async () => {
  expect(listOf(await classroomWith(), null)).toBeNull();
});

test("60 cohorts in pages of 25 are all found, by their names alone", async () => {
  const classroom = await classroomWith();
  const made = Array.from({ length: 60 }, (_, at) =>
    classroom.createCohort({ programId: `p${at % 2}`, name: `Group ${at}`, attendeeIds: ["u"] }),
  );
  classroom.setPages({ manner: "cursor", size: 25 });
  const list = listOf(classroom, whole);
  expect(list?.ofProgram).toBe(false);
  const found = await list?.read(undefined, options);
  expect(found?.entries).toHaveLength(60);
  expect(found?.entries[0]).toEqual({ programId: "p0", cohortId: made[0]?.cohortId, name: "Group 0" });
  expect(found?.more).toBeNull();
  expect(classroom.calls().filter(({ operation }) => operation === "findCohorts")).toHaveLength(3);
});

test("a list of one program lends its program to entries that tell none", async () => {
  const classroom = await classroomWith();
  classroom.createCohort({ programId: "p", name: "Group" });
  const list = listOf(classroom, { ...whole, query: { program: "{programId}" } });
  expect(list?.ofProgram).toBe(true);
  expect((await list?.read("p", options))?.entries).toMatchObject([{ programId: "p", name: "Group" }]);
});

test("a service that has no such list after all lists nothing", async () => {
  const classroom = await classroomWith({ cohortList: false });
  await expect(listOf(classroom, whole)?.read(undefined, options)).resolves.toMatchObject({ entries: [] });
});
