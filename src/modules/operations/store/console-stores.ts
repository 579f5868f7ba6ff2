import type { Connection } from "mongoose";
import type { Course, Member } from "../../../domain/course.ts";
import { readerOf } from "../../../domain/record.ts";
import type { Receipt } from "../../../inbox/rules/receipt.ts";
import type { Delivery } from "../../grading/rules/delivery.ts";
import {
  consoleIdleMs,
  consoleSessionRecord,
  type ConsoleSessionRow,
  type PasswordGuesses,
} from "../rules/console-access.ts";
import { loginAttemptRecord } from "../rules/records.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

type Place = { registrationId: string; courseId: string };
/** The state of a course's grades that most needs somebody; null without scores. */
export type GradeState = Extract<Delivery["state"], "refused" | "held" | "waiting" | "delivered"> | null;

/** Lists for operators; opened after the stores whose records it reads. */
export function createConsoleLists(connection: Connection) {
  const members = connection.model<Member & { _id: string }>("Member");
  const deliveries = connection.model<Delivery & { _id: string }>("Delivery");
  const receipts = connection.model<Receipt & { _id: string }>("Receipt");
  const placeOf = ({ id, registrationId }: Pick<Course, "id" | "registrationId">): Place => ({
    registrationId,
    courseId: id,
  });

  return {
    countMembers: (course: Pick<Course, "id" | "registrationId">): Promise<number> =>
      members.countDocuments({ ...placeOf(course), active: true }).exec(),
    /** One look at each state. */
    gradeState: async (course: Pick<Course, "id" | "registrationId">): Promise<GradeState> => {
      for (const state of ["refused", "held", "waiting", "delivered"] as const) {
        const found = await deliveries.findOne({ ...placeOf(course), state }, { _id: 1 }).lean();
        if (found !== null) return state;
      }
      return null;
    },
    /** Times and roles, latest first, without names. */
    lastLaunches: async (
      course: Pick<Course, "id" | "registrationId">,
      limit: number,
    ): Promise<{ at: number; role: Member["role"] }[]> => {
      const rows = await members
        .find({ ...placeOf(course), lastLaunchAt: { $gt: 0 } }, { lastLaunchAt: 1, role: 1 })
        .sort({ lastLaunchAt: -1 })
        .limit(limit)
        .lean();
      return rows.flatMap(({ lastLaunchAt: at, role }) => (at === null ? [] : [{ at, role }]));
    },
    /** Webhooks that wait for some Spaces or events to become a course's, latest first. */
    listWaitingFor: async (
      keys: readonly string[],
      limit: number,
    ): Promise<Pick<Receipt, "id" | "receivedAt" | "state" | "reason">[]> => {
      if (keys.length === 0) return [];
      const shown = { receivedAt: 1, state: 1, reason: 1 };
      const rows = await receipts
        .find({ waitsFor: { $in: [...keys] } }, shown)
        .sort({ receivedAt: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, receivedAt, state, reason }) => ({ id: _id, receivedAt, state, reason }));
    },
  };
}

export type ConsoleSessionStore = ReturnType<typeof createConsoleSessionStore>;

const read = readerOf(consoleSessionRecord);

export function createConsoleSessionStore(connection: Connection) {
  const model = recordModel(connection, consoleSessionRecord);

  return {
    insert: async ({ id, ...facts }: ConsoleSessionRow): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
    find: async (id: string): Promise<ConsoleSessionRow | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : read(row);
    },
    used: async (id: string, at: number): Promise<void> => {
      await model.updateOne({ _id: id }, { $max: { usedAt: at } });
    },
    /** @returns false: it had ended. */
    end: async (id: string): Promise<boolean> => (await model.deleteOne({ _id: id })).deletedCount === 1,
    /** Those used last first. */
    listLive: async (now: number, limit: number): Promise<ConsoleSessionRow[]> =>
      (
        await model
          .find({ endsAt: { $gt: new Date(now) }, usedAt: { $gt: now - consoleIdleMs } })
          .sort({ usedAt: -1, _id: 1 })
          .limit(limit)
          .lean()
      ).map(read),
  };
}

/** Shared by all processes: one record a browser or all unknown ones, replaced by compare-and-set. */
export function createLoginAttemptStore(connection: Connection) {
  const model = recordModel(connection, loginAttemptRecord);

  return {
    read: async (counter: string): Promise<{ revision: number; guesses: PasswordGuesses } | null> => {
      const row = await model.findOne({ _id: counter }).lean();
      if (row === null) return null;
      const { count, blockedUntil, forgottenAt, revision } = row;
      return { revision, guesses: { count, blockedUntil, forgottenAt: forgottenAt.getTime() } };
    },
    /** With the given revision (null: none yet). @returns false when another process was faster. */
    replace: async (counter: string, revision: number | null, guesses: PasswordGuesses): Promise<boolean> => {
      const facts = { ...guesses, forgottenAt: new Date(guesses.forgottenAt) };
      if (revision !== null) {
        const replaced = await model.updateOne(
          { _id: counter, revision },
          { $set: { ...facts, revision: revision + 1 } },
        );
        return replaced.matchedCount === 1;
      }
      try {
        await model.create({ _id: counter, revision: 1, ...facts });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    clear: async (counter: string): Promise<void> => {
      await model.deleteOne({ _id: counter });
    },
  };
}
