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
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released, longerLease } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type ColumnToUpdate = { column: Column; wishes: number; failures: number };

export type ColumnKey = Pick<Column, "registrationId" | "courseId" | "key">;
export type ColumnStore = ReturnType<typeof createColumnStore>;

/** Gradebook columns, one record for each (course, key); line items are made under a claim. */
export function createColumnStore(connection: Connection) {
  const model = recordModel(connection, columnRecord);
  const firstDue = async (_scope: string, tellAt: DueRange) => {
    const range = "$lte" in tellAt ? { $gte: 0, ...tellAt } : tellAt;
    const row = await model.findOne({ tellAt: range }).sort({ tellAt: 1 }).lean();
    return row === null ? null : { dueAt: row.tellAt ?? 0, leaseUntil: row.leaseUntil };
  };
  const queue = dueHeadsOf(connection).queue("columns", firstDue);

  const open = async (key: ColumnKey, id: string): Promise<Column> => {
    const row = await retriedOnDuplicate(() =>
      model
        .findOneAndUpdate(
          { ...key },
          {
            $setOnInsert: {
              _id: id,
              lineItemUrl: null,
              linkId: null,
              lost: 0,
              points: null,
              asked: false,
              formerKey: null,
              ...released,
            },
          },
          { upsert: true, returnDocument: "after" },
        )
        .lean(),
    );
    return toColumn(row);
  };

  return {
    open,
    ask: async (key: ColumnKey, id: string): Promise<void> => {
      const column = await open(key, id);
      await model.updateOne({ _id: column.id }, { $set: { asked: true } });
    },
    find: async (key: ColumnKey): Promise<Column | null> => {
      const row = await model.findOne({ ...key }).lean();
      return row === null ? null : toColumn(row);
    },
    listOfCourse: async (registrationId: string, courseId: string): Promise<Column[]> =>
      (
        await model
          .find({ registrationId, courseId, key: { $ne: makingColumns } })
          .sort({ key: 1 })
          .lean()
      ).map(toColumn),
    /** Its claim covers the making of session columns one by one: gradebooks show them in order of creation. */
    openMaking: async (place: Omit<ColumnKey, "key">, id: string): Promise<string> =>
      (await open({ ...place, key: makingColumns }, id)).id,
    /** Keeps a new line item unless the column has one. @param written Of the session. @returns the column's address */
    keepMade: async (
      key: ColumnKey,
      id: string,
      lineItemUrl: string,
      written: WrittenColumn,
    ): Promise<string> => {
      const column = await open(key, id);
      await model.updateOne(
        { _id: column.id, lineItemUrl: null },
        { $set: { lineItemUrl, linkId: null, told: written } },
      );
      return (await model.findOne({ _id: column.id }).lean())?.lineItemUrl ?? lineItemUrl;
    },
    /**
     * Takes the column of a launch's link when the course has none, and updates the address of the one in use; another
     * link's never takes over, as grades would jump between columns. @returns whether it was taken
     */
    couple: async (id: string, linkId: string, lineItemUrl: string): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, $or: [{ lineItemUrl: null }, { linkId }] },
        { $set: { lineItemUrl, linkId, missing: null, offered: null } },
      );
      return done.matchedCount === 1;
    },
    /** A link's own line item, beside the one that grades go to. */
    offer: async (id: string, offered: OfferedLineItem): Promise<void> => {
      const elsewhere = { $nin: [null, offered.lineItemUrl] };
      await model.updateOne({ _id: id, lineItemUrl: elsewhere }, { $set: { offered } });
    },
    /** The line item beside is gone. */
    endOffer: async (id: string, { lineItemUrl }: Pick<OfferedLineItem, "lineItemUrl">): Promise<void> => {
      await model.updateOne({ _id: id, "offered.lineItemUrl": lineItemUrl }, { $set: { offered: null } });
    },
    /** The course keeps its column. @returns false when another was offered, or taken, since */
    leaveOffered: async (id: string, { lineItemUrl }: OfferedLineItem): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, "offered.lineItemUrl": lineItemUrl },
        { $set: { "offered.left": true } },
      );
      return done.matchedCount === 1;
    },
    /** @returns false when another was offered, or taken, since */
    takeOffered: async (id: string, { linkId, lineItemUrl }: OfferedLineItem): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, "offered.lineItemUrl": lineItemUrl },
        { $set: { lineItemUrl, linkId, missing: null, offered: null } },
      );
      return done.matchedCount === 1;
    },
    /** No other column of the course uses this line item from now on. */
    uncoupleOthers: async (
      { registrationId, courseId, key }: ColumnKey,
      lineItemUrl: string,
    ): Promise<void> => {
      const others = { registrationId, courseId, lineItemUrl, key: { $ne: key } };
      const [former] = await model.find(others).sort({ key: 1 }).limit(1).lean();
      if (former === undefined) return;
      await model.updateOne({ registrationId, courseId, key }, { $set: { formerKey: former.key } });
      await model.updateMany(others, { $set: { lineItemUrl: null, linkId: null } });
    },
    claim: async (id: string, holder: string, now: number, until: number): Promise<boolean> => {
      const row = await model
        .findOneAndUpdate(
          { _id: id, lineItemUrl: null, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { returnDocument: "after" },
        )
        .lean();
      return row !== null;
    },
    isHeld: async (id: string, holder: string, now: number): Promise<boolean> =>
      (await model.findOne({ _id: id, leaseHolder: holder, leaseUntil: { $gt: now } }).lean()) !== null,
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    keep: async (id: string, holder: string, lineItemUrl: string): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, lineItemUrl: null, leaseHolder: holder },
        { $set: { lineItemUrl, linkId: null, ...released } },
      );
      return done.matchedCount === 1;
    },
    release: async (id: string, holder: string): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: released });
    },
    /** Unless another line item is known meanwhile. */
    forget: async (id: string, lineItemUrl: string): Promise<void> => {
      await model.updateOne(
        { _id: id, lineItemUrl },
        { $set: { lineItemUrl: null, linkId: null }, $inc: { lost: 1 } },
      );
    },
    /** Unless it has another line item. @returns whether that is new */
    lose: async (id: string, lineItemUrl: string, missing: MissingColumn): Promise<boolean> => {
      const lost = { $set: { lineItemUrl: null, linkId: null, missing } };
      return (await model.updateOne({ _id: id, lineItemUrl }, lost)).matchedCount === 1;
    },
    leaveOut: async (id: string, at: number): Promise<boolean> =>
      (await model.updateOne({ _id: id, "missing.at": at }, { $set: { "missing.leftOut": true } }))
        .matchedCount === 1,
    /** To be made again. @param at When it was found missing. @returns whether it was missing since then */
    wantBack: async (id: string, at: number): Promise<boolean> =>
      (await model.updateOne({ _id: id, "missing.at": at }, { $set: { missing: null } })).matchedCount === 1,
    /** The missing line item is there again. @param missingAt When it was found missing. */
    comeBack: async (
      id: string,
      missingAt: number,
      { lineItemUrl, linkId }: Pick<Column, "lineItemUrl" | "linkId">,
    ): Promise<boolean> => {
      const back = { lineItemUrl, linkId, missing: null };
      return (await model.updateOne({ _id: id, "missing.at": missingAt }, { $set: back })).matchedCount === 1;
    },
    /** Null ends the question. @returns false when the column has another line item */
    noteEmptied: async (id: string, lineItemUrl: string, emptied: EmptiedColumn | null): Promise<boolean> =>
      (await model.updateOne({ _id: id, lineItemUrl }, { $set: { emptied } })).matchedCount === 1,
    /** To another line item with our mark. */
    moveTo: async (id: string, from: string, to: string): Promise<void> => {
      await model.updateOne(
        { _id: id, lineItemUrl: from },
        { $set: { lineItemUrl: to, linkId: null }, $inc: { lost: 1 } },
      );
    },
    /** One that is due. @param nextAt When it is due again (ms). */
    claimToLook: async (now: number, nextAt: number): Promise<Column | null> => {
      const row = await model
        .findOneAndUpdate(
          { lookAt: { $gte: 0, $lte: now } },
          { $set: { lookAt: nextAt } },
          { sort: { lookAt: 1 }, returnDocument: "after" },
        )
        .lean();
      return row === null ? null : toColumn(row);
    },
    /** At the latest at `at` (ms). */
    lookBy: async (where: { id: string } | Omit<ColumnKey, "key">, at: number): Promise<void> => {
      const which = "id" in where ? { _id: where.id } : { ...where };
      await model.updateMany(
        { ...which, $or: [{ lookAt: null }, { lookAt: { $gt: at } }] },
        { $set: { lookAt: at } },
      );
    },
    /** As the gradebook names it; pages say the same. */
    noteLabel: async (id: string, label: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { label } });
    },
    noteMaking: async (key: ColumnKey, id: string, label: string): Promise<void> => {
      const column = await open(key, id);
      await model.updateOne(
        { _id: column.id, lineItemUrl: null },
        { $set: { told: aboutToWrite(column.told, label) } },
      );
    },
    requestUpdate: async (ids: readonly string[], now: number): Promise<void> => {
      if (ids.length === 0) return;
      const wish = { $set: { tellAt: now, tellFailures: 0 }, $inc: { tellWishes: 1 } };
      await queue.announced(everything, now, () => model.updateMany({ _id: { $in: [...ids] } }, wish));
    },
    claimUpdate: async (holder: string, now: number, until: number): Promise<ColumnToUpdate | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { tellAt: { $gte: 0, $lte: now }, leaseUntil: { $lte: now } },
            { $set: { leaseHolder: holder, leaseUntil: until } },
            { sort: { tellAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      if (row === null) return null;
      return { column: toColumn(row), wishes: row.tellWishes ?? 0, failures: row.tellFailures ?? 0 };
    },
    /** Under a claim. @returns false when the claim was lost */
    saveWritten: async (id: string, holder: string, written: WrittenColumn): Promise<boolean> => {
      const done = await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { told: written } });
      return done.matchedCount === 1;
    },
    /** Unless there is another request. @param next The next attempt (ms); null when all is told. */
    settleUpdate: async (
      { column, wishes }: Pick<ColumnToUpdate, "column" | "wishes">,
      holder: string,
      next: { at: number; failures: number } | null,
    ): Promise<void> => {
      const held = { _id: column.id, leaseHolder: holder };
      const rest = { tellAt: next?.at ?? null, tellFailures: next?.failures ?? 0 };
      await model.updateOne({ ...held, tellWishes: wishes }, { $set: rest });
      const row = await model.findOneAndUpdate(held, { $set: released }).lean();
      if (row?.tellAt != null) await queue.givenBack(everything, row.tellAt);
    },
    /** Unless it has points by now. @returns whether it has none */
    keepAtZero: async (id: string): Promise<boolean> =>
      (await model.updateOne({ _id: id, points: 0 }, { $set: { keptAtZero: true } })).matchedCount === 1,
    /** Unless it has another line item. @param points Null where they are not known. @param nextAt Of the next look (ms). */
    noteLook: async (
      id: string,
      looked: { lineItemUrl: string; at: number },
      { points, label }: { points: number | null; label: string },
      nextAt: number,
    ): Promise<void> => {
      await model.updateOne(
        { _id: id, lineItemUrl: looked.lineItemUrl },
        { $set: { looked, points, label, lookAt: nextAt, ...(points === 0 ? {} : { keptAtZero: false }) } },
      );
    },
    /** A course's line items are read before the next score, and missing ones are looked for. */
    lookAgain: async ({ registrationId, courseId }: Omit<ColumnKey, "key">, now: number): Promise<void> => {
      await model.updateMany({ registrationId, courseId }, { $set: { looked: null } });
      const missing = { registrationId, courseId, "missing.at": { $gt: 0 } };
      await model.updateMany(missing, { $set: { lookAt: now } });
    },
    keptWell: async (id: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { lost: 0 } });
    },
  };
}

const makingColumns = "making session columns";

const toColumn = readerOf(columnRecord);
