import { readRecord, type SharedRecord } from "./throttle-record.ts";
import {
  ableWithinMs,
  permitsPerOldest,
  careStepMs,
  clockDriftRatio,
  clockToleranceMs,
  givenBackAgeMs,
  maxClocks,
  maxPlanAheadMs,
  maxRecordedPauseMs,
  maxPermits,
  reportAfterMs,
  sameRefusalMs,
  watchOthersMs,
  worthReportingMs,
} from "./limits.ts";
import { rememberIn } from "../kernel/lists.ts";

/** This process's entry in the list of waiting processes. */
export type WaitingEntry = { rank: number; aged: boolean };

/** When a record was read or written, and whether by this process. */
type From = {
  at: number;
  mine: boolean;
  /** When the latest reading that still found an older record began. */
  notBefore: number;
};

/** A permit as this process knows it. `recordedLate` is the lateness in the record. */
type Known = {
  noLaterThan: number;
  late: number;
  left: boolean;
  mine: boolean;
  recordedLate: number;
  recordedLeft: boolean;
};

/** What one process knows about the calls. All times are by its clock. */
export function createLedger(deps: { by: string; limit: number; windowMs: number; maxCare: number }) {
  const { by, limit, windowMs, maxCare } = deps;
  const permits = new Map<number, Known>();
  const clocks = new Map<string, { clockLead: number; at: number }>();
  let pause = { id: "", until: 0 };
  let care = { id: "", level: 0, at: 0 };
  let changes = 0;
  let waiting: { by: string; rank: number; aged: boolean; ableAt: number }[] = [];
  let served: string[] = [];
  let sinceAged = 0;
  let reportNow = false;
  let othersSeenAt = -Infinity;

  /** The permits that the service saw, or may see, last. The last of them decides when the next one opens. */
  function latestSeen(now: number): { permit: Known; seen: number }[] {
    // After a clock was set back, no permit may be far in the future.
    for (const permit of permits.values())
      permit.noLaterThan = Math.min(permit.noLaterThan, now + maxPlanAheadMs);
    return [...permits.values()]
      .map((permit) => ({ permit, seen: permit.noLaterThan + permit.late }))
      .sort((a, b) => b.seen - a.seen)
      .slice(0, limit);
  }

  function opensAt(now: number): number {
    pause.until = Math.min(pause.until, now + maxRecordedPauseMs);
    const blocking = latestSeen(now)[limit - 1];
    return Math.max(blocking === undefined ? 0 : blocking.seen + windowMs, pause.until);
  }

  function latest(): number {
    return Math.max(0, ...permits.keys());
  }

  function contended(now: number): boolean {
    return waiting.some((each) => each.by !== by) || now - othersSeenAt < watchOthersMs;
  }

  /**
   * The latest moment at which a record can have been written, by this process's clock. It isn't after the reading, and it isn't further
   * from the writer's clock than the quickest reading from that writer shows.
   */
  function writtenBy(shared: SharedRecord, dayTime: number, { at, notBefore }: From): number {
    const known = clocks.get(shared.by);
    const seen = at - shared.writtenAt;
    const clockLead =
      known === undefined ? seen : Math.min(seen, known.clockLead + clockDriftRatio * (at - known.at));
    // The writer's clock stood still, as when a whole machine was paused.
    const wrong = shared.writtenAt + clockLead < notBefore;
    rememberIn(clocks, maxClocks, shared.by, { clockLead: wrong ? seen : clockLead, at });
    const old = Math.min(seen, dayTime - (shared.dayTime ?? shared.writtenAt)) - clockToleranceMs;
    return Math.min(at - Math.max(0, old), wrong ? at : shared.writtenAt + clockLead);
  }

  /** This process knows its own calls best. Calls of others are as the record says. */
  function learnPermits(listed: SharedRecord["permits"], written: number, mine: boolean): void {
    for (const n of permits.keys()) if (!listed.some((each) => each.n === n)) permits.delete(n);
    for (const { n, age, late, left } of listed) {
      const reported = {
        noLaterThan: written - age,
        late,
        left,
        mine,
        recordedLate: late,
        recordedLeft: left,
      };
      const known = permits.get(n);
      permits.set(n, known === undefined ? reported : learnt(known, reported));
    }
  }

  function learnt(known: Known, reported: Known): Known {
    const noLaterThan = Math.min(known.noLaterThan, reported.noLaterThan);
    if (!known.mine) return { ...reported, noLaterThan, mine: false };
    // The permit was given back, and another process wrote before it knew.
    if (reported.noLaterThan - noLaterThan > givenBackAgeMs / 2) reportNow = true;
    return {
      ...known,
      noLaterThan,
      recordedLate: reported.recordedLate,
      recordedLeft: reported.recordedLeft,
    };
  }

  /** The earlier end is the better estimate for one pause. If there are two pauses, the later end counts. */
  function learnPause(reported: SharedRecord["pause"], written: number, now: number): void {
    const until = written + reported.ms;
    if (reported.id === pause.id) pause.until = Math.min(pause.until, until);
    else if (until >= pause.until) pause = { id: reported.id, until };
    else if (pause.until > now) reportNow = true;
  }

  /** The later refusal counts. For the same one, the earlier estimate is the better one. */
  function learnCare(reported: SharedRecord["care"], written: number): void {
    const at = written - reported.age;
    if (reported.id === care.id) care.at = Math.min(care.at, at);
    else if (at >= care.at) care = { id: reported.id, level: reported.level, at };
    else reportNow = true;
  }

  function careNow(now: number): number {
    return Math.max(0, care.level - Math.floor((now - care.at) / careStepMs));
  }

  return {
    /** When the next permit opens, as far as this process knows. */
    opensAt,

    /** Whether it may open sooner, because another process hasn't reported yet when its call's bytes left. */
    mayOpenSooner: (now: number): boolean => {
      const blocking = latestSeen(now)[limit - 1]?.permit;
      return blocking !== undefined && !blocking.mine && !blocking.left;
    },

    /** Takes in a record that was read at `at`, or written by this process then; null if there is none. */
    observe: (record: string | null, dayTime: number, from: From): void => {
      const shared = record === null ? null : readRecord(record);
      if (shared === null) return;
      const { at, mine } = from;
      const written = mine ? at : writtenBy(shared, dayTime, from);
      reportNow = false;
      const longAgo = at - written > clockToleranceMs;
      waiting = longAgo ? [] : shared.waiting.map((each) => ({ ...each, ableAt: written + each.opensIn }));
      ({ served, sinceAged } = shared);
      if (!longAgo && served.at(-1) !== by) othersSeenAt = at;
      learnPermits(shared.permits, written, mine);
      learnPause(shared.pause, written, at);
      learnCare(shared.care, written);
    },

    /** When to report something for which others would otherwise wait needlessly; null if there is nothing. */
    reportAt: (now: number): number | null => {
      if (reportNow) return now;
      if (!contended(now)) return null;
      const unreported = [...permits.values()].filter(
        (each) =>
          each.mine &&
          (each.left || each.late < each.recordedLate) &&
          Math.abs(each.recordedLate - each.late) > worthReportingMs &&
          each.noLaterThan + each.recordedLate + windowMs > now,
      );
      if (unreported.length === 0) return null;
      return Math.min(
        ...unreported.map((each) =>
          each.late > each.recordedLate || each.recordedLeft ? now : each.noLaterThan + reportAfterMs,
        ),
      );
    },

    /** Stops reporting, because the store doesn't answer. */
    giveUpReporting: (): void => {
      reportNow = false;
      for (const permit of permits.values()) permit.recordedLate = permit.late;
    },

    nextNumber: (): number => latest() + 1,

    /** The record to write. `permit` gives a permit to this process; `without` drops entries that nobody waits for. */
    record: (
      now: number,
      dayTime: number,
      change: {
        entry: WaitingEntry | null;
        permit?: { at: number; aged: boolean; late: number };
        without?: readonly string[];
      },
    ): string => {
      const { permit } = change;
      const n = latest() + 1;
      const highest = permit === undefined ? latest() : n;
      const others = waiting.filter((each) => each.by !== by && !(change.without ?? []).includes(each.by));
      const opensIn = Math.max(0, Math.round(opensAt(now) - now));
      const shared: SharedRecord = {
        permits: [...permits]
          .map(([number, { noLaterThan, late, left }]) => ({ n: number, age: now - noLaterThan, late, left }))
          .concat(permit === undefined ? [] : [{ n, age: now - permit.at, late: permit.late, left: false }])
          .sort((a, b) => a.age - a.late - (b.age - b.late))
          // The highest number stays even if its permit was given back, so no number is used twice.
          .filter((each, index) => index < maxPermits || each.n === highest),
        pause: { id: pause.id, ms: Math.max(0, pause.until - now) },
        care: { id: care.id, level: care.level, age: now - care.at },
        waiting: others
          // Every reader of this record knows as much as its writer.
          .map(({ ableAt, ...each }) => ({ ...each, opensIn: Math.max(0, Math.min(ableAt - now, opensIn)) }))
          .concat(change.entry === null ? [] : [{ by, ...change.entry, opensIn }]),
        served: permit === undefined ? served : [...served.filter((each) => each !== by), by].slice(-128),
        sinceAged: permit?.aged === true ? 0 : sinceAged + (permit === undefined ? 0 : 1),
        by,
        writtenAt: now,
        dayTime,
      };
      return JSON.stringify(shared);
    },

    /** Whether the next permit ignores priority. */
    agedTurn: (mine: WaitingEntry) =>
      sinceAged >= permitsPerOldest - 1 && (mine.aged || waiting.some((each) => each.aged && each.by !== by)),

    earlier: (opens: number, mine: WaitingEntry, agedTurn: boolean): string[] => {
      const turnOf = (each: { by: string; rank: number; aged: boolean }): [number, number] => [
        agedTurn ? Number(!each.aged) : each.rank,
        served.lastIndexOf(each.by),
      ];
      const [myClass, myTurn] = turnOf({ by, ...mine });
      return waiting
        .filter((each) => each.by !== by && each.ableAt <= opens + ableWithinMs)
        .filter((each) => {
          const [itsClass, itsTurn] = turnOf(each);
          if (itsClass !== myClass) return itsClass < myClass;
          return itsTurn === myTurn ? each.by < by : itsTurn < myTurn;
        })
        .map((each) => each.by);
    },

    /** This process's entry in the shared record. */
    ownEntry: (): WaitingEntry | null => waiting.find((each) => each.by === by) ?? null,

    /** Whether other processes use the same key. */
    contended,

    /** The service saw the call of permit `n` at most `late` ms after its moment. */
    settle: (n: number, late: number): void => {
      const permit = permits.get(n);
      if (permit === undefined) return;
      permit.late = late;
      permit.left = true;
    },

    giveBack: (n: number, now: number): void => {
      const permit = permits.get(n);
      if (permit === undefined) return;
      permit.noLaterThan = Math.min(permit.noLaterThan, now - givenBackAgeMs);
      reportNow = true;
    },

    paused: (now: number): boolean => pause.until > now,

    pauseUntil: (until: number): void => {
      if (until <= pause.until) return;
      changes += 1;
      pause = { id: `${by} ${changes}`, until };
      reportNow = true;
    },

    /** How careful to be: 0 after a long time without a 429. */
    care: careNow,

    /** A call got a 429, so the service counts differently. All processes are more careful for a while. */
    refused: (now: number): void => {
      if (now - care.at < sameRefusalMs) return;
      changes += 1;
      care = { id: `${by} ${changes}`, level: Math.min(maxCare, careNow(now) + 1), at: now };
      reportNow = true;
    },
  };
}
