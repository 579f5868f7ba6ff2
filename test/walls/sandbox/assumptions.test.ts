import { describe, expect, test } from "vitest";
import { type AlertReply } from "../../../src/classroom/client.ts";
import { readWebhook } from "../../../src/inbox/rules/webhook.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import {
  type AssumptionName,
  assumptionNames,
  assumptions,
  lmsAssumptions,
  nothingTurned,
  type Turned,
} from "../../../sandbox/assumptions.ts";
import type { StandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { dialectOfTurned, otherOriginOf } from "../../support/stand-ins/dialects.ts";
import { ada, entering, service } from "../classroom/answering-service.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

/** All times are this one, so that differently written times must agree to the millisecond. */
const monday = Date.parse("2026-09-14T10:00:00.000Z");
const stillClock: Clock = { now: () => monday, sleep: systemClock.sleep };
const hour = 3_600_000;

async function standIn(turned: Turned, webhookUrl: string): Promise<StandInClassroom> {
  const classroom = await quickClassroom({
    clock: stillClock,
    apiKey: "key-1",
    webhookUrl,
    turned,
    institution: { autoAttendance: false },
  });
  closedAfterTest(classroom);
  return classroom;
}

const clientOf = (classroom: StandInClassroom, turned: Turned) =>
  classroomClient(classroom, {
    dialect: dialectOfTurned(turned, otherOriginOf(classroom.appUrl)),
    apiKey: "key-1",
  });

/** Replaces the classroom's ids, which differ in every run, by the names used here. */
function anonymous(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  const text = JSON.stringify(value, (_name, each: unknown) =>
    typeof each === "string" ? (ids.get(each) ?? each) : each,
  );
  return JSON.parse(text);
}

/** The parts of an alert that mean the same however they are worded. */
const alertOf = (alert: AlertReply | null) =>
  alert === null ? null : { ...alert, status: null, priority: null };

/** Does everything the tool does with the classroom, and returns what it then knows. */
async function wholeJob(turned: Turned): Promise<{ known: unknown; told: unknown }> {
  const hook = await service((_asked, response) => response.end());
  const classroom = await standIn(turned, `${hook.url}/`);
  const client = clientOf(classroom, turned);
  const host = await client.createApiUser({ ...ada, role: "host" }, entering);
  const learner = await client.createApiUser(
    { ...ada, reference: "per_2", name: "Blaise", email: null, role: "participant" },
    entering,
  );
  const space = await client.createSpace(
    { name: "Algebra", access: "Public", waitingRoom: false, hostUserIds: [host.userId] },
    entering,
  );
  const login = await client.authorize(
    { userId: learner.userId, redirectUrl: `${classroom.appUrl}/spaces/${space.spaceId}?startCall=true` },
    entering,
  );
  expect((await fetch(login.url)).status).toBe(200);
  const event = await client.createEvent(
    {
      title: "Lesson",
      spaceId: space.spaceId,
      startsAt: monday,
      endsAt: monday + hour,
      hostUserId: host.userId,
      attendeeUserIds: [learner.userId, host.userId],
    },
    entering,
  );
  const unmarked = await client.readAttendance(event.eventId, entering);
  const { userId } = learner;
  const { spaceId } = space;
  classroom.markAttendance({ eventId: event.eventId, userId, status: "LATE", notes: "bus" });
  classroom.markAttendance({ eventId: event.eventId, userId, status: "PRESENT", notes: null });
  const cohort = classroom.createCohort({ name: "Group 1", attendeeIds: [userId] });
  const alert = classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId: event.eventId });
  const recording = classroom.publishRecording({ spaceId, title: "Monday", startedAt: monday - hour });
  classroom.publishTranscript({ recordingId: recording.recordingId });
  classroom.endSession({ spaceId });
  await classroom.webhooksSettled();
  const ids = new Map([
    [host.userId, "the host"],
    [userId, "the learner"],
    [spaceId, "the Space"],
    [event.eventId, "the event"],
    [cohort.cohortId, "the cohort"],
    [alert.alertId, "the alert"],
    [recording.recordingId, "the recording"],
  ]);
  const known = {
    elsewhere: space.elsewhere,
    event: await client.readEvent(event.eventId, entering),
    unmarked,
    attendance: await client.readAttendance(event.eventId, entering),
    cohort: (await client.readCohort(cohort, entering))?.attendees?.map((person) => person.userId),
    alert: alertOf(await client.readAlert(alert.alertId, entering)),
    recordings: (await client.readRecordings(spaceId, entering))?.recordings.map(
      ({ transcriptUrl, transcriptText, summaryUrl, summaryText, ...told }) => {
        const { recordingId, title, startedAt, durationSeconds, state } = told;
        const transcribed =
          (transcriptUrl ?? transcriptText) !== null && (summaryUrl ?? summaryText) !== null;
        return { recordingId, title, startedAt, durationSeconds, state, transcribed };
      },
    ),
    noEvent: await client.readEvent("event_none", entering),
    noCohort: await client.readCohort({ programId: "p", cohortId: "none" }, entering),
    webhook: await client.configureWebhook({ url: `${hook.url}/`, secret: "secret" }, entering),
  };
  const told = hook.asked
    .map(({ body }) => readWebhook(JSON.parse(body), Date.now()))
    .filter(({ family }) => family !== "SPACE_USER");
  return { known: anonymous(known, ids), told: anonymous(told, ids) };
}

const borne = assumptionNames.filter((name) => !(name in lmsAssumptions) && assumptions[name] !== "nobody");
/** These change only what is not compared here: how often and when webhooks come, ids of their sessions, and texts. */
const repliesDiffer: ReadonlySet<AssumptionName> = new Set([
  "webhooksComeOnce",
  "webhooksInOrder",
  "transcriptWord",
]);

describe("the tool knows the same about a classroom when", () => {
  test.each(borne)("%s is reversed", async (name) => {
    const usual = await wholeJob(nothingTurned);
    const turned = await wholeJob(new Set([name]));
    expect(turned.known).toEqual(usual.known);
    if (!repliesDiffer.has(name)) expect(withoutSessions(turned.told)).toEqual(withoutSessions(usual.told));
  });

  test("all of them are reversed together", async () => {
    const usual = await wholeJob(nothingTurned);
    expect((await wholeJob(new Set(borne))).known).toEqual(usual.known);
  });
});

function withoutSessions(told: unknown): unknown {
  return JSON.parse(JSON.stringify(told, (name, value: unknown) => (name === "sessionId" ? "" : value)));
}
