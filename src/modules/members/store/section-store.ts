import type { Connection } from "mongoose";
import { type Section, sectionRecord } from "../../../domain/section.ts";
import { openRecords } from "../../../storage/records.ts";

/** A null name leaves the known one. */
export type LearnedSection = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName">;
export type SectionStore = ReturnType<typeof createSectionStore>;

export function createSectionStore(connection: Connection) {
  const records = openRecords(connection, sectionRecord);

  return {
    /** Keeps an instructor's name. */
    record: async (
      key: Pick<Section, "registrationId" | "courseId">,
      { lmsSectionId, lmsName, lmsSetName }: LearnedSection,
      id: string,
    ): Promise<void> => {
      const names = { lmsName, lmsSetName };
      const given = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null));
      const unnamed = Object.fromEntries(Object.entries(names).filter(([, name]) => name === null));
      await records.save(
        { ...key, lmsSectionId },
        { $set: given, $setOnInsert: { _id: id, givenName: null, ...unnamed } },
      );
    },
    listOf: (registrationId: string, courseId: string) =>
      records.list({ registrationId, courseId }, { sort: { lmsSectionId: 1 } }),
    /** Null removes the instructor's name. @returns false if nothing changed. */
    giveName: (
      key: Pick<Section, "registrationId" | "courseId" | "lmsSectionId">,
      givenName: string | null,
    ) => records.change({ ...key, givenName: { $ne: givenName } }, { $set: { givenName } }),
  };
}
