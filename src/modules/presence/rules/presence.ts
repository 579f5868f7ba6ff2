import { dayMs, hourMs } from "../../../kernel/clock.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { SeenPresence } from "../../../domain/attendance.ts";
import { inEnvironment, words } from "../../../domain/personal-data.ts";
import { describeRecord, field, index } from "../../../domain/record.ts";

export const presenceRecord = describeRecord("Presence", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    sessionId: field.text.or(""),
    userId: field.text,
    signs: field.json<readonly PresenceSign[]>(),
    firstAt: field.number,
    lastAt: field.number,
    /** Whether the person is in the Space, as far as reported. */
    open: field.flag,
    /** Null if not reported. */
    endedAt: field.number.orNull,
  },
  hidden: {
    /** Grows with every signal, so `open` is never written from an older state. */
    revision: field.number,
  },
  indexes: [
    index("environment", "userId", "firstAt"),
    index("environment", "spaceId", "open", "-lastAt"),
    index("lastAt"),
  ],
  personalData: {
    key: "presences",
    holds: "when people were in a Space, and when their tab was hidden, by classroom user id",
    stored: "90 days after the latest report",
    person: [{ over: "once", find: (who) => inEnvironment(who, "userId") }],
    given: [
      {
        over: "once",
        find: (who) => inEnvironment(who, "userId"),
        fields: words("spaceId sessionId signs firstAt lastAt endedAt"),
      },
    ],
    purged: { days: 90, field: "lastAt" },
  },
});

export const presenceRecords = [presenceRecord];

/** After this much silence, a person who wasn't reported as leaving doesn't count as present any more. */
export const silenceMs = 4 * hourMs;
/** A shorter pause is a break within a class. A longer one separates two classes. */
export const breakMs = 15 * 60_000;
/** How long after a session its presence is computed again (ms): presence is kept for 90 days, so part of an older one may be gone. */
export const recomputedForMs = 60 * dayMs;
/** Includes coming and going: several hundred visits in a session that lasts for days. */
export const maxSigns = 1_000;
/** A shorter absence doesn't count, because pages are reloaded and connections break. */
const reconnectMs = 60_000;
/** Presence this long before and after a session is shown with it. */
const earlyMs = 15 * 60_000;
const lateMs = 30 * 60_000;
/** Per person and session: two tab changes a minute for two hours. Beyond that, only coming and going is kept. */
const maxTabSigns = 500;
/** How many stays are stored with a session as evidence. */
export const maxStoredStays = 10;

/** What a signal says about a browser tab (interface 6.2): joinSpace, leaveSpace, hideTab, unhideTab. */
export type PresenceKind = "join" | "leave" | "hide" | "unhide";

/** One signal of a tab, with its time (ms) and room (null if not reported). */
export type PresenceSign = { at: number; kind: PresenceKind; tab: string; room: string };

/** How a stay ended. Only "left" was reported, and pages say so. */
type StayEnd =
  | "left"
  /** No leaving was reported, but the session ended, so they had left by then. */
  | "session-ended"
  /** Long silence: nobody knows when they left. */
  | "silence"
  | "now";

/** A stay in a Space, in any tabs. Times in ms. */
export type Stay = { from: number; to: number; end: StayEnd };

/** One person in one session. Attendance doesn't use it. */
type Presence = {
  /** In order, without overlaps. */
  stays: readonly Stay[];
  /** When all their tabs with the Space were hidden. Empty if that isn't known. */
  hidden: readonly { from: number; to: number }[];
  tabs: number;
  /** The last signal (ms). */
  heardAt: number;
  /** A tab's joining wasn't reported: they were there longer than `stays` says. */
  cameUnknown: boolean;
};

type Span = { from: number; to: number };

/** The order of signals with the same time: changing rooms joins one room while leaving the other. */
const order: Readonly<Record<PresenceKind, number>> = { join: 0, unhide: 1, hide: 2, leave: 3 };

/**
 * Computes presence from all signals of one session, in any order. It isn't documented whether entering a breakout room counts as leaving the
 * Space, so a tab is out when it has left all rooms it joined.
 * @param sessionEndedAt In ms. Null if not reported. @param heardAt The time of a sign that isn't stored (ms).
 */
export function presenceOf(
  signs: readonly PresenceSign[],
  { sessionEndedAt, now, heardAt = 0 }: { sessionEndedAt: number | null; now: number; heardAt?: number },
): Presence {
  const tabs = Map.groupBy(signs, ({ tab }) => tab);
  const last = Math.max(heardAt, ...signs.map(({ at }) => at));
  const open = openEnd(last, sessionEndedAt, now);
  const followed = [...tabs.values()].map((ofTab) => followTab(ofTab, open));
  const stays = joined(followed.flatMap((tab) => tab.stays));
  const visible = joined(followed.flatMap((tab) => tab.visible));
  const cameUnknown = [...tabs.values()].some(isJoiningMissing);
  const hidden = signs.length < maxTabSigns ? without(stays, visible) : [];
  return { stays, hidden, tabs: tabs.size, heardAt: last, cameUnknown };
}

/** Coming and going decides how long a person was there. There may be any amount of hiding. */
export function signsToKeep(known: readonly PresenceSign[], more: readonly PresenceSign[]): PresenceSign[] {
  return more.filter(({ kind }) => kind === "join" || kind === "leave" || known.length < maxTabSigns);
}

/** It never joined, or left before it first did. */
function isJoiningMissing(signs: readonly PresenceSign[]): boolean {
  const joinedAt = Math.min(...signs.flatMap(({ kind, at }) => (kind === "join" ? [at] : [])));
  return joinedAt === Infinity || signs.some(({ kind, at }) => kind === "leave" && at < joinedAt);
}

function openEnd(last: number, sessionEndedAt: number | null, now: number): { to: number; end: StayEnd } {
  if (sessionEndedAt !== null) return { to: Math.max(last, sessionEndedAt), end: "session-ended" };
  return now - last > silenceMs ? { to: last, end: "silence" } : { to: Math.max(last, now), end: "now" };
}

/** A tab's state while its signals are read. `since`: in the Space. `visibleSince`: also visible. */
type TabState = {
  /** Empty if its joining wasn't reported. */
  joinedRooms: ReadonlySet<string>;
  rooms: Set<string>;
  since: number | null;
  visibleSince: number | null;
  stays: Stay[];
  visible: Stay[];
};

/** A tab's stays, and when it was visible. */
function followTab(signs: readonly PresenceSign[], open: { to: number; end: StayEnd }): TabState {
  const state: TabState = {
    joinedRooms: new Set(signs.flatMap(({ kind, room }) => (kind === "join" ? [room] : []))),
    rooms: new Set(),
    since: null,
    visibleSince: null,
    stays: [],
    visible: [],
  };
  const sorted = [...signs].sort((one, other) => one.at - other.at || order[one.kind] - order[other.kind]);
  for (const sign of sorted) steps[sign.kind](state, sign);
  close(state, Math.max(open.to, state.since ?? 0), open.end);
  return state;
}

const steps: Readonly<Record<PresenceKind, (state: TabState, sign: PresenceSign) => void>> = {
  join: (state, { at, room }) => {
    state.rooms.add(room);
    state.since ??= at;
    state.visibleSince ??= at;
  },
  unhide: (state, { at }) => {
    // A tab that left may still be open, so this says nothing. If a tab never joined, its joining was lost.
    if (state.joinedRooms.size === 0) state.since ??= at;
    if (state.since !== null) state.visibleSince ??= at;
  },
  hide: (state, { at }) => {
    // Closing a tab also hides it.
    if (state.visibleSince !== null) state.visible.push({ from: state.visibleSince, to: at, end: "left" });
    state.visibleSince = null;
  },
  leave: (state, { at, room }) => {
    state.rooms.delete(room);
    if (state.joinedRooms.size === 0 && state.stays.length === 0) state.since ??= at;
    if (state.rooms.size === 0 || !state.joinedRooms.has(room)) close(state, at, "left");
  },
};

function close(state: TabState, to: number, end: StayEnd): void {
  if (state.since !== null) state.stays.push({ from: state.since, to, end });
  if (state.visibleSince !== null) state.visible.push({ from: state.visibleSince, to, end });
  Object.assign(state, { since: null, visibleSince: null });
  state.rooms.clear();
}

/** Joins stays in several tabs, and closes short gaps. */
function joined(stays: readonly Stay[]): Stay[] {
  const all: Stay[] = [];
  for (const stay of [...stays].sort((one, other) => one.from - other.from)) {
    const before = all.at(-1);
    if (before === undefined || stay.from - before.to > reconnectMs) all.push({ ...stay });
    else if (stay.to > before.to || (stay.to === before.to && stay.end !== "left"))
      // If two stays end at the same time, keeps the one without a reported end.
      all.splice(-1, 1, { ...stay, from: before.from });
  }
  return all;
}

/** The parts of `spans` that none of `others` covers. */
function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const parts: Span[] = [];
    let { from } = span;
    for (const other of others) {
      if (other.to <= from || other.from >= span.to) continue;
      if (other.from > from) parts.push({ from, to: other.from });
      from = Math.max(from, other.to);
    }
    if (from < span.to) parts.push({ from, to: span.to });
    return parts;
  });
}

/** Whether the person was in the Space at the moment for which `presenceOf` was computed. */
export function isHere({ stays }: Presence): boolean {
  return stays.at(-1)?.end === "now";
}

/** A person's presence as pages show it, in whole minutes. */
export type PresenceSummary = {
  stays: readonly Stay[];
  /** Null if it isn't known when they left. */
  minutes: number | null;
  /** The part of `minutes` in which another tab hid the Space. */
  hiddenMinutes: number;
  tabs: number;
};

/**
 * The part that overlaps a scheduled session, with a margin. If no end is known, people count as present in the sessions in which a signal
 * came.
 * @returns null if they weren't there.
 */
export function presenceIn(
  presences: readonly Presence[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): PresenceSummary | null {
  const [from, to] = [startsAt - earlyMs, endsAt + lateMs];
  const cut = (span: Span): Span => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) });
  const present = presences.flatMap((one) =>
    one.stays.filter((stay) => !isVague(stay) || one.heardAt >= from || stay.from >= from),
  );
  const stays = joined(present)
    .filter((stay) => stay.from < endsAt && stay.to >= startsAt)
    // If a stay's end is only the latest possible one, it's kept even after the session.
    .map((stay) => ({ ...stay, ...cut(stay), ...(isVague(stay) ? { to: stay.to } : {}) }));
  if (stays.length === 0) return null;
  const hidden = presences
    .flatMap((one) => one.hidden)
    .map(cut)
    .filter(
      (span) => span.from < span.to && stays.some((stay) => span.from < stay.to && span.to > stay.from),
    );
  return {
    stays,
    minutes: stays.some(isVague) ? null : minutesOf(stays),
    hiddenMinutes: minutesOf(hidden),
    tabs: presences.reduce((sum, { tabs }) => sum + tabs, 0),
  };
}

/**
 * When a person was in a planned session, as stored after presence itself is gone. Null if they weren't seen in it. A person who hasn't left,
 * as far as reported, may have left long ago, so their time isn't known until they have.
 */
export function seenIn(
  presences: readonly Presence[],
  session: { startsAt: number; endsAt: number },
): SeenPresence | null {
  const { startsAt, endsAt } = session;
  const isIn = ({ from, to }: Span) => from < endsAt && to > startsAt;
  const leftUnknown = presences.some(
    ({ stays, heardAt }) =>
      heardAt < endsAt &&
      stays.some(
        ({ from, to, end }) => end !== "left" && isIn({ from, to: end === "silence" ? to + silenceMs : to }),
      ),
  );
  const present = presences.filter(({ stays }) => stays.some(isIn));
  const seen = seenOf(joined(present.flatMap(({ stays }) => stays)), session);
  if (seen.stays.length === 0) return null;
  const hidden = seenOf(
    present.flatMap((one) => one.hidden),
    session,
  );
  return {
    ...seen,
    ...(hidden.ms === 0 ? {} : { hiddenMs: Math.min(seen.ms, hidden.ms) }),
    ...(leftUnknown ? { leftUnknown: true } : {}),
    ...(present.some(({ cameUnknown }) => cameUnknown) ? { cameUnknown: true } : {}),
  };
}

/** The part of a person's stays that is within a session. @param own In order, without overlaps. */
export function seenOf(
  own: readonly Span[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): SeenPresence {
  const stays = own
    .map(({ from, to }) => ({ from: Math.max(from, startsAt), to: Math.min(to, endsAt) }))
    .filter(({ from, to }) => from < to);
  const ms = stays.reduce((sum, { from, to }) => sum + to - from, 0);
  return { startsAt, endsAt, ms, stays: stays.slice(0, maxStoredStays) };
}

function isVague({ end }: Stay): boolean {
  return end === "session-ended" || end === "silence";
}

function minutesOf(spans: readonly Span[]): number {
  return Math.round(spans.reduce((sum, { from, to }) => sum + to - from, 0) / 60_000);
}
