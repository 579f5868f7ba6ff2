import { z } from "zod";
import { type AttendanceObservation, maxClassroomNote, statusAsWritten } from "../../domain/attendance.ts";
import { readTimestamp } from "../../kernel/clock.ts";
import { cutTo } from "../../kernel/text.ts";

export type KnownFamily = Exclude<Webhook["family"], "other" | "unreadable">;

/** Interface part 6; attendance has no eventType. */
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

/** Family of a webhook that names none. */
export const noFamily = "none";

const maxCharacters = 64;

/** A webhook's `_type`, at most 64 characters. Attendance has none (interface 6.6) and is known by its fields. */
export function familyOf(json: unknown): string {
  if (typeof json !== "object" || json === null) return noFamily;
  if ("currentStatus" in json) return "ATTENDANCE";
  if (!("_type" in json) || typeof json._type !== "string" || json._type === "") return noFamily;
  return cutTo(json._type, maxCharacters);
}

const maxNameCharacters = 100;

/** Where kinds are counted together when there are too many names. */
export const otherNames = "(others)";

/**
 * The name under which a webhook is counted. Foreign names are cut, and only `known` ones become labels. The transcript's
 * eventType is not documented (6.4).
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

/** Bounded by the document's names. */
export function kindLabels(webhook: Webhook): { family: string; event_type: string } {
  const { eventType, known } = webhookKind(webhook);
  return { family: webhook.family, event_type: known ? eventType || "none" : "other" };
}

/** Why an eventType has no effect; nothing when the document lists it. */
export function unknownType(webhook: Extract<Webhook, { eventType: string }>) {
  if (webhookKind(webhook).known) return {};
  const name = cutTo(webhook.eventType, maxNameCharacters);
  return {
    reason: `The eventType "${name}" of ${webhook.family} is not known; the webhook is kept as it came.`,
    code: "event-type-unknown",
  };
}

/** A webhook's time (`at`, ms) is that of its arrival where it is unreadable or in the future. */
export type Webhook =
  | { family: "ATTENDANCE"; eventId: string; userId: string; observation: AttendanceObservation }
  /**
   * `recurring`: the `recurringUpdateType`; null outside of a series, whose instances each have a webhook (interface 6.5).
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
  /** Any `eventType` (interface 6.7). */
  | {
      family: "PROGRAM_AND_COHORT";
      programId: string;
      cohortId: string;
      eventType: string;
      at: number;
      updatedBy: string | null;
    }
  /** Any `eventType` (interface 6.4; that of transcripts is not documented). */
  | { family: "SPACE_RECORDING"; spaceId: string; recordingId: string; eventType: string; at: number }
  /** Somebody comes, goes or changes tabs (interface 6.2). Left out: `roomId` and `tabId` are null, `sessionId` is empty. */
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
  /** SESSION_ENDED, or an unknown `eventType` (interface 6.3). */
  | { family: "SPACE_SESSION"; spaceId: string; sessionId: string; eventType: string; at: number }
  /** `updatedBy`: null when the system did it (interface 6.8). */
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

/** Half a character has no place in an address. */
const identifier = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => id.isWellFormed());
/** Only an event's id is documented as a string (interface 6.5). */
const numberedId = z.union([identifier, z.int().transform(String)]);
/** Unreadable: null. */
const moment = z.union([z.string(), z.number()]).transform(readTimestamp).nullish().catch(null);
/** Unreadable: nobody, or nothing. */
const idOrNull = numberedId
  .nullish()
  .catch(null)
  .transform((id) => id ?? null);
const notes = z.string().transform((text) => cutTo(text, maxClassroomNote));
const statusSchema = z.object({
  status: z.string().min(1).max(64).transform(statusAsWritten),
  /** Optional: of another shape they cost nobody the mark. */
  notes: notes.nullish().catch(null),
});

/** Interface 6.6: known by its fields, without a type marker. */
const attendanceSchema = z.object({
  eventId: identifier,
  userId: numberedId,
  timestamp: z.union([z.string(), z.number()]),
  updatedBy: idOrNull,
  currentStatus: statusSchema,
  /** Optional: what is now counts more. */
  prevStatus: statusSchema.nullish().catch(null),
});

/** The format of a timestamp is not documented for every family. */
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

/** Never throws: unreadable webhooks say why. @param receivedAt When it came (ms). */
export function readWebhook(json: unknown, receivedAt: number): Webhook {
  if (typeof json !== "object" || json === null)
    return { family: "unreadable", problem: "The body is not a JSON object." };
  if ("currentStatus" in json) return readAttendance(json, receivedAt);
  const reported = reportSchema.safeParse(json);
  return reported.success ? toWebhook(reported.data, receivedAt) : readOther(json);
}

/** A clock ahead of ours would make a change the latest for as long, whatever comes after it. */
function notAfter(receivedAt: number, at: number | null | undefined): number {
  return Math.min(at ?? receivedAt, receivedAt);
}

/** A classroom's clock may be this far ahead of ours (ms). */
const classroomAheadMs = 60_000;

/**
 * As `notAfter`, for changes that are put in order by their times: of two that come the wrong way round, both a little ahead, the later
 * one wins.
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
