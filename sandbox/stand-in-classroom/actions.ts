import { z } from "zod";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Ids } from "../../src/kernel/ids.ts";
import type { Turned } from "../assumptions.ts";
import type { AttendanceBook } from "./attendance-book.ts";
import { cohortActionSchemas, createCohortActions } from "./cohort-actions.ts";
import { createPresenceActions, presenceActionSchemas } from "./presence-actions.ts";
import { found, Refusal } from "./refusal.ts";
import type { Visits } from "./visits.ts";
import { hostAccount } from "./host-account.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import {
  alertTypes,
  attendanceStatuses,
  type StandInAlert,
  type StandInEvent,
  type StandInRecording,
  type StandInSpace,
  type StandInUser,
  type World,
} from "./world.ts";

/** Milliseconds since the epoch, or an ISO 8601 text. */
const moment = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const people = z.array(z.string());
/** User id of the acting host; the API key's account when left out. */
const by = z.string().default(hostAccount);

const eventFields = {
  title: z.string().min(1),
  spaceId: z.string().nullable().optional(),
  startsAt: moment.optional(),
  endsAt: moment.optional(),
  attendeeIds: people.optional(),
  cohortIds: z.array(z.string()).optional(),
};

export const actionSchemas = {
  createEvent: z.object(eventFields),
  createSeries: z.object({ ...eventFields, weeks: z.coerce.number().int().min(2).max(60) }),
  updateEvent: z.object({
    eventId: z.string(),
    title: z.string().min(1).optional(),
    startsAt: moment.optional(),
    endsAt: moment.optional(),
    spaceId: z.string().nullable().optional(),
    scope: z.enum(["ALL", "FUTURE", "CURRENT"]).optional(),
    by,
  }),
  cancelEvent: z.object({ eventId: z.string(), by }),
  deleteEvent: z.object({ eventId: z.string(), by }),
  markAttendance: z.object({
    eventId: z.string(),
    userId: z.string(),
    status: z.enum(attendanceStatuses),
    notes: z.string().nullable().optional(),
    at: moment.optional(),
  }),
  endSession: z.object({ spaceId: z.string() }),
  publishRecording: z.object({
    spaceId: z.string(),
    title: z.string().min(1).optional(),
    /** By default with the running session, else an hour ago. */
    startedAt: moment.optional(),
    minutes: z.coerce.number().positive().max(1_440).optional(),
  }),
  removeRecording: z.object({ recordingId: z.string() }),
  publishTranscript: z.object({
    recordingId: z.string(),
    transcript: z.array(z.object({ speaker: z.string(), text: z.string() })).optional(),
    summary: z.string().optional(),
  }),
  ...cohortActionSchemas,
  raiseAlert: z.object({ alertType: z.enum(alertTypes), eventId: z.string().nullable().default(null), by }),
  updateAlert: z.object({
    alertId: z.string(),
    status: z.string().optional(),
    priority: z.string().optional(),
    assigneeId: z.string().nullable().optional(),
    by,
  }),
  ...presenceActionSchemas,
  /** A user not made by an application. */
  addUser: z.object({
    name: z.string().min(1),
    role: z.enum(["host", "participant"]).default("participant"),
  }),
  admit: z.object({ spaceId: z.string(), userId: z.string() }),
  invite: z.object({ spaceId: z.string(), userId: z.string() }),
};

export type ActionName = keyof typeof actionSchemas;

type Input<Name extends ActionName> = z.input<(typeof actionSchemas)[Name]>;

const hour = 3_600_000;
const week = 7 * 24 * hour;
const inventedTranscript = [
  { speaker: "Teacher", text: "Good morning. Shall we begin?" },
  { speaker: "Student", text: "Yes, please." },
];
const inventedSummary = "The class began on time.";
/** The document knows no such event (assumption `removalIsReported`). */
const recordingUnavailable = "RECORDING_UNAVAILABLE";

/** The host controls; each change sends its webhook. */
export function createActions(deps: {
  world: World;
  webhooks: WebhookSender;
  attendance: AttendanceBook;
  visits: Visits;
  turned: Turned;
  clock: Clock;
  ids: Ids;
}) {
  const { world, webhooks, clock, ids, turned } = deps;
  const transcriptWord = turned.has("transcriptWord") ? "SUMMARY_TRANSCRIPT_READY" : "TRANSCRIPT_AVAILABLE";
  const isoNow = () => new Date(clock.now()).toISOString();

  function sendSchedule(eventId: string, eventType: string, scope?: string, updatedBy = hostAccount): void {
    webhooks.send({
      eventId,
      timestamp: isoNow(),
      eventType,
      updatedBy,
      ...(scope === undefined ? {} : { recurringUpdateType: scope }),
      _type: "SCHEDULE",
    });
  }

  function sendAlert(alert: StandInAlert, eventType: string, updatedBy: string | null): void {
    const { alertId, alertType } = alert;
    webhooks.send({
      alertId,
      alertType,
      timestamp: isoNow(),
      eventType,
      updatedBy,
      _type: "CONTROL_CENTER_ALERT",
    });
  }

  function addEvent(input: Input<"createEvent">, shift: number, seriesId: string | null): StandInEvent {
    const fields = actionSchemas.createEvent.parse(input);
    if (typeof fields.spaceId === "string") found(world.spaces.get(fields.spaceId), "Space");
    const startsAt = (fields.startsAt ?? clock.now()) + shift;
    const length = fields.endsAt === undefined ? hour : fields.endsAt + shift - startsAt;
    if (length <= 0) throw new Refusal(400, "BAD_TIMES", "An event ends after it starts.");
    const event: StandInEvent = {
      eventId: ids.id("event"),
      title: fields.title,
      spaceId: fields.spaceId ?? null,
      startsAt,
      endsAt: startsAt + length,
      seriesId,
      status: "SCHEDULED",
      attendeeIds: fields.attendeeIds ?? [],
      ...(fields.cohortIds === undefined ? {} : { cohortIds: fields.cohortIds }),
    };
    world.events.set(event.eventId, event);
    return event;
  }

  /** The instances a change concerns. */
  function instances(event: StandInEvent, scope: "ALL" | "FUTURE" | "CURRENT"): StandInEvent[] {
    if (event.seriesId === null || scope === "CURRENT") return [event];
    return [...world.events.values()].filter(
      (each) => each.seriesId === event.seriesId && (scope === "ALL" || each.startsAt >= event.startsAt),
    );
  }

  /** Created, deleted and cancelled concern every instance of a series, each with ALL (part 6.5, rule 2). */
  function forWholeSeries(
    input: Input<"cancelEvent">,
    eventType: string,
    change: (event: StandInEvent) => void,
  ): void {
    const { eventId, by: who } = actionSchemas.cancelEvent.parse(input);
    const event = found(world.events.get(eventId), "event");
    for (const each of instances(event, "ALL")) {
      change(each);
      sendSchedule(each.eventId, eventType, each.seriesId === null ? undefined : "ALL", who);
    }
  }

  return {
    createEvent: (input: Input<"createEvent">): StandInEvent => {
      const event = addEvent(input, 0, null);
      sendSchedule(event.eventId, "EVENT_CREATED");
      return event;
    },
    createSeries: (input: Input<"createSeries">): StandInEvent[] => {
      const { weeks } = actionSchemas.createSeries.parse(input);
      const seriesId = ids.id("series");
      const events = Array.from({ length: weeks }, (_, index) => addEvent(input, index * week, seriesId));
      for (const event of events) sendSchedule(event.eventId, "EVENT_CREATED", "ALL");
      return events;
    },
    updateEvent: (input: Input<"updateEvent">): StandInEvent[] => {
      const change = actionSchemas.updateEvent.parse(input);
      const event = found(world.events.get(change.eventId), "event");
      const scope = change.scope ?? "CURRENT";
      const shift = (change.startsAt ?? event.startsAt) - event.startsAt;
      const length = (change.endsAt ?? event.endsAt + shift) - (event.startsAt + shift);
      const affected = instances(event, scope);
      for (const each of affected) {
        each.title = change.title ?? each.title;
        each.startsAt += shift;
        each.endsAt = each.startsAt + length;
        if (change.spaceId !== undefined) each.spaceId = change.spaceId;
        const scopeSent = each.seriesId === null ? undefined : scope;
        sendSchedule(each.eventId, "EVENT_UPDATED", scopeSent, change.by);
      }
      return affected;
    },
    cancelEvent: (input: Input<"cancelEvent">): void =>
      forWholeSeries(input, "EVENT_CANCELLED", (event) => {
        event.status = "CANCELLED";
      }),
    deleteEvent: (input: Input<"deleteEvent">): void =>
      forWholeSeries(input, "EVENT_DELETED", (event) => {
        if (turned.has("deletedEventIsGone")) event.status = "DELETED";
        else world.events.delete(event.eventId);
      }),
    markAttendance: (input: Input<"markAttendance">) => {
      const mark = actionSchemas.markAttendance.parse(input);
      found(world.events.get(mark.eventId), "event");
      found(world.users.get(mark.userId), "user");
      return deps.attendance.mark({ ...mark, updatedBy: hostAccount });
    },
    endSession: (input: Input<"endSession">) => ({
      sessionId: deps.visits.endSession(found(world.spaces.get(input.spaceId), "Space")),
    }),
    publishRecording: (input: Input<"publishRecording">): StandInRecording => {
      const fields = actionSchemas.publishRecording.parse(input);
      const space = found(world.spaces.get(fields.spaceId), "Space");
      const now = clock.now();
      const startedAt = fields.startedAt ?? space.session?.startedAt ?? now - hour;
      const recordingId = ids.id("recording");
      const recording: StandInRecording = {
        recordingId,
        spaceId: space.spaceId,
        sessionId: sessionAt(space, fields.startedAt),
        title: fields.title ?? `${space.name} ${new Date(startedAt).toISOString().slice(0, 10)}`,
        startedAt,
        endedAt: fields.minutes === undefined ? now : startedAt + fields.minutes * 60_000,
        url: `${space.url}/recordings/${recordingId}`,
        publishedAt: now,
        said: null,
        status: "READY",
      };
      world.recordings.set(recordingId, recording);
      sendRecording(recordingId, space.spaceId, "RECORDING_AVAILABLE");
      return recording;
    },
    removeRecording: (input: Input<"removeRecording">): StandInRecording => {
      const recording = found(world.recordings.get(input.recordingId), "recording");
      recording.status = "UNAVAILABLE";
      if (turned.has("removalIsReported")) world.recordings.delete(recording.recordingId);
      else sendRecording(recording.recordingId, recording.spaceId, recordingUnavailable);
      return recording;
    },
    publishTranscript: (input: Input<"publishTranscript">) => {
      const recording = found(world.recordings.get(input.recordingId), "recording");
      const { transcript = inventedTranscript, summary = inventedSummary } = input;
      recording.said = { transcript, summary };
      sendRecording(recording.recordingId, recording.spaceId, transcriptWord);
      return recording;
    },
    ...createCohortActions(deps),
    ...createPresenceActions(deps),
    raiseAlert: (input: Input<"raiseAlert">): StandInAlert => {
      const { by: who, ...fields } = actionSchemas.raiseAlert.parse(input);
      const alert: StandInAlert = {
        alertId: ids.id("alert"),
        ...fields,
        status: turned.has("alertWords") ? "new" : "OPEN",
        priority: turned.has("alertWords") ? 2 : "MEDIUM",
        assigneeId: null,
      };
      world.alerts.set(alert.alertId, alert);
      // A no-show has no actor (part 6.8).
      sendAlert(alert, "CREATE_ALERT", alert.alertType === "EVENT_NO_SHOW" ? null : who);
      return alert;
    },
    updateAlert: (input: Input<"updateAlert">): StandInAlert => {
      const alert = found(world.alerts.get(input.alertId), "alert");
      alert.status = input.status ?? alert.status;
      alert.priority = input.priority ?? alert.priority;
      if (input.assigneeId !== undefined) alert.assigneeId = input.assigneeId;
      sendAlert(alert, "UPDATE_ALERT", input.by ?? hostAccount);
      return alert;
    },
    addUser: (input: Input<"addUser">): StandInUser => {
      const { name, role } = actionSchemas.addUser.parse(input);
      const createdAt = clock.now();
      const user = { userId: ids.id("user"), name, email: null, role, externalId: null, createdAt };
      world.users.set(user.userId, user);
      return user;
    },
    admit: (input: Input<"admit">): void => {
      const space = found(world.spaces.get(input.spaceId), "Space");
      space.waitingUserIds = space.waitingUserIds.filter((each) => each !== input.userId);
      space.admittedUserIds.push(input.userId);
    },
    invite: (input: Input<"invite">): void => {
      found(world.spaces.get(input.spaceId), "Space").invitedUserIds.push(input.userId);
    },
  };

  /** The running or last session, unless the recording is older. */
  function sessionAt(
    { session, endedSessionId }: StandInSpace,
    startedAt: number | undefined,
  ): string | null {
    if (startedAt === undefined) return session?.sessionId ?? endedSessionId;
    return session !== null && startedAt >= session.startedAt ? session.sessionId : null;
  }

  function sendRecording(recordingId: string, spaceId: string, eventType: string): void {
    webhooks.send({ spaceId, recordingId, timestamp: isoNow(), eventType, _type: "SPACE_RECORDING" });
  }
}

export type Actions = ReturnType<typeof createActions>;
