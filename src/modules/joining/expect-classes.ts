import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { otherSpaceOf } from "../../domain/course-link.ts";
import { type Course, keyOfCourse, type Member, type Person } from "../../domain/course.ts";
import type { Entry, LastEntry } from "../../domain/entry.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId, byKey, slicesOf } from "../../kernel/lists.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { hourMs, minuteMs } from "../../kernel/clock.ts";
import { everyMember } from "../members/people.ts";
import { willEnter } from "../members/rules/provisioning.ts";
import { type JoiningApp, callsToEnter } from "./enter-class.ts";
import { type EntryApp, findTarget, fingerprintNow } from "./entry-target.ts";
import {
  couldBeBusy,
  type ExpectedClass,
  type ExpectedPerson,
  hasCome,
  insideSince,
  isBusy,
  isStillQuiet,
  latestBegins,
  likeliestFirst,
  loginNeededAt,
  type QuietCourse,
  rankOf,
  sessionEnd,
  sessionPlanId,
  usualEntry,
} from "./rules/expected-class.ts";
import {
  busyTtlMs,
  busyWindowMs,
  maxLeadMs,
  maxSessionAgeMs,
  memberPageSize,
  sessionBatchSize,
} from "./rules/limits.ts";
import type { KnownLogin } from "./store/prepared-store.ts";

/** What finding the coming classes needs. */
export type ExpectingApp = JoiningApp &
  Pick<App, "expectedClasses"> & {
    /** Courses that this process found not busy. */
    quietCourses: Map<string, QuietCourse>;
  };

/** Looks a little past the earliest possible begin, to know all classes that begin then. */
const horizonMs = maxLeadMs + 5 * minuteMs;

/** Returns the accounts for which `expectClasses` has work, with three queries however many accounts there are. */
export async function accountsToExpect(
  { accounts, events, expectedClasses, queuePositions, clock }: ExpectingApp & Pick<App, "accounts">,
  extent: "timetable" | "arrivals-too",
): Promise<readonly AccountId[]> {
  const all = accounts.ids();
  const now = clock.now();
  const found = await Promise.all([
    events.accountsUnplanned(all, { from: now - maxSessionAgeMs, to: now + horizonMs }),
    expectedClasses.accountsStarting(all, now, now + horizonMs),
    extent === "timetable" ? [] : queuePositions.accountsWithArrivals(all, now - busyWindowMs),
  ]);
  return [...new Set(found.flat())];
}

/**
 * Plans logins for sessions that begin soon and, if people have come, for courses that they walk into. If nothing has
 * changed, this costs two or three small reads. Repeatable. @returns whether there is more to plan.
 */
export async function expectClasses(
  app: ExpectingApp,
  environment: AccountId,
  extent: "timetable" | "arrivals-too" = "arrivals-too",
): Promise<boolean> {
  const more = await planSessions(app, environment);
  if (extent === "arrivals-too") await planBusyCourses(app, environment);
  await planBegins(app, environment);
  return more;
}

async function planSessions(app: ExpectingApp, environment: AccountId): Promise<boolean> {
  const now = app.clock.now();
  const within = { from: now - maxSessionAgeMs, to: now + horizonMs, limit: sessionBatchSize };
  const events = await app.events.listUnplanned(environment, within);
  for (const event of events) {
    const { eventId, spaceId, startsAt, cancelled } = event;
    const over = startsAt === null || sessionEnd({ ...event, startsAt }) <= now;
    const courses =
      over || cancelled || spaceId === null ? [] : await app.courses.findBySpace(environment, spaceId);
    for (const course of courses) {
      if (startsAt === null || spaceId === null) continue;
      await plan(app, course, {
        id: sessionPlanId(course.id, eventId, startsAt),
        reason: { kind: "session", eventId, spaceId },
        startsAt,
        endsAt: sessionEnd({ ...event, startsAt }),
      });
    }
    await app.events.markPlanned(event);
  }
  return events.length === sessionBatchSize;
}

async function planBusyCourses(app: ExpectingApp, environment: AccountId): Promise<void> {
  const now = app.clock.now();
  for (const { people: arrived, ...key } of await app.queuePositions.arrivalsSince(
    environment,
    now - busyWindowMs,
  )) {
    if (!couldBeBusy(arrived)) continue;
    const open = await app.expectedClasses.listOpen(key, now);
    const busy = open.find(({ reason }) => reason.kind === "busy-door");
    if (busy !== undefined) await app.expectedClasses.prolong(busy.id, now + busyTtlMs);
    // A session's plan that has begun serves this course already.
    if (open.some(({ dueAt, reason }) => reason.kind === "busy-door" || dueAt <= now)) continue;
    if (isStillQuiet(app.quietCourses.get(key.courseId), arrived, now)) continue;
    const course = await app.courses.find(key.courseId);
    if (course === null) continue;
    const draft = {
      // The id contains the hour, so processes that notice this at the same time share a plan.
      id: `${course.id} busy ${Math.floor(now / hourMs)}`,
      reason: { kind: "busy-door" },
      startsAt: now,
      endsAt: now + busyTtlMs,
    } as const;
    const people = await peopleOf(app, course, draft);
    if (people !== null && isBusy({ ...people, arrived }))
      await expectClass(app, course, draft, people.calls);
    else app.quietCourses.set(key.courseId, { at: now, arrived });
  }
  for (const [courseId, { at }] of app.quietCourses)
    if (now - at > busyWindowMs) app.quietCourses.delete(courseId);
}

type Draft = Pick<ExpectedClass, "id" | "reason" | "startsAt" | "endsAt">;

async function plan(app: ExpectingApp, course: Course, draft: Draft): Promise<void> {
  const people = await peopleOf(app, course, draft);
  if (people !== null) await expectClass(app, course, draft, people.calls);
}

async function expectClass(app: ExpectingApp, course: Course, draft: Draft, calls: number): Promise<void> {
  const now = app.clock.now();
  const begin = latestBegins([{ ...draft, calls, made: 0 }]).get(draft.id) ?? now;
  await app.expectedClasses.open({
    ...draft,
    registrationId: course.registrationId,
    courseId: course.id,
    environment: course.environment,
    calls,
    dueAt: draft.reason.kind === "session" ? begin : now,
    rank: rankOf(draft, now),
  });
}

/** Returns null if the course's people may not enter at present. */
async function peopleOf(app: ExpectingApp, course: Course, draft: Draft): Promise<ExpectedPeople | null> {
  try {
    return await listExpected(app, course, draft, app.clock.now());
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    app.logger.info(
      { course: course.id, code: thrown.code, error: messageOf(thrown) },
      "a class is not expected",
    );
    return null;
  }
}

/** Begins classes that share the calls earlier than each of them alone would need. */
async function planBegins(app: ExpectingApp, environment: AccountId): Promise<void> {
  const now = app.clock.now();
  const coming = await app.expectedClasses.listStarting(environment, now, now + horizonMs);
  const begins = latestBegins(coming);
  const moved = coming.flatMap(({ id, dueAt, begun }) => {
    const begin = begins.get(id) ?? dueAt;
    return begun || begin === dueAt ? [] : [{ id, dueAt: begin }];
  });
  await app.expectedClasses.moveBegins(moved);
}

export type ExpectedPeople = {
  expected: number;
  come: number;
  /** The calls for the whole class. See `callsToEnter`. */
  calls: number;
  /** People who need a login now, likeliest first, each with how they will probably come. */
  wanting: (ExpectedPerson & { entry: Entry })[];
  /** When the next login is needed (ms). Null: never. */
  nextAt: number | null;
};

/**
 * Lists who is expected, who has come, and who needs a login now. Discards logins that no longer fit (other settings,
 * role, Space, link or API user), which still count as fetched. @throws the errors of `requireActiveRegistration`.
 */
export async function listExpected(
  app: JoiningApp,
  course: Course,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
  now: number,
): Promise<ExpectedPeople> {
  const key = keyOfCourse(course);
  const members = (await everyMember(app, key)).filter(willEnter);
  const logins = byKey(await app.logins.listOfCourse(key), ({ personId }) => personId);
  const arrivals = await app.queuePositions.arrivalsOf(key, insideSince(plan));
  const found: ExpectedPeople = { expected: members.length, come: 0, calls: 0, wanting: [], nextAt: null };
  const usual = await reachableEntry(app, course, usualEntry(members));
  const recall = remembering(app, course);
  for (const page of slicesOf(members, memberPageSize)) {
    const people = byId(await app.people.findMany(page.map((one) => one.personId)));
    const entrants = page.map(({ personId, role }) => ({ person: people.get(personId), role }));
    for (const calls of await callsToEnter(app, course, course.spaceId, entrants)) found.calls += calls;
    const outdated: KnownLogin[] = [];
    for (const member of page) {
      const { personId } = member;
      const known = logins.get(personId) ?? null;
      // Keeps the guess the login was fetched for. A newer guess is no better: hosts may come in different languages.
      const wayOfLogin = entryOf(member, known?.expectedAs ?? usual);
      const fits = known === null || (await stillFits(recall(member, people), wayOfLogin, known, now));
      if (!fits) outdated.push(known);
      const { role, lastLaunchAt } = member;
      const queuedAt = arrivals.get(personId) ?? null;
      const login = fits ? known : { ...known, usableUntil: 0 };
      const person = { personId, role, lastLaunchAt, queuedAt, login };
      count(found, person, entryOf(member, usual), plan, now);
    }
    await app.logins.discard(outdated);
    await letOthersRun();
  }
  return { ...found, wanting: likeliestFirst(found.wanting) };
}

/** Guesses how a person will come: as they last came, or as others do. */
function entryOf(
  member: Pick<Member, "courseId" | "personId" | "role" | "lastEntry">,
  usual: LastEntry,
): Entry {
  const { courseId, personId, role, lastEntry } = member;
  // Only the launch knows whether it opens a tab or a frame, and the Space URL doesn't depend on it.
  return { courseId, personId, role, ...(lastEntry ?? usual), shown: "tab" };
}

function count(
  found: ExpectedPeople,
  person: ExpectedPerson,
  entry: Entry,
  plan: Pick<ExpectedClass, "id" | "startsAt" | "endsAt" | "reason">,
  now: number,
): void {
  if (hasCome(person, plan)) found.come += 1;
  const neededAt = loginNeededAt(person, plan);
  if (neededAt === null) return;
  if (neededAt <= now) found.wanting.push({ ...person, entry });
  else found.nextAt = Math.min(found.nextAt ?? Infinity, neededAt);
}

/** Expects people who never came in the course's own Space, because a host's link may open another one. */
async function reachableEntry(app: JoiningApp, course: Course, usual: LastEntry): Promise<LastEntry> {
  if (usual.courseLinkId === null) return usual;
  const link = await app.courseLinks.find(usual.courseLinkId);
  const own = link?.courseId === course.id && otherSpaceOf(link.choice) === null;
  return own ? usual : { ...usual, courseLinkId: null };
}

/** Whether a waiting login fits the way this person would come today. */
async function stillFits(
  app: EntryApp & Pick<JoiningApp, "appUrlOf">,
  entry: Entry,
  login: KnownLogin,
  now: number,
): Promise<boolean> {
  if (login.usedAt !== null || login.usableUntil <= now) return true;
  return fingerprintNow(app, await findTarget(app, entry)) === login.fingerprint;
}

/** Caches records, because `findTarget` asks for the same ones for each person of a class. */
function remembering(app: JoiningApp, course: Course) {
  const once = <Value>(find: (...key: string[]) => Promise<Value>) => {
    const known = new Map<string, Promise<Value>>();
    return (...key: string[]): Promise<Value> => {
      const name = key.join(" ");
      const value = known.get(name) ?? find(...key);
      known.set(name, value);
      return value;
    };
  };
  const shared = {
    accounts: app.accounts,
    appUrlOf: app.appUrlOf,
    courses: { ...app.courses, find: () => Promise.resolve(course) },
    courseLinks: { ...app.courseLinks, find: once((id = "") => app.courseLinks.find(id)) },
    registrations: { ...app.registrations, find: once((id = "") => app.registrations.find(id)) },
    deployments: {
      ...app.deployments,
      find: once((id = "", deployment = "") => app.deployments.find(id, deployment)),
    },
  };
  return (member: Member, people: ReadonlyMap<string, Person>) => ({
    ...shared,
    people: { ...app.people, find: (id: string) => Promise.resolve(people.get(id) ?? null) },
    members: { ...app.members, find: () => Promise.resolve(member) },
  });
}
