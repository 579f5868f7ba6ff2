import type { Connection } from "mongoose";
import type { ItemOf, RecordKind, RowOf } from "../domain/record.ts";
import { type DueKind, type DueRange, dueHeadsOf, everything } from "./due-heads.ts";
import { type Filter, kindsOn, openRecords, type Update, collectionsByModel } from "./records.ts";
import { maxClaimMs } from "./limits.ts";

/** One process claims a document for a while. Claims compare `leaseUntil` with the store's clock (record 0010). */
export const released = { leaseHolder: null, leaseUntil: 0 };

/** Later than any clock; the `dueAt` of finished work. */
export const never = Number.MAX_SAFE_INTEGER;

/**
 * Takes the document that has been due longest: `records.take(...dueClaim(holder, now, until))`.
 * @param until When the claim runs out (ms), unless `longerLease` extends it.
 */
export function dueClaim(holder: string, now: number, until: number) {
  return [
    { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
    { $set: { leaseHolder: holder, leaseUntil: until } },
    { sort: { dueAt: 1 } },
  ] as const;
}

/** Extends a claim, unless it was lost: `records.change(...longerLease(id, holder, until))`. */
export function longerLease(id: string, holder: string, until: number) {
  return [{ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } }] as const;
}

export function stillDue(registrationId: string, courseId: string) {
  return { registrationId, courseId, dueAt: { $lt: never } };
}

type QueueOptions<Row> = {
  /** There is a queue for each LMS or account, and they take turns. Left out: all share one queue. */
  within?: "registrationId" | "environment";
  /** What a claim writes in addition to its lease. */
  onClaim?: (now: number) => Update<Row>;
  /** The order among documents that are due at the same time. */
  tieBreak?: { readonly [K in keyof Row]?: 1 | -1 };
};

type DueQueueOf<Row, Item> = {
  /** Announces work, then writes it (record 0010). @param scope The LMS or account, if each has its own queue */
  announced: <T>(dueAt: number, write: () => Promise<T>, scope?: string) => Promise<T>;
  /** Takes the document that has been due longest, until `until`; null if none is due. */
  claimDue: (holder: string, now: number, until: number) => Promise<Item | null>;
  /** @returns false if the claim was lost */
  extend: (id: string, holder: string, until: number) => Promise<boolean>;
  /** Ends a claim; the document is due as its record says. Has no effect on a lost claim. */
  release: (id: string, holder: string) => Promise<void>;
  /** Ends a claim and writes the result. @param seen Writes only if the record still matches this. @returns false if the claim was lost */
  settle: (
    id: string,
    holder: string,
    to: NonNullable<Update<Row>["$set"]>,
    seen?: Filter<Row>,
  ) => Promise<boolean>;
};

/** Records that form a queue by their `dueAt`. One process at a time holds each. */
export function openDueQueue<R extends RecordKind>(
  connection: Connection,
  kind: R,
  head: DueKind,
  options?: QueueOptions<RowOf<R>>,
): DueQueueOf<RowOf<R>, ItemOf<R>>;
export function openDueQueue(
  connection: Connection,
  kind: RecordKind,
  head: DueKind,
  { within, onClaim, tieBreak }: QueueOptions<Record<string, unknown>> = {},
): object {
  const records = openRecords(connection, kind);
  const ofScope = (scope: string) => (within === undefined ? {} : { [within]: scope });
  const scopeOf = (row: Record<string, unknown>) => (within === undefined ? everything : String(row[within]));
  const dueOf = (row: Record<string, unknown>) => ({
    dueAt: Number(row["dueAt"]),
    leaseUntil: Number(row["leaseUntil"]),
  });
  const first = async (scope: string, dueAt: DueRange) => {
    const row = await records.row({ ...ofScope(scope), dueAt }, { sort: { dueAt: 1 } });
    return row === null ? null : dueOf(row);
  };
  const queue = dueHeadsOf(connection).queue(head, first);
  const end = async (
    id: string,
    holder: string,
    to: Record<string, unknown>,
    seen: Filter<RowOf<RecordKind>>,
  ) => {
    const claimed = { ...seen, _id: id, leaseHolder: holder };
    const row = await records.take(claimed, { $set: { ...to, ...released } });
    if (row !== null) await queue.givenBack(scopeOf(row), dueOf(row).dueAt);
    return row !== null;
  };
  return {
    announced: (dueAt: number, write: () => Promise<unknown>, scope = everything) =>
      queue.announced(scope, dueAt, write),
    claimDue: async (holder: string, now: number, until: number) => {
      const take = (scope: string) => {
        const { $set, ...rest } = onClaim?.(now) ?? {};
        const [due, claimed, longest] = dueClaim(holder, now, until);
        return records.take(
          { ...ofScope(scope), ...due },
          { ...rest, $set: { ...$set, ...claimed.$set } },
          { sort: { ...longest.sort, ...tieBreak } },
        );
      };
      const row = await queue.claim(now, { take });
      return row === null ? null : records.read(row);
    },
    extend: (id: string, holder: string, until: number) => records.change(...longerLease(id, holder, until)),
    release: async (id: string, holder: string) => {
      await end(id, holder, {}, {});
    },
    settle: (id: string, holder: string, to: Record<string, unknown>, seen: Filter<RowOf<RecordKind>> = {}) =>
      end(id, holder, to, seen),
  } satisfies Record<keyof DueQueueOf<unknown, unknown>, unknown>;
}

/** Fields of work that is done as soon as it is due. Doing it an hour early does no harm. */
const dueFields = ["dueAt", "nextTryAt", "tellAt", "spaceChangeAt"] as const;
/** Planned by the time of a class. */
const keepsItsTime = "ExpectedClass";
/** Heads are written last: a search in between would postpone them again. */
const heads = "DueHead";

/** For when the time was ahead: work due "now" would otherwise wait until that time comes again. */
export function createDueTimes(connection: Connection) {
  const rows = collectionsByModel(connection);
  return {
    /** Makes work due that is due within `leadMs`, and ends overlong claims if `endsClaims`. @returns how many records it changed */
    pullBack: async (now: number, leadMs: number, endsClaims: boolean): Promise<number> => {
      let changed = 0;
      const kinds = [...kindsOn(connection)].sort(([one], [other]) =>
        one === heads ? 1 : Number(other === heads) * -1,
      );
      for (const [name, { kind }] of kinds) {
        const fields = { ...kind.fields, ...kind.hidden };
        for (const field of name === keepsItsTime ? [] : dueFields.filter((one) => one in fields)) {
          const wrong = { [field]: { $gt: now, $lte: now + leadMs } };
          changed += (await rows(name).updateMany(wrong, { $set: { [field]: now } })).modifiedCount;
        }
        if (!endsClaims || !("leaseUntil" in fields)) continue;
        const claimed = { leaseUntil: { $gt: now + maxClaimMs, $lte: now + leadMs + maxClaimMs } };
        changed += (await rows(name).updateMany(claimed, { $set: { ...released } })).modifiedCount;
      }
      return changed;
    },
    /** How far the time was ahead (ms) according to the latest run of a job; 0 if it wasn't. */
    clockLeadMs: async (now: number): Promise<number> => {
      const latest = (await rows("Job").find({}).toArray()).flatMap(({ runs }) => startsOf(runs));
      return Math.max(0, ...latest.map((at) => at - now));
    },
  };
}

function startsOf(runs: unknown): number[] {
  if (!Array.isArray(runs)) return [];
  return runs.flatMap((run: unknown) =>
    typeof run === "object" && run !== null && "startedAt" in run && typeof run.startedAt === "number"
      ? [run.startedAt]
      : [],
  );
}
