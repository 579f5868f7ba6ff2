import type { Connection } from "mongoose";
import type { Person } from "../../../domain/course.ts";
import { words } from "../../../domain/personal-data.ts";
import { isShared, sharedScope } from "../../../domain/person-scope.ts";
import { type KindReference, passingPersonRecords, personReferences } from "../../privacy/rules/erasure.ts";
import type { PendingRegrade } from "../../grading/rules/records.ts";
import { never } from "../../../storage/due-queue.ts";
import {
  onDuplicate,
  isDuplicateKey,
  collectionsByModel,
  type StoredDocument,
} from "../../../storage/records.ts";
import { compareText } from "../../../kernel/lists.ts";

type StoredPerson = StoredDocument & { deploymentId?: unknown; mergedInto?: unknown; moving?: unknown };

/** Has a person's scores computed in a course, even if this process dies. */
export type NoteRegrade = (of: Omit<PendingRegrade, "id" | "dueAt">) => Promise<void>;

/** Empty, because the keys are made again from the new names. */
const noKeys = { nameKey: "", familyKey: "", emailKey: "" } as const;

const userFields = [
  { id: "hostUserId", name: "hostUserName" },
  { id: "participantUserId", name: "participantUserName" },
  { id: "apiUserId", name: "apiUserName" },
] as const;

/** The facts of the person who stays take precedence over the other's. */
const facts = ["name", "givenName", "familyName", "email", "idNumber"];

/**
 * Merges persons who are one, because in Canvas a user id is the same in every deployment. Each of the others leaves a row with the person
 * they became, so API users, open pages and links still lead there. Every step is repeatable.
 */
export function createPersonJoins(connection: Connection, noteRegrade: NoteRegrade) {
  const rows = collectionsByModel(connection);
  const note = async (registrationId: unknown, courseId: unknown, personId: string): Promise<void> => {
    if (typeof registrationId === "string" && typeof courseId === "string")
      await noteRegrade({ registrationId, courseId, personIds: [personId] });
  };

  /** @param deployment The shared one. */
  const join = async (
    deployment: Pick<Person, "registrationId" | "deploymentId">,
    sub: string,
  ): Promise<void> => {
    const { registrationId } = deployment;
    const people = rows("Person");
    const everywhere: StoredPerson[] = await people.find({ registrationId, sub }).toArray();
    const all = everywhere.filter((one) => sharedScope(deploymentIdOf(one)) === deployment.deploymentId);
    if (await isBeingErased(all)) return;
    const apart = all.filter(({ mergedInto }) => typeof mergedInto !== "string");
    const stays = apart.toSorted(bestKnownFirst)[0];
    if (stays === undefined) return;
    if (!isShared(deploymentIdOf(stays)) && !(await becomesShared(stays._id, deployment)))
      return join(deployment, sub);
    for (const one of apart.filter(({ _id }) => _id !== stays._id)) {
      await people.updateOne(
        { _id: one._id, mergedInto: { $exists: false } },
        { $set: { mergedInto: stays._id, moving: true } },
      );
      await takeOver(stays._id, one);
    }
    const left = await people.find({ registrationId, sub, mergedInto: stays._id, moving: true }).toArray();
    for (const one of left) await finish(registrationId, one);
  };

  const finish = async (registrationId: string, { _id, mergedInto }: StoredPerson): Promise<void> => {
    if (typeof mergedInto !== "string") return;
    await move(registrationId, _id, mergedInto);
    const personId = mergedInto;
    // An office's excuse of either counts in the courses of both.
    if ((await rows("Excuse").findOne({ registrationId, personId })) !== null)
      for (const { courseId } of await rows("Member").find({ registrationId, personId }).toArray())
        await note(registrationId, courseId, personId);
    await rows("Person").updateOne({ _id }, { $unset: { moving: "" } });
  };

  /** From here on, every deployment finds this person. @returns false if another process has shared another row. */
  const becomesShared = (_id: string, { deploymentId }: Pick<Person, "deploymentId">): Promise<boolean> =>
    rows("Person")
      .updateOne({ _id }, { $set: { deploymentId } })
      .then(() => true, onDuplicate(false));

  const takeOver = async (_id: string, gone: StoredPerson): Promise<void> => {
    for (const fact of facts) {
      if (typeof gone[fact] === "string")
        await rows("Person").updateOne(
          { _id, [fact]: null },
          { $set: { [fact]: gone[fact] }, $unset: noKeys },
        );
    }
    for (const { id, name } of userFields) {
      const userId = gone[id];
      if (typeof userId !== "string") continue;
      // A user of one role never gets another role.
      const remaining = await rows("Person").findOne({ _id });
      if (remaining === null || userFields.some((one) => remaining[one.id] === userId)) continue;
      const change = { $set: { [id]: userId, [name]: gone[name] ?? null } };
      await rows("Person").updateOne({ _id, [id]: null }, change);
    }
  };

  const isBeingErased = async (people: readonly StoredPerson[]): Promise<boolean> => {
    const found = await rows("Erasure").findOne({
      dueAt: { $lt: never },
      "subject.personIds": { $in: people.map(({ _id }) => _id) },
    });
    return found !== null;
  };

  const move = async (registrationId: string, from: string, to: string): Promise<void> => {
    const members = await rows("Member").find({ registrationId, personId: from }).toArray();
    const courseIds = members.map(({ courseId }) => courseId);
    const among = {
      // The indexes of most records begin with the registration.
      courses: { registrationId, courseId: { $in: courseIds } },
      registration: { registrationId },
      environment: {},
    };
    for (const model of passingPersonRecords)
      await rows(model).deleteMany({ registrationId, courseId: { $in: courseIds }, personId: from });
    for (const reference of personReferences) {
      if (reference.both === undefined) await rename(reference, among[reference.among], from, to);
      else await renameEach(reference, among[reference.among], from, to);
    }
  };

  const rename = async ({ model, path, list }: KindReference, among: object, from: string, to: string) => {
    const filter = { ...among, [path]: from };
    if (list === "each") {
      await rows(model).updateMany(
        filter,
        { $set: { [`${path}.$[one]`]: to } },
        { arrayFilters: [{ one: from }] },
      );
    } else if (list === "of-each") {
      const dot = path.lastIndexOf(".");
      const [outer, inner] = [path.slice(0, dot), path.slice(dot + 1)];
      const change = { $set: { [`${outer}.$[one].${inner}`]: to } };
      await rows(model).updateMany(filter, change, { arrayFilters: [{ [`one.${inner}`]: from }] });
    } else {
      await rows(model).updateMany(filter, { $set: { [path]: to } });
    }
  };

  const renameEach = async (reference: KindReference, among: object, from: string, to: string) => {
    const { model, path } = reference;
    for (const record of await rows(model)
      .find({ ...among, [path]: from })
      .toArray()) {
      try {
        await rows(model).updateOne({ _id: record._id }, { $set: { [path]: to } });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        await becomeOne(reference, record, to);
      }
    }
  };

  /** If both have a record, the one that stays takes over what only the other has. */
  const becomeOne = async (reference: KindReference, gone: StoredDocument, to: string): Promise<void> => {
    const { model, path, both } = reference;
    const { registrationId, courseId, eventId, columnKey } = gone;
    const sameCourse = { registrationId, courseId, [path]: to };
    const same = {
      ...sameCourse,
      ...(eventId === undefined ? {} : { eventId }),
      ...(columnKey === undefined ? {} : { columnKey }),
    };
    const remaining = await rows(model).findOne(same);
    if (remaining === null) return;
    await note(registrationId, courseId, to);
    const change = changeOf(both, remaining, gone);
    if (change !== null) await rows(model).updateOne({ _id: remaining._id }, change);
    await rows(model).deleteOne({ _id: gone._id });
  };

  return { join, finish };
}

function changeOf(
  both: KindReference["both"],
  remaining: StoredDocument,
  gone: StoredDocument,
): Record<string, Record<string, unknown>> | null {
  switch (both) {
    case "history":
      return {
        $set: {
          history: newestFirst(remaining["history"], gone["history"]),
          corrections: newestFirst(remaining["corrections"], gone["corrections"]),
          // Times in the Space: those of the person who stays, otherwise the other's.
          ...(gone["seen"] === undefined ? {} : { seen: remaining["seen"] ?? gone["seen"] }),
        },
        $inc: { revision: 1 },
      };
    case "newer-launch": {
      if (numberOf(gone["lastLaunchAt"]) <= numberOf(remaining["lastLaunchAt"])) return null;
      const fields = ["role", "roleFrom", "testUser", "student", "active", "lastLaunchAt"];
      return { $set: Object.fromEntries(fields.map((name) => [name, gone[name] ?? null])) };
    }
    case "sent": {
      // The record that was sent last matches the gradebook.
      if (numberOf(gone["lastSentAt"]) <= numberOf(remaining["lastSentAt"])) return null;
      const given = sentFields.filter((name) => gone[name] !== undefined);
      return { $set: Object.fromEntries(given.map((name) => [name, gone[name]])), $inc: { revision: 1 } };
    }
    default:
      return null;
  }
}

/** What is wanted goes with what became of it: else a score that is wanted again would pass for sent. */
const sentFields = words(
  "desired accepted foreign overruled unconfirmed state reason refusal attempts nextTryAt waitingSince lastSentAt",
);

/** Attendance is kept in this order, where the first entry counts. */
function newestFirst(one: unknown, other: unknown): unknown[] {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? Array.from<unknown>(value) : []);
  const seen = new Set<string>();
  return [...list(one), ...list(other)]
    .filter((entry) => {
      const text = JSON.stringify(entry);
      return !seen.has(text) && seen.add(text);
    })
    .sort((a, b) => timeOf(b) - timeOf(a));
}

function deploymentIdOf({ deploymentId }: StoredPerson): string {
  return typeof deploymentId === "string" ? deploymentId : "";
}

function timeOf(entry: unknown): number {
  return typeof entry === "object" && entry !== null && "at" in entry ? numberOf(entry.at) : 0;
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** Shared persons first, then those known in the classroom, then by id. */
function bestKnownFirst(one: StoredPerson, other: StoredPerson): number {
  const rank = (person: StoredPerson) => {
    if (isShared(deploymentIdOf(person))) return 0;
    return userFields.some(({ id }) => typeof person[id] === "string") ? 1 : 2;
  };
  return rank(one) - rank(other) || compareText(one._id, other._id);
}
