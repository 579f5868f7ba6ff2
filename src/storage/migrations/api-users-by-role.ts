import type { Connection } from "mongoose";
import { z } from "zod";
import { storedCollection } from "../stored-collection.ts";
import type { Migration } from "./migration.ts";

const batchSize = 200;

const orNull = z
  .string()
  .nullish()
  .transform((text) => text ?? null);
const personSchema = z.object({
  _id: z.string(),
  registrationId: z.string(),
  apiUserId: z.string(),
  apiUserName: orNull,
});
type StoredPerson = z.infer<typeof personSchema>;

const memberSchema = z.object({
  registrationId: z.string(),
  courseId: z.string(),
  personId: z.string(),
  role: z.string(),
  /** Set only for people who were instructors. */
  listed: z.unknown().optional(),
});
type StoredMember = z.infer<typeof memberSchema>;

/**
 * A person had one API user, made with the unknown role of the course they entered first. Their roles in all courses
 * decide; where they have had both, the user is for attendance only. It stays in its old place as well, for processes
 * of the release before.
 */
export const apiUsersByRole: Migration = {
  to: 5,
  what: "API users are kept by the role that they were made with",
  run: async (connection, renew) => {
    const people = storedCollection(connection, "people");
    for (let last = ""; ;) {
      const found = await people
        .find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: batchSize })
        .toArray();
      // A merged person enters as nobody; a role that is there was found by a run before.
      const open = found.filter(
        ({ mergedInto, apiUserIs }) => typeof mergedInto !== "string" && typeof apiUserIs !== "string",
      );
      const known = open.flatMap((row) => personSchema.safeParse(row).data ?? []);
      // Together, to share commits: a big LMS has a hundred thousand, and the tool starts after all of them.
      await Promise.all(known.map((person) => keepByRole(connection, person)));
      if (found.length < batchSize) return;
      last = found.at(-1)?._id ?? last;
      await renew();
    }
  },
};

async function keepByRole(connection: Connection, person: StoredPerson): Promise<void> {
  const role = await roleOf(connection, person);
  if (role === null) return;
  const { _id, apiUserId, apiUserName } = person;
  const user = { [`${role}UserId`]: apiUserId, [`${role}UserName`]: apiUserName, apiUserIs: role };
  const untouched = { _id, apiUserId, hostUserId: null, participantUserId: null };
  await storedCollection(connection, "people").updateOne(untouched, { $set: user });
}

async function roleOf(connection: Connection, person: StoredPerson): Promise<"host" | "participant" | null> {
  const { _id: personId, registrationId } = person;
  const rows = await storedCollection(connection, "members").find({ registrationId, personId }).toArray();
  const members = rows.map((row) => memberSchema.parse(row));
  const roles = new Set(members.map(({ role }) => role));
  if (roles.size !== 1) return null;
  if (roles.has("learner")) return (await hasTaught(connection, person, members)) ? null : "participant";
  return (await wasMarked(connection, members)) ? null : "host";
}

/** Whether a learner was an instructor once: by a roster, or by a change that only instructors make. */
async function hasTaught(
  connection: Connection,
  { _id: personId, registrationId }: StoredPerson,
  members: readonly StoredMember[],
): Promise<boolean> {
  if (members.some(({ listed }) => listed != null)) return true;
  const trail = storedCollection(connection, "courseauditentries");
  return (await trail.findOne({ registrationId, "by.personId": personId })) !== null;
}

/** Whether an instructor has attendance in their courses: the classroom marks its participants. */
async function wasMarked(connection: Connection, members: readonly StoredMember[]): Promise<boolean> {
  const attendance = storedCollection(connection, "attendances");
  for (const { registrationId, courseId, personId } of members)
    if ((await attendance.findOne({ registrationId, courseId, personId })) !== null) return true;
  return false;
}
