import type { Connection } from "mongoose";
import { type AuditEntry, auditEntryRecord } from "../rules/audit.ts";
import { type CourseAuditEntry, courseAuditEntryRecord } from "../rules/course-audit.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type AuditStore = ReturnType<typeof createAuditStore>;

const maxOfRequest = 20;

type Row = Omit<AuditEntry, "id"> & { _id: string; unlogged?: boolean };
const entryOf = ({ _id, unlogged: _unlogged, ...facts }: Row): AuditEntry => ({ id: _id, ...facts });

/** Entries are added, never changed, except that an erasure takes out the people they name. Their ids are in the order of time. */
export function createAuditStore(connection: Connection) {
  const model = recordModel(connection, auditEntryRecord);

  return {
    add: async ({ id, ...facts }: AuditEntry): Promise<void> => {
      await model.create({ _id: id, ...facts, unlogged: true });
    },
    /** Oldest first. @param after The id of the last entry read; empty for the first page. */
    listAfter: async (after: string, limit: number): Promise<AuditEntry[]> =>
      (
        await model
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(limit)
          .lean()
      ).map(entryOf),
    /** What is not yet in the tool's own log, oldest first. */
    listUnlogged: async (limit: number): Promise<AuditEntry[]> =>
      (await model.find({ unlogged: true }).sort({ _id: 1 }).limit(limit).lean()).map(entryOf),
    logged: async (ids: readonly string[]): Promise<void> => {
      await model.updateMany({ _id: { $in: [...ids] } }, { $set: { unlogged: false } });
    },
    /** What was done in one request; a few at most. */
    listOfRequest: async (request: string): Promise<AuditEntry[]> =>
      (
        await model
          .find({ request: { $eq: request, $gt: "" } })
          .limit(maxOfRequest)
          .lean()
      ).map(entryOf),
    /** Newest first; parameters are as of `listAudit`. */
    list: async (
      before: string | null,
      limit: number,
      registrationId: string | null = null,
    ): Promise<AuditEntry[]> =>
      (
        await model
          .find({
            ...(registrationId === null ? {} : { registrationId }),
            ...(before === null ? {} : { _id: { $lt: before } }),
          })
          .sort({ _id: -1 })
          .limit(limit)
          .lean()
      ).map(entryOf),
  };
}

export type CourseAuditFilter = Pick<CourseAuditEntry, "registrationId" | "courseId"> & {
  personId: string | null;
  /** Everything when left out. */
  what?: readonly CourseAuditEntry["what"][] | undefined;
};

export type CourseAuditStore = ReturnType<typeof createCourseAuditStore>;

/** Lines are added, never changed. */
export function createCourseAuditStore(connection: Connection) {
  const model = recordModel(connection, courseAuditEntryRecord);

  return {
    /** Repeatable: an existing id stays as it is. */
    insert: async (entries: readonly CourseAuditEntry[]): Promise<void> => {
      for (const { id, ...facts } of entries) {
        try {
          await model.create({ _id: id, ...facts, personId: facts.on?.personId ?? null });
        } catch (thrown) {
          if (!isDuplicateKey(thrown)) throw thrown;
        }
      }
    },
    /** Newest first; with `before` only lines older than that id. */
    list: async (
      { personId, what, ...course }: CourseAuditFilter,
      before: string | null,
      limit: number,
    ): Promise<CourseAuditEntry[]> => {
      const rows = await model
        .find({
          ...course,
          ...(personId === null ? {} : { personId }),
          ...(what === undefined ? {} : { what: { $in: [...what] } }),
          ...(before === null ? {} : { _id: { $lt: before } }),
        })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, personId: _copy, ...facts }) => ({ id: _id, ...facts }));
    },
  };
}
