// From: document 6.4, 6.5, 6.6 and 6.8.
import { z } from "zod";
import { createPeopleActions } from "./people-actions.ts";
import { action, found, Refusal } from "./refusal.ts";
import type { AttendanceBook, Visits } from "./visits.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import { alertTypes, attendanceStatuses, hostAccount, iso } from "./world.ts";
import type { Classroom, StandInAlert, StandInEvent, StandInRecording, StandInSpace } from "./world.ts";

/** Milliseconds since the epoch, or an ISO 8601 text. */
const moment = z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]);
const ids = z.array(z.string());
/** User id of the acting host. */
const by = z.string().default(hostAccount);
const eventSchema = z.object({
  title: z.string().min(1),
  spaceId: z.string().nullable().optional(),
  startsAt: moment.optional(),
  endsAt: moment.optional(),
  attendeeIds: ids.optional(),
  cohortIds: ids.optional(),
});
const ofEvent = z.object({ eventId: z.string(), by });

const hour = 3_600_000;
const week = 7 * 24 * hour;
const inventedTranscript = [
  { speaker: "Teacher", text: "Good morning. Shall we begin?" },
  { speaker: "Student", text: "Yes, please." },
];
/** The document shows no such event (assumption `removalIsReported`). */
const recordingUnavailable = "RECORDING_UNAVAILABLE";

export type Actions = ReturnType<typeof createActions>;

/** The host controls; each change sends its webhook. */
export function createActions(
  deps: Classroom & { webhooks: WebhookSender; attendance: AttendanceBook; visits: Visits },
) {
  return { ...createEventActions(deps), ...createSpaceActions(deps), ...createPeopleActions(deps) };
}

function createEventActions(deps: Classroom & { webhooks: WebhookSender; attendance: AttendanceBook }) {
  const { world, webhooks, clock, turned } = deps;
  const eventOf = (eventId: string) => found(world.events.get(eventId), "event");

  function sendSchedule(eventId: string, eventType: string, scope?: string, updatedBy = hostAccount): void {
    webhooks.send({
      eventId,
      timestamp: iso(clock.now()),
      eventType,
      updatedBy,
      ...(scope === undefined ? {} : { recurringUpdateType: scope }),
      _type: "SCHEDULE",
    });
  }

  function addEvent(
    fields: z.output<typeof eventSchema>,
    shift: number,
    seriesId: string | null,
  ): StandInEvent {
    if (typeof fields.spaceId === "string") found(world.spaces.get(fields.spaceId), "Space");
    const startsAt = (fields.startsAt ?? clock.now()) + shift;
    const length = fields.endsAt === undefined ? hour : fields.endsAt + shift - startsAt;
    if (length <= 0) throw new Refusal(400, "BAD_TIMES", "An event ends after it starts.");
    const event: StandInEvent = {
      eventId: deps.ids.id("event"),
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

  /** The instances that a change affects. */
  function instances(event: StandInEvent, scope: "ALL" | "FUTURE" | "CURRENT"): StandInEvent[] {
    if (event.seriesId === null || scope === "CURRENT") return [event];
    return [...world.events.values()].filter(
      (each) => each.seriesId === event.seriesId && (scope === "ALL" || each.startsAt >= event.startsAt),
    );
  }

  /** "Cancelled" and "deleted" affect every instance of a series, each with ALL (part 6.5, rule 2). */
  const forWholeSeries = (eventType: string, change: (event: StandInEvent) => void) =>
    action(ofEvent, ({ eventId, by: who }): void => {
      for (const each of instances(eventOf(eventId), "ALL")) {
        change(each);
        sendSchedule(each.eventId, eventType, each.seriesId === null ? undefined : "ALL", who);
      }
    });

  return {
    createEvent: action(eventSchema, (fields): StandInEvent => {
      const event = addEvent(fields, 0, null);
      sendSchedule(event.eventId, "EVENT_CREATED");
      return event;
    }),
    createSeries: action(
      eventSchema.extend({ weeks: z.coerce.number().int().min(2).max(60) }),
      ({ weeks, ...fields }): StandInEvent[] => {
        const seriesId = deps.ids.id("series");
        const events = Array.from({ length: weeks }, (_, index) => addEvent(fields, index * week, seriesId));
        for (const event of events) sendSchedule(event.eventId, "EVENT_CREATED", "ALL");
        return events;
      },
    ),
    updateEvent: action(
      ofEvent.extend({
        title: z.string().min(1).optional(),
        startsAt: moment.optional(),
        endsAt: moment.optional(),
        spaceId: z.string().nullable().optional(),
        scope: z.enum(["CURRENT", "FUTURE", "ALL"]).default("CURRENT"),
      }),
      ({ eventId, scope, ...change }): StandInEvent[] => {
        const event = eventOf(eventId);
        const shift = (change.startsAt ?? event.startsAt) - event.startsAt;
        const length = (change.endsAt ?? event.endsAt + shift) - (event.startsAt + shift);
        const affected = instances(event, scope);
        for (const each of affected) {
          each.title = change.title ?? each.title;
          each.startsAt += shift;
          each.endsAt = each.startsAt + length;
          if (change.spaceId !== undefined) each.spaceId = change.spaceId;
          sendSchedule(each.eventId, "EVENT_UPDATED", each.seriesId === null ? undefined : scope, change.by);
        }
        return affected;
      },
    ),
    cancelEvent: forWholeSeries("EVENT_CANCELLED", (event) => {
      event.status = "CANCELLED";
    }),
    deleteEvent: forWholeSeries("EVENT_DELETED", (event) => {
      if (turned.has("deletedEventIsGone")) event.status = "DELETED";
      else world.events.delete(event.eventId);
    }),
    markAttendance: action(
      z.object({
        eventId: z.string(),
        userId: z.string(),
        status: z.enum(attendanceStatuses),
        notes: z.string().nullable().optional(),
        at: moment.optional(),
      }),
      (mark) => {
        eventOf(mark.eventId);
        found(world.users.get(mark.userId), "user");
        return deps.attendance.mark({ ...mark, updatedBy: hostAccount });
      },
    ),
  };
}

function createSpaceActions(deps: Classroom & { webhooks: WebhookSender; visits: Visits }) {
  const { world, webhooks, clock, turned } = deps;
  const spaceOf = (spaceId: string) => found(world.spaces.get(spaceId), "Space");
  const recordingOf = (recordingId: string) => found(world.recordings.get(recordingId), "recording");

  /** The running or last session, unless the recording is older. */
  function sessionAt(
    { session, endedSessionId }: StandInSpace,
    startedAt: number | undefined,
  ): string | null {
    if (startedAt === undefined) return session?.sessionId ?? endedSessionId;
    return session !== null && startedAt >= session.startedAt ? session.sessionId : null;
  }

  function sendRecording({ recordingId, spaceId }: StandInRecording, eventType: string): void {
    const timestamp = iso(clock.now());
    webhooks.send({ spaceId, recordingId, timestamp, eventType, _type: "SPACE_RECORDING" });
  }

  function sendAlert(alert: StandInAlert, eventType: string, updatedBy: string | null): void {
    const { alertId, alertType } = alert;
    const timestamp = iso(clock.now());
    webhooks.send({ alertId, alertType, timestamp, eventType, updatedBy, _type: "CONTROL_CENTER_ALERT" });
  }

  return {
    endSession: action(z.object({ spaceId: z.string() }), ({ spaceId }) => ({
      sessionId: deps.visits.endSession(spaceOf(spaceId)),
    })),
    publishRecording: action(
      z.object({
        spaceId: z.string(),
        title: z.string().min(1).optional(),
        /** By default with the running session, otherwise an hour ago. */
        startedAt: moment.optional(),
        minutes: z.coerce.number().positive().max(1_440).optional(),
      }),
      (fields): StandInRecording => {
        const space = spaceOf(fields.spaceId);
        const now = clock.now();
        const startedAt = fields.startedAt ?? space.session?.startedAt ?? now - hour;
        const recordingId = deps.ids.id("recording");
        const recording: StandInRecording = {
          recordingId,
          spaceId: space.spaceId,
          sessionId: sessionAt(space, fields.startedAt),
          title: fields.title ?? `${space.name} ${iso(startedAt).slice(0, 10)}`,
          startedAt,
          endedAt: fields.minutes === undefined ? now : startedAt + fields.minutes * 60_000,
          url: `${space.url}/recordings/${recordingId}`,
          publishedAt: now,
          said: null,
          status: "READY",
        };
        world.recordings.set(recordingId, recording);
        sendRecording(recording, "RECORDING_AVAILABLE");
        return recording;
      },
    ),
    removeRecording: action(z.object({ recordingId: z.string() }), ({ recordingId }): StandInRecording => {
      const recording = recordingOf(recordingId);
      recording.status = "UNAVAILABLE";
      if (turned.has("removalIsReported")) world.recordings.delete(recordingId);
      else sendRecording(recording, recordingUnavailable);
      return recording;
    }),
    publishTranscript: action(
      z.object({
        recordingId: z.string(),
        transcript: z.array(z.object({ speaker: z.string(), text: z.string() })).default(inventedTranscript),
        summary: z.string().default("The class began on time."),
      }),
      ({ recordingId, transcript, summary }): StandInRecording => {
        const recording = recordingOf(recordingId);
        recording.said = { transcript, summary };
        sendRecording(
          recording,
          turned.has("transcriptWord") ? "SUMMARY_TRANSCRIPT_READY" : "TRANSCRIPT_AVAILABLE",
        );
        return recording;
      },
    ),
    raiseAlert: action(
      z.object({ alertType: z.enum(alertTypes), eventId: z.string().nullable().default(null), by }),
      ({ by: who, ...fields }): StandInAlert => {
        const alert: StandInAlert = {
          alertId: deps.ids.id("alert"),
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
    ),
    updateAlert: action(
      z.object({
        alertId: z.string(),
        status: z.string().optional(),
        priority: z.string().optional(),
        assigneeId: z.string().nullable().optional(),
        by,
      }),
      (change): StandInAlert => {
        const alert = found(world.alerts.get(change.alertId), "alert");
        alert.status = change.status ?? alert.status;
        alert.priority = change.priority ?? alert.priority;
        if (change.assigneeId !== undefined) alert.assigneeId = change.assigneeId;
        sendAlert(alert, "UPDATE_ALERT", change.by);
        return alert;
      },
    ),
  };
}
