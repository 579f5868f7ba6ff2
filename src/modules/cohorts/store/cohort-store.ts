import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import {
  type Cohort,
  type CohortDetails,
  type CohortKey,
  cohortRecord,
  cohortRecordId,
  type ListedCohort,
  type SectionLink,
  sectionLinkRecord,
  withKnownPeople,
} from "../rules/cohort.ts";
import { plainName } from "../../members/rules/names.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

type CohortRow = RowOf<typeof cohortRecord>;

/** One record for each (environment, program, cohort). Writes only add knowledge, in any order and repeatably. */
export function createCohortStore(connection: Connection) {
  const model = recordModel(connection, cohortRecord);

  const ensure = async (key: CohortKey): Promise<string> => {
    const _id = cohortRecordId(key);
    const { environment, programId, cohortId } = key;
    await retriedOnDuplicate(() =>
      model.updateOne(
        { _id },
        { $setOnInsert: { _id, environment, programId, cohortId, ...nothingKnown } },
        { upsert: true },
      ),
    );
    return _id;
  };

  return {
    /**
     * @param readAt When it began (ms); details of a later one stay, and so do details missing from this one. @param
     *   aliveAt When it is known to have existed (ms).
     */
    noteRead: async (
      key: CohortKey,
      { name, organizers, attendees, cut = null }: CohortDetails,
      { readAt, aliveAt }: { readAt: number; aliveAt: number },
    ): Promise<void> => {
      const _id = await ensure(key);
      const known = cut === null ? null : await model.findOne({ _id }).lean();
      const details = {
        ...(name === null ? {} : { name, listName: plainName(name) }),
        ...(organizers === null
          ? {}
          : { organizers: withKnownPeople(known?.organizers ?? null, organizers) }),
        ...(attendees === null
          ? {}
          : { attendees: withKnownPeople(known?.attendees ?? null, attendees), cut }),
      };
      await model.updateOne(
        { _id, lookedAt: { $lt: readAt } },
        { $set: { ...details, readAt, lookedAt: readAt, goneAt: null } },
      );
      await model.updateOne({ _id }, { $max: { aliveAt } });
    },
    /** From a list (null: not given). @param readAt When it was requested (ms): a name read later stays. */
    noteListed: async (
      key: CohortKey,
      name: string | null,
      { readAt, aliveAt }: { readAt: number; aliveAt: number },
    ): Promise<void> => {
      const _id = await ensure(key);
      const named = name === null ? {} : { name, listName: plainName(name) };
      await model.updateOne({ _id, lookedAt: { $lt: readAt } }, { $set: { ...named, goneAt: null } });
      await model.updateOne({ _id }, { $max: { aliveAt } });
    },
    programs: async (environment: AccountId, limit: number): Promise<string[]> =>
      (await model.distinct("programId", { environment })).slice(0, limit),
    noteGone: async (key: CohortKey, lookedAt: number): Promise<void> => {
      const _id = await ensure(key);
      await model.updateOne(
        { _id, lookedAt: { $lt: lookedAt }, goneAt: null },
        { $set: { goneAt: lookedAt } },
      );
      await model.updateOne({ _id }, { $max: { lookedAt } });
    },
    /** As the classroom says (ms). */
    noteDeleted: async (key: CohortKey, deletedAt: number): Promise<void> => {
      const _id = await ensure(key);
      await model.updateOne({ _id }, { $max: { deletedAt } });
    },
    /** Who changed it and when (ms); earlier changes than the known one have no effect. */
    noteChange: async (key: CohortKey, { by, at }: { by: string | null; at: number }): Promise<void> => {
      const _id = await ensure(key);
      const change = { changedAt: at, changedBy: by };
      await model.updateOne({ _id, changedAt: null }, { $set: change });
      await model.updateOne({ _id, changedAt: { $lt: at } }, { $set: change });
    },
    find: async (key: CohortKey): Promise<Cohort | null> => {
      const row = await model.findOne({ _id: cohortRecordId(key) }).lean();
      return row === null ? null : toCohort(row);
    },
    findMany: async (ids: readonly string[]): Promise<Cohort[]> =>
      ids.length === 0 ? [] : (await model.find({ _id: { $in: [...ids] } }).lean()).map(toCohort),
    /** Those whose names hold every word, by name, deleted ones included. @param words As `plainName` writes them. */
    list: async (
      environment: AccountId,
      words: readonly string[],
      limit: number,
    ): Promise<ListedCohort[]> => {
      const named = words.map((word) => ({ listName: { $regex: escaped(word) } }));
      const rows = await model
        .find({ environment, ...(named.length === 0 ? {} : { $and: named }) })
        .sort({ listName: 1, _id: 1 })
        .limit(limit)
        .select({ organizers: 0, attendees: 0 })
        .lean();
      return rows.map((row) => {
        const { organizers: _organizers, attendees: _attendees, ...listed } = toCohort(row);
        return listed;
      });
    },
  };
}

/** 0 stands for "never", so that $max works. */
const nothingKnown = {
  name: null,
  listName: "",
  organizers: null,
  attendees: null,
  cut: null,
  readAt: null,
  lookedAt: 0,
  aliveAt: 0,
  deletedAt: 0,
  goneAt: null,
};

function toCohort({ _id, listName: _name, lookedAt, aliveAt, deletedAt, ...cohort }: CohortRow): Cohort {
  return {
    id: _id,
    ...cohort,
    lookedAt: orNever(lookedAt),
    aliveAt: orNever(aliveAt),
    deletedAt: orNever(deletedAt),
  };
}

function orNever(at: number | null): number | null {
  return at === 0 ? null : at;
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

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
