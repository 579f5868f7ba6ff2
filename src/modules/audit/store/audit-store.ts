import type { Connection } from "mongoose";
import { type AuditEntry, auditEntryRecord } from "../rules/audit.ts";
import { type CourseAuditEntry, courseAuditEntryRecord } from "../rules/course-audit.ts";
import { openRecords } from "../../../storage/records.ts";

const maxOfRequest = 20;

type Row = Omit<AuditEntry, "id"> & { _id: string; unlogged?: boolean };
const entryOf = ({ _id, unlogged: _unlogged, ...facts }: Row): AuditEntry => ({ id: _id, ...facts });

/** Entries are added, never changed, except that an erasure removes the people they name. Their ids are in the order of time. */
export function createAuditStore(connection: Connection) {
  const records = openRecords(connection, auditEntryRecord);

  return {
    add: async ({ id, ...facts }: AuditEntry): Promise<void> => {
      await records.add({ _id: id, ...facts, unlogged: true });
    },
    /** Oldest first. @param after The id of the last entry read. Empty for the first page. */
    listAfter: async (after: string, limit: number): Promise<AuditEntry[]> =>
      (await records.rows({ _id: { $gt: after } }, { sort: { _id: 1 }, limit })).map(entryOf),
    /** Entries that aren't in the tool's own log yet, oldest first. */
    listUnlogged: async (limit: number): Promise<AuditEntry[]> =>
      (await records.rows({ unlogged: true }, { sort: { _id: 1 }, limit })).map(entryOf),
    logged: async (ids: readonly string[]): Promise<void> => {
      await records.changeAll({ _id: { $in: ids } }, { $set: { unlogged: false } });
    },
    /** What was done in one request: a few entries at most. */
    listOfRequest: async (request: string): Promise<AuditEntry[]> =>
      (await records.rows({ request }, { limit: maxOfRequest })).map(entryOf),
    /** Newest first. The parameters are those of `listAudit`. */
    list: async (
      before: string | null,
      limit: number,
      registrationId: string | null = null,
    ): Promise<AuditEntry[]> =>
      (
        await records.rows(
          {
            ...(registrationId === null ? {} : { registrationId }),
            ...(before === null ? {} : { _id: { $lt: before } }),
          },
          { sort: { _id: -1 }, limit },
        )
      ).map(entryOf),
  };
}

export type CourseAuditFilter = Pick<CourseAuditEntry, "registrationId" | "courseId"> & {
  personId: string | null;
  /** Default: everything. */
  what?: readonly CourseAuditEntry["what"][] | undefined;
};

/** Lines are added, never changed. */
export function createCourseAuditStore(connection: Connection) {
  const records = openRecords(connection, courseAuditEntryRecord);

  return {
    /** Repeatable: an existing id stays as it is. */
    insert: async (entries: readonly CourseAuditEntry[]): Promise<void> => {
      for (const { id, ...facts } of entries) {
        await records.insert({ _id: id, ...facts, personId: facts.on?.personId ?? null });
      }
    },
    /** Newest first. With `before`, only lines older than that id. */
    list: async (
      { personId, what, ...course }: CourseAuditFilter,
      before: string | null,
      limit: number,
    ): Promise<CourseAuditEntry[]> => {
      const rows = await records.rows(
        {
          ...course,
          ...(personId === null ? {} : { personId }),
          ...(what === undefined ? {} : { what: { $in: what } }),
          ...(before === null ? {} : { _id: { $lt: before } }),
        },
        { sort: { _id: -1 }, limit },
      );
      return rows.map(({ _id, personId: _copy, ...facts }) => ({ id: _id, ...facts }));
    },
  };
}
