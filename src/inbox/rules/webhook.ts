import { z } from "zod";
import { type AttendanceObservation, maxClassroomNote, statusAsWritten } from "../../domain/attendance.ts";
import { readTimestamp } from "../../kernel/clock.ts";
import { cutTo } from "../../kernel/text.ts";

export type KnownFamily = Exclude<Webhook["family"], "other" | "unreadable">;

/** The eventTypes of interface part 6; attendance has none. */
const documentedTypes: Readonly<Record<KnownFamily, readonly string[]>> = {
  ATTENDANCE: [],
  SCHEDULE: ["EVENT_CREATED", "EVENT_UPDATED", "EVENT_DELETED", "EVENT_CANCELLED"],
  SPACE_USER: ["joinSpace", "leaveSpace", "hideTab", "unhideTab"],
  SPACE_SESSION: ["SESSION_ENDED"],
  SPACE_RECORDING: ["RECORDING_AVAILABLE"],
  PROGRAM_AND_COHORT: ["COHORT_CREATED", "COHORT_UPDATED", "COHORT_DELETED"],
  CONTROL_CENTER_ALERT: ["CREATE_ALERT", "UPDATE_ALERT"],
};

export const knownFamilies: readonly string[] = Object.keys(documentedTypes);

/** The family of a webhook that names none. */
export const noFamily = "none";

const maxCharacters = 64;

/** A webhook's `_type`, at most 64 characters. Attendance has no type (interface 6.6); we know it by its fields. */
export function familyOf(json: unknown): string {
  if (typeof json !== "object" || json === null) return noFamily;
  if ("currentStatus" in json) return "ATTENDANCE";
  if (!("_type" in json) || typeof json._type !== "string" || json._type === "") return noFamily;
  return cutTo(json._type, maxCharacters);
}

const maxNameCharacters = 100;

/** The name under which further kinds are counted together when there are too many. */
export const otherNames = "(others)";

/**
 * The name under which a webhook is counted. Names that the document doesn't list are cut, and only `known` ones become labels.
 * The eventType of transcripts isn't documented (6.4).
 */
export function webhookKind(webhook: Webhook) {
  if (webhook.family === "ATTENDANCE") return { family: "ATTENDANCE", eventType: "", known: true };
  if (webhook.family === "unreadable") return { family: "unreadable", eventType: "", known: true };
  const eventType = cutTo(webhook.eventType ?? "", maxNameCharacters);
  if (webhook.family === "other")
    return { family: cutTo(webhook.name, maxNameCharacters), eventType, known: false };
  const known = documentedTypes[webhook.family].includes(eventType);
  return { family: webhook.family, eventType, known };
}

/** Metric labels, limited to the document's names. */
export function kindLabels(webhook: Webhook): { family: string; event_type: string } {
  const { eventType, known } = webhookKind(webhook);
  return { family: webhook.family, event_type: known ? eventType || "none" : "other" };
}

/** Why an eventType has no effect; {} if the document lists it. */
export function unknownType(webhook: Extract<Webhook, { eventType: string }>) {
  if (webhookKind(webhook).known) return {};
  const name = cutTo(webhook.eventType, maxNameCharacters);
  return {
    reason: `The eventType "${name}" of ${webhook.family} is not known; the webhook is kept as it came.`,
    code: "event-type-unknown",
  };
}

/** A webhook, read. If its time (`at`, ms) is unreadable or in the future, its arrival counts. */
export type Webhook =
  | { family: "ATTENDANCE"; eventId: string; userId: string; observation: AttendanceObservation }
  /**
   * `recurring`: the `recurringUpdateType`; null outside a series. Each instance of a series has its own webhook (interface 6.5).
   * `updatedBy`: the classroom's user id, or null.
   */
  | {
      family: "SCHEDULE";
      eventId: string;
      eventType: string;
      at: number;
      recurring: string | null;
      updatedBy: string | null;
    }
  /** Has any `eventType` (interface 6.7). */
  | {
      family: "PROGRAM_AND_COHORT";
      programId: string;
      cohortId: string;
      eventType: string;
      at: number;
      updatedBy: string | null;
    }
  /** Has any `eventType` (interface 6.4); that of transcripts isn't documented. */
  | { family: "SPACE_RECORDING"; spaceId: string; recordingId: string; eventType: string; at: number }
  /** Somebody came, left or changed tabs (interface 6.2). A missing `roomId` or `tabId` is null, a missing `sessionId` is "". */
  | {
      family: "SPACE_USER";
      spaceId: string;
      sessionId: string;
      userId: string;
      roomId: string | null;
      tabId: string | null;
      eventType: string;
      at: number;
    }
  /** `eventType` is SESSION_ENDED, or unknown (interface 6.3). */
  | { family: "SPACE_SESSION"; spaceId: string; sessionId: string; eventType: string; at: number }
  /** `updatedBy` is null if the system did it (interface 6.8). */
  | {
      family: "CONTROL_CENTER_ALERT";
      alertId: string;
      alertType: string;
      eventType: string;
      at: number;
      updatedBy: string | null;
    }
  | { family: "other"; name: string; eventType?: string }
  | { family: "unreadable"; problem: string };

/** An id with half a character can't be part of an address. */
const identifier = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => id.isWellFormed());
/** Ids may be numbers: only an event's id is documented as a string (interface 6.5). */
const numberedId = z.union([identifier, z.int().transform(String)]);
/** An unreadable time becomes null. */
const moment = z.union([z.string(), z.number()]).transform(readTimestamp).nullish().catch(null);
/** An unreadable id becomes null. */
const idOrNull = numberedId
  .nullish()
  .catch(null)
  .transform((id) => id ?? null);
const notes = z.string().transform((text) => cutTo(text, maxClassroomNote));
const statusSchema = z.object({
  status: z.string().min(1).max(64).transform(statusAsWritten),
  /** Optional: a note in another shape must not cost the mark. */
  notes: notes.nullish().catch(null),
});

/** Interface 6.6. Attendance has no type marker, so we know it by its fields. */
const attendanceSchema = z.object({
  eventId: identifier,
  userId: numberedId,
  timestamp: z.union([z.string(), z.number()]),
  updatedBy: idOrNull,
  currentStatus: statusSchema,
  /** Optional, because the current status matters more. */
  prevStatus: statusSchema.nullish().catch(null),
});

/** Fields of every change. Not every family documents the format of its timestamp. */
const change = { eventType: z.string().max(200), timestamp: moment };

/** Interface 6.2 to 6.5, 6.7, 6.8. */
const reportSchema = z.discriminatedUnion("_type", [
  z.object({
    ...change,
    _type: z.literal("SCHEDULE"),
    eventId: identifier,
    recurringUpdateType: z.string().max(200).nullish().catch(null),
    updatedBy: idOrNull,
  }),
  z.object({
    ...change,
    _type: z.literal("PROGRAM_AND_COHORT"),
    programId: numberedId,
    cohortId: numberedId,
    updatedBy: idOrNull,
  }),
  z.object({
    ...change,
    _type: z.literal("SPACE_USER"),
    spaceId: numberedId,
    sessionId: idOrNull,
    userId: numberedId,
    roomId: idOrNull,
    userTabId: idOrNull,
  }),
  z.object({ ...change, _type: z.literal("SPACE_RECORDING"), spaceId: numberedId, recordingId: numberedId }),
  z.object({ ...change, _type: z.literal("SPACE_SESSION"), spaceId: numberedId, sessionId: numberedId }),
  z.object({
    ...change,
    _type: z.literal("CONTROL_CENTER_ALERT"),
    alertId: numberedId,
    alertType: z.string().max(200),
    updatedBy: idOrNull,
  }),
]);

/** Reads a webhook. Never throws: an unreadable one says what is wrong. @param receivedAt When it came (ms). */
export function readWebhook(json: unknown, receivedAt: number): Webhook {
  if (typeof json !== "object" || json === null)
    return { family: "unreadable", problem: "The body is not a JSON object." };
  if ("currentStatus" in json) return readAttendance(json, receivedAt);
  const reported = reportSchema.safeParse(json);
  return reported.success ? toWebhook(reported.data, receivedAt) : readOther(json);
}

/** A time at most that of arrival. A clock ahead of ours would otherwise keep a change the latest, whatever comes after it. */
function notAfter(receivedAt: number, at: number | null | undefined): number {
  return Math.min(at ?? receivedAt, receivedAt);
}

/** How far a classroom's clock may be ahead of ours (ms). */
const classroomAheadMs = 60_000;

/**
 * As `notAfter`, but for changes that are ordered by their times. If two arrive in the wrong order, both a little ahead of our clock,
 * the later one still wins.
 */
function notFarAfter(receivedAt: number, at: number | null | undefined): number {
  return at !== null && at !== undefined && at <= receivedAt + classroomAheadMs ? at : receivedAt;
}

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

function toWebhook({ timestamp, ...told }: z.infer<typeof reportSchema>, receivedAt: number): Webhook {
  const at = notAfter(receivedAt, timestamp);
  const { eventType } = told;
  switch (told._type) {
    case "SCHEDULE": {
      const { _type: family, eventId, recurringUpdateType: recurring = null, updatedBy } = told;
      return { family, eventId, eventType, at: notFarAfter(receivedAt, timestamp), recurring, updatedBy };
    }
    case "PROGRAM_AND_COHORT": {
      const { _type: family, programId, cohortId, updatedBy } = told;
      return { family, programId, cohortId, eventType, at, updatedBy };
    }
    case "SPACE_USER": {
      const { _type: family, spaceId, sessionId, userId, roomId, userTabId: tabId } = told;
      return { family, spaceId, sessionId: sessionId ?? "", userId, roomId, tabId, eventType, at };
    }
    case "SPACE_RECORDING": {
      const { _type: family, spaceId, recordingId } = told;
      return { family, spaceId, recordingId, eventType, at };
    }
    case "SPACE_SESSION": {
      const { _type: family, spaceId, sessionId } = told;
      return { family, spaceId, sessionId, eventType, at };
    }
    case "CONTROL_CENTER_ALERT": {
      const { _type: family, alertId, alertType, updatedBy } = told;
      return { family, alertId, alertType, eventType, at, updatedBy };
    }
  }
}

function readAttendance(json: object, receivedAt: number): Webhook {
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
      at: notFarAfter(receivedAt, at),
      updatedBy,
      ...(prevStatus == null
        ? {}
        : { previous: { status: prevStatus.status, notes: prevStatus.notes ?? null } }),
    },
  };
}
