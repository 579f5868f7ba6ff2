import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import {
  aboutToWrite,
  type Column,
  columnRecord,
  type EmptiedColumn,
  type MissingColumn,
  type OfferedLineItem,
  type WrittenColumn,
} from "../rules/column.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { released, longerLease } from "../../../storage/due-queue.ts";
import { openRecords } from "../../../storage/records.ts";

export type ColumnToUpdate = { column: Column; wishes: number; failures: number };

export type ColumnKey = Pick<Column, "registrationId" | "courseId" | "key">;

/** Gradebook columns, one record for each course and key. Line items are made under a claim. */
export function createColumnStore(connection: Connection) {
  const records = openRecords(connection, columnRecord);
  const firstDue = async (_scope: string, tellAt: DueRange) => {
    const range = "$lte" in tellAt ? { $gte: 0, ...tellAt } : tellAt;
    const row = await records.row({ tellAt: range }, { sort: { tellAt: 1 } });
    return row === null ? null : { dueAt: row.tellAt ?? 0, leaseUntil: row.leaseUntil };
  };
  const queue = dueHeadsOf(connection).queue("columns", firstDue);

  const rowsOf = records.once((course: Pick<ColumnKey, "registrationId" | "courseId">) =>
    records.rows({ ...course, key: { $ne: makingColumns } }, { sort: { key: 1 } }),
  );
  const open = async (key: ColumnKey, id: string): Promise<Column> => {
    const first = { lineItemUrl: null, linkId: null, lost: 0, points: null, asked: false, formerKey: null };
    const row =
      (await records.row({ ...key })) ??
      (await records.saved({ ...key }, { $setOnInsert: { _id: id, ...first, ...released } }));
    return toColumn(row);
  };

  return {
    open,
    ask: async (key: ColumnKey, id: string): Promise<void> => {
      const column = await open(key, id);
      await records.change({ _id: column.id }, { $set: { asked: true } });
    },
    find: (key: ColumnKey): Promise<Column | null> => records.find({ ...key }),
    listOfCourse: async (registrationId: string, courseId: string): Promise<Column[]> =>
      (await rowsOf({ registrationId, courseId })).map(records.read),
    /** Its claim covers making session columns one by one, because gradebooks show them in order of creation. */
    openMaking: async (courseKey: Omit<ColumnKey, "key">, id: string) =>
      (await open({ ...courseKey, key: makingColumns }, id)).id,
    /** Stores a new line item unless the column has one. @param written Of a session's column. @returns the column's address */
    keepMade: async (key: ColumnKey, id: string, lineItemUrl: string, written: WrittenColumn) => {
      const column = await open(key, id);
      await records.change(
        { _id: column.id, lineItemUrl: null },
        { $set: { lineItemUrl, linkId: null, told: written } },
      );
      return (await records.row({ _id: column.id }))?.lineItemUrl ?? lineItemUrl;
    },
    /**
     * Takes the column of a launch's link if the course has none, and updates the address of the one in use. Another link's column never
     * takes over, because grades would jump between columns. @returns whether it was taken
     */
    couple: (id: string, linkId: string, lineItemUrl: string) =>
      records.change(
        { _id: id, $or: [{ lineItemUrl: null }, { linkId }] },
        { $set: { lineItemUrl, linkId, missing: null, offered: null } },
      ),
    /** Stores a link's line item that grades don't go to. */
    offer: async (id: string, offered: OfferedLineItem): Promise<void> => {
      const elsewhere = { $nin: [null, offered.lineItemUrl] };
      await records.change({ _id: id, lineItemUrl: elsewhere }, { $set: { offered } });
    },
    /** The offered line item is gone. */
    endOffer: async (id: string, { lineItemUrl }: Pick<OfferedLineItem, "lineItemUrl">): Promise<void> => {
      await records.change({ _id: id, "offered.lineItemUrl": lineItemUrl }, { $set: { offered: null } });
    },
    /** The course keeps its column. @returns false if another one was offered, or taken, since */
    leaveOffered: (id: string, { lineItemUrl }: OfferedLineItem) =>
      records.change({ _id: id, "offered.lineItemUrl": lineItemUrl }, { $set: { "offered.left": true } }),
    /** @returns false if another one was offered, or taken, since */
    takeOffered: (id: string, { linkId, lineItemUrl }: OfferedLineItem) =>
      records.change(
        { _id: id, "offered.lineItemUrl": lineItemUrl },
        { $set: { lineItemUrl, linkId, missing: null, offered: null } },
      ),
    /** Makes sure that no other column of the course uses this line item. */
    uncoupleOthers: async ({ registrationId, courseId, key }: ColumnKey, lineItemUrl: string) => {
      const others = { registrationId, courseId, lineItemUrl, key: { $ne: key } };
      const [former] = await records.rows(others, { sort: { key: 1 }, limit: 1 });
      if (former === undefined) return;
      await records.change({ registrationId, courseId, key }, { $set: { formerKey: former.key } });
      await records.changeAll(others, { $set: { lineItemUrl: null, linkId: null } });
    },
    claim: async (id: string, holder: string, now: number, until: number): Promise<boolean> => {
      const row = await records.take(
        { _id: id, lineItemUrl: null, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return row !== null;
    },
    holdsClaim: (id: string, holder: string, now: number) =>
      records.exists({ _id: id, leaseHolder: holder, leaseUntil: { $gt: now } }),
    extend: (id: string, holder: string, until: number) => records.change(...longerLease(id, holder, until)),
    keep: (id: string, holder: string, lineItemUrl: string) =>
      records.change(
        { _id: id, lineItemUrl: null, leaseHolder: holder },
        { $set: { lineItemUrl, linkId: null, ...released } },
      ),
    release: async (id: string, holder: string): Promise<void> => {
      await records.change({ _id: id, leaseHolder: holder }, { $set: released });
    },
    /** Has no effect if the column has another line item by now. */
    forget: async (id: string, lineItemUrl: string): Promise<void> => {
      await records.change(
        { _id: id, lineItemUrl },
        { $set: { lineItemUrl: null, linkId: null }, $inc: { lost: 1 } },
      );
    },
    /** Has no effect if the column has another line item. @returns whether this is new */
    lose: async (id: string, lineItemUrl: string, missing: MissingColumn): Promise<boolean> => {
      const lost = { $set: { lineItemUrl: null, linkId: null, missing } };
      return await records.change({ _id: id, lineItemUrl }, lost);
    },
    leaveOut: (id: string, at: number) =>
      records.change({ _id: id, "missing.at": at }, { $set: { "missing.leftOut": true } }),
    /** The column should be made again. @param at When it was found missing. @returns whether it was missing since then */
    makeAgain: (id: string, at: number) =>
      records.change({ _id: id, "missing.at": at }, { $set: { missing: null } }),
    /** The missing line item is there again. @param missingAt When it was found missing. */
    comeBack: async (
      id: string,
      missingAt: number,
      { lineItemUrl, linkId }: Pick<Column, "lineItemUrl" | "linkId">,
    ): Promise<boolean> => {
      const back = { lineItemUrl, linkId, missing: null };
      return await records.change({ _id: id, "missing.at": missingAt }, { $set: back });
    },
    /** Null ends the question. @returns false if the column has another line item */
    noteEmptied: (id: string, lineItemUrl: string, emptied: EmptiedColumn | null) =>
      records.change({ _id: id, lineItemUrl }, { $set: { emptied } }),
    /** Moves the column to another line item with our mark. */
    moveTo: async (id: string, from: string, to: string): Promise<void> => {
      await records.change(
        { _id: id, lineItemUrl: from },
        { $set: { lineItemUrl: to, linkId: null }, $inc: { lost: 1 } },
      );
    },
    /** Takes a column whose check is due. @param nextAt When it is due again (ms). */
    claimToCheck: async (now: number, nextAt: number): Promise<Column | null> => {
      const row = await records.take(
        { lookAt: { $gte: 0, $lte: now } },
        { $set: { lookAt: nextAt } },
        { sort: { lookAt: 1 } },
      );
      return row === null ? null : records.read(row);
    },
    /** Checks columns at `at` (ms) or earlier. */
    checkBy: async (where: { id: string } | Omit<ColumnKey, "key">, at: number): Promise<void> => {
      const which = "id" in where ? { _id: where.id } : { ...where };
      await records.changeAll(
        { ...which, $or: [{ lookAt: null }, { lookAt: { $gt: at } }] },
        { $set: { lookAt: at } },
      );
    },
    /** Stores the name in the gradebook, so pages use the same. */
    noteLabel: async (id: string, label: string): Promise<void> => {
      await records.change({ _id: id }, { $set: { label } });
    },
    noteMaking: async (key: ColumnKey, id: string, label: string): Promise<void> => {
      const column = await open(key, id);
      await records.change(
        { _id: column.id, lineItemUrl: null },
        { $set: { told: aboutToWrite(column.told, label) } },
      );
    },
    requestUpdate: async (ids: readonly string[], now: number): Promise<void> => {
      if (ids.length === 0) return;
      const update = { $set: { tellAt: now, tellFailures: 0 }, $inc: { tellWishes: 1 } };
      await queue.announced(everything, now, () => records.changeAll({ _id: { $in: ids } }, update));
    },
    claimUpdate: async (holder: string, now: number, until: number): Promise<ColumnToUpdate | null> => {
      const take = () =>
        records.take(
          { tellAt: { $gte: 0, $lte: now }, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { sort: { tellAt: 1 } },
        );
      const row = await queue.claim(now, { take });
      if (row === null) return null;
      return { column: toColumn(row), wishes: row.tellWishes ?? 0, failures: row.tellFailures ?? 0 };
    },
    /** Requires the claim. @returns false if the claim was lost */
    saveWritten: (id: string, holder: string, written: WrittenColumn) =>
      records.change({ _id: id, leaseHolder: holder }, { $set: { told: written } }),
    /** Has no effect if there is another request. @param next The next attempt (ms); null if the LMS has everything. */
    settleUpdate: async (
      { column, wishes }: Pick<ColumnToUpdate, "column" | "wishes">,
      holder: string,
      next: { at: number; failures: number } | null,
    ): Promise<void> => {
      const claimed = { _id: column.id, leaseHolder: holder };
      const rest = { tellAt: next?.at ?? null, tellFailures: next?.failures ?? 0 };
      await records.change({ ...claimed, tellWishes: wishes }, { $set: rest });
      const row = await records.before(claimed, { $set: released });
      if (row?.tellAt != null) await queue.givenBack(everything, row.tellAt);
    },
    /** Has no effect if the column has points by now. @returns whether it has none */
    keepAtZero: (id: string) => records.change({ _id: id, points: 0 }, { $set: { keptAtZero: true } }),
    /** Has no effect if the column has another line item. @param points Null if unknown. @param nextAt When it is checked next (ms). */
    noteCheck: async (
      id: string,
      looked: { lineItemUrl: string; at: number },
      { points, label }: { points: number | null; label: string },
      nextAt: number,
    ): Promise<void> => {
      await records.change(
        { _id: id, lineItemUrl: looked.lineItemUrl },
        { $set: { looked, points, label, lookAt: nextAt, ...(points === 0 ? {} : { keptAtZero: false }) } },
      );
    },
    /** Makes the tool read a course's line items before the next score, and search for missing ones. */
    checkAgain: async ({ registrationId, courseId }: Omit<ColumnKey, "key">, now: number): Promise<void> => {
      await records.changeAll({ registrationId, courseId }, { $set: { looked: null } });
      const missing = { registrationId, courseId, "missing.at": { $gt: 0 } };
      await records.changeAll(missing, { $set: { lookAt: now } });
    },
    forgetLosses: async (id: string): Promise<void> => {
      await records.change({ _id: id }, { $set: { lost: 0 } });
    },
  };
}

const makingColumns = "making session columns";

const toColumn = readerOf(columnRecord);
