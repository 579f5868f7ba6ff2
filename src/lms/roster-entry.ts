import { z } from "zod";
import { claim, email, identifierOrNumber, idNumber, name } from "./claims.ts";
import { customOf } from "./launch-from-claims.ts";

/** Entries are parsed one by one, so that an odd one does not hide the others. */
export const rosterPage = z.object({ members: z.array(z.unknown()) });

const record = z.record(z.string(), z.unknown());
const texts = z.array(z.unknown()).transform((list) => list.filter((entry) => typeof entry === "string"));

/** One member of a page (NRPS 2.0, section 2.2). Only the id must be there. */
export const rosterEntry = z
  .object({
    user_id: identifierOrNumber,
    roles: texts.catch([]),
    status: z.string().catch("Active"),
    name,
    given_name: name,
    family_name: name,
    email,
    lis_person_sourcedid: idNumber,
    message: z.array(record).catch([]),
    group_enrollments: z
      .array(z.object({ group_id: identifierOrNumber }).transform(({ group_id }) => group_id))
      .optional()
      .catch(undefined),
  })
  .transform((given) => ({
    sub: given.user_id,
    roles: given.roles,
    name: given.name,
    givenName: given.given_name,
    familyName: given.family_name,
    email: given.email,
    idNumber: given.lis_person_sourcedid,
    // A missing status means active; "Deleted" comes with lists of differences only.
    active: given.status.toLowerCase() === "active",
    custom: customOf(customIn(given.message)),
    groupIds: given.group_enrollments ?? null,
  }));

export type RosterEntry = z.output<typeof rosterEntry>;

/** An LMS may send several messages for one member (Moodle: basic outcomes); the one with parameters counts. */
function customIn(messages: readonly Record<string, unknown>[]): Record<string, unknown> {
  for (const message of messages) {
    const custom = record.safeParse(message[claim.custom]);
    if (custom.success) return custom.data;
  }
  return {};
}

/** One person listed twice, once for each enrolment or on two pages: all roles, groups and facts. */
export function mergedEntries(one: RosterEntry, other: RosterEntry): RosterEntry {
  const groups = [one.groupIds, other.groupIds].filter((ids) => ids !== null);
  return {
    sub: one.sub,
    roles: [...new Set([...one.roles, ...other.roles])],
    name: one.name ?? other.name,
    givenName: one.givenName ?? other.givenName,
    familyName: one.familyName ?? other.familyName,
    email: one.email ?? other.email,
    idNumber: one.idNumber ?? other.idNumber,
    active: one.active || other.active,
    custom: { ...one.custom, ...other.custom },
    groupIds: groups.length === 0 ? null : [...new Set(groups.flat())],
  };
}
