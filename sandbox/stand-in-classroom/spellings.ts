// From: document 4: its table and its other description (a, b); c and d are assumed; clients is what three public programs do:
// EscolaLMS/Pencil-Spaces, PipedreamHQ/pipedream and one in JavaScript.
import { z } from "zod";
import type { Operations } from "./api-operations.ts";
import type { Turned } from "../assumptions.ts";
import { parseOrRefuse } from "./refusal.ts";
import { snakeCase } from "./turned.ts";

/**
 * The choices that the document leaves open: "a" and "b" are its two descriptions, "c" unusual but discoverable, "d" not discoverable.
 * "clients" is exactly how public programs call such a service.
 */
export const spellingNames = ["a", "b", "c", "d", "clients"] as const;
export type Spelling = (typeof spellingNames)[number];

export type Route = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  operation: keyof Operations;
};

/** Not in the document; only with `eventChanges`. */
export const eventChangeRoutes: readonly Route[] = [
  { method: "GET", path: "/events", operation: "findEvents" },
  { method: "PATCH", path: "/events/:eventId", operation: "updateEvent" },
  { method: "DELETE", path: "/events/:eventId", operation: "cancelEvent" },
];

/** Not in the document (assumption `addedWhenMade`). */
export const addToSpaceRoute: Route = {
  method: "POST",
  path: "/spaces/:spaceId/users",
  operation: "addToSpace",
};

/** Not in the document; only with `cohortList`. */
export const cohortListRoute: Route = { method: "GET", path: "/programs/cohorts", operation: "findCohorts" };

export type Manners = {
  routes: readonly Route[];
  /** The key's header, and the word before the key. */
  key: { header: string; scheme: string };
  /** 400 for a body that it does not understand. */
  read: (operation: keyof Operations, body: unknown) => unknown;
  error: (code: string, message: string) => unknown;
  written: (operation: keyof Operations, reply: unknown) => unknown;
  /** If a creation is answered by Location alone: the field that contains the new id. */
  locationOnly: Partial<Record<keyof Operations, string>>;
  /** Unknown addresses and methods are answered with a web page. */
  pagesForUnknown: boolean;
  /** redirectUrl is read from the query only. */
  redirectInQueryOnly: boolean;
  /** Only as a web form writes them. */
  formBodies: readonly (keyof Operations)[];
  /** JSON is sent as text/plain with a byte order mark. */
  plainText: boolean;
};

const inAll: readonly Route[] = [
  { method: "POST", path: "/spaces/create", operation: "createSpace" },
  { method: "POST", path: "/events", operation: "createEvent" },
  { method: "GET", path: "/events/:eventId", operation: "readEvent" },
  { method: "GET", path: "/attendance/:eventId", operation: "readAttendance" },
  { method: "GET", path: "/programs/:programId/cohorts/:cohortId", operation: "readCohort" },
  { method: "GET", path: "/alerts/:alertId", operation: "readAlert" },
  { method: "POST", path: "/webhooks", operation: "configureWebhook" },
];
const byGet: readonly Route[] = [
  { method: "GET", path: "/analytics/sessions", operation: "readSessions" },
  { method: "GET", path: "/spaces/recordings", operation: "readRecordings" },
];
const byPost: readonly Route[] = [
  { method: "POST", path: "/analytics/sessions", operation: "readSessions" },
  { method: "POST", path: "/spaces/recordings", operation: "readRecordings" },
];
const odd: readonly Route[] = [
  { method: "POST", path: "/user/createAPIUser", operation: "createApiUser" },
  { method: "POST", path: "/user/authorize", operation: "authorize" },
  ...inAll,
  ...byPost,
];

const plain: Omit<Manners, "routes"> = {
  key: { header: "authorization", scheme: "Bearer " },
  read: (_operation, body) => body,
  error: (code, message) => ({ error: { code, message } }),
  written: (_operation, reply) => reply,
  locationOnly: {},
  pagesForUnknown: false,
  redirectInQueryOnly: false,
  formBodies: [],
  plainText: false,
};

const record = z.record(z.string(), z.unknown());

export const spellings: Readonly<Record<Spelling, Manners>> = {
  a: {
    ...plain,
    routes: [
      { method: "POST", path: "/users/createAPIUser", operation: "createApiUser" },
      { method: "POST", path: "/users/:userId/authorize", operation: "authorize" },
      ...inAll,
      ...byGet,
    ],
  },
  b: {
    ...plain,
    routes: [
      { method: "POST", path: "/user/createAPIUser", operation: "createApiUser" },
      { method: "GET", path: "/users/:userId/authorize", operation: "authorize" },
      { method: "GET", path: "/user/authorize", operation: "authorize" },
      ...inAll,
      ...byGet,
    ],
    written: (_operation, reply) => wrapped(reply),
  },
  c: {
    ...plain,
    routes: odd,
    written: (operation, reply) =>
      operation === "readAttendance" ? [snakeCase(reply)] : { result: [snakeCase(reply)] },
    locationOnly: { createApiUser: "userId" },
    pagesForUnknown: true,
    redirectInQueryOnly: true,
    plainText: true,
  },
  d: {
    ...plain,
    routes: odd,
    key: { header: "x-api-key", scheme: "" },
    written: (_operation, reply) => ({ payload: renamed(record.parse(reply), "userId", "person_ref") }),
    pagesForUnknown: true,
    redirectInQueryOnly: true,
    formBodies: ["createApiUser", "createSpace"],
  },
  clients: {
    ...plain,
    routes: [
      { method: "POST", path: "/users/createAPIUser", operation: "createApiUser" },
      { method: "GET", path: "/users/:userId/authorize", operation: "authorize" },
      ...inAll,
      ...byGet,
    ],
    read: readClientsBody,
    error: (_code, message) => ({ message }),
    written: writtenForClients,
    redirectInQueryOnly: true,
  },
};

/** Another shape, so that a client must not rely on one (invented). */
function wrapped(reply: unknown): unknown {
  const fields = record.parse(reply);
  const own = ["eventId", "userId", "spaceId"].find((name) => name in fields);
  return { data: own === undefined ? fields : renamed(fields, own, "id") };
}

function renamed(fields: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  const { [from]: value, ...rest } = fields;
  return value === undefined ? fields : { [to]: value, ...rest };
}

const text = z.string().min(1);
const people = z.array(z.strictObject({ userId: text })).optional();
const userSchema = z.strictObject({
  name: text,
  email: z.string().nullish(),
  userRole: z.enum(["Teacher", "Student"]),
  externalId: z.string().nullish(),
});
const spaceSchema = z.strictObject({
  title: text,
  visibility: z.enum(["public", "private"]),
  hosts: people,
  participants: people,
  settings: z.strictObject({ enableWaitingRoom: z.boolean().optional() }).optional(),
});
const eventSchema = z.strictObject({
  name: text,
  space: z.string().nullish(),
  start: z.number(),
  end: z.number(),
  participants: z.array(z.string()).optional(),
});

function userOf({ userRole, ...rest }: z.infer<typeof userSchema>) {
  return { ...rest, role: userRole === "Teacher" ? "host" : "participant" };
}

function spaceOf({ title, visibility, settings, ...lists }: z.infer<typeof spaceSchema>) {
  return { name: title, access: visibility === "public" ? "Public" : "Private", ...settings, ...lists };
}

/** Reads the words of a reversed assumption; 400 for the usual ones. */
export function readBody(turned: Turned, operation: keyof Operations, body: unknown): unknown {
  if (operation === "createApiUser" && turned.has("userFields"))
    return userOf(parseOrRefuse(userSchema, body));
  if (operation === "createSpace" && turned.has("spaceFields"))
    return spaceOf(parseOrRefuse(spaceSchema, body));
  if (operation === "createEvent" && turned.has("eventFields")) {
    const { name, space, start, end, participants } = parseOrRefuse(eventSchema, body);
    return { title: name, spaceId: space, startsAt: start, endsAt: end, attendeeIds: participants };
  }
  return body;
}

/** As three public programs write bodies (read 2026-11-22); one requires e-mail addresses. 400 for any other body. */
function readClientsBody(operation: keyof Operations, body: unknown): unknown {
  if (operation === "createApiUser")
    return userOf(parseOrRefuse(userSchema.extend({ email: z.email() }), body));
  return operation === "createSpace" ? spaceOf(parseOrRefuse(spaceSchema, body)) : body;
}

/** Lists already come in pages (pages.ts). */
function writtenForClients(operation: keyof Operations, reply: unknown): unknown {
  const fields = record.parse(reply);
  if (operation === "createApiUser") return { userId: fields.userId };
  if (operation === "createSpace") return { spaceId: fields.spaceId, spaceUrl: fields.url };
  return fields;
}
