import type { KnownStatus, SeenPresence } from "../../../domain/attendance.ts";
import type { UnplannedRule } from "../../../domain/course.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import { seenOf } from "../../presence/rules/presence.ts";
import { dayMs, minuteMs } from "../../../kernel/clock.ts";
import { countFirst } from "../../../kernel/lists.ts";

/** Sizes and waits that decide what counts as an unplanned class. */

/** A shorter time together isn't a class. */
const minClassMs = 10 * minuteMs;
/** A shorter time of one learner with their teacher is a question, not a lesson. */
const minLessonMs = 20 * minuteMs;
/** A visit no longer than this isn't counted, because the person only looked in. */
const minVisitMs = minuteMs;
/** People who came no longer than this before a planned session, or left no longer after it, came for it. */
const earlyMs = 15 * minuteMs;
const lateMs = 30 * minuteMs;
/** How long a class is asked about, because instructors don't remember older ones. */
export const askedForMs = 30 * dayMs;
/** People in a Space within the time of one check. */
export const maxPresences = 5_000;
/** Sessions of Spaces in which one user was. */
export const maxVisitsOfUser = 500;
/** How many classes of a course are listed. */
export const maxListed = 50;
/** In how many classes to look for strangers. */
export const maxStrangersClasses = 10;

/** staff: of the course · stranger: unmatched, perhaps a teacher with the classroom's own login · other: known, of another course or a preview. */
export type VisitorRole = "learner" | "staff" | "stranger" | "other";

/** One stay of a person in a Space. Times in ms. */
export type Visit = {
  who: string;
  role: VisitorRole;
  from: number;
  to: number;
  /** Null if their leaving was reported, or they are still there. Otherwise when they were last heard of, and when they had left at the latest. */
  open: { heardAt: number; latest: number } | null;
};

type Span = { from: number; to: number };

/** A class that was held. Times in ms. */
export type FoundClass = {
  startsAt: number;
  endsAt: number;
  /** Learners who were there for more than a look. */
  learners: number;
  /** Who led it: staff of the course, or a stranger who may be the teacher. */
  led: "staff" | "stranger";
};

/** A planned session's time, with null as in `ClassroomEvent`. */
export type PlannedTime = { startsAt: number | null; endsAt: number | null };

/**
 * Returns the unplanned classes, in order. A class begins when a person who holds it and a first learner are there. It ends when its staff
 * left, or when most of the people left who had been there for half of it: a person who stays on doesn't extend a class and doesn't begin
 * another. So two classes one after the other are two, and a tab left open makes none longer. Learners alone are no class: they meet to work
 * together. Days don't matter: a class over midnight is one.
 * @param planned Planned sessions take the people who came for them. @param breakMs A shorter absence doesn't count.
 */
export function classesAmong(
  visits: readonly Visit[],
  planned: readonly PlannedTime[],
  breakMs: number,
): FoundClass[] {
  const plausible = withPlausibleEnds(visits);
  const leaders = plausible.filter(({ role }) => role === "staff" || role === "stranger");
  const staff = [...byPerson(leaders.filter(({ role }) => role === "staff")).values()];
  const led = joined(leaders, breakMs);
  const sessions = planned.flatMap(spanOf);
  const learners = byPerson(plausible.filter(({ role }) => role === "learner"));
  const stays = [...learners]
    .flatMap(([who, own]) => staysOf(who, withoutPlanned(own, sessions), breakMs))
    .sort((one, other) => one.from - other.from);
  const found: FoundClass[] = [];
  let [next, leading] = [0, 0];
  for (;;) {
    const [stay, lead] = [stays[next], led[leading]];
    if (stay === undefined || lead === undefined) break;
    if (lead.to <= stay.from) leading += 1;
    else if (stay.to <= Math.max(stay.from, lead.from)) next += 1;
    else {
      const span = firstSpan(stays, next, lead, breakMs);
      let end = next;
      while ((stays[end]?.from ?? Infinity) < span.to) end += 1;
      const people = ofEachPerson(stays.slice(next, end));
      const present = people.filter((own) => lengthWithin(own, span) > minVisitMs);
      const isClass = isLongEnough(present, span);
      if (isClass) {
        const ledBy = staff.some((own) => lengthWithin(own, span) >= minVisitMs) ? "staff" : "stranger";
        found.push({ startsAt: span.from, endsAt: span.to, learners: present.length, led: ledBy });
      }
      const staying = people.flatMap((own) => afterClass(own, span, isClass));
      next = end - staying.length;
      for (const [index, one] of staying.entries()) stays[next + index] = one;
    }
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

/** `left`: when they left for good, with later stays in between. */
type Stay = Span & { who: string; left: number };

function staysOf(who: string, own: readonly Span[], breakMs: number): Stay[] {
  const long = joined(own, breakMs);
  let index = 0;
  return own.map((stay) => {
    while ((long[index]?.to ?? Infinity) < stay.to) index += 1;
    return { ...stay, who, left: long[index]?.to ?? stay.to };
  });
}

/** If people spent half of a planned session in it, they came for it, even early and late. For others, only the time in it is removed. */
function withoutPlanned(own: readonly Span[], sessions: readonly Span[]): readonly Span[] {
  return sessions.reduce((left, session) => {
    const insideMs = lengthWithin(left, session);
    if (insideMs === 0) return left;
    const isTheirs = 2 * insideMs >= session.to - session.from;
    const others = isTheirs ? left.filter((stay) => overlap(stay, session) === 0) : left;
    return others.flatMap((stay) => [
      ...(stay.from < session.from ? [{ from: stay.from, to: Math.min(stay.to, session.from) }] : []),
      ...(stay.to > session.to ? [{ from: Math.max(stay.from, session.to), to: stay.to }] : []),
    ]);
  }, own);
}

/** How many stays the search for a class's end starts with. It doubles them until it finds the end. */
const minStays = 16;

/** What may be the next class: it begins with the first learner who is there with their teacher. @param stays In order. */
function firstSpan(stays: readonly Stay[], next: number, lead: Span, breakMs: number): Span {
  for (let count = minStays; ; count *= 2) {
    const near = stays.slice(next, next + count);
    /** People who come later change nothing before this. */
    const until = stays[next + count]?.from ?? Infinity;
    const [block] = joined(
      near.flatMap((stay) => both(stay, lead)),
      breakMs,
    );
    if (block === undefined) throw new Error("unreachable: the first one is there with their teacher");
    const to = endOf(near, block, Math.min(block.to, until));
    if (to !== null || block.to + breakMs <= until) return { from: block.from, to: to ?? block.to };
  }
}

/** When most people who were there for half of the time so far had left for good. Null if they don't before `until`. */
function endOf(stays: readonly Stay[], { from: begin }: Span, until: number): number | null {
  const changes = ofEachPerson(stays.filter(({ to }) => to > begin)).flatMap((own) => {
    const person = { isMember: false, isHere: false };
    const inside = own.map(({ from, left }) => ({ from, to: left }));
    // At the same moment, people come before others leave. Half of the time includes its last moment.
    const turns = (spans: readonly Span[], what: "isMember" | "isHere", last: number) =>
      joined(spans, 0).flatMap(({ from, to }) => [
        { at: from, order: 0, person, what, value: true },
        { at: to, order: last, person, what, value: false },
      ]);
    return [...turns(inside, "isHere", 1), ...turns(whenHalf(own, begin), "isMember", 2)];
  });
  changes.sort((one, other) => one.at - other.at || one.order - other.order);
  let [members, here] = [0, 0];
  for (const [index, { at, order, person, what, value }] of changes.entries()) {
    if (at >= until) break;
    const before = { ...person };
    person[what] = value;
    members += Number(person.isMember) - Number(before.isMember);
    here += Number(person.isMember && person.isHere) - Number(before.isMember && before.isHere);
    const next = changes[index + 1];
    const isLast = next?.at !== at || next.order !== 1;
    if (order === 1 && isLast && at > begin && 2 * here < members) return at;
  }
  return null;
}

/** When a person had been there for half of the time since a moment, including both ends. */
function whenHalf(own: readonly Span[], since: number): Span[] {
  let [surplusMs, last] = [0, since];
  const spans = own.map(({ from, to }) => {
    const came = Math.max(from, since);
    surplusMs -= came - last;
    const half = came + Math.max(0, -surplusMs);
    surplusMs += to - came;
    last = to;
    return { from: half, to: to + surplusMs };
  });
  return spans.filter(({ from, to }) => from <= to);
}

/** A single learner needs a longer time for a lesson. */
function isLongEnough(present: readonly (readonly Span[])[], span: Span): boolean {
  const several = present.filter((own) => lengthWithin(own, span) >= minClassMs).length > 1;
  return span.to - span.from >= (several ? minClassMs : minLessonMs);
}

/** What may be another class: people who stay on from the first class aren't there for it. */
function afterClass(own: readonly Stay[], span: Span, isClass: boolean): Stay[] {
  const attendedMs = lengthWithin(own, span);
  if (isClass && (attendedMs > earlyMs || 2 * attendedMs >= span.to - span.from)) return [];
  return own.filter(({ to }) => to > span.to).map((stay) => ({ ...stay, from: span.to }));
}

/**
 * If a person's leaving wasn't reported, for example after a lost connection, they count as having left with the last person who did: the end
 * of a session is reported late (interface 6.3), and would make a class of one hour two hours long.
 */
function withPlausibleEnds(visits: readonly Visit[]): Visit[] {
  const known = visits.filter(({ open }) => open === null).map(({ to }) => to);
  known.sort((one, other) => one - other);
  return visits.map((visit) => {
    const { from, open } = visit;
    if (open === null) return visit;
    const last = known[countFirst(known, (to) => to <= open.latest) - 1] ?? -Infinity;
    return last <= from ? visit : { ...visit, to: Math.max(last, open.heardAt) };
  });
}

/** Each person's stays without overlaps: two tabs, or two users of one person, count once. */
function byPerson(visits: readonly Visit[]): Map<string, Span[]> {
  const of = Map.groupBy(visits, ({ who }) => who);
  return new Map([...of].map(([who, own]) => [who, joined(own, 0)]));
}

function ofEachPerson(stays: readonly Stay[]): Stay[][] {
  return [...Map.groupBy(stays, ({ who }) => who).values()];
}

function lengthWithin(spans: readonly Span[], within: Span): number {
  return spans.reduce((sum, span) => sum + overlap(span, within), 0);
}

/** Where the two overlap. */
function both(one: Span, other: Span): Span[] {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  return from < to ? [{ from, to }] : [];
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

function overlap(one: Span, other: Span): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
}

export type Suggestion = { status: KnownStatus; seen: SeenPresence };

type Class = { startsAt: number; endsAt: number };

/**
 * What each person's time in a class suggests, by person id. A person who is missing wasn't there.
 * @param visits All visits of the Space, as in `classesAmong`.
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

/** For a learner who wasn't there. */
export function absent({ startsAt, endsAt }: Class): Suggestion {
  return { status: "ABSENT", seen: { startsAt, endsAt, ms: 0, stays: [] } };
}

/**
 * Whether a class is clear enough for the rule "always": known staff held it for more than one learner, most of the register attended, and two
 * in three of those who were there came in time and stayed. Anything less clear is asked.
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

/** Exact at the limits: "from 50 %" includes 50 %, "late after 10 minutes" doesn't include 10:00. */
function statusOf(
  { ms, startsAt, endsAt }: SeenPresence,
  cameAt: number,
  { presentFrom, lateAfter }: Pick<UnplannedRule, "presentFrom" | "lateAfter">,
): KnownStatus {
  if (100 * ms < presentFrom * (endsAt - startsAt)) return "ABSENT";
  return cameAt - startsAt > lateAfter * minuteMs ? "LATE" : "PRESENT";
}
