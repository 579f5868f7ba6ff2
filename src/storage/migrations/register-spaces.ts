import type { Connection } from "mongoose";
import { z } from "zod";
import { storedCollection } from "../stored-collection.ts";
import type { Migration } from "./migration.ts";

const batchSize = 200;

const courseSchema = z.object({
  _id: z.string(),
  registrationId: z.string(),
  environment: z.string(),
  spaceId: z
    .string()
    .nullish()
    .transform((id) => id ?? null),
});
type StoredCourse = z.infer<typeof courseSchema>;

const formerSchema = z.object({ spaceId: z.string(), courseId: z.string() });
/** What a link opens, and what was chosen for one that was not opened yet. */
const choiceSchema = z.object({
  choice: z.union([
    z.object({ kind: z.literal("space"), spaceId: z.string() }).transform(({ spaceId }) => spaceId),
    z.object({ kind: z.literal("session"), inSpace: z.string() }).transform(({ inSpace }) => inSpace),
    z.unknown().transform(() => null),
  ]),
});
const trailSchema = z.object({
  after: z
    .string()
    .nullish()
    .transform((address) => address ?? ""),
});

/**
 * Every course gets a right to the Spaces it uses, so that nothing changes. Those that the tool made are the course's
 * own; those that an instructor named are marked, because nobody decided about them.
 */
export const registerSpaces: Migration = {
  to: 4,
  what: "Spaces are registered by the courses that use them",
  run: async (connection, renew) => {
    const courses = storedCollection(connection, "courses");
    for (let last = ""; ;) {
      const found = await courses
        .find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: batchSize })
        .toArray();
      for (const row of found) {
        await registerSpacesOf(connection, courseSchema.parse(row));
        last = row._id;
      }
      if (found.length < batchSize) return;
      await renew();
    }
  },
};

async function registerSpacesOf(connection: Connection, course: StoredCourse): Promise<void> {
  const stored = (name: string) => storedCollection(connection, name);
  const { _id: courseId, registrationId, environment } = course;
  const formers = await stored("formerspaces").find({ courseId }).toArray();
  const own = new Set(formers.map((row) => formerSchema.parse(row).spaceId));
  if (course.spaceId !== null) own.add(course.spaceId);
  const ofLinks = await stored("courselinks").find({ registrationId, courseId }).toArray();
  const ofChoices = await stored("linkchoices").find({ registrationId, courseId }).toArray();
  const linked = [...ofLinks, ...ofChoices].flatMap((row) => choiceSchema.safeParse(row).data?.choice ?? []);
  for (const spaceId of new Set([...own, ...linked])) {
    const space = { environment, spaceId };
    const made = own.has(spaceId) && (await wasMadeFor(connection, course, spaceId));
    await addRight(connection, course, space, made ? "made" : "linked-before");
  }
}

type Space = { environment: string; spaceId: string };

/** Since linking exists, every Space an instructor named for a course has a line in its trail; a made one has none. */
async function wasMadeFor(connection: Connection, course: StoredCourse, spaceId: string): Promise<boolean> {
  const filter = { registrationId: course.registrationId, courseId: course._id, what: "space-changed" };
  const lines = await storedCollection(connection, "courseauditentries").find(filter).toArray();
  const ending = `/spaces/${encodeURIComponent(spaceId)}`;
  return !lines.some((line) => trailSchema.parse(line).after.endsWith(ending));
}

async function addRight(
  connection: Connection,
  { _id: courseId, registrationId }: StoredCourse,
  space: Space,
  way: "made" | "linked-before",
): Promise<void> {
  const spaces = storedCollection(connection, "registeredspaces");
  const rights = storedCollection(connection, "spacerights");
  const _id = `${space.environment} ${space.spaceId}`;
  const mine = { registrationId, courseId: way === "made" ? courseId : null };
  await spaces.updateOne(
    { _id },
    { $setOnInsert: { ...space, owner: mine, closed: null } },
    { upsert: true },
  );
  const { owner } = ownerSchema.parse(await spaces.findOne({ _id }));
  // A Space cannot have been made for two courses.
  const isMade = way === "made" && (owner === null || owner.courseId === null || owner.courseId === courseId);
  const ownerNow = isMade ? mine : ownerBeside(owner, registrationId);
  await spaces.updateOne({ _id }, { $set: { owner: ownerNow } });
  const facts = { ...space, registrationId, courseId, decidedBy: null, throughCourseId: null, at: 0 };
  const right = { ...facts, way: isMade ? "made" : "linked-before" };
  await rights.updateOne({ _id: `${courseId} ${_id}` }, { $setOnInsert: right }, { upsert: true });
}

/** The owner of a Space that a course of this LMS uses, too: nobody alone when two LMSs linked it. */
function ownerBeside(owner: Owner, registrationId: string): Owner {
  return owner?.courseId == null && owner?.registrationId !== registrationId ? null : owner;
}

type Owner = z.infer<typeof ownerSchema>["owner"];
const ownerSchema = z.object({
  owner: z
    .object({ registrationId: z.string(), courseId: z.string().nullable() })
    .nullish()
    .transform((owner) => owner ?? null),
});
