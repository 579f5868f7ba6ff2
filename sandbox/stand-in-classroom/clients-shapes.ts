import { z } from "zod";
import type { Operations } from "./api-operations.ts";
import { parseOrRefuse } from "./run-action.ts";

/** Three public programs' bodies and replies (read 2026-11-22); one requires e-mail addresses. The page size is our own. */
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

/** 400 for any other body. */
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

export function writtenForClients(operation: keyof Operations, reply: unknown): unknown {
  const fields = record.parse(reply);
  if (operation === "createApiUser") return { userId: fields.userId };
  if (operation === "createSpace") return { spaceId: fields.spaceId, spaceUrl: fields.url };
  // Lists come in pages already (pages.ts).
  return fields;
}
