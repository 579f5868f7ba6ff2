import { readerOf } from "../../../domain/record.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type Section, sectionRecord } from "../../../domain/section.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** A null name leaves the known one. */
export type LearnedSection = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName">;
export type SectionStore = ReturnType<typeof createSectionStore>;

export function createSectionStore(connection: Connection) {
  const model = recordModel(connection, sectionRecord);
  const reads = plainReads(model);

  return {
    /** An instructor's name stays. */
    record: async (
      key: Pick<Section, "registrationId" | "courseId">,
      { lmsSectionId, lmsName, lmsSetName }: LearnedSection,
      id: string,
    ): Promise<void> => {
      const names = { lmsName, lmsSetName };
      const given = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null));
      const unnamed = Object.fromEntries(Object.entries(names).filter(([, name]) => name === null));
      await retriedOnDuplicate(() =>
        model.updateOne(
          { ...key, lmsSectionId },
          { $set: given, $setOnInsert: { _id: id, givenName: null, ...unnamed } },
          { upsert: true },
        ),
      );
    },
    listOf: async (registrationId: string, courseId: string): Promise<Section[]> =>
      (await reads.all({ registrationId, courseId }, { sort: { lmsSectionId: 1 } })).map(toSection),
    /** Null removes the instructor's name. @returns false when nothing changed. */
    giveName: async (
      key: Pick<Section, "registrationId" | "courseId" | "lmsSectionId">,
      givenName: string | null,
    ): Promise<boolean> =>
      (await model.updateOne({ ...key, givenName: { $ne: givenName } }, { $set: { givenName } }))
        .matchedCount === 1,
  };
}

const toSection = readerOf(sectionRecord);
