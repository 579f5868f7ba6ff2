/** What a sign says of a browser tab (interface 6.2): joinSpace, leaveSpace, hideTab, unhideTab. */
export type PresenceKind = "join" | "leave" | "hide" | "unhide";

/** One thing that was told of a tab; its time (ms), and the room, null when it is not told. */
export type PresenceSign = { at: number; kind: PresenceKind; tab: string; room: string };

/** How a stay in a Space ended. Only "left" was told of the person; the others say so where they are shown. */
export type StayEnd =
  /** They left. */
  | "left"
  /** Nothing told that they left, but the session ended: then at the latest. */
  | "session-ended"
  /** Nothing more was heard of them, and it is long ago: when they left is not known. */
  | "silence"
  /** They are in it now. */
  | "now";

/** A stay in a Space, in whatever tabs; times in milliseconds since the epoch. */
export type Stay = { from: number; to: number; end: StayEnd };

/** What the events of one person in one session come to. Evidence beside attendance; it counts for no grade. */
export type Presence = {
  /** The earliest first; they do not touch. */
  stays: readonly Stay[];
  /** When every tab of theirs with the Space was hidden behind another one. */
  hidden: readonly { from: number; to: number }[];
  tabs: number;
  /** When something was told of them last (ms). */
  heardAt: number;
};

/** Nothing heard of anybody for so long (ms): whoever was not told to have left is not counted as being there. */
export const silentAfter = 4 * 3_600_000;
/** Who comes back so soon (ms) was not away: pages are reloaded and connections break. */
const reconnect = 60_000;

type Span = { from: number; to: number };

/** At the same moment somebody comes before they go: who changes rooms joins one as they leave the other. */
const order: Readonly<Record<PresenceKind, number>> = { join: 0, unhide: 1, hide: 2, leave: 3 };

/**
 * Computes from all that was told of one person in one session when they were in the Space. Order and repetition of the
 * signs do not matter. A tab may be in several rooms, for whether the Space is left with a breakout room is not shown: it is
 * out when every room it joined was left, or when it left one that it never joined.
 * @param sessionEndedAt When the session ended (ms); null while that was not told.
 */
export function presenceOf(
  signs: readonly PresenceSign[],
  { sessionEndedAt, now }: { sessionEndedAt: number | null; now: number },
): Presence {
  const tabs = new Map<string, PresenceSign[]>();
  for (const sign of signs) tabs.set(sign.tab, [...(tabs.get(sign.tab) ?? []), sign]);
  const last = Math.max(0, ...signs.map(({ at }) => at));
  const open = openEnd(last, sessionEndedAt, now);
  const followed = [...tabs.values()].map((ofTab) => followTab(ofTab, open));
  const stays = joined(followed.flatMap((tab) => tab.stays));
  const visible = joined(followed.flatMap((tab) => tab.visible));
  return { stays, hidden: without(stays, visible), tabs: tabs.size, heardAt: last };
}

/** Where a stay ends of which no end was told. */
function openEnd(last: number, sessionEndedAt: number | null, now: number): { to: number; end: StayEnd } {
  if (sessionEndedAt !== null) return { to: Math.max(last, sessionEndedAt), end: "session-ended" };
  return now - last > silentAfter ? { to: last, end: "silence" } : { to: Math.max(last, now), end: "now" };
}

/** A tab as it is followed through its signs. `since`: in the Space since then; `shownSince`: and not hidden. */
type TabState = {
  /** Rooms it ever joined; none when only other signs of it came. */
  joinedRooms: ReadonlySet<string>;
  rooms: Set<string>;
  since: number | null;
  shownSince: number | null;
  stays: Stay[];
  visible: Stay[];
};

/** The stays of one tab, and when it was not hidden. */
function followTab(signs: readonly PresenceSign[], open: { to: number; end: StayEnd }): TabState {
  const state: TabState = {
    joinedRooms: new Set(signs.flatMap(({ kind, room }) => (kind === "join" ? [room] : []))),
    rooms: new Set(),
    since: null,
    shownSince: null,
    stays: [],
    visible: [],
  };
  const sorted = [...signs].sort((one, other) => one.at - other.at || order[one.kind] - order[other.kind]);
  for (const sign of sorted) follow(state, sign);
  close(state, Math.max(open.to, state.since ?? 0), open.end);
  return state;
}

function follow(state: TabState, sign: PresenceSign): void {
  steps[sign.kind](state, sign);
}

/** What each kind of sign does to a tab. */
const steps: Readonly<Record<PresenceKind, (state: TabState, sign: PresenceSign) => void>> = {
  join: (state, { at, room }) => {
    state.rooms.add(room);
    state.since ??= at;
    state.shownSince ??= at;
  },
  unhide: (state, { at }) => {
    // Of a tab that has left this says nothing: the page may still be open. Of one that never joined, its joining is lost.
    if (state.joinedRooms.size === 0) state.since ??= at;
    if (state.since !== null) state.shownSince ??= at;
  },
  hide: (state, { at }) => {
    // Nor does this: whoever closes a tab hides it, too.
    if (state.shownSince !== null) state.visible.push({ from: state.shownSince, to: at, end: "left" });
    state.shownSince = null;
  },
  leave: (state, { at, room }) => {
    state.rooms.delete(room);
    if (state.joinedRooms.size === 0 && state.stays.length === 0) state.since ??= at;
    if (state.rooms.size === 0 || !state.joinedRooms.has(room)) close(state, at, "left");
  },
};

function close(state: TabState, to: number, end: StayEnd): void {
  if (state.since !== null) state.stays.push({ from: state.since, to, end });
  if (state.shownSince !== null) state.visible.push({ from: state.shownSince, to, end });
  Object.assign(state, { since: null, shownSince: null });
  state.rooms.clear();
}

/** Stays of several tabs as one; a short time between two is none. */
function joined(stays: readonly Stay[]): Stay[] {
  const all: Stay[] = [];
  for (const stay of [...stays].sort((one, other) => one.from - other.from)) {
    const before = all.at(-1);
    if (before === undefined || stay.from - before.to > reconnect) all.push({ ...stay });
    else if (stay.to >= before.to) all.splice(-1, 1, { ...stay, from: before.from });
  }
  return all;
}

/** What of some spans is in none of others. */
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

/** Whether somebody is in the Space at the moment for which it was computed. */
export function isHere({ stays }: Presence): boolean {
  return stays.at(-1)?.end === "now";
}

/** What is shown of somebody's presence in a session of a course; minutes are whole ones. */
export type PresenceShown = {
  stays: readonly Stay[];
  /** Null where nobody knows when they left. */
  minutes: number | null;
  /** Of these, those with the Space hidden behind another tab. */
  hiddenMinutes: number;
  tabs: number;
};

/** People come early and stay late (ms): so much of a stay before and after a session is told with it. */
const early = 15 * 60_000;
const late = 30 * 60_000;

/**
 * The part of somebody's presence that belongs to a scheduled session: what overlaps its time, with a little before and
 * after; back-to-back sessions in one Space share a stay without counting it twice in full. Where nobody knows when they
 * left, they count as having been in the sessions in which something was heard of them.
 * @returns null when they were not there in its time.
 */
export function presenceIn(
  presences: readonly Presence[],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): PresenceShown | null {
  const [from, to] = [startsAt - early, endsAt + late];
  const cut = (span: Span): Span => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) });
  const there = presences.flatMap((one) =>
    one.stays.filter((stay) => !isVague(stay) || one.heardAt >= from || stay.from >= from),
  );
  const stays = joined(there)
    .filter((stay) => stay.from < endsAt && stay.to >= startsAt)
    // A latest end is the latest, also after the session.
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

/** Whether nobody knows when it ended. */
function isVague({ end }: Stay): boolean {
  return end === "session-ended" || end === "silence";
}

function minutesOf(spans: readonly Span[]): number {
  return Math.round(spans.reduce((sum, { from, to }) => sum + to - from, 0) / 60_000);
}
