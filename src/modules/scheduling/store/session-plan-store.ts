import type { AccountId } from "../../../domain/account.ts";
import { type OwnFacts, type PlannedSession, plannedSessionRecord } from "../rules/course-session.ts";
import { openDueQueue, never, released } from "../../../storage/due-queue.ts";
import type { ItemOf, RowOf } from "../../../domain/record.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";
import type { Connection } from "mongoose";
import { type CalendarAddress, calendarAddressRecord, seriesChangeRecord } from "../rules/records.ts";

/** The outcome of a step. `dueAt` null: no further step. */
export type PlanOutcome = Partial<
  Pick<PlannedSession, "state" | "task" | "eventId" | "askedAt" | "attempts" | "problem" | "problemCode">
> & { dueAt: number | null };

/** A person's change. `dueAt` null: no step follows. */
export type PlanChange = Partial<OwnFacts> &
  Partial<Pick<PlannedSession, "title" | "startsAt" | "endsAt">> &
  Partial<Pick<PlannedSession, "state" | "task" | "askedAt" | "attempts" | "problem">> & {
    dueAt?: number | null;
  };

/** The event may exist, but is unknown. */
const lost: PlannedSession["state"][] = ["unknown", "assumed"];

/** Planned sessions, one document per instance, and found sessions about which an instructor said something. */
export function createSessionPlanStore(connection: Connection) {
  const records = openRecords(connection, plannedSessionRecord);
  const rowsOf = records.once(({ courseId, limit }: { courseId: string; limit: number }) =>
    records.rows({ courseId }, { sort: { startsAt: -1 }, limit }),
  );
  const queue = openDueQueue(connection, plannedSessionRecord, "session-plans", {
    within: "environment",
    tieBreak: { startsAt: 1 },
  });
  const withDue = <Change extends { dueAt?: number | null }>({ dueAt, ...change }: Change) =>
    dueAt === undefined ? change : { ...change, dueAt: dueAt ?? never };

  return {
    /** Leaves known ids as they are, so it's repeatable. */
    insert: async (plans: readonly PlannedSession[], dueAt: number): Promise<void> => {
      const [first] = plans;
      if (first === undefined) return;
      const writes = plans.map(({ id, ...plan }) => ({
        filter: { _id: id },
        update: { $setOnInsert: { ...plan, ...released, dueAt } },
        upsert: true,
      }));
      await queue.announced(dueAt, () => records.changeEach(writes), first.environment);
    },
    /** Records an instructor's first statement about a session made in the classroom. @returns the record as it is now. */
    adopt: async (found: PlannedSession & { eventId: string }): Promise<PlannedSession> => {
      const { id, ...plan } = found;
      const row = { ...plan, ...released, dueAt: never };
      await records.ensure({ _id: id }, row).catch(onDuplicate(false)); // if it's a duplicate, it was planned here after all
      return (await records.find({ environment: found.environment, eventId: found.eventId })) ?? found;
    },
    /** Removes what was said about a found session that is gone. */
    forgetFound: async (environment: AccountId, eventId: string): Promise<void> => {
      await records.remove({ environment, eventId, origin: "found" });
    },
    find: async (id: string) => records.find({ _id: id }),
    findByEvent: async (environment: AccountId, eventId: string) => records.find({ environment, eventId }),
    listOfCourse: async (courseId: string, limit: number) =>
      (await rowsOf({ courseId, limit })).map(records.read),
    listUncounted: async (courseId: string) =>
      (await records.rows({ courseId, counts: false }, { limit: 2_000 })).flatMap(
        ({ eventId }) => eventId ?? [],
      ),
    listSeries: (courseId: string, seriesId: string) =>
      records.list({ courseId, seriesId }, { sort: { number: 1 } }),
    listLost: (spaceId: string, { startsAt, endsAt }: Pick<PlannedSession, "startsAt" | "endsAt">) =>
      records.list({ spaceId, state: { $in: lost }, startsAt, endsAt }, { limit: 20 }),
    /** Claims the plan that has been due longest, of the account whose turn it is. Of a series, that is the next session. */
    claimDue: queue.claimDue,
    extend: queue.extend,
    /**
     * Notes a request before it's sent. @param revision The claimed revision. @param now Null takes the note back,
     * because the classroom did nothing. @returns false if the claim was lost or the plan changed. Then nothing may be
     * requested.
     */
    markAsked: (id: string, holder: string, revision: number, now: number | null) =>
      records.change({ _id: id, leaseHolder: holder, revision }, { $set: { askedAt: now } }),
    /**
     * Writes a step's outcome and releases the claim. @param seen The claimed revision. With another revision, nothing is written.
     * @returns false if the claim was lost or the plan has changed.
     */
    settle: (id: string, holder: string, outcome: PlanOutcome, seen?: number) =>
      queue.settle(id, holder, withDue(outcome), seen === undefined ? {} : { revision: seen }),
    /** Stores the Space that the course has by now. */
    saveSpace: async (id: string, holder: string, spaceId: string): Promise<void> => {
      await records.change({ _id: id, leaseHolder: holder }, { $set: { spaceId } });
    },
    release: queue.release,
    /** @param plan As it was read. @returns false if it has changed since. Read it again. */
    change: async (
      plan: Pick<PlannedSession, "id" | "environment" | "revision" | "state" | "askedAt" | "eventId">,
      change: PlanChange,
    ): Promise<boolean> => {
      const { id, environment, revision, state, askedAt, eventId } = plan;
      const write = () =>
        records.change(
          { _id: id, revision, state, askedAt, eventId },
          { $set: withDue(change), $inc: { revision: 1 } },
        );
      return queue.announced(change.dueAt ?? never, write, environment);
    },
    /** For a plan of unknown outcome. @returns false if it has an event, or another plan has this one. */
    couple: (id: string, eventId: string): Promise<boolean> =>
      records
        .change(
          { _id: id, state: { $in: lost }, eventId: null },
          { $set: { eventId, state: "made", task: null, problem: null, dueAt: never } },
        )
        .catch(onDuplicate(false)),
  };
}

export type SeriesChange = ItemOf<typeof seriesChangeRecord>;

/** Webhooks of one change are at most this far apart (ms). */
const togetherMs = 60_000;

export function createSeriesChangeStore(connection: Connection) {
  const records = openRecords(connection, seriesChangeRecord);

  return {
    note: async ({ at, ...change }: Omit<SeriesChange, "eventIds">, eventId: string): Promise<void> => {
      const { courseId, eventType, scope, title } = change;
      const _id = JSON.stringify([courseId, eventType, scope, title, Math.floor(at / togetherMs)]);
      await records.save({ _id }, { $setOnInsert: change, $min: { at }, $addToSet: { eventIds: eventId } });
    },
    listOfCourse: async (courseId: string, limit: number) =>
      (await records.rows({ courseId }, { sort: { at: -1 }, limit })).map(({ _id, by, ...row }) => ({
        ...row,
        by: by ?? null,
      })),
  };
}

type Owner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

export function createCalendarStore(connection: Connection) {
  const records = openRecords(connection, calendarAddressRecord);
  const keyOf = ({ scope, ownerId }: Owner) => `${scope}:${ownerId}`;

  return {
    renew: async (address: CalendarAddress): Promise<void> => {
      const { registrationId, scope, ownerId } = address;
      // After two persons were merged, both had an address.
      await records.remove({ registrationId, scope, ownerId, _id: { $ne: keyOf(address) } });
      await records.save({ _id: keyOf(address) }, { $set: { ...address } });
    },
    revoke: async (owner: Owner): Promise<void> => {
      const { registrationId, scope, ownerId } = owner;
      await records.remove({ registrationId, scope, ownerId });
    },
    find: async (owner: Owner) => orNull(await records.row({ ...owner })),
    findByDigest: async (digest: string) => orNull(await records.row({ digest })),
  };
}

function orNull(row: RowOf<typeof calendarAddressRecord> | null): CalendarAddress | null {
  if (row === null) return null;
  const { _id, ...address } = row;
  return address;
}
