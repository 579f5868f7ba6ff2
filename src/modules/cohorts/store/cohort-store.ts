import { literally } from "../../../kernel/text.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { RowOf } from "../../../domain/record.ts";
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
import { plainName } from "../../../domain/person.ts";
import { openRecords } from "../../../storage/records.ts";

type CohortRow = RowOf<typeof cohortRecord>;

/** One record per account, program and cohort. Writes only add knowledge, in any order, and are repeatable. */
export function createCohortStore(connection: Connection) {
  const records = openRecords(connection, cohortRecord);

  const ensure = async (key: CohortKey): Promise<string> => {
    const _id = cohortRecordId(key);
    const { environment, programId, cohortId } = key;
    await records.ensure({ _id }, { _id, environment, programId, cohortId, ...nothingKnown });
    return _id;
  };

  return {
    /**
     * @param readAt When the reading began (ms). Details of a later reading stay, and so do details missing from this one.
     * @param aliveAt When the cohort is known to have existed (ms).
     */
    noteRead: async (
      key: CohortKey,
      { name, organizers, attendees, cut = null }: CohortDetails,
      { readAt, aliveAt }: { readAt: number; aliveAt: number },
    ): Promise<void> => {
      const _id = await ensure(key);
      const known = cut === null ? null : await records.row({ _id });
      const details = {
        ...(name === null ? {} : { name, listName: plainName(name) }),
        ...(organizers === null
          ? {}
          : { organizers: withKnownPeople(known?.organizers ?? null, organizers) }),
        ...(attendees === null
          ? {}
          : { attendees: withKnownPeople(known?.attendees ?? null, attendees), cut }),
      };
      await records.change(
        { _id, lookedAt: { $lt: readAt } },
        { $set: { ...details, readAt, lookedAt: readAt, goneAt: null } },
      );
      await records.change({ _id }, { $max: { aliveAt } });
    },
    /** Names from a list (null: not given). @param readAt When it was requested (ms): a name read later stays. */
    noteListed: async (
      key: CohortKey,
      name: string | null,
      { readAt, aliveAt }: { readAt: number; aliveAt: number },
    ): Promise<void> => {
      const _id = await ensure(key);
      const named = name === null ? {} : { name, listName: plainName(name) };
      await records.change({ _id, lookedAt: { $lt: readAt } }, { $set: { ...named, goneAt: null } });
      await records.change({ _id }, { $max: { aliveAt } });
    },
    programs: async (environment: AccountId, limit: number): Promise<string[]> =>
      (await records.distinct("programId", { environment })).slice(0, limit),
    noteGone: async (key: CohortKey, lookedAt: number): Promise<void> => {
      const _id = await ensure(key);
      await records.change(
        { _id, lookedAt: { $lt: lookedAt }, goneAt: null },
        { $set: { goneAt: lookedAt } },
      );
      await records.change({ _id }, { $max: { lookedAt } });
    },
    /** As the classroom says (ms). */
    noteDeleted: async (key: CohortKey, deletedAt: number): Promise<void> => {
      const _id = await ensure(key);
      await records.change({ _id }, { $max: { deletedAt } });
    },
    /** Who changed it and when (ms). Changes earlier than the known one have no effect. */
    noteChange: async (key: CohortKey, { by, at }: { by: string | null; at: number }): Promise<void> => {
      const _id = await ensure(key);
      const change = { changedAt: at, changedBy: by };
      await records.change({ _id, changedAt: null }, { $set: change });
      await records.change({ _id, changedAt: { $lt: at } }, { $set: change });
    },
    find: async (key: CohortKey): Promise<Cohort | null> => {
      const row = await records.row({ _id: cohortRecordId(key) });
      return row === null ? null : toCohort(row);
    },
    findMany: async (ids: readonly string[]): Promise<Cohort[]> =>
      ids.length === 0 ? [] : (await records.rows({ _id: { $in: ids } })).map(toCohort),
    /** Cohorts whose names contain every word, by name, including deleted ones. @param words As `plainName` writes them. */
    list: async (
      environment: AccountId,
      words: readonly string[],
      limit: number,
    ): Promise<ListedCohort[]> => {
      const named = words.map((word) => ({ listName: { $regex: literally(word) } }));
      const rows = await records.without(
        ["organizers", "attendees"],
        { environment, ...(named.length === 0 ? {} : { $and: named }) },
        { sort: { listName: 1, _id: 1 }, limit },
      );
      return rows.map((row) => toCohort({ ...row, organizers: null, attendees: null }));
    },
  };
}

/** 0 stands for "never", so $max works. */
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

/** Links: one in use per course and section, and ended ones. */
export function createSectionLinkStore(connection: Connection) {
  const records = openRecords(connection, sectionLinkRecord);

  return {
    /** @returns false if the section is already linked. */
    insert: ({ id, ...link }: SectionLink): Promise<boolean> => records.insert({ _id: id, ...link }),
    listLinked: (registrationId: string, courseId: string): Promise<SectionLink[]> =>
      records.list({ registrationId, courseId, state: "linked" }, { sort: { lmsSectionId: 1 } }),
    listOfCohorts: async (environment: SectionLink["environment"], cohortIds: readonly string[]) =>
      cohortIds.length === 0
        ? []
        : await records.list({ environment, cohortId: { $in: cohortIds }, state: "linked" }),
    findLinked: async (key: Pick<SectionLink, "registrationId" | "courseId" | "lmsSectionId">) => {
      const { registrationId, courseId, lmsSectionId } = key;
      return records.find({ registrationId, courseId, lmsSectionId, state: "linked" });
    },
    /** Includes ended links, latest first. */
    listHistory: (registrationId: string, courseId: string, limit: number): Promise<SectionLink[]> =>
      records.list({ registrationId, courseId }, { sort: { at: -1 }, limit }),
    /** @returns false if it has already ended. */
    end: (id: string, endedBy: string, endedAt: number): Promise<boolean> =>
      records.change({ _id: id, state: "linked" }, { $set: { state: "unlinked", endedBy, endedAt } }),
  };
}
