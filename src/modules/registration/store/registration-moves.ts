import type { Connection } from "mongoose";
import { placeAfterMove, sharedPlace } from "../../../domain/person-place.ts";
import { personalRecords } from "../../privacy/rules/personal-records.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";
import { isDuplicateKey } from "../../../storage/records.ts";
import { createPersonJoins } from "../../members/store/person-joins.ts";
import type { StoredDocument } from "../../../storage/stored-collection.ts";

export type RegistrationMoves = ReturnType<typeof createRegistrationMoves>;

/** A course that moves to another registration of the same LMS. */
export type CourseMove = {
  courseId: string;
  from: string;
  to: Pick<Registration, "id"> & Pick<LmsCapabilities, "idsHoldWithin">;
  deploymentId: string;
};

/** Moves records from one registration to another. Every step is repeatable. */
export function createRegistrationMoves(connection: Connection) {
  const rows = (model: string) =>
    connection.collection<StoredDocument>(connection.model(model).collection.collectionName);
  const joins = createPersonJoins(connection);

  /** The person known there already, or themselves. */
  const movePerson = async (move: CourseMove, personId: string): Promise<void> => {
    const { from, to, deploymentId } = move;
    const people = rows("Person");
    const person = await people.findOne({ _id: personId, registrationId: from });
    if (person === null) return;
    const { sub } = person;
    const before = typeof person["deploymentId"] === "string" ? person["deploymentId"] : "";
    const shared = sharedPlace(before);
    const place = { registrationId: to.id, deploymentId: placeAfterMove(to, before, deploymentId) };
    const there = { $in: [`${shared}${deploymentId}`, shared] };
    const known = await people.findOne({ registrationId: to.id, sub, deploymentId: there, mergedInto: null });
    const change =
      known === null
        ? { ...place }
        : {
            registrationId: to.id,
            // Nobody looks for this row by its deployment; it must not be in the way of another one.
            deploymentId: `${person._id}\n`,
            mergedInto: known._id,
            moving: true,
          };
    try {
      await people.updateOne({ _id: person._id }, { $set: change });
    } catch (thrown) {
      if (!isDuplicateKey(thrown)) throw thrown;
      await movePerson(move, personId);
    }
  };

  /** A user may be matched there, too: that match counts, and this one stays behind. */
  const unlessThere = async (change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
    } catch (thrown) {
      if (!isDuplicateKey(thrown)) throw thrown;
    }
  };

  return {
    /** The course itself goes last: until then it is found where it was, and the move can continue. */
    moveCourse: async (move: CourseMove): Promise<void> => {
      const { courseId, from, to, deploymentId } = move;
      for (const { environment, spaceId } of await rows("SpaceRight").find({ courseId }).toArray()) {
        await rows("RegisteredSpace").updateOne(
          { environment, spaceId, "owner.registrationId": from },
          { $set: { "owner.registrationId": to.id } },
        );
        const made = { environment, spaceId, "owner.registrationId": to.id, "owner.courseId": { $ne: null } };
        // What was another LMS's Space is one of this LMS.
        if ((await rows("RegisteredSpace").findOne(made)) !== null)
          await rows("SpaceRight").updateMany(
            { environment, spaceId, $or: [{ registrationId: to.id }, { courseId }] },
            { $set: { madeForLms: true } },
          );
      }
      for (const { model, ofCourses } of personalRecords) {
        if (ofCourses === null || model === "Course") continue;
        const own = { ...ofCourses(from, [courseId]), registrationId: from };
        for (const { _id, deploymentId: named, scope } of await rows(model).find(own).toArray()) {
          const renamed = {
            ...(named === undefined ? {} : { deploymentId }),
            // A task's queue scope.
            ...(scope === from ? { scope: to.id } : {}),
          };
          await unlessThere(() =>
            rows(model).updateOne({ _id }, { $set: { registrationId: to.id, ...renamed } }),
          );
        }
      }
      const members = await rows("Member").find({ registrationId: to.id, courseId }).toArray();
      const personIds = members.flatMap(({ personId }) => (typeof personId === "string" ? [personId] : []));
      for (const personId of personIds) {
        await movePerson(move, personId);
        const gone = await rows("Person").findOne({ _id: personId, moving: true });
        if (gone !== null) await joins.finish(to.id, gone);
      }
      await rows("Course").updateOne(
        { _id: courseId, registrationId: from },
        { $set: { registrationId: to.id, deploymentId } },
      );
    },
    /** What belongs to another client id; the next launch of a course brings its present addresses. */
    forgetServices: async (registrationId: string): Promise<void> => {
      const unknown = {
        lineItemsUrl: null,
        gradesLink: null,
        gradeScopes: [],
        membershipsUrl: null,
        groupsUrl: null,
        groupSetsUrl: null,
      };
      await rows("Course").updateMany({ registrationId, lineItemsUrl: { $ne: null } }, { $set: unknown });
      await rows("Course").updateMany({ registrationId, membershipsUrl: { $ne: null } }, { $set: unknown });
      await rows("NoticeSubscription").deleteMany({ registrationId });
      await rows("AccessToken").deleteMany({ registrationId });
    },
  };
}
