import { createThrottle } from "../../src/classroom/throttle.ts";
import type { Priority } from "../../src/classroom/waiting-line.ts";
import {
  couldBeBusy,
  type ExpectedClass,
  type ExpectedPerson,
  hasCome,
  isBusy,
  latestBegins,
  likeliestFirst,
  loginWantedAt,
  mostHaveCome,
  nextLook,
  rankOf,
  sessionPlanId,
  turnOf,
} from "../../src/modules/joining/rules/expected-class.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { memoryThrottleStore } from "../walls/classroom/memory-throttle-store.ts";
import type { BenchRow } from "./bench-row.ts";
import { type DaySession, type DayVisit, randomFrom, timetableOf } from "./day-timetable.ts";
import { simulatedClock } from "./simulated-clock.ts";
import { busyTtlMs, busyWindowMs, loginUsableMs, maxLeadMs } from "../../src/modules/joining/rules/limits.ts";

const courses = 200;
const seed = 4;
const day = 24 * 60 * 60_000;
const perSecond = 4;
const second = 1_000;
const minute = 60 * second;

type Someone = ExpectedPerson & { number: number; hasUser: boolean };
type Waiting = { someone: Someone; courseId: string; turn: number; at: number; came: (at: number) => void };
type Way = "expected" | "unexpected" | "again";

/**
 * A day of 200 courses in simulated time: the real throttle, and the tool's own rules for when to authorize whom ahead
 * and into which course many enter; the stores are lists in memory and the classroom answers in 100 to 300 ms.
 */
class SimulatedDay {
  readonly #random = randomFrom(seed + 1);
  readonly #clock = simulatedClock(0);
  readonly #throttle = createThrottle({
    store: memoryThrottleStore(),
    key: "day",
    clock: this.#clock,
    ids: randomIds,
  });
  readonly #timetable = timetableOf(courses, seed);
  readonly #people = new Map<string, Someone[]>();
  readonly #plans = new Map<string, ExpectedClass>();
  readonly #planned = new Set<DaySession>();
  readonly #arrivals = new Map<string, number[]>();
  readonly #line: Waiting[] = [];
  readonly #turns = new Map<string, number>();
  readonly #newcomers: Someone[] = [];
  #served = 0;
  readonly calls: { at: number; priority: Priority }[] = [];
  readonly waits: Record<Way, number[]> = { expected: [], unexpected: [], again: [] };
  preparedLogins = 0;
  usedPrepared = 0;

  async run(): Promise<void> {
    for (const { id, size } of this.#timetable.courses) {
      const everybody = Array.from({ length: size }, (_none, number) => this.#someone(id, number, true));
      this.#people.set(id, everybody);
    }
    void this.#comeAndGo();
    void this.#rosterChanges();
    void this.#every(5 * second, () => this.#plan());
    void this.#every(second, () => this.#prepareLogins());
    void this.#every(second, () => this.#admit());
    void this.#every(second, () => this.#provision());
    await this.#clock.runUntil(day);
  }

  #someone(courseId: string, number: number, hasUser: boolean): Someone {
    return {
      personId: `${courseId} ${number}`,
      number,
      role: number === 0 ? "instructor" : "learner",
      lastLaunchAt: hasUser ? -day * this.#random() : null,
      queuedAt: null,
      login: null,
      hasUser,
    };
  }

  /** Does its work again and again, resting when there is none. */
  async #every(ms: number, work: () => Promise<boolean> | boolean): Promise<void> {
    for (;;) if (!(await work())) await this.#clock.sleep(ms);
  }

  async #call(priority: Priority, onPermit: () => boolean = () => true): Promise<void> {
    const permit = await this.#throttle.acquire({ priority });
    if (onPermit()) {
      await permit.begin();
      permit.left();
      this.calls.push({ at: this.#clock.now(), priority });
      await this.#clock.sleep(100 + 200 * this.#random());
    }
    permit.answered();
  }

  async #comeAndGo(): Promise<void> {
    for (const visit of this.#timetable.visits) {
      await this.#clock.sleep(Math.max(0, visit.at - this.#clock.now()));
      this.#arrive(visit);
    }
  }

  async #rosterChanges(): Promise<void> {
    for (const { at, courseId } of this.#timetable.newcomers.toSorted((a, b) => a.at - b.at)) {
      await this.#clock.sleep(Math.max(0, at - this.#clock.now()));
      const everybody = this.#people.get(courseId) ?? [];
      const newcomer = this.#someone(courseId, everybody.length, false);
      everybody.push(newcomer);
      this.#newcomers.push(newcomer);
    }
  }

  #arrive({ courseId, number, session, again }: DayVisit): void {
    const now = this.#clock.now();
    const someone = this.#people.get(courseId)?.[number];
    if (someone === undefined) return;
    const way = again ? "again" : session.told ? "expected" : "unexpected";
    someone.lastLaunchAt = now;
    if (someone.login !== null && someone.login.usedAt === null && someone.login.usableUntil > now) {
      someone.login = { ...someone.login, usedAt: now };
      this.usedPrepared += 1;
      this.waits[way].push(0);
      return;
    }
    someone.queuedAt = now;
    this.#arrivals.set(courseId, [...(this.#arrivals.get(courseId) ?? []), now]);
    // As the store of places: a course's people get consecutive turns, hosts go to the front.
    const turn =
      someone.role === "instructor"
        ? this.#served
        : Math.max(this.#turns.get(courseId) ?? 0, this.#served) + 1;
    if (someone.role === "learner") this.#turns.set(courseId, turn);
    this.#line.push({ someone, courseId, turn, at: now, came: (at) => this.waits[way].push(at - now) });
  }

  async #admit(): Promise<boolean> {
    const first = this.#line.reduce<Waiting | null>(
      (found, each) =>
        found === null || each.turn < found.turn || (each.turn === found.turn && each.at < found.at)
          ? each
          : found,
      null,
    );
    if (first === null) return false;
    this.#line.splice(this.#line.indexOf(first), 1);
    this.#served = Math.max(this.#served, first.turn);
    if (!first.someone.hasUser) await this.#call("entry");
    first.someone.hasUser = true;
    await new Promise<void>((next) => {
      const permitted = () => {
        next();
        return true;
      };
      void this.#call("entry", permitted).then(() => {
        first.came(this.#clock.now());
      });
    });
    return true;
  }

  async #provision(): Promise<boolean> {
    const newcomer = this.#newcomers.shift();
    if (newcomer === undefined) return false;
    if (!newcomer.hasUser) await this.#call("background");
    newcomer.hasUser = true;
    return true;
  }

  #plan(): boolean {
    const now = this.#clock.now();
    const horizon = now + maxLeadMs + 5 * minute;
    for (const session of this.#timetable.sessions) {
      if (!session.told || session.startsAt > horizon || this.#planned.has(session)) continue;
      this.#planned.add(session);
      const { courseId, eventId, startsAt, endsAt } = session;
      const id = sessionPlanId(courseId, eventId, startsAt);
      const reason = { kind: "session", eventId, spaceId: courseId } as const;
      this.#open({ id, courseId, reason, startsAt, endsAt, dueAt: startsAt });
    }
    for (const [courseId, all] of this.#arrivals) {
      const recent = all.filter((at) => at > now - busyWindowMs);
      this.#arrivals.set(courseId, recent);
      if (!couldBeBusy(recent.length)) continue;
      const open = this.#openPlans(courseId);
      if (open.some(({ dueAt, reason }) => reason.kind === "busy-door" || dueAt <= now)) continue;
      const id = `${courseId} busy ${Math.floor(now / (60 * minute))}`;
      const plan = {
        id,
        courseId,
        startsAt: now,
        endsAt: now + busyTtlMs,
        reason: { kind: "busy-door" },
      } as const;
      if (isBusy({ ...this.#counts(plan), arrived: recent.length })) this.#open({ ...plan, dueAt: now });
    }
    const coming = [...this.#plans.values()].filter(({ startsAt, made }) => startsAt > now && made === 0);
    const begins = latestBegins(coming);
    for (const plan of coming) plan.dueAt = begins.get(plan.id) ?? plan.dueAt;
    for (const { id, endsAt } of this.#plans.values()) if (endsAt <= now) this.#plans.delete(id);
    return false;
  }

  #openPlans(courseId: string): ExpectedClass[] {
    return [...this.#plans.values()].filter((plan) => plan.courseId === courseId);
  }

  #open(draft: Pick<ExpectedClass, "id" | "courseId" | "reason" | "startsAt" | "endsAt" | "dueAt">): void {
    const { calls } = this.#counts(draft);
    const rest = { registrationId: "lms", environment: "production", made: 0, failures: 0 } as const;
    if (!this.#plans.has(draft.id)) this.#plans.set(draft.id, { ...draft, ...rest, calls });
  }

  #counts(plan: Pick<ExpectedClass, "courseId" | "startsAt" | "reason">) {
    const everybody = this.#people.get(plan.courseId) ?? [];
    const calls = everybody.reduce((sum, { hasUser }) => sum + (hasUser ? 1 : 2), 0);
    return {
      expected: everybody.length,
      calls,
      come: everybody.filter((each) => hasCome(each, plan)).length,
    };
  }

  /** A turn of the class that goes first, as the tool takes it. */
  async #prepareLogins(): Promise<boolean> {
    const now = this.#clock.now();
    const due = [...this.#plans.values()].filter(({ dueAt, endsAt }) => dueAt <= now && now < endsAt);
    const [plan, ...others] = due.sort(
      (a, b) => rankOf(a, now) - rankOf(b, now) || a.startsAt - b.startsAt || a.made - b.made,
    );
    if (plan === undefined) return false;
    const counts = this.#counts(plan);
    if (plan.reason.kind === "busy-door" && mostHaveCome(counts)) {
      this.#plans.delete(plan.id);
      return true;
    }
    const everybody = this.#people.get(plan.courseId) ?? [];
    const wanted = everybody.map((each) => ({ each, at: loginWantedAt(each, plan) }));
    const wanting = wanted.filter(({ at }) => at !== null && at <= now).map(({ each }) => each);
    const later = wanted.flatMap(({ at }) => (at !== null && at > now ? [at] : []));
    if (wanting.length === 0) {
      plan.dueAt = nextLook(plan, later.length === 0 ? null : Math.min(...later), now);
      return true;
    }
    let begun = 0;
    for (const someone of likeliestFirst(wanting)) {
      await this.#fetch(plan, someone);
      begun += 1;
      if (others.length > 0 && begun % turnOf(counts.expected) === 0) break;
      if (this.#clock.now() - now > minute) break;
    }
    return true;
  }

  /** Resolves when the call has been let through; the login is there when it is answered. */
  async #fetch(plan: ExpectedClass, someone: Someone): Promise<void> {
    if (!someone.hasUser) await this.#call("session");
    someone.hasUser = true;
    await new Promise<void>((next) => {
      let wanted = false;
      const permitted = () => {
        wanted = loginWantedAt(someone, plan) !== null;
        next();
        return wanted;
      };
      void this.#call("session", permitted).then(() => {
        if (!wanted) return;
        plan.made += 1;
        this.preparedLogins += 1;
        const fetches = (someone.login?.plan === plan.id ? someone.login.fetches : 0) + 1;
        const usableUntil = this.#clock.now() + loginUsableMs;
        someone.login = { plan: plan.id, fetches, usableUntil, usedAt: null };
      });
    });
  }
}

/** How the day goes. Takes about half a minute. */
export async function benchDay(): Promise<BenchRow[]> {
  const simulated = new SimulatedDay();
  await simulated.run();
  const { calls, waits } = simulated;
  const possible = (day / second) * perSecond;
  const entries = Object.values(waits).reduce((sum, list) => sum + list.length, 0);
  const busiest = Math.max(...countsPer(calls, 15 * minute));
  const title = `day of ${courses} courses`;
  const row = (measure: string, value: string, limit: string, ratio: number): BenchRow => ({
    measure: `${title}: ${measure}`,
    value,
    limit,
    ratio: `${(ratio * 100).toFixed(1)}%`,
  });
  return [
    row("calls used", `${calls.length}`, `${possible} possible`, calls.length / possible),
    row(
      "calls used in the busiest quarter of an hour",
      `${busiest}`,
      `${15 * 60 * perSecond} possible`,
      busiest / (15 * 60 * perSecond),
    ),
    row("calls for each entry", (calls.length / entries).toFixed(2), "1", calls.length / entries),
    row(
      "entries with a login that was ready",
      `${simulated.usedPrepared} of ${entries}; ${simulated.preparedLogins} authorized ahead`,
      "all",
      simulated.usedPrepared / entries,
    ),
    ...(["expected", "unexpected", "again"] as const).map((way) => {
      const sorted = waits[way].toSorted((a, b) => a - b);
      const at = (part: number) =>
        (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) / second;
      const inOne = sorted.filter((wait) => wait <= second).length;
      return row(
        `wait of ${sorted.length} people, ${way === "again" ? "coming a second time" : `${way} class`}`,
        `p50 ${at(0.5).toFixed(1)} s, p99 ${at(0.99).toFixed(1)} s, at most ${at(1).toFixed(1)} s`,
        "within a second",
        inOne / sorted.length,
      );
    }),
  ];
}

function countsPer(calls: readonly { at: number }[], ms: number): number[] {
  const counts = new Map<number, number>();
  for (const { at } of calls) counts.set(Math.floor(at / ms), (counts.get(Math.floor(at / ms)) ?? 0) + 1);
  return [...counts.values()];
}

if (import.meta.main) console.table(await benchDay());
