import { z } from "zod";
import type { AssumptionName, Turned } from "../assumptions.ts";
import type { Operations } from "./api-operations.ts";
import { asNumbers } from "./turned-ids.ts";

const record = z.record(z.string(), z.unknown());
type Fields = Record<string, unknown>;
const creations: ReadonlySet<keyof Operations> = new Set(["createApiUser", "createSpace", "createEvent"]);
/** Entries of attendance have no id of their own. */
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
/** New names, and what stands around a value. */
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
  ["repliesAreExact", (reply) => eachRecord(reply, (each) => ({ ...each, ...more }))],
  ["namesAreCamelCase", snakeCase],
  ["repliesAreBare", (reply) => ({ data: reply })],
];

export function writtenReply(turned: Turned, operation: keyof Operations, reply: unknown): unknown {
  return changes.reduce(
    (written, [name, change]) => (turned.has(name) ? change(written, operation) : written),
    reply,
  );
}

/** Fields the tool did not ask for. */
const more = {
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

function snakeCase(value: unknown): unknown {
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
