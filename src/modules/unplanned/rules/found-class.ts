import type { KnownStatus, SeenPresence } from "../../../domain/attendance.ts";
import type { UnplannedRule } from "../../../domain/course.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import { seenOf } from "../../presence/rules/presence.ts";
import { dayMs, minuteMs } from "../../../kernel/clock.ts";

/** Sizes and waits of unplanned classes that are decisions. */

/** A shorter time together is no class. */
const minClassMs = 10 * minuteMs;
/** A shorter time of one learner with their teacher is a question, no lesson. */
const minLessonMs = 20 * minuteMs;
/** A visit no longer than this is not counted: the person only looked in. */
const minVisitMs = minuteMs;
/** People who came no longer than this before a planned session, or left no longer after it, came for it. */
const earlyMs = 15 * minuteMs;
const lateMs = 30 * minuteMs;
/** How long a class is asked about: instructors do not remember older ones. */
export const askedForMs = 30 * dayMs;
/** People in a Space within the time of a look. */
export const maxPresences = 5_000;
/** Sessions of Spaces in which one user was. */
export const maxVisitsOfUser = 500;
/** Classes of a course that are listed. */
export const maxListed = 50;
/** Classes in which strangers are looked for. */
export const maxStrangersClasses = 10;

/** staff: of the course · stranger: an unmatched user, such as a teacher who came by the classroom's own login · other: known, of another course or a preview. */
export type VisitorRole = "learner" | "staff" | "stranger" | "other";

/** One stay of a person in a Space; times in ms. */
export type Visit = {
  who: string;
  role: VisitorRole;
  from: number;
  to: number;
  /** Null where their leaving was reported, or they are still there. Else when they were last heard of, and when they had left at the latest. */
  open: { heardAt: number; latest: number } | null;
};

type Span = { from: number; to: number };

/** A class that was held; times in ms. */
export type FoundClass = {
  startsAt: number;
  endsAt: number;
  /** Learners who were there for more than a look. */
  learners: number;
  /** Who led it: staff of the course, else a stranger who may be the teacher. */
  led: "staff" | "stranger";
};

/** A planned session's time; null as in `ClassroomEvent`. */
export type PlannedTime = { startsAt: number | null; endsAt: number | null };

/**
 * The unplanned classes, in order. One begins when a person who holds it and a first learner are there. It ends when
 * its staff left, or when most of those left who had been there for half of it: a person who stays on extends no class and begins
 * no other. So two classes one after the other are two, and a tab left open makes none longer. Learners alone are none: they
 * meet to work together. Days play no part: over midnight it is one.
 * @param planned What is planned takes the people who came for it. @param breakMs A shorter absence is none.
 */
export function classesAmong(
  visits: readonly Visit[],
  planned: readonly PlannedTime[],
  breakMs: number,
): FoundClass[] {
  const stays = withPlausibleEnds(visits);
  const leaders = stays.filter(({ role }) => role === "staff" || role === "stranger");
  const led = joined(leaders, breakMs);
  const sessions = planned.flatMap(spanOf);
  let learners = withoutPlanned(byPerson(stays.filter(({ role }) => role === "learner")), sessions);
  const found: FoundClass[] = [];
  for (;;) {
    const [block] = joined(shared(joined([...learners.values()].flat(), 0), led), breakMs);
    if (block === undefined) break;
    const span = { from: block.from, to: endOf(learners, block, breakMs) };
    const present = [...learners.values()].filter((own) => lengthWithin(own, span) > minVisitMs);
    const isClass = isLongEnough(present, span);
    if (isClass) {
      const learnerCount = present.length;
      found.push({
        startsAt: span.from,
        endsAt: span.to,
        learners: learnerCount,
        led: leaderOf(leaders, span),
      });
    }
    learners = afterClass(learners, span, isClass);
  }
  return found.filter((one) => !isPlanned(one, planned));
}

/** Whether a class is one of the planned sessions: nearly all of it is within the time, including early and late minutes. */
export function isPlanned(
  { startsAt, endsAt }: Pick<FoundClass, "startsAt" | "endsAt">,
  planned: readonly PlannedTime[],
): boolean {
  const found = { from: startsAt, to: endsAt };
  return planned.flatMap(spanOf).some((session) => {
    const around = { from: session.from - earlyMs, to: session.to + lateMs };
    return overlap(found, around) === endsAt - startsAt || 2 * overlap(found, session) > endsAt - startsAt;
  });
}

function spanOf({ startsAt, endsAt }: PlannedTime): Span[] {
  return startsAt === null ? [] : [{ from: startsAt, to: endsAt ?? startsAt + assumedLengthMs }];
}

type Stays = ReadonlyMap<string, readonly Span[]>;

/** People who spent half of a planned session in it came for it, early and late; for others only the time in it is taken out. */
function withoutPlanned(learners: Stays, sessions: readonly Span[]): Stays {
  return sessions.reduce((left, session) => {
    const isTheirs = (own: readonly Span[]) => 2 * lengthWithin(own, session) >= session.to - session.from;
    return mapped(left, (own) => {
      const others = isTheirs(own) ? own.filter((stay) => overlap(stay, session) === 0) : own;
      return others.flatMap((stay) => [
        ...(stay.from < session.from ? [{ from: stay.from, to: Math.min(stay.to, session.from) }] : []),
        ...(stay.to > session.to ? [{ from: Math.max(stay.from, session.to), to: stay.to }] : []),
      ]);
    });
  }, learners);
}

/** When most of those had left for good who were there for half of the time until then. */
function endOf(learners: Stays, block: Span, breakMs: number): number {
  const all = [...learners.values()].map((own) => ({ own, long: joined(own, breakMs) }));
  const leavings = all.flatMap(({ long }) => long.map(({ to }) => to));
  for (const at of leavings.sort((one, other) => one - other)) {
    if (at <= block.from || at >= block.to) continue;
    const until = { from: block.from, to: at };
    const members = all.filter(({ own }) => 2 * lengthWithin(own, until) >= at - block.from);
    const here = members.filter(({ long }) => long.some(({ from, to }) => from <= at && to > at));
    if (2 * here.length < members.length) return at;
  }
  return block.to;
}

/** One learner alone makes a lesson only if it is longer. */
function isLongEnough(present: readonly (readonly Span[])[], span: Span): boolean {
  const several = present.filter((own) => lengthWithin(own, span) >= minClassMs).length > 1;
  return span.to - span.from >= (several ? minClassMs : minLessonMs);
}

/** What may be another class: people who stay on from the first one are not there for it. */
function afterClass(learners: Stays, span: Span, isClass: boolean): Stays {
  return mapped(learners, (own) => {
    const attendedMs = lengthWithin(own, span);
    const attended = isClass && (attendedMs > earlyMs || 2 * attendedMs >= span.to - span.from);
    return own.flatMap(({ from, to }) => {
      if (to <= span.to || (attended && from < span.to)) return [];
      return [{ from: Math.max(from, span.to), to }];
    });
  });
}

function mapped(learners: Stays, change: (own: readonly Span[]) => readonly Span[]): Stays {
  return new Map([...learners].map(([who, own]) => [who, change(own)]));
}

/**
 * People whose leaving was not reported, such as after a lost connection, count as having left with the last one who
 * did leave: the end of a session is reported late (interface 6.3), and would make a class of an hour one of two.
 */
function withPlausibleEnds(visits: readonly Visit[]): Visit[] {
  const known = visits.filter(({ open }) => open === null).map(({ to }) => to);
  return visits.map((visit) => {
    const { from, open } = visit;
    if (open === null) return visit;
    const last = Math.max(...known.filter((to) => to > from && to <= open.latest), -Infinity);
    return last === -Infinity ? visit : { ...visit, to: Math.max(last, open.heardAt) };
  });
}

/** Each person's stays without overlaps: two tabs, or two users of one person, count once. */
function byPerson(visits: readonly Visit[]): Map<string, Span[]> {
  const of = Map.groupBy(visits, ({ who }) => who);
  return new Map([...of].map(([who, own]) => [who, joined(own, 0)]));
}

function lengthWithin(spans: readonly Span[], within: Span): number {
  return spans.reduce((sum, span) => sum + overlap(span, within), 0);
}

/** Where both are. @param ones In order, without overlaps, as `others`. */
function shared(ones: readonly Span[], others: readonly Span[]): Span[] {
  return ones.flatMap((one) =>
    others
      .map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }))
      .filter(({ from, to }) => from < to),
  );
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

function leaderOf(leaders: readonly Visit[], span: Span): FoundClass["led"] {
  const staff = byPerson(leaders.filter(({ role }) => role === "staff"));
  return [...staff.values()].some((own) => lengthWithin(own, span) >= minVisitMs) ? "staff" : "stranger";
}

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

export type Suggestion = { status: KnownStatus; seen: SeenPresence };

type Class = { startsAt: number; endsAt: number };

/**
 * What each person's time in a class suggests, by person id; who is missing was not there.
 * @param visits All of the Space, as in `classesAmong`.
 */
export function suggestionsFrom(
  visits: readonly Visit[],
  { startsAt, endsAt }: Class,
  rule: Pick<UnplannedRule, "presentFrom" | "lateAfter">,
): Map<string, Suggestion> {
  const stays = withPlausibleEnds(visits);
  const vague = new Set(
    stays
      .filter(({ open, from, to }) => open !== null && from < endsAt && to > startsAt)
      .map(({ who }) => who),
  );
  const suggestions = new Map<string, Suggestion>();
  for (const [who, own] of byPerson(stays.filter(({ role }) => role === "learner"))) {
    const within = seenOf(own, { startsAt, endsAt });
    const [first] = within.stays;
    if (first === undefined) continue;
    const seen: SeenPresence = { ...within, ...(vague.has(who) ? { leftUnknown: true } : {}) };
    suggestions.set(who, { status: statusOf(seen, first.from, rule), seen });
  }
  return suggestions;
}

/** For a learner who was not there. */
export function absent({ startsAt, endsAt }: Class): Suggestion {
  return { status: "ABSENT", seen: { startsAt, endsAt, ms: 0, stays: [] } };
}

/**
 * Whether a class is clear enough for the rule "always": staff that we know held it for more than one learner, most of the register
 * attended, and of those who were there two in three came in time and stayed. Whatever differs more is asked.
 * @param register How many learners it would be for.
 */
export function isClear(
  { led, learners }: Pick<FoundClass, "learners"> & { led: FoundClass["led"] | null },
  suggestions: Iterable<Suggestion>,
  register: number,
): boolean {
  const counted = [...suggestions].filter(({ seen }) => seen.ms > minVisitMs);
  const attended = counted.filter(({ status }) => status !== "ABSENT");
  const present = counted.filter(({ status }) => status === "PRESENT");
  const fits = 2 * attended.length > register && 3 * present.length >= 2 * counted.length;
  return led === "staff" && learners > 1 && fits;
}

/** Exact at the limits: "from 50 %" includes 50 %, "late after 10 minutes" does not at 10:00. */
function statusOf(
  { ms, startsAt, endsAt }: SeenPresence,
  cameAt: number,
  { presentFrom, lateAfter }: Pick<UnplannedRule, "presentFrom" | "lateAfter">,
): KnownStatus {
  if (100 * ms < presentFrom * (endsAt - startsAt)) return "ABSENT";
  return cameAt - startsAt > lateAfter * minuteMs ? "LATE" : "PRESENT";
}
