import { z } from "zod";
import type { Operations } from "./api-operations.ts";
import { parseOrRefuse } from "./run-action.ts";

/**
 * Bodies and replies as three public programs write and read them that call a service with these operations (read 2026-11-22):
 * other bodies are refused. That an e-mail address is needed is what one of them says; how many records make a page is this
 * sandbox's own.
 */
const text = z.string().min(1);
const person = z.strictObject({ userId: text });
const people = z.array(person).optional();
const user = z.strictObject({
  name: text,
  email: z.email(),
  userRole: z.enum(["Teacher", "Student"]),
  externalId: z.string().nullish(),
});
const visibility = z.enum(["private", "public"]);
const space = z.strictObject({
  title: text,
  visibility,
  hosts: people,
  participants: people,
  settings: z.strictObject({ enableWaitingRoom: z.boolean().optional() }).optional(),
});
const ownedSpace = z.strictObject({
  title: text,
  visibility,
  ownerId: person.optional(),
  hostIds: people,
  participantIds: people,
  notifyInvitees: z.boolean().optional(),
  siteId: text.optional(),
  spaceToCloneId: text.optional(),
});

/** A body of these programs as the operation itself takes it; 400 for any other. */
export function readClientsBody(operation: keyof Operations, body: unknown): unknown {
  if (operation === "createApiUser") {
    const { userRole, ...rest } = parseOrRefuse(user, body);
    return { ...rest, role: userRole === "Teacher" ? "host" : "participant" };
  }
  if (operation !== "createSpace") return body;
  const isOwned = typeof body === "object" && body !== null && ("hostIds" in body || "ownerId" in body);
  const given = isOwned ? fromOwned(parseOrRefuse(ownedSpace, body)) : parseOrRefuse(space, body);
  const { title, settings, ...lists } = given;
  return {
    name: title,
    access: given.visibility === "public" ? "Public" : "Private",
    ...settings,
    hosts: lists.hosts,
    participants: lists.participants,
  };
}

function fromOwned({ ownerId, hostIds, participantIds, ...rest }: z.infer<typeof ownedSpace>) {
  const hosts = [...(ownerId === undefined ? [] : [ownerId]), ...(hostIds ?? [])];
  return { ...rest, hosts, participants: participantIds, settings: undefined };
}

const record = z.record(z.string(), z.unknown());

/** The reply as these programs read it. */
export function writtenForClients(operation: keyof Operations, reply: unknown): unknown {
  const fields = record.parse(reply);
  if (operation === "createApiUser") return { userId: fields.userId };
  if (operation === "createSpace") return { spaceId: fields.spaceId, spaceUrl: fields.url };
  // Lists come in pages already (pages.ts).
  return fields;
}
