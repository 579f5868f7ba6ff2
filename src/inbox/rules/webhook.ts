import { z } from "zod";
import type { AttendanceObservation } from "../../domain/attendance.ts";

/** A webhook's meaning. Families we do not act on are named and kept. */
export type Webhook =
  | { family: "ATTENDANCE"; eventId: string; userId: string; observation: AttendanceObservation }
  /**
   * `at`: when it was changed (ms); null when that cannot be read. `recurring`: the `recurringUpdateType`, known or not;
   * null for an event that is no part of a series. One webhook comes for each instance (interface 6.5). `updatedBy`: the
   * classroom's id of who changed it; null when that is left out or cannot be read.
   */
  | {
      family: "SCHEDULE";
      eventId: string;
      eventType: string;
      at: number | null;
      recurring: string | null;
      updatedBy: string | null;
    }
  /** `at`: when it was changed (ms); null when that cannot be read. The `eventType` is known or not (interface 6.7). */
  | {
      family: "PROGRAM_AND_COHORT";
      programId: string;
      cohortId: string;
      eventType: string;
      at: number | null;
      updatedBy: string | null;
    }
  /** `at`: as above. The `eventType` is known or not (interface 6.4; that of transcripts is not shown). */
  | { family: "SPACE_RECORDING"; spaceId: string; recordingId: string; eventType: string; at: number | null }
  /**
   * `at`: as above. Somebody comes, goes, or changes browser tabs (interface 6.2); the `eventType` is known or not. `roomId`
   * and `tabId` are null, and `sessionId` is empty, where they are left out.
   */
  | {
      family: "SPACE_USER";
      spaceId: string;
      sessionId: string;
      userId: string;
      roomId: string | null;
      tabId: string | null;
      eventType: string;
      at: number | null;
    }
  /** `at`: as above. The `eventType` is SESSION_ENDED, or one that nobody knows (interface 6.3). */
  | { family: "SPACE_SESSION"; spaceId: string; sessionId: string; eventType: string; at: number | null }
  /** `at`: as above. `updatedBy`: null when the system did it (interface 6.8). */
  | {
      family: "CONTROL_CENTER_ALERT";
      alertId: string;
      alertType: string;
      eventType: string;
      at: number | null;
      updatedBy: string | null;
    }
  /** `eventType`: left out when it tells none. */
  | { family: "other"; name: string; eventType?: string }
  | { family: "unreadable"; problem: string };

const identifier = z.string().min(1).max(255);
/** An id that may come as a number: only that of an event is called a string (interface 6.5). */
const numberedId = z.union([identifier, z.number().transform(String)]);
/** Who changed something; what cannot be read is nobody. */
const doer = numberedId.nullish().catch(null);
const statusSchema = z.object({ status: z.string().min(1).max(64), notes: z.string().nullish() });

/** Interface 6.6: no type marker is listed, so attendance is known by its fields. */
const attendanceSchema = z.object({
  eventId: identifier,
  userId: numberedId,
  timestamp: z.union([z.string(), z.number()]),
  updatedBy: z.union([z.string(), z.number().transform(String)]).nullish(),
  currentStatus: statusSchema,
  /** Only where it can be read: what is now counts more than what was. */
  prevStatus: statusSchema.nullish().catch(null),
});

const scheduleSchema = z.object({
  _type: z.literal("SCHEDULE"),
  eventId: identifier,
  eventType: z.string(),
  timestamp: z.union([z.string(), z.number()]).optional().catch(undefined),
  recurringUpdateType: z.string().nullish().catch(null),
  updatedBy: doer,
});

const cohortSchema = z.object({
  _type: z.literal("PROGRAM_AND_COHORT"),
  programId: numberedId,
  cohortId: numberedId,
  eventType: z.string(),
  timestamp: z.union([z.string(), z.number()]).optional().catch(undefined),
  updatedBy: doer,
});

const moment = z
  .union([z.string(), z.number()])
  .transform(readTimestamp)
  .nullish()
  .transform((at) => at ?? null)
  .catch(null);
/** What a Space tells of itself (interface 6.3, 6.4) and alerts (6.8); the timestamps' format is not shown. */
const toldSchema = z.discriminatedUnion("_type", [
  z.object({
    _type: z.literal("SPACE_USER"),
    spaceId: numberedId,
    sessionId: numberedId.nullish().catch(null),
    userId: numberedId,
    roomId: numberedId.nullish().catch(null),
    userTabId: numberedId.nullish().catch(null),
    eventType: z.string().max(200),
    timestamp: moment,
  }),
  z.object({
    _type: z.literal("SPACE_RECORDING"),
    spaceId: numberedId,
    recordingId: numberedId,
    eventType: z.string(),
    timestamp: moment,
  }),
  z.object({
    _type: z.literal("SPACE_SESSION"),
    spaceId: numberedId,
    sessionId: numberedId,
    eventType: z.string(),
    timestamp: moment,
  }),
  z.object({
    _type: z.literal("CONTROL_CENTER_ALERT"),
    alertId: numberedId,
    alertType: z.string().max(200),
    eventType: z.string().max(200),
    updatedBy: numberedId.nullish().catch(null),
    timestamp: moment,
  }),
]);

/**
 * Day, time, and the offset's sign, hours and minutes. Held against the text ourselves: Date.parse also takes
 * "2026-09-14junk", and takes what it does not know for this machine's time.
 */
const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?)?)?$/i;

/** Reads a webhook's JSON. Never throws: what cannot be read says why. */
export function readWebhook(json: unknown): Webhook {
  if (typeof json !== "object" || json === null)
    return { family: "unreadable", problem: "The body is not a JSON object." };
  if ("currentStatus" in json) return readAttendance(json);
  const told = toldSchema.safeParse(json);
  if (told.success) return toldWebhook(told.data);
  return readSchedule(json) ?? readCohort(json) ?? readOther(json);
}

function readSchedule(json: object): Webhook | null {
  const parsed = scheduleSchema.safeParse(json);
  if (!parsed.success) return null;
  const { eventId, eventType, timestamp, recurringUpdateType, updatedBy = null } = parsed.data;
  const at = timestamp === undefined ? null : readTimestamp(timestamp);
  return { family: "SCHEDULE", eventId, eventType, at, recurring: recurringUpdateType ?? null, updatedBy };
}

function readCohort(json: object): Webhook | null {
  const parsed = cohortSchema.safeParse(json);
  if (!parsed.success) return null;
  const { programId, cohortId, eventType, timestamp, updatedBy = null } = parsed.data;
  const at = timestamp === undefined ? null : readTimestamp(timestamp);
  return { family: "PROGRAM_AND_COHORT", programId, cohortId, eventType, at, updatedBy };
}

/** A family that we do not act on, under its name. */
function readOther(json: object): Webhook {
  if ("_type" in json && typeof json._type === "string") {
    const { _type: name } = json;
    const type = "eventType" in json && typeof json.eventType === "string" ? json.eventType : null;
    return { family: "other", name, ...(type === null ? {} : { eventType: type }) };
  }
  return {
    family: "unreadable",
    problem: "The body has neither _type nor the fields of an attendance webhook.",
  };
}

function toldWebhook({ timestamp: at, ...told }: z.infer<typeof toldSchema>): Webhook {
  switch (told._type) {
    case "SPACE_USER": {
      const { _type: family, spaceId, userId, eventType } = told;
      const { sessionId = null, roomId = null, userTabId: tabId = null } = told;
      return { family, spaceId, sessionId: sessionId ?? "", userId, roomId, tabId, eventType, at };
    }
    case "SPACE_RECORDING": {
      const { _type: family, spaceId, recordingId, eventType } = told;
      return { family, spaceId, recordingId, eventType, at };
    }
    case "SPACE_SESSION": {
      const { _type: family, spaceId, sessionId, eventType } = told;
      return { family, spaceId, sessionId, eventType, at };
    }
    case "CONTROL_CENTER_ALERT": {
      const { _type: family, alertId, alertType, eventType, updatedBy = null } = told;
      return { family, alertId, alertType, eventType, at, updatedBy };
    }
  }
}

function readAttendance(json: object): Webhook {
  const parsed = attendanceSchema.safeParse(json);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join(".")).join(", ");
    return { family: "unreadable", problem: `The attendance webhook lacks or misspells: ${fields}.` };
  }
  const { eventId, userId, timestamp, updatedBy, currentStatus, prevStatus } = parsed.data;
  const at = readTimestamp(timestamp);
  if (at === null)
    return { family: "unreadable", problem: "The attendance webhook's timestamp cannot be read." };
  return {
    family: "ATTENDANCE",
    eventId,
    userId,
    observation: {
      status: currentStatus.status,
      notes: currentStatus.notes ?? null,
      at,
      updatedBy: updatedBy ?? null,
      ...(prevStatus == null
        ? {}
        : { previous: { status: prevStatus.status, notes: prevStatus.notes ?? null } }),
    },
  };
}

/**
 * Milliseconds since the epoch of an ISO 8601 text (UTC when it names no zone, interface 6.6) or of a number of
 * seconds or milliseconds; null when it is neither.
 */
export function readTimestamp(value: string | number): number | null {
  if (typeof value === "number" || /^\d{9,14}$/.test(value)) {
    const number = Number(value);
    // A time in microseconds would be thousands of years ahead, and would be the latest for ever.
    if (!(number > 0 && number < 100_000_000_000_000)) return null;
    return number < 100_000_000_000 ? Math.round(number * 1000) : Math.round(number);
  }
  const [, day, clock = "00:00", sign, hours, minutes = "00"] = isoTime.exec(value) ?? [];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T${clock}${sign === undefined ? "Z" : `${sign}${hours}:${minutes}`}`);
  return Number.isNaN(time) ? null : time;
}
