import type { Connection } from "mongoose";
import { type AccountId, isAccountId } from "../../../domain/account.ts";
import type { RowOf } from "../../../domain/record.ts";
import { type ExpectedClass, expectedClassRecord, type PreparedLogin } from "../rules/expected-class.ts";
import { planRetentionMs } from "../rules/limits.ts";
import { preparedLoginRecord } from "../rules/queue-position.ts";
import { dueHeadsOf, type DueRange } from "../../../storage/due-heads.ts";
import { openRecords, retriedOnDuplicate } from "../../../storage/records.ts";
import { longerLease, released } from "../../../storage/due-queue.ts";

export type PlanOutcome = Pick<ExpectedClass, "dueAt" | "failures"> & {
  /** See `rankOf`. */
  rank: number;
  open: boolean;
};

/** Keeps classes whose logins are prepared, one record per course and reason. One process at a time works on each. */
export function createExpectedClassStore(connection: Connection) {
  const records = openRecords(connection, expectedClassRecord);
  const firstDue = async (scope: string, dueAt: DueRange) =>
    isAccountId(scope)
      ? await records.row({ environment: scope, open: true, dueAt }, { sort: { dueAt: 1 } })
      : null;
  const queue = dueHeadsOf(connection).queue("ahead", firstDue);
  const dueNow = (environment: AccountId, now: number) => ({
    environment,
    open: true,
    dueAt: { $lte: now },
    leaseUntil: { $lte: now },
  });

  return {
    /** Opens a plan, or reopens the one with the same reason, whose finished work stays. */
    open: async (plan: Omit<ExpectedClass, "made" | "failures"> & { rank: number }): Promise<void> => {
      const { id, endsAt, calls, dueAt, rank, ...first } = plan;
      const expiresAt = new Date(endsAt + planRetentionMs);
      const open = () =>
        records.save(
          { _id: id },
          {
            $set: { endsAt, calls, open: true, expiresAt },
            $setOnInsert: {
              ...first,
              dueAt,
              rank,
              made: 0,
              failures: 0,
              begun: false,
              lookedAt: 0,
              ...released,
            },
          },
        );
      // A reopened plan keeps its due time.
      await queue.announced(first.environment, 0, () => retriedOnDuplicate(open));
    },
    listOpen: (key: Pick<ExpectedClass, "registrationId" | "courseId">, now: number) =>
      records.list({ ...key, open: true, endsAt: { $gt: now } }),
    /** Prolongs a plan because people are still walking in. */
    prolong: async (id: string, endsAt: number): Promise<void> => {
      await records.change({ _id: id }, { $max: { endsAt } });
    },
    /** Which of these accounts have classes for `listStarting`. */
    accountsStarting: (environments: readonly AccountId[], after: number, until: number) =>
      records.distinct("environment", {
        environment: { $in: environments },
        open: true,
        rank: 0,
        startsAt: { $gt: after, $lte: until },
      }),
    /** Lists parts of the classes that start between two moments. `begun`: a worker has looked at the class. */
    listStarting: async (
      environment: AccountId,
      after: number,
      until: number,
    ): Promise<
      (Pick<ExpectedClass, "id" | "startsAt" | "calls" | "made" | "dueAt"> & { begun: boolean })[]
    > => {
      const rows = await records.some(["startsAt", "calls", "made", "dueAt", "begun"], {
        environment,
        open: true,
        rank: 0,
        startsAt: { $gt: after, $lte: until },
      });
      return rows.map(({ _id: id, ...facts }) => ({ id, ...facts }));
    },
    /** Affects only classes that haven't begun. */
    moveBegins: async (begins: readonly { id: string; dueAt: number }[]): Promise<void> => {
      if (begins.length === 0) return;
      const ids = begins.map(({ id }) => id);
      const rows = await records.some(["environment"], { _id: { $in: ids } });
      const writes = begins.map(({ id, dueAt }) => ({
        filter: { _id: id, begun: false },
        update: { $set: { dueAt } },
      }));
      const first = Math.min(...begins.map(({ dueAt }) => dueAt));
      for (const environment of new Set(rows.map((row) => row.environment)))
        await queue.announced(environment, first, () => Promise.resolve());
      await records.changeEach(writes);
    },
    /** Claims the first due class until `until`. */
    claimNext: async (environment: AccountId, holder: string, now: number, until: number) => {
      const take = () =>
        records.take(
          // Written so that the index of due times isn't used, because its result would have to be sorted.
          { ...dueNow(environment, now), dueAt: { $not: { $gt: now } } },
          { $set: { leaseHolder: holder, leaseUntil: until, begun: true, lookedAt: now } },
          { sort: { rank: 1, startsAt: 1, made: 1 } },
        );
      const row = await queue.claim(now, { take, only: environment });
      return row === null ? null : records.read(row);
    },
    /** Whether another class is due. */
    othersWait: (environment: AccountId, now: number): Promise<boolean> =>
      records.exists(dueNow(environment, now)),
    /** Includes claimed classes. */
    countDue: (environments: readonly AccountId[], at: number): Promise<number> =>
      records.count({ environment: { $in: environments }, open: true, dueAt: { $lte: at } }),
    /** Counts the classes that had a turn since a moment (ms), by whether the latest turn failed. */
    countSince: async (environments: readonly AccountId[], since: number) => {
      const looked = { environment: { $in: environments }, lookedAt: { $gte: since }, leaseHolder: null };
      return {
        done: await records.count({ ...looked, failures: 0 }),
        failed: await records.count({ ...looked, failures: { $gt: 0 } }),
      };
    },
    extend: (id: string, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(id, holder, until)),
    holds: async (id: string, holder: string, now: number): Promise<boolean> =>
      (await records.count({ _id: id, leaseHolder: holder, leaseUntil: { $gt: now } })) === 1,
    countCall: async (id: string, holder: string): Promise<void> => {
      await records.change({ _id: id, leaseHolder: holder }, { $inc: { made: 1 } });
    },
    /** Ends a turn and gives the claim back. Has no effect if the claim was lost. */
    settle: async (id: string, holder: string, outcome: PlanOutcome): Promise<void> => {
      const claimed = { _id: id, leaseHolder: holder };
      const row = await records.before(claimed, { $set: { ...outcome, ...released } });
      if (row !== null && outcome.open) await queue.givenBack(row.environment, outcome.dueAt);
    },
  };
}

type LoginKey = Pick<PreparedLogin, "registrationId" | "courseId" | "personId">;
type NewLogin = Omit<PreparedLogin, "id" | "expectedAs"> & Partial<Pick<PreparedLogin, "expectedAs">>;
export type KnownLogin = Omit<PreparedLogin, "login">;
export type LoginStore = ReturnType<typeof createLoginStore>;

/**
 * Keeps one record per course and person. Each login is used at most once. The record outlives its login, so nobody is authorized again for
 * the same reason.
 */
export function createLoginStore(connection: Connection) {
  const records = openRecords(connection, preparedLoginRecord);
  const ready = (now: number) => ({ usedAt: null, usableUntil: { $gt: now } });

  return {
    /** Replaces an older login. Also records that there was no login. */
    keep: async ({ retainedUntil, ...login }: NewLogin): Promise<void> => {
      const { registrationId, courseId, personId } = login;
      const id = `${registrationId} ${courseId} ${personId}`;
      const row = { _id: id, expectedAs: null, ...login, expiresAt: new Date(retainedUntil) };
      await records.replace({ _id: id, registrationId, courseId, personId }, row);
    },
    find: async (key: LoginKey): Promise<KnownLogin | null> => {
      const row = await records.row({ ...key });
      return row === null ? null : toKnown(row);
    },
    listOfCourse: async (key: Pick<LoginKey, "registrationId" | "courseId">): Promise<KnownLogin[]> =>
      (await records.without(["login"], { ...key })).map(toKnown),
    /** Whether a person could enter without waiting. */
    has: async (key: LoginKey, fingerprint: string, now: number): Promise<boolean> =>
      (await records.count({ ...key, fingerprint, ...ready(now) })) > 0,
    /** Of all concurrent callers, exactly one gets the login. */
    take: async (key: LoginKey, fingerprint: string, now: number): Promise<PreparedLogin | null> => {
      const row = await records.before(
        { ...key, fingerprint, ...ready(now) },
        { $set: { login: "", usedAt: now } },
      );
      return row === null ? null : { ...toKnown(row), login: row.login };
    },
    /** Leaves logins that were used or replaced since. The record stays, because it counts what was spent on the person. */
    discard: async (logins: readonly Pick<KnownLogin, "id" | "fingerprint">[]): Promise<void> => {
      for (const { id, fingerprint } of logins) {
        const blank = { login: "", fingerprint: "", expectedAs: null, usableUntil: 0 };
        await records.change({ _id: id, fingerprint, usedAt: null }, { $set: blank });
      }
    },
    usedSince: async (key: Pick<LoginKey, "registrationId" | "courseId">, since: number): Promise<string[]> =>
      (
        await records.some(["personId"], {
          registrationId: key.registrationId,
          courseId: key.courseId,
          usedAt: { $gte: since },
        })
      ).map(({ personId }) => personId),
    countReady: (now: number): Promise<number> => records.count(ready(now)),
  };
}

function toKnown(row: Omit<RowOf<typeof preparedLoginRecord>, "login"> & { login?: string }): KnownLogin {
  const { _id, expiresAt, login: _login, ...known } = row;
  return { id: _id, ...known, retainedUntil: expiresAt.getTime() };
}
