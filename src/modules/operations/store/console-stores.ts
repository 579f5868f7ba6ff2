import type { Connection } from "mongoose";
import { type Course, type Member, memberRecord } from "../../../domain/course.ts";
import { type Receipt, receiptRecord } from "../../../inbox/rules/receipt.ts";
import { type Delivery, deliveryRecord } from "../../grading/rules/delivery.ts";
import {
  consoleIdleMs,
  consoleSessionRecord,
  type ConsoleSessionRow,
  type PasswordGuesses,
} from "../rules/console-access.ts";
import { loginAttemptRecord } from "../rules/records.ts";
import { openRecords } from "../../../storage/records.ts";

type CourseRef = Pick<Course, "id" | "registrationId">;
type CourseKey = { registrationId: string; courseId: string };
/** The state of a course's grades that most needs a person. Null without scores. */
export type GradeState = Extract<Delivery["state"], "refused" | "held" | "waiting" | "delivered"> | null;

const urgentFirst = ["refused", "held", "waiting", "delivered"] as const;

/** Lists for operators. Opened after the stores whose records it reads. */
export function createConsoleLists(connection: Connection) {
  const members = openRecords(connection, memberRecord);
  const deliveries = openRecords(connection, deliveryRecord);
  const receipts = openRecords(connection, receiptRecord);
  const courseKeyOf = ({ id, registrationId }: CourseRef): CourseKey => ({ registrationId, courseId: id });

  return {
    countMembers: (course: CourseRef): Promise<number> =>
      members.count({ ...courseKeyOf(course), active: true }),
    /** By course id. Null without scores. */
    gradeStates: async (courses: readonly CourseRef[]): Promise<ReadonlyMap<string, GradeState>> => {
      const stateOf = async (course: CourseRef): Promise<GradeState> => {
        const key = courseKeyOf(course);
        // Nearly always the last state by name decides: only "waiting" and "left" hide one that matters more.
        const last = await deliveries.row(key, { sort: { state: -1 } });
        if (last === null) return null;
        for (const state of urgentFirst.filter((one) => one <= last.state))
          if (state === last.state || (await deliveries.exists({ ...key, state }))) return state;
        return null;
      };
      return new Map(
        await Promise.all(courses.map(async (course) => [course.id, await stateOf(course)] as const)),
      );
    },
    /** Times and roles, latest first, without names. */
    lastLaunches: async (
      course: CourseRef,
      limit: number,
    ): Promise<{ at: number; role: Member["role"] }[]> => {
      const rows = await members.some(
        ["lastLaunchAt", "role"],
        { ...courseKeyOf(course), lastLaunchAt: { $gt: 0 } },
        { sort: { lastLaunchAt: -1 }, limit },
      );
      return rows.flatMap(({ lastLaunchAt: at, role }) => (at === null ? [] : [{ at, role }]));
    },
    /** Webhooks waiting for some Spaces or events to become a course's, latest first. */
    listWaitingFor: async (
      keys: readonly string[],
      limit: number,
    ): Promise<Pick<Receipt, "id" | "receivedAt" | "state" | "reason">[]> => {
      if (keys.length === 0) return [];
      const fields = ["receivedAt", "state", "reason"] as const;
      const page = { sort: { receivedAt: -1 }, limit } as const;
      const rows = await receipts.some(fields, { waitsFor: { $in: keys }, state: { $ne: "kept" } }, page);
      return rows.map(({ _id, receivedAt, state, reason }) => ({ id: _id, receivedAt, state, reason }));
    },
  };
}

type EndedConsoleSessions = {
  registrationId: string;
  deploymentId?: string | undefined;
  personIds?: readonly string[] | undefined;
  exceptPersonId?: string | undefined;
};

export type ConsoleSessionStore = ReturnType<typeof createConsoleSessionStore>;

export function createConsoleSessionStore(connection: Connection) {
  const records = openRecords(connection, consoleSessionRecord);

  return {
    insert: async ({ id, ...facts }: ConsoleSessionRow): Promise<void> => {
      await records.add({ _id: id, ...facts });
    },
    find: (id: string): Promise<ConsoleSessionRow | null> => records.find({ _id: id }),
    used: async (id: string, at: number): Promise<void> => {
      await records.change({ _id: id }, { $max: { usedAt: at } });
    },
    /** @returns false if it had already ended. */
    end: async (id: string): Promise<boolean> => (await records.remove({ _id: id })) === 1,
    /** Ends sessions of an LMS's administrators, only those of a deployment or of some people if these are named. @returns how many. */
    endOf: ({
      registrationId,
      deploymentId,
      personIds,
      exceptPersonId,
    }: EndedConsoleSessions): Promise<number> => {
      const some =
        personIds === undefined
          ? { $ne: exceptPersonId ?? "" }
          : { $in: personIds.filter((id) => id !== exceptPersonId) };
      return records.remove({
        registrationId,
        ...(deploymentId === undefined ? {} : { deploymentId }),
        personId: some,
      });
    },
    /** Those used last come first. */
    listLive: async (now: number, limit: number): Promise<ConsoleSessionRow[]> =>
      records.list(
        { endsAt: { $gt: new Date(now) }, usedAt: { $gt: now - consoleIdleMs } },
        { sort: { usedAt: -1, _id: 1 }, limit },
      ),
  };
}

/** Shared by all processes: one record per known browser and one for all unknown ones, replaced by compare-and-set. */
export function createLoginAttemptStore(connection: Connection) {
  const records = openRecords(connection, loginAttemptRecord);

  return {
    read: async (counter: string): Promise<{ revision: number; guesses: PasswordGuesses } | null> => {
      const row = await records.row({ _id: counter });
      if (row === null) return null;
      const { count, blockedUntil, forgottenAt, revision } = row;
      return { revision, guesses: { count, blockedUntil, forgottenAt: forgottenAt.getTime() } };
    },
    /** Replaces the given revision (null: there is none yet). @returns false if another process was faster. */
    replace: async (counter: string, revision: number | null, guesses: PasswordGuesses): Promise<boolean> => {
      const facts = { ...guesses, forgottenAt: new Date(guesses.forgottenAt) };
      return revision === null
        ? records.insert({ _id: counter, revision: 1, ...facts })
        : records.change({ _id: counter, revision }, { $set: { ...facts, revision: revision + 1 } });
    },
    clear: async (counter: string): Promise<void> => {
      await records.remove({ _id: counter });
    },
  };
}
