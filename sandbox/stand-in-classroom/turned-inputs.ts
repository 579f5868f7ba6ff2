import { z } from "zod";
import type { Turned } from "../assumptions.ts";
import type { Operations } from "./api-operations.ts";
import { parseOrRefuse } from "./run-action.ts";

const text = z.string().min(1);
const user = z.strictObject({
  name: text,
  email: z.string().nullish(),
  userRole: z.enum(["Teacher", "Student"]),
  externalId: z.string().nullish(),
});
const people = z.array(z.strictObject({ userId: text }));
const space = z.strictObject({
  title: text,
  visibility: z.enum(["public", "private"]),
  settings: z.strictObject({ enableWaitingRoom: z.boolean() }).optional(),
  hosts: people.optional(),
  participants: people.optional(),
});
const event = z.strictObject({
  name: text,
  space: z.string().nullish(),
  start: z.number(),
  end: z.number(),
  participants: z.array(z.string()).optional(),
});

/** Reads the words of a turned assumption; 400 for the usual ones. */
export function readBody(turned: Turned, operation: keyof Operations, body: unknown): unknown {
  if (operation === "createApiUser" && turned.has("userFields")) {
    const { userRole, ...rest } = parseOrRefuse(user, body);
    return { ...rest, role: userRole === "Teacher" ? "host" : "participant" };
  }
  if (operation === "createSpace" && turned.has("spaceFields")) {
    const { title, visibility, settings, ...lists } = parseOrRefuse(space, body);
    return { name: title, access: visibility === "public" ? "Public" : "Private", ...settings, ...lists };
  }
  if (operation === "createEvent" && turned.has("eventFields")) {
    const { name, space: spaceId, start, end, participants } = parseOrRefuse(event, body);
    return { title: name, spaceId, startsAt: start, endsAt: end, attendeeIds: participants };
  }
  return body;
}
