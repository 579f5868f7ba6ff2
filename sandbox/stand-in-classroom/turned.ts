// From: the assumptions, the other way round.
import { z } from "zod";
import type { AssumptionName, Turned } from "../assumptions.ts";
import type { Operations } from "./api-operations.ts";

const record = z.record(z.string(), z.unknown());
type Fields = Record<string, unknown>;
const creations: ReadonlySet<keyof Operations> = new Set(["createApiUser", "createSpace", "createEvent"]);
/** Entries of attendance have no ids. */
const ownIds = new Map<keyof Operations, string>([
  ["createApiUser", "userId"],
  ["createSpace", "spaceId"],
  ["createEvent", "eventId"],
  ["readEvent", "eventId"],
  ["updateEvent", "eventId"],
  ["findEvents", "eventId"],
  ["readCohort", "cohortId"],
  ["findCohorts", "cohortId"],
  ["readAlert", "alertId"],
  ["readRecordings", "recordingId"],
  ["readSessions", "sessionId"],
]);
/** New names, and the objects that wrap a value. */
const renamings: readonly {
  when: AssumptionName;
  operations: readonly (keyof Operations)[];
  rename: (fields: Fields) => Fields;
}[] = [
  {
    when: "eventReplies",
    operations: ["createEvent", "readEvent", "updateEvent", "findEvents"],
    rename: ({ title, startsAt, endsAt, spaceId, ...rest }) => ({
      ...rest,
      ...only({ name: title, startTime: startsAt, endTime: endsAt, space: spaceId && { id: spaceId } }),
    }),
  },
  {
    when: "eventCohorts",
    operations: ["createEvent", "readEvent", "updateEvent", "findEvents"],
    rename: ({ cohortIds, ...rest }) => ({
      ...rest,
      ...only({ cohorts: Array.isArray(cohortIds) ? cohortIds.map((id: unknown) => ({ id })) : undefined }),
    }),
  },
  {
    when: "attendanceReplies",
    operations: ["readAttendance"],
    rename: ({ attendance, userId, status, notes, ...rest }) => ({
      ...rest,
      ...only({ records: attendance, user: userId && { id: userId }, attendanceStatus: status, note: notes }),
    }),
  },
  {
    when: "cohortReplies",
    operations: ["readCohort"],
    rename: ({ organizers, attendees, ...rest }) => ({
      ...rest,
      ...only({ organizerIds: idsOf(organizers), attendeeIds: idsOf(attendees) }),
    }),
  },
  {
    when: "alertReplies",
    operations: ["readAlert"],
    rename: ({ alertType, assigneeId, ...rest }) => ({
      ...rest,
      type: alertType,
      assignee: assigneeId === null ? null : { id: assigneeId },
    }),
  },
  {
    when: "recordingReplies",
    operations: ["readRecordings"],
    rename: ({ title, startedAt, duration, url, transcriptUrl, ...rest }) => ({
      ...rest,
      ...only({
        name: title,
        recordedAt: startedAt,
        durationMs: typeof duration === "number" ? duration * 1_000 : undefined,
        playbackUrl: url,
        ...(transcriptUrl === undefined ? {} : { transcript: { url: transcriptUrl } }),
      }),
    }),
  },
];

type Change = (reply: unknown, operation: keyof Operations) => unknown;
/** Applied in this order. */
const changes: readonly (readonly [AssumptionName, Change])[] = [
  [
    "creationReportsAll",
    (reply, operation) => {
      const id = ownIds.get(operation);
      return id === undefined || !creations.has(operation) ? reply : only({ [id]: record.parse(reply)[id] });
    },
  ],
  [
    "replyTimesAreIso",
    (reply) => changed(reply, (name, value) => (/At$/.test(name) ? inSeconds(value) : value)),
  ],
  ["idsAreTexts", (reply) => changed(reply, asNumbers)],
  ...renamings.map(({ when, operations, rename }): readonly [AssumptionName, Change] => [
    when,
    (reply, operation) => (operations.includes(operation) ? eachRecord(reply, rename) : reply),
  ]),
  [
    "idsCarryTheirName",
    (reply, operation) => {
      const own = ownIds.get(operation);
      return own === undefined ? reply : eachRecord(reply, (each) => withPlainId(each, own));
    },
  ],
  ["repliesAreExact", (reply) => eachRecord(reply, (each) => ({ ...each, ...moreOfReplies }))],
  ["namesAreCamelCase", snakeCase],
  ["repliesAreBare", (reply) => ({ data: reply })],
];

export function writtenReply(turned: Turned, operation: keyof Operations, reply: unknown): unknown {
  return changes.reduce(
    (written, [name, change]) => (turned.has(name) ? change(written, operation) : written),
    reply,
  );
}

/** Fields that the tool did not ask for. */
const moreOfReplies = {
  __v: 0,
  createdBy: { type: "api-key", label: "main" },
  tags: ["imported", "2026"],
  links: [{ rel: "self", href: "/v1/self" }],
};
/** A reply and the entries of its lists. */
function eachRecord(reply: unknown, rename: (fields: Fields) => Fields): unknown {
  const inLists = Object.entries(record.parse(reply)).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.map((each: unknown) => (isRecord(each) ? rename(each) : each)) : value,
  ]);
  return rename(Object.fromEntries(inLists));
}

function withPlainId(fields: Fields, own: string): Fields {
  if (!(own in fields) || "id" in fields) return fields;
  const { [own]: id, ...rest } = fields;
  return { id, ...rest };
}

/** At any depth. */
function changed(value: unknown, change: (name: string, value: unknown) => unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => changed(each, change, name));
  if (!isRecord(value)) return change(name, value);
  return Object.fromEntries(
    Object.entries(value).map(([inner, each]) => [inner, changed(each, change, inner)]),
  );
}

function inSeconds(value: unknown): unknown {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : Math.floor(at / 1_000);
}

export function snakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => snakeCase(each));
  if (!isRecord(value)) return value;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [snake(name), snakeCase(each)]));
}

/** Members with a value. */
function only(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function idsOf(people: unknown): unknown {
  return z
    .array(z.object({ userId: z.unknown() }))
    .optional()
    .parse(people)
    ?.map(({ userId }) => userId);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Digits become a number; event ids are texts (document part 6.5). */
function asNumbers(name: string, value: unknown): unknown {
  const isId = /(Ids?|By)$/.test(name) && !/^event/.test(name);
  return isId && typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

export function writtenWebhook(turned: Turned, payload: Readonly<Fields>): Readonly<Fields> {
  let written = { ...payload };
  if (turned.has("idsAreTexts"))
    written = Object.fromEntries(Object.entries(written).map(([name, id]) => [name, asNumbers(name, id)]));
  const { _type: family = "ATTENDANCE", timestamp } = payload;
  if (typeof family === "string" && typeof timestamp === "string")
    written.timestamp = writtenTime(turned, family, timestamp);
  if (turned.has("nothingIsLeftOut")) written = withNulls(written);
  if (turned.has("webhooksAreExact")) written = { ...written, ...moreOfWebhooks };
  return written;
}

/** Fields of a later version, or of another family. */
const moreOfWebhooks = {
  apiVersion: "2026-09",
  institution: { id: 7, name: "Example University" },
  deliveredTo: ["primary"],
  duration: null,
};

function writtenTime(turned: Turned, family: string, iso: string): unknown {
  if (family.startsWith("SPACE_")) return turned.has("spaceTimesAreIso") ? Date.parse(iso) : iso;
  if (family === "ATTENDANCE") {
    const at = turned.has("timesAreFine") ? iso.replace(/\.\d+Z$/, "Z") : iso;
    return turned.has("attendanceTimesNameZone") ? at.replace("T", " ").replace("Z", "") : at;
  }
  return turned.has("isoEndsInZ") ? withOffset(iso) : iso;
}

/** The same moment with an offset of two hours. */
function withOffset(iso: string): string {
  return new Date(Date.parse(iso) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
}

function withNulls(payload: Readonly<Fields>): Fields {
  const { _type: family, currentStatus } = payload;
  if (family === "SCHEDULE") return { recurringUpdateType: null, ...payload };
  if (family !== undefined || typeof currentStatus !== "object") return { ...payload };
  return { prevStatus: null, ...payload, currentStatus: { notes: null, ...currentStatus } };
}
