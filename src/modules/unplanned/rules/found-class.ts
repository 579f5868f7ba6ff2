import { assumedSessionMs, earlyMs, lateMs, minClassMs, minLearners, minVisitMs } from "./limits.ts";

/** staff: of the course · stranger: a user whom nobody knows, such as a teacher who came by the classroom's own login · other: known, of another course or a preview. */
export type VisitorRole = "learner" | "staff" | "stranger" | "other";

/** One stay of somebody in a Space; times in ms. */
export type Visit = {
  who: string;
  role: VisitorRole;
  from: number;
  to: number;
  /** Null where their leaving was reported, or they are still there. Else when they were last heard of, and the latest moment at which they can have left. */
  open: { heardAt: number; latest: number } | null;
};

type Span = { from: number; to: number };

/** People who were in a Space together; times in ms. */
export type FoundClass = {
  startsAt: number;
  endsAt: number;
  /** Learners who were there for more than a look. */
  learners: number;
  /** Who held it: staff of the course, perhaps a stranger, or nobody. */
  led: "staff" | "stranger" | null;
};

/**
 * What people who were in a Space may have been there for: the times in which at least {@link minLearners} learners of
 * the course were there at once, without short breaks. Days play no part, so a class over midnight is one.
 * @param breakMs A shorter pause joins two of these times.
 */
export function classesAmong(visits: readonly Visit[], breakMs: number): FoundClass[] {
  const stays = withPlausibleEnds(visits);
  const learners = byPerson(stays.filter(({ role }) => role === "learner"));
  const together = timesTogether([...learners.values()].flat());
  return joined(together, breakMs)
    .filter((span) => lengthWithin(together, span) >= minClassMs)
    .map((span) => ({
      startsAt: span.from,
      endsAt: span.to,
      learners: [...learners.values()].filter((own) => lengthWithin(own, span) >= minVisitMs).length,
      led: leaderOf(stays, span),
    }));
}

/** Learners alone are no class that anybody is asked about: they meet in the Space of their course to work together. */
export function isAskedAbout({ led }: Pick<FoundClass, "led">): boolean {
  return led !== null;
}

/** A planned session's time; null as in `ClassroomEvent`. */
export type PlannedTime = { startsAt: number | null; endsAt: number | null };

/**
 * Whether a class is one of the planned sessions: it was going on during one, or most of it lies in the time in which
 * people come early and leave late.
 */
export function isPlanned(
  { startsAt, endsAt }: Pick<FoundClass, "startsAt" | "endsAt">,
  planned: readonly PlannedTime[],
): boolean {
  const found = { from: startsAt, to: endsAt };
  return planned.some((session) => {
    if (session.startsAt === null) return false;
    const from = session.startsAt;
    const to = session.endsAt ?? from + assumedSessionMs;
    if (found.from < to && found.to > from) return true;
    const around = { from: from - earlyMs, to: to + lateMs };
    return 2 * overlap(found, around) > endsAt - startsAt;
  });
}

/**
 * Who did not report leaving, such as after a lost connection, is taken to have left with the last one who did: the end
 * of a session is told late (interface 6.3), and would make a class of an hour one of two.
 */
export function withPlausibleEnds(visits: readonly Visit[]): Visit[] {
  const known = visits.filter(({ open }) => open === null).map(({ to }) => to);
  return visits.map((visit) => {
    const { from, open } = visit;
    if (open === null) return visit;
    const last = Math.max(...known.filter((to) => to > from && to <= open.latest), -Infinity);
    return last === -Infinity ? visit : { ...visit, to: Math.max(last, open.heardAt) };
  });
}

/** Each person's stays without overlaps: two tabs, or two users of one person, count once. */
export function byPerson(visits: readonly Visit[]): Map<string, Span[]> {
  const of = Map.groupBy(visits, ({ who }) => who);
  return new Map([...of].map(([who, own]) => [who, joined(own, 0)]));
}

export function lengthWithin(spans: readonly Span[], within: Span): number {
  return spans.reduce((sum, span) => sum + overlap(span, within), 0);
}

/** Where at least the minimum are there at once. @param stays One person's do not overlap. */
function timesTogether(stays: readonly Span[]): Span[] {
  const steps = stays
    .flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ])
    // At the same moment who comes goes before who leaves.
    .sort((one, other) => one.at - other.at || other.by - one.by);
  const times: Span[] = [];
  let there = 0;
  let since: number | null = null;
  for (const { at, by } of steps) {
    there += by;
    if (there >= minLearners) since ??= at;
    else if (since !== null) {
      times.push({ from: since, to: at });
      since = null;
    }
  }
  return times;
}

function joined(spans: readonly Span[], gapMs: number): Span[] {
  const all: Span[] = [];
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    const before = all.at(-1);
    if (before !== undefined && (from <= before.to || from - before.to < gapMs))
      before.to = Math.max(before.to, to);
    else all.push({ from, to });
  }
  return all;
}

function leaderOf(visits: readonly Visit[], span: Span): FoundClass["led"] {
  const isThere = (wanted: VisitorRole) =>
    [...byPerson(visits.filter(({ role }) => role === wanted)).values()].some(
      (own) => lengthWithin(own, span) >= minVisitMs,
    );
  if (isThere("staff")) return "staff";
  return isThere("stranger") ? "stranger" : null;
}

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}
