import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type SectionLink, sectionLinkRecord } from "../rules/section-link.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type SectionLinkStore = ReturnType<typeof createSectionLinkStore>;

/** Links, one that holds for each (course, section), and ended ones. */
export function createSectionLinkStore(connection: Connection) {
  const model = recordModel(connection, sectionLinkRecord);

  return {
    /** @returns false when the section is linked already. */
    insert: async ({ id, ...link }: SectionLink): Promise<boolean> => {
      try {
        await model.create({ _id: id, ...link });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    listLinked: async (registrationId: string, courseId: string): Promise<SectionLink[]> =>
      (await model.find({ registrationId, courseId, state: "linked" }).sort({ lmsSectionId: 1 }).lean()).map(
        toLink,
      ),
    listOfCohorts: async (
      environment: SectionLink["environment"],
      cohortIds: readonly string[],
    ): Promise<SectionLink[]> =>
      cohortIds.length === 0
        ? []
        : (await model.find({ environment, cohortId: { $in: [...cohortIds] }, state: "linked" }).lean()).map(
            toLink,
          ),
    findLinked: async (
      key: Pick<SectionLink, "registrationId" | "courseId" | "lmsSectionId">,
    ): Promise<SectionLink | null> => {
      const { registrationId, courseId, lmsSectionId } = key;
      const row = await model.findOne({ registrationId, courseId, lmsSectionId, state: "linked" }).lean();
      return row === null ? null : toLink(row);
    },
    /** Ended ones included, latest first. */
    listHistory: async (registrationId: string, courseId: string, limit: number): Promise<SectionLink[]> =>
      (await model.find({ registrationId, courseId }).sort({ at: -1 }).limit(limit).lean()).map(toLink),
    /** @returns false when it has ended already. */
    end: async (id: string, endedBy: string, endedAt: number): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, state: "linked" },
        { $set: { state: "unlinked", endedBy, endedAt } },
      );
      return done.matchedCount === 1;
    },
  };
}

const toLink = readerOf(sectionLinkRecord);
