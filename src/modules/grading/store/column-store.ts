import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import {
  aboutToWrite,
  type Column,
  columnRecord,
  type MissingColumn,
  type ToldColumn,
} from "../rules/column.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

/** A column under a claim whose session has changed. */
export type ColumnToTell = { column: Column; wishes: number; failures: number };

export type ColumnKey = Pick<Column, "registrationId" | "courseId" | "key">;
export type ColumnStore = ReturnType<typeof createColumnStore>;

/** Gradebook columns, one record for each (course, key); creating the line item is done under a claim. */
export function createColumnStore(connection: Connection) {
  const model = recordModel(connection, columnRecord);
  const firstDue = async (_scope: string, tellAt: DueRange) => {
    const range = "$lte" in tellAt ? { $gte: 0, ...tellAt } : tellAt;
    const row = await model.findOne({ tellAt: range }).sort({ tellAt: 1 }).lean();
    return row === null ? null : { dueAt: row.tellAt ?? 0, leaseUntil: row.leaseUntil };
  };
  const queue = dueHeadsOf(connection).queue("columns", firstDue);

  /** The column's record, made empty on first use. */
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
    /** An instructor asks for this column by a link; made empty when it is new. */
    ask: async (key: ColumnKey, id: string): Promise<void> => {
      const column = await open(key, id);
      await model.updateOne({ _id: column.id }, { $set: { asked: true } });
    },
    find: async (key: ColumnKey): Promise<Column | null> => {
      const row = await model.findOne({ ...key }).lean();
      return row === null ? null : toColumn(row);
    },
    listOfCourse: async (registrationId: string, courseId: string): Promise<Column[]> =>
      (await model.find({ registrationId, courseId, key: { $ne: makingColumns } }).lean()).map(toColumn),
    /**
     * The record under whose claim the columns of a course's sessions are made, one after the other: a gradebook shows
     * them in the order in which they were made.
     */
    openMaking: async (place: Omit<ColumnKey, "key">, id: string): Promise<string> =>
      (await open({ ...place, key: makingColumns }, id)).id,
    /**
     * Keeps the line item that was made for a session's column, unless it has one meanwhile.
     * @param told What was written of the session.
     * @returns the address that it has
     */
    keepMade: async (key: ColumnKey, id: string, lineItemUrl: string, told: ToldColumn): Promise<string> => {
      const column = await open(key, id);
      await model.updateOne(
        { _id: column.id, lineItemUrl: null },
        { $set: { lineItemUrl, linkId: null, told } },
      );
      return (await model.findOne({ _id: column.id }).lean())?.lineItemUrl ?? lineItemUrl;
    },
    /**
     * A launch told the column coupled to its link. It is taken when the course has none yet, and its address
     * is brought up to date when it is the one in use; another link's column never takes over, for grades
     * would then jump between columns.
     * @returns whether it was taken
     */
    couple: async (id: string, linkId: string, lineItemUrl: string): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, $or: [{ lineItemUrl: null }, { linkId }] },
        { $set: { lineItemUrl, linkId, missing: null } },
      );
      return done.matchedCount === 1;
    },
    /** The line item will belong to column `key`: no other column of the course goes on writing into it. */
    uncoupleOthers: async (
      { registrationId, courseId, key }: ColumnKey,
      lineItemUrl: string,
    ): Promise<void> => {
      const others = { registrationId, courseId, lineItemUrl, key: { $ne: key } };
      const [former] = await model.find(others).lean();
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
    /** Whether a claim still holds. */
    isHeld: async (id: string, holder: string, now: number): Promise<boolean> =>
      (await model.findOne({ _id: id, leaseHolder: holder, leaseUntil: { $gt: now } }).lean()) !== null,
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
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
    /** The LMS says the line item is gone: forget it, unless another address was learnt meanwhile. */
    forget: async (id: string, lineItemUrl: string): Promise<void> => {
      await model.updateOne(
        { _id: id, lineItemUrl },
        { $set: { lineItemUrl: null, linkId: null }, $inc: { lost: 1 } },
      );
    },
    /** The gradebook has it no more, unless it has another line item by now. @returns whether that is news */
    lose: async (id: string, lineItemUrl: string, missing: MissingColumn): Promise<boolean> => {
      const lost = { $set: { lineItemUrl: null, linkId: null, missing } };
      return (await model.updateOne({ _id: id, lineItemUrl }, lost)).matchedCount === 1;
    },
    /** Its session stays without a column. @param at When it was found missing. */
    leaveOut: async (id: string, at: number): Promise<boolean> =>
      (await model.updateOne({ _id: id, "missing.at": at }, { $set: { "missing.leftOut": true } }))
        .matchedCount === 1,
    /** It is to be made again. @param at When it was found missing. @returns whether it was missing since then */
    wantBack: async (id: string, at: number): Promise<boolean> =>
      (await model.updateOne({ _id: id, "missing.at": at }, { $set: { missing: null } })).matchedCount === 1,
    /** Another line item is written to from now on, one that has our mark, too. */
    moveTo: async (id: string, from: string, to: string): Promise<void> => {
      await model.updateOne(
        { _id: id, lineItemUrl: from },
        { $set: { lineItemUrl: to, linkId: null }, $inc: { lost: 1 } },
      );
    },
    /** Takes a column whose line item was last read before a moment (ms); null when there is none. */
    claimToLook: async (before: number, now: number): Promise<Column | null> => {
      const row = await model
        .findOneAndUpdate(
          { "looked.at": { $gte: 0, $lt: before } },
          { $set: { "looked.at": now } },
          { sort: { "looked.at": 1 }, returnDocument: "after" },
        )
        .lean();
      return row === null ? null : toColumn(row);
    },
    /** A line item with this name is about to be made for a session's column. */
    noteMaking: async (key: ColumnKey, id: string, label: string): Promise<void> => {
      const column = await open(key, id);
      await model.updateOne(
        { _id: column.id, lineItemUrl: null },
        { $set: { told: aboutToWrite(column.told, label) } },
      );
    },
    /** The LMS is to be told anew what these columns are about. */
    wantTold: async (ids: readonly string[], now: number): Promise<void> => {
      if (ids.length === 0) return;
      const wish = { $set: { tellAt: now, tellFailures: 0 }, $inc: { tellWishes: 1 } };
      await queue.announced(everything, now, () => model.updateMany({ _id: { $in: [...ids] } }, wish));
    },
    /** Takes the column that has waited longest for the LMS to be told of it; null when none is due. */
    claimToTell: async (holder: string, now: number, until: number): Promise<ColumnToTell | null> => {
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
    /** What is known under a claim to have been told. @returns false when the claim was lost */
    noteTold: async (id: string, holder: string, told: ToldColumn): Promise<boolean> => {
      const done = await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { told } });
      return done.matchedCount === 1;
    },
    /**
     * Gives a claim to tell back.
     * @param next When it is to be tried again (ms), after so many failures; null when all is told. Another wish meanwhile
     * stays.
     */
    settleTelling: async (
      { column, wishes }: Pick<ColumnToTell, "column" | "wishes">,
      holder: string,
      next: { at: number; failures: number } | null,
    ): Promise<void> => {
      const held = { _id: column.id, leaseHolder: holder };
      const rest = { tellAt: next?.at ?? null, tellFailures: next?.failures ?? 0 };
      await model.updateOne({ ...held, tellWishes: wishes }, { $set: rest });
      const row = await model.findOneAndUpdate(held, { $set: released }).lean();
      if (row?.tellAt != null) await queue.givenBack(everything, row.tellAt);
    },
    /** What its line item says of it, unless it has another by now. @param points Null where the line item names none. */
    noteLook: async (
      id: string,
      looked: { lineItemUrl: string; at: number },
      { points, label }: { points: number | null; label: string },
    ): Promise<void> => {
      await model.updateOne(
        { _id: id, lineItemUrl: looked.lineItemUrl },
        { $set: { looked, points, label } },
      );
    },
    /** The line items of a course's columns are read again before anything else is sent there. */
    lookAgain: async ({ registrationId, courseId }: Omit<ColumnKey, "key">): Promise<void> => {
      await model.updateMany({ registrationId, courseId }, { $set: { looked: null } });
    },
    /** A score has arrived in it. */
    keptWell: async (id: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { lost: 0 } });
    },
  };
}

/** Key of the record that is claimed while columns of sessions are made. */
const makingColumns = "making session columns";

const toColumn = readerOf(columnRecord);
