import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type Section, sectionRecord } from "../../../domain/section.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** A section as the LMS tells it; a null name leaves the known one. */
export type LearnedSection = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName">;
export type SectionStore = ReturnType<typeof createSectionStore>;

/** Sections and groups, one for each (course, the LMS's id). */
export function createSectionStore(connection: Connection) {
  const model = recordModel(connection, sectionRecord);

  return {
    /** Makes a section known, or brings the LMS's names up to date; what an instructor called it stays. */
    record: async (
      key: Pick<Section, "registrationId" | "courseId">,
      { lmsSectionId, lmsName, lmsSetName }: LearnedSection,
      id: string,
    ): Promise<void> => {
      const names = { lmsName, lmsSetName };
      const told = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null));
      const untold = Object.fromEntries(Object.entries(names).filter(([, name]) => name === null));
      await retriedOnDuplicate(() =>
        model.updateOne(
          { ...key, lmsSectionId },
          { $set: told, $setOnInsert: { _id: id, givenName: null, ...untold } },
          { upsert: true },
        ),
      );
    },
    listOf: async (registrationId: string, courseId: string): Promise<Section[]> =>
      (await model.find({ registrationId, courseId }).lean()).map(toSection),
    /** What an instructor calls it; null takes that back. @returns false when it is called so already, or is not there. */
    giveName: async (
      key: Pick<Section, "registrationId" | "courseId" | "lmsSectionId">,
      givenName: string | null,
    ): Promise<boolean> =>
      (await model.updateOne({ ...key, givenName: { $ne: givenName } }, { $set: { givenName } }))
        .matchedCount === 1,
  };
}

const toSection = readerOf(sectionRecord);
