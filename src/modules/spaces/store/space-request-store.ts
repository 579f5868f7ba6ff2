import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type SpaceRequest, spaceRequestRecord } from "../rules/space-request.ts";
import type { SpaceDecider, SpaceName } from "../rules/space-right.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { maxOpenRequests } from "../rules/limits.ts";

export type SpaceRequestStore = ReturnType<typeof createSpaceRequestStore>;

/** Requests for Spaces, one for each (course, Space). */
export function createSpaceRequestStore(connection: Connection) {
  const model = recordModel(connection, spaceRequestRecord);

  return {
    /**
     * An open or refused request stays; an approved one whose right was taken away is asked anew. @returns known: it
     * existed · full: not added, too many of the course are open.
     */
    ask: async (
      wanted: Pick<SpaceRequest, "id" | "registrationId" | "courseId" | "personId" | "askedAt"> & SpaceName,
    ): Promise<"asked" | "known" | "full"> => {
      const { id, personId, askedAt, courseId, environment, spaceId, registrationId } = wanted;
      const key = { courseId, environment, spaceId };
      const anew = { personId, askedAt, state: "open", decidedAt: null, decidedBy: null } as const;
      const known = await model.findOne(key).lean();
      if (known !== null) {
        const done = await model.updateOne({ _id: known._id, state: "approved" }, { $set: anew });
        return done.matchedCount === 1 ? "asked" : "known";
      }
      const waiting = await model.countDocuments({ registrationId, courseId, state: "open" });
      if (waiting >= maxOpenRequests) return "full";
      const done = await retriedOnDuplicate(() =>
        model.updateOne(key, { $setOnInsert: { _id: id, registrationId, ...anew } }, { upsert: true }),
      );
      return done.upsertedCount === 1 ? "asked" : "known";
    },
    find: async (id: string): Promise<SpaceRequest | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toRequest(row);
    },
    findOf: async (courseId: string, { environment, spaceId }: SpaceName): Promise<SpaceRequest | null> => {
      const row = await model.findOne({ courseId, environment, spaceId }).lean();
      return row === null ? null : toRequest(row);
    },
    /** @param from States it may be in; a refusal may be reconsidered. @returns false when it was answered meanwhile. */
    decide: async (
      id: string,
      state: "approved" | "refused",
      by: SpaceDecider,
      at: number,
      from: readonly SpaceRequest["state"][] = ["open"],
    ): Promise<boolean> => {
      const to = { state, decidedAt: at, decidedBy: by };
      const seen = { _id: id, state: { $in: [...from] } };
      return (await model.updateOne(seen, { $set: to })).matchedCount === 1;
    },
    /** An approved request that could not be carried out. */
    reopen: async (id: string): Promise<void> => {
      const open = { state: "open", decidedAt: null, decidedBy: null };
      await model.updateOne({ _id: id, state: "approved" }, { $set: open });
    },
    /** Up to a limit, of all LMSs. */
    countOpen: (limit: number): Promise<number> => model.countDocuments({ state: "open" }, { limit }).exec(),
    /** Latest first. @param registrationId Null for all. */
    listOpen: async (registrationId: string | null, limit: number): Promise<SpaceRequest[]> => {
      const ofLms = registrationId === null ? {} : { registrationId };
      const found = model.find({ ...ofLms, state: "open" }).sort({ askedAt: -1 });
      return (await found.limit(limit).lean()).map(toRequest);
    },
    /** Latest first. */
    listOfCourse: async (registrationId: string, courseId: string, limit: number): Promise<SpaceRequest[]> =>
      (await model.find({ registrationId, courseId }).sort({ askedAt: -1 }).limit(limit).lean()).map(
        toRequest,
      ),
  };
}

const toRequest = readerOf(spaceRequestRecord);
