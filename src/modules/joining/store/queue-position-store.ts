import { readerOf } from "../../../domain/record.ts";
import { openRecords, retriedOnDuplicate } from "../../../storage/records.ts";
import type { Connection, mongo } from "mongoose";
import { type QueuePosition, type EntryProblem, queuePositionRecord } from "../rules/queue-position.ts";
import { type AccountId, isAccountId } from "../../../domain/account.ts";
import { createOrderOfArrival, createQueueTurns, type QueuePositionRow, type TurnOf } from "./queue-order.ts";
import { type DueRange, dueHeadsOf } from "../../../storage/due-heads.ts";
import { released, longerLease } from "../../../storage/due-queue.ts";
import { maxLeftRows, positionLifetimeMs, recheckMs } from "../rules/limits.ts";

/** A new position. The store finds its turn. */
export type NewQueuePosition = Omit<
  QueuePosition,
  "turn" | "state" | "login" | "fingerprint" | "usableUntil" | "problem" | "troubleSince"
>;
export type SealedLogin = { login: string; fingerprint: string; usableUntil: number };
export type ListedPosition = Pick<
  QueuePosition,
  "id" | "ticket" | "turn" | "arrivedAt" | "calls" | "problem" | "seenUntil"
>;
export type QueuePositionStore = ReturnType<typeof createQueuePositionStore>;

/**
 * Skips people who have left since the last clean-up. Written so that the index of these times isn't used, because its result would have to be
 * sorted by turn.
 */
const here = (now: number) => ({ seenUntil: { $not: { $lte: now } } });

export function createQueuePositionStore(connection: Connection) {
  const records = openRecords(connection, queuePositionRecord);
  const rows = connection.collection<QueuePositionRow>(records.collection);

  const lastTurn = async ({ registrationId, courseId }: TurnOf, now: number): Promise<number | null> => {
    const present = { registrationId, courseId, state: "waiting" as const, seenUntil: { $gt: now } };
    return (await records.row(present, { sort: { turn: -1 } }))?.turn ?? null;
  };

  const turns = createQueueTurns(connection, lastTurn);
  const inOrderOfArrival = createOrderOfArrival(connection, records);

  /** While any people are present who can't be let in now, they are checked again in a second. */
  const nextDue = async (environment: string, range: DueRange) => {
    if ("$lte" in range || !isAccountId(environment)) return null;
    const present = { environment, state: "waiting", seenUntil: range } as const;
    const someone = await records.row(present);
    return someone === null ? null : { dueAt: Math.max(range.$gt, 0) + recheckMs, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("door", nextDue);

  /**
   * Takes people who left out of the queue, each once. Otherwise every claim would skip them until they are forgotten. People being let in
   * stay, because they may be back. Also puts back people who were seen in the moment they were taken out.
   */
  const sortOut = async (environment: AccountId, now: number): Promise<void> => {
    const left = {
      environment,
      state: "waiting",
      seenUntil: { $lte: now },
      leaseUntil: { $lte: now },
    } as const;
    const back = { environment, state: "left", seenUntil: { $gt: now } } as const;
    for (const [found, state] of [
      [left, "left"],
      [back, "waiting"],
    ] as const) {
      const some = await records.some(["_id"], found, { limit: maxLeftRows });
      const ids = some.map(({ _id }) => _id);
      if (ids.length > 0) await rows.updateMany({ ...found, _id: { $in: ids } }, { $set: { state } });
    }
  };

  /** Applies `change` to the person's open position, or creates a position. */
  const openPositionOf = (position: NewQueuePosition, change: mongo.UpdateFilter<QueuePositionRow>) =>
    queue.announced(position.environment, position.arrivedAt, () => saveOpen(position, change));
  const saveOpen = (position: NewQueuePosition, change: mongo.UpdateFilter<QueuePositionRow>) =>
    retriedOnDuplicate(async () => {
      const { id, registrationId, courseId, personId } = position;
      const open = { registrationId, courseId, personId, open: true } as const;
      const found = await rows.findOneAndUpdate(open, change, { returnDocument: "after" });
      // When its person comes back, a position that was left waits again, at its old turn.
      if (found?.state === "left") await records.change({ _id: found._id, state: "left" }, backAgain);
      if (found !== null)
        return toPosition({ ...found, state: found.state === "left" ? "waiting" : found.state });
      const { ticket, environment, courseLinkId, role, locale, mobile, shown, arrivedAt, calls, seenUntil } =
        position;
      // Built field by field without a mongoose document, as for nonces, because every launch inserts one.
      const row: QueuePositionRow = {
        _id: id,
        ticket,
        environment,
        registrationId,
        courseId,
        personId,
        courseLinkId,
        role,
        locale,
        mobile,
        shown,
        arrivedAt,
        calls,
        seenUntil,
        turn: await turns.next(position, position.arrivedAt),
        state: "waiting",
        login: null,
        fingerprint: null,
        usableUntil: 0,
        problem: null,
        troubleSince: null,
        notBefore: 0,
        expiresAt: new Date(position.arrivedAt + positionLifetimeMs),
        open: true,
        returns: 0,
        ...released,
      };
      await rows.insertOne(row);
      return toPosition({ ...row, turn: await inOrderOfArrival(row) });
    });

  return {
    /** If the person has an open position in this course, it keeps its turn and login and gets the new ticket. The old ticket is void. */
    join: (position: NewQueuePosition): Promise<QueuePosition> => {
      const { ticket, environment, courseLinkId, role, locale, mobile, shown, arrivedAt, seenUntil } =
        position;
      const now = { ticket, environment, courseLinkId, role, locale, mobile, shown, seenUntil };
      return openPositionOf(position, {
        $set: { ...now, expiresAt: new Date(arrivedAt + positionLifetimeMs) },
      });
    },
    /** For a person without a page yet. An open position stays as it is. */
    reserve: (position: NewQueuePosition): Promise<QueuePosition> =>
      openPositionOf(position, { $max: { seenUntil: position.seenUntil } }),
    findByTicket: async (ticket: string): Promise<QueuePosition | null> =>
      orNull(await records.row({ ticket })),
    findMany: async (ids: readonly string[]): Promise<QueuePosition[]> =>
      ids.length === 0 ? [] : await records.list({ _id: { $in: ids } }),
    /** Claims the first present person until `until`. */
    claimNext: async (environment: AccountId, holder: string, now: number, until: number) => {
      const take = () =>
        records.take(
          {
            environment,
            state: "waiting",
            leaseUntil: { $lte: now },
            notBefore: { $lte: now },
            ...here(now),
          },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { sort: { turn: 1, arrivedAt: 1, _id: 1 } },
        );
      const next = async () => {
        await sortOut(environment, now);
        return take();
      };
      const row = await queue.claim(now, { take: next, only: environment });
      if (row === null) return null;
      await turns.serve(environment, row.turn);
      return toPosition(row);
    },
    extend: (id: string, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(id, holder, until)),
    /** Returns false if the claim was lost. The caller then discards the login. */
    keepLogin: (id: string, holder: string, login: SealedLogin): Promise<boolean> =>
      records.change(
        { _id: id, leaseHolder: holder, state: "waiting" },
        { $set: { ...login, state: "ready", problem: null, ...released } },
      ),
    /** Ends the position. The page says why and offers another attempt. */
    fail: async (id: string, holder: string, problem: EntryProblem): Promise<void> => {
      await records.change(
        { _id: id, leaseHolder: holder, state: "waiting" },
        { $set: { state: "failed", problem, ...released }, $unset: { open: 1 } },
      );
    },
    /** Puts the position back at its turn, to be tried again at `notBefore`. */
    putBack: async (
      id: string,
      holder: string,
      trouble: { problem: EntryProblem | null; troubleSince: number | null; notBefore: number },
    ): Promise<void> => {
      const claimed = { _id: id, leaseHolder: holder, state: "waiting" } as const;
      const row = await records.before(claimed, { $set: { ...trouble, ...released } });
      if (row !== null) await queue.givenBack(row.environment, trouble.notBefore);
    },
    /** Removes a failed position whose person got another one. */
    forget: async (id: string): Promise<void> => {
      await records.remove({ _id: id, state: "failed" });
    },
    /** Uses a login. Of all concurrent callers, exactly one gets the position as it was. */
    take: async (id: string, now: number): Promise<QueuePosition | null> =>
      orNull(
        await records.before(
          { _id: id, state: "ready", usableUntil: { $gt: now } },
          { $set: { state: "entered", login: null }, $unset: { open: 1 } },
        ),
      ),
    /** Queues a person whose login can't be used: the first time at the old turn, later at a new one, so nobody can hold the front. */
    waitAgain: async (id: string, now: number): Promise<void> => {
      const row = await records.row({ _id: id, state: "ready" });
      if (row === null) return;
      const turn = row.returns === 0 ? row.turn : await turns.next(row, now);
      const empty = { login: null, fingerprint: null, usableUntil: 0, calls: 1, turn };
      await queue.announced(row.environment, now, () =>
        records.change(
          { _id: id, state: "ready" },
          { $set: { state: "waiting", ...empty, ...released }, $inc: { returns: 1 } },
        ),
      );
    },
    /** Counts these people as present until `until`. */
    seen: async (ids: readonly string[], until: number): Promise<void> => {
      const some = { _id: { $in: [...ids] } };
      const rows = ids.length === 0 ? [] : await records.some(["environment", "state"], some);
      if (rows.length === 0) return;
      await records.changeAll(some, { $set: { seenUntil: until } });
      if (rows.some(({ state }) => state === "left"))
        await records.changeAll({ ...some, state: "left" }, { $set: { state: "waiting" } });
      // People who counted as absent may be let in now.
      for (const environment of new Set(rows.map((row) => row.environment)))
        await queue.givenBack(environment, 0);
    },
    /** Lists people in the queue's order, including those being let in. */
    listWaiting: async (environment: AccountId, now: number): Promise<ListedPosition[]> => {
      const rows = await records.some(
        ["ticket", "turn", "arrivedAt", "calls", "problem", "seenUntil"],
        { environment, state: "waiting", ...here(now) },
        { sort: { turn: 1, arrivedAt: 1, _id: 1 } },
      );
      return rows.map(({ _id, ...position }) => ({ id: _id, ...position }));
    },
    /** Returns arrivals since a moment, by person. */
    arrivalsOf: async (key: Pick<QueuePosition, "registrationId" | "courseId">, since: number) => {
      const rows = await records.some(
        ["personId", "arrivedAt"],
        { ...key, arrivedAt: { $gte: since } },
        { sort: { arrivedAt: 1 } },
      );
      return new Map(rows.map(({ personId, arrivedAt }) => [personId, arrivedAt]));
    },
    /** Reaches back as far as positions are kept. */
    lastArrivalOf: async (
      key: Pick<QueuePosition, "registrationId" | "courseId" | "personId">,
      since: number,
    ): Promise<number | null> => {
      const rows = await records.some(["arrivedAt"], { ...key, arrivedAt: { $gte: since } });
      return rows.length === 0 ? null : Math.max(...rows.map(({ arrivedAt }) => arrivedAt));
    },
    /** Which of these accounts had arrivals. */
    accountsWithArrivals: (environments: readonly AccountId[], since: number): Promise<AccountId[]> =>
      records.distinct("environment", { environment: { $in: environments }, arrivedAt: { $gte: since } }),
    /** Returns courses, each with how many people came. */
    arrivalsSince: async (
      environment: AccountId,
      since: number,
    ): Promise<(Pick<QueuePosition, "registrationId" | "courseId"> & { people: number })[]> => {
      const rows = await records.some(["registrationId", "courseId", "personId"], {
        environment,
        arrivedAt: { $gte: since },
      });
      const courses = new Map<string, { registrationId: string; courseId: string; people: Set<string> }>();
      for (const { registrationId, courseId, personId } of rows) {
        const known = courses.get(courseId) ?? { registrationId, courseId, people: new Set() };
        courses.set(courseId, { ...known, people: known.people.add(personId) });
      }
      return [...courses.values()].map(({ people, ...key }) => ({ ...key, people: people.size }));
    },
    countWaitingOf: (
      { registrationId, courseId }: Pick<QueuePosition, "registrationId" | "courseId">,
      now: number,
    ): Promise<number> =>
      records.count({ registrationId, courseId, state: "waiting", role: "learner", seenUntil: { $gt: now } }),
    /** Ids of people who entered a course through the queue, as far back as positions are kept. */
    enteredSince: async (
      { registrationId, courseId }: Pick<QueuePosition, "registrationId" | "courseId">,
      since: number,
    ): Promise<string[]> => {
      const rows = await records.some(["personId"], {
        registrationId,
        courseId,
        state: "entered",
        arrivedAt: { $gte: since },
      });
      return rows.map(({ personId }) => personId);
    },
    /** How many people wait, for each of these accounts where anybody does. */
    countWaitingByAccount: async (environments: readonly AccountId[], now: number) => {
      const waiting = {
        environment: { $in: environments },
        state: "waiting",
        seenUntil: { $gt: now },
      } as const;
      const counts = new Map<AccountId, number>();
      for (const { environment } of await records.some(["environment"], waiting))
        counts.set(environment, (counts.get(environment) ?? 0) + 1);
      return counts;
    },
  };
}

const backAgain = { $set: { state: "waiting" } } as const;

const toPosition = readerOf(queuePositionRecord);

function orNull(row: QueuePositionRow | null): QueuePosition | null {
  return row === null ? null : toPosition(row);
}
