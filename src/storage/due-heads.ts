import type { Connection } from "mongoose";
import type { RowOf } from "../domain/record.ts";
import { dueHeadRecord } from "../modules/operations/rules/records.ts";
import {
  announcementTtlMs,
  claimLeaseMs,
  emptySearchPausesMs,
  headPageSize,
  maxHeadsRead,
  passedOverMs,
} from "./limits.ts";
import { openRecords } from "./records.ts";

type HeadRow = RowOf<typeof dueHeadRecord>;

/** The queues of stores. Kinds of tasks name their own. */
export type DueKind =
  | "deliveries"
  | "regrades"
  | "institution-regrades"
  | "owed-grades"
  | "columns"
  | "receipts"
  | "slow-receipts"
  | "people"
  | "matches"
  | "claimed-sessions"
  | "marks"
  | "session-plans"
  | "space-changes"
  | "erasures"
  | "door"
  | "ahead";

export type DueWork = { dueAt: number; leaseUntil: number };
/** A range of times; times that never come are above all ranges. */
export type DueRange = { $lte: number } | { $gt: number; $lt: number };
/** Finds the first work of a scope in a range of times, with one index search. */
export type FirstDue = (scope: string, range: DueRange) => Promise<DueWork | null>;

/** Why a scope is skipped: busy for a while, or not before a moment (ms). */
export type Passed = "busy" | { until: number } | null;

/** Takes one piece of a scope's work under the caller's lease. May skip scopes. */
export type Taking<Work> = {
  take: (scope: string) => Promise<Work | null>;
  pass?: ((scope: string) => Passed | Promise<Passed>) | undefined;
  /** The only scope to look at; default: all. */
  only?: string;
};

export type DueQueue = {
  /** Writes work that is due at `at` (ms) or earlier. The head is written first, so a kill in between loses nothing. */
  announced: <T>(scope: string, at: number, write: () => Promise<T>) => Promise<T>;
  /** Says that claimed work was released and is due at `at` (ms). Afterwards is early enough, because a claim expires. */
  givenBack: (scope: string, at: number) => Promise<void>;
  /** Takes work of the scope whose head has been due longest; null if nothing can be taken. */
  claim: <Work>(now: number, taking: Taking<Work>) => Promise<Work | null>;
  /** Scopes in which something may be due, with one search. */
  scopesDue: (now: number) => Promise<string[]>;
  /** Corrects heads that are missing or later than their work. @returns how many */
  repair: (scopes: readonly string[], now: number) => Promise<number>;
};

export type DueHeads = ReturnType<typeof createDueHeads>;

export type OnDue = (kind: string, at: number) => void;

/** The scope of work in which nothing is skipped. */
export const everything = "everything";

/** Above every real time, and at most what stores write for "never" (0.2 wrote this value into marks and plans). */
export const horizonMs = 8_640_000_000_000_000;

const anyTime: DueRange = { $gt: -1, $lt: horizonMs };

const opened = new WeakMap<Connection, DueHeads>();

/**
 * One for each process and connection, because the stores share what they know about announcements.
 * @param elapsed Milliseconds that have passed in this process, whatever its clock says.
 */
export function dueHeadsOf(connection: Connection, elapsed = () => performance.now()): DueHeads {
  const known = opened.get(connection);
  if (known !== undefined) return known;
  const heads = createDueHeads(connection, elapsed);
  opened.set(connection, heads);
  return heads;
}

/**
 * Heads are hints that may be early and must not be late (record 0010): an early one costs a search, a late one delays work.
 * || Work is announced before it is written: the head's `dueAt` goes down ($min), its `revision` up, its `looks` to 0. A claim reads the
 * head, then looks for work. If it finds none, it raises `dueAt` to the next piece of work, but only if the revision is still the same, so
 * an announcement after the reading wins. An announcement before the reading, whose work isn't written yet, would lose. Therefore `dueAt`
 * goes up by at most a second after the first empty search, by 14 seconds after the second, and to the next piece of work only after the
 * third. By then the store has given up the write, so the work is there or never will be (the process was killed). Both spans use the
 * clock of the process that searches.
 * || Claimed work is due again when the claim ends, and its head says so. A release lowers the head afterwards. `repair` corrects the rest
 * (a process of an earlier release, a restored backup).
 */
function createDueHeads(connection: Connection, elapsed: () => number) {
  const records = openRecords(connection, dueHeadRecord);
  const idOf = (kind: string, scope: string) => `${kind} ${scope}`;
  const queues = new Map<string, DueQueue>();
  let heard: OnDue = () => undefined;

  function createQueue(kind: string, first: FirstDue): DueQueue {
    /** Announcements of this process that every head still respects. One that is being written serves everybody who waits for it. */
    const fresh = new Map<string, { at: number; madeAt: number; made: Promise<void> }>();
    /** Scopes in which this process wrote work since it last found none, with the number of writes at that time. */
    const written = new Map<string, number>();
    let writes = 0;

    const lower = async (scope: string, at: number): Promise<void> => {
      if (at >= horizonMs) return;
      const last = fresh.get(scope);
      const madeAt = elapsed();
      if (last !== undefined && last.at <= at && madeAt < last.madeAt + announcementTtlMs) return last.made;
      const made = records.save(
        { _id: idOf(kind, scope) },
        { $min: { dueAt: at }, $inc: { revision: 1 }, $set: { looks: 0 }, $setOnInsert: { kind, scope } },
      );
      fresh.set(scope, { at, madeAt, made });
      made.catch(() => {
        if (fresh.get(scope)?.made === made) fresh.delete(scope);
      });
      return made;
    };

    /** When the next work of a scope can be taken (ms). Claimed work can when its claim ends. */
    const nextAt = async (scope: string, now: number): Promise<number> => {
      const next = await first(scope, anyTime);
      if (next === null || next.dueAt > now) return next?.dueAt ?? horizonMs;
      const later = await first(scope, { $gt: now, $lt: horizonMs });
      const free = Math.min(Math.max(now, next.leaseUntil), now + claimLeaseMs);
      return Math.min(free, later?.dueAt ?? horizonMs);
    };

    const raise = async ({ _id, scope, revision, looks }: HeadRow, now: number): Promise<void> => {
      const next = await nextAt(scope, now);
      const pause = emptySearchPausesMs[looks];
      fresh.delete(scope);
      const dueAt = pause === undefined ? next : Math.min(next, now + pause);
      await records.change(
        { _id, revision },
        { $set: { dueAt, looks: Math.min(looks + 1, emptySearchPausesMs.length) }, $inc: { revision: 1 } },
      );
      // Due work that can't be claimed yet (its account rests) would otherwise be claimed again and again without a pause.
      heard(kind, Math.max(dueAt, now + passedOverMs));
    };

    /** The head of one scope, if it is due. */
    async function* theHead(scope: string, now: number): AsyncGenerator<HeadRow> {
      const head = await records.row({ _id: idOf(kind, scope) });
      if (written.has(scope)) yield head ?? erased(scope);
      else if (head !== null && head.dueAt <= now) yield head;
    }

    /** Due heads, those due longest first, then those of scopes in which this process has written. */
    async function* candidates(now: number): AsyncGenerator<HeadRow> {
      const seen = new Set<string>();
      // Many may be due at the same moment, so a page starts at the last one's moment, without those seen already.
      let from = -horizonMs;
      for (;;) {
        const rows = await records.rows(
          { kind, dueAt: { $gte: from, $lte: now }, _id: { $nin: [...seen] } },
          { sort: { dueAt: 1 }, limit: headPageSize },
        );
        for (const row of rows) seen.add(row._id);
        yield* rows;
        from = rows.at(-1)?.dueAt ?? from;
        if (rows.length < headPageSize) break;
      }
      const own = [...written.keys()].filter((scope) => !seen.has(idOf(kind, scope)));
      if (own.length === 0) return;
      const ids = own.map((scope) => idOf(kind, scope));
      const known = new Map((await records.rows({ _id: { $in: ids } })).map((row) => [row.scope, row]));
      for (const scope of own) yield known.get(scope) ?? erased(scope);
    }
    const erased = (scope: string): HeadRow => {
      fresh.delete(scope);
      return { _id: idOf(kind, scope), kind, scope, dueAt: horizonMs, revision: 0, looks: 0 };
    };

    const search = async <Work>(now: number, { take, pass, only }: Taking<Work>): Promise<Work | null> => {
      let passedOver = 0;
      for await (const head of only === undefined ? candidates(now) : theHead(only, now)) {
        const passed = (await pass?.(head.scope)) ?? null;
        if (passed !== null) {
          passedOver += 1;
          if (passed !== "busy") await putOff(head, passed.until);
          continue;
        }
        const wrote = written.get(head.scope);
        const work = await take(head.scope);
        if (work !== null) {
          await turnTaken(head, now, passedOver);
          return work;
        }
        await raise(head, now);
        if (written.get(head.scope) === wrote) written.delete(head.scope);
      }
      return null;
    };

    const putOff = async ({ _id, revision }: HeadRow, until: number): Promise<void> => {
      await records.change({ _id, revision }, { $set: { dueAt: until }, $inc: { revision: 1 } });
      heard(kind, until);
    };

    /** A scope that was served goes behind the others that are due. If only this process keeps serving it, it becomes due for all. */
    const turnTaken = async ({ _id, scope, dueAt, revision }: HeadRow, now: number, others: number) => {
      if (dueAt > now) await lower(scope, now);
      else if (dueAt + announcementTtlMs <= now && (others > 0 || (await othersDue(_id, now))))
        await records.change({ _id, revision }, { $set: { dueAt: now } });
    };
    const othersDue = async (id: string, now: number) =>
      await records
        .some(["_id"], { kind, dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit: 2 })
        .then((rows) => rows.some(({ _id }) => _id !== id));

    /** Lanes search one after the other. A lane that waited while another found nothing takes that answer. */
    const turns = new Map<string, { last: Promise<unknown>; empty: { asked: number; writes: number } }>();
    let asked = 0;
    const claim = <Work>(now: number, taking: Taking<Work>): Promise<Work | null> => {
      asked += 1;
      const mine = asked;
      const key = taking.only ?? "";
      const turn = turns.get(key) ?? { last: Promise.resolve(), empty: { asked: -1, writes: -1 } };
      turns.set(key, turn);
      const looked = turn.last.then(async () => {
        if (turn.empty.asked >= mine && turn.empty.writes === writes) return null;
        const seen = { asked, writes };
        const work = await search(now, taking);
        if (work === null) turn.empty = seen;
        return work;
      });
      turn.last = looked.catch(() => undefined);
      return looked;
    };

    return {
      announced: async (scope, at, write) => {
        await lower(scope, at);
        const done = await write();
        writes += 1;
        written.set(scope, writes);
        heard(kind, at);
        return done;
      },
      givenBack: async (scope, at) => {
        await lower(scope, at);
        writes += 1;
        heard(kind, at);
      },
      claim,
      scopesDue: async (now) => {
        const rows = await records.some(
          ["scope"],
          { kind, dueAt: { $lte: now } },
          { sort: { dueAt: 1 }, limit: maxHeadsRead },
        );
        return [...new Set([...rows.map(({ scope }) => scope), ...written.keys()])];
      },
      repair: async (scopes, now) => {
        let repaired = 0;
        for (const scope of scopes) {
          const work = await first(scope, anyTime);
          if (work === null) continue;
          const at = Math.max(work.dueAt, work.leaseUntil > now ? work.leaseUntil : 0);
          const head = await records.row({ _id: idOf(kind, scope) });
          if (head !== null && head.dueAt <= Math.max(at, now)) continue;
          fresh.delete(scope);
          await lower(scope, at);
          heard(kind, at);
          repaired += 1;
        }
        return repaired;
      },
    };
  }

  const open = (kind: string, first: FirstDue): DueQueue => {
    const queue = createQueue(kind, first);
    queues.set(kind, queue);
    return queue;
  };
  return {
    everything,
    queue: (kind: DueKind, first: FirstDue): DueQueue => open(kind, first),
    /** The heads of a kind of task. @throws Error if another queue has that name. */
    taskQueue: (name: string, first: FirstDue): DueQueue => {
      if (queues.has(name)) throw new Error(`Two queues are called ${name}.`);
      return open(name, first);
    },
    /** Scopes in which something in a queue may be due. */
    scopesDue: (kind: DueKind, now: number) => queues.get(kind)?.scopesDue(now) ?? Promise.resolve([]),
    kinds: (): string[] => [...queues.keys()],
    /** Calls `onDue` when this process makes, postpones or releases work, with the time it is due (ms). There is one listener, the latest. */
    listen: (onDue: OnDue): void => {
      heard = onDue;
    },
    /** When something of each kind may be due first, if before a moment (ms), with one search for all kinds. */
    kindsDue: async (by: number): Promise<ReadonlyMap<string, number>> => {
      const rows = await records.some(
        ["kind", "dueAt"],
        { dueAt: { $lte: by } },
        { sort: { dueAt: 1 }, limit: maxHeadsRead },
      );
      const last = rows[maxHeadsRead - 1];
      const unseen = last === undefined ? [] : [...queues.keys()].map((kind) => [kind, last.dueAt] as const);
      // For each kind, the first one in the list counts.
      return new Map([...unseen, ...rows.reverse().map(({ kind, dueAt }) => [kind, dueAt] as const)]);
    },
    /** Calls `DueQueue.repair` for every queue. */
    repair: async (scopes: readonly string[], now: number): Promise<number> => {
      let repaired = 0;
      for (const queue of queues.values()) repaired += await queue.repair(scopes, now);
      return repaired;
    },
  };
}
