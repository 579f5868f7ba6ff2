import { z } from "zod";
import type { ApiCall } from "../../sandbox/stand-in-classroom/traffic.ts";
import type { Owner } from "./instances.ts";
import { loop } from "./loop.ts";
import type { Status } from "../support/tool/start-world.ts";
import { network, type Seen } from "./network.ts";
import type { Told } from "./story.ts";
import { type CoursePlan, fullNameOf, ports, type World } from "./world.ts";

const second = 1_000;
const dayMs = 24 * 3_600 * second;
/** Machines that are off until the next class renew a key days later. */
const maxKeyDays = 37;

/** Laws that hold at every moment, checked on what was recorded. @returns the broken ones, in words */
export function brokenNotes(world: World, told: Told): string[] {
  const { classroom, plan, log, secrets, failedStarts } = world;
  return [
    ...tooManyCalls(classroom.calls().map(({ at }) => at)),
    ...plan.courses.flatMap((course) => meetingPlaces(course, told)),
    ...madeTwice(world, "createSpace", /spaces\/create/i),
    ...madeTwice(world, "createApiUser", /createAPIUser/i),
    ...callsInPause(world),
    ...sentByTwo(),
    ...strangers(plan.courses, classroom.spaces(), told),
    ...stillHosts(world, told),
    ...secrets.flatMap((secret) =>
      log()
        .filter((line) => line.includes(secret))
        .map((line) => `a secret is in the log: ${line}`),
    ),
    ...log().flatMap(sentAgain),
    ...(world.lms.refusedSignatures() > 0
      ? ["the LMS knew no key that had signed a request for an access token"]
      : []),
    ...failedStarts().map((reason) => `an instance did not start: ${reason}`),
    ...told.failures.map((failure) => `nobody could do this: ${failure}`),
  ];
}

/** At most four calls begin within any second, by the classroom's own clock (document part 8). */
function tooManyCalls(begun: readonly number[]): string[] {
  const times = begun.toSorted((one, other) => one - other);
  const fifth = times.findIndex((at, number) => at - (times[number - 4] ?? -Infinity) < 1_000);
  if (fifth === -1) return [];
  const over = times.filter((at, number) => at - (times[number - 4] ?? -Infinity) < 1_000).length;
  return [`${over} times five calls within a second, first at ${new Date(times[fifth] ?? 0).toISOString()}`];
}

/** Keys are renewed before they have signed for a month. */
async function oldKeys({ stores }: World): Promise<string[]> {
  const now = Date.now();
  const signing = (await stores.toolKeys.list()).filter(({ notBefore }) => notBefore <= now);
  const newest = Math.max(...signing.map(({ notBefore }) => notBefore));
  const days = (now - newest) / dayMs;
  return days > maxKeyDays ? [`a key has signed for ${days.toFixed(1)} days`] : [];
}

/** What the simulation saw of a call to the classroom. */
type Known = { call: ApiCall; seen: Seen | undefined };

function knownCalls({ classroom }: World, path: RegExp): Known[] {
  const seen = network
    .seen()
    .filter(({ port, url, from }) => port === ports.classroom && path.test(url) && from.name !== "people");
  const byMoment = Map.groupBy(seen, ({ at }) => Math.floor(loop.epoch + at));
  return classroom
    .calls()
    .filter(({ path: asked }) => path.test(asked))
    .map((call) => ({ call, seen: byMoment.get(call.at)?.shift() }));
}

/** The longest time from a last check of a claim until the request has arrived, and from an answer until it is stored (ms). */
const onTheWayMs = 30;

/** The caller cannot know whether it was done: the answer was lost, on the way or with the process that received it. */
function isUnknown({ call, seen }: Known): boolean {
  if (call.refusedByLimit) return false;
  if (call.fault?.takesEffect === true || seen?.heardAt == null) return true;
  const { at, heardAt, from } = seen;
  const storedBy = withPauses(from, heardAt, heardAt + second);
  const stillMs = from.pauses
    .filter((pause) => pause.until >= at - onTheWayMs && pause.from <= storedBy)
    .reduce((sum, pause) => sum + pause.until - pause.from, 0);
  // Or it was paused meanwhile, so that another took over.
  return from.diedAt < storedBy || stillMs > takenOverMs;
}

/** The least that remains of a claim that was just extended or checked (ms). */
const takenOverMs = 3_000;

/**
 * The classroom cannot be asked which users and Spaces it made: where the answer was lost it is asked once more for the same. What people see
 * is one of them.
 */
function madeTwice(world: World, operation: "createSpace" | "createApiUser", path: RegExp): string[] {
  const { classroom } = world;
  const isSpace = operation === "createSpace";
  const made = isSpace
    ? classroom.spaces().map(({ name }) => name)
    : classroom.users().map(({ name, role }) => `${name} as ${role}`);
  const more = [...Map.groupBy(made, (name) => name)].filter(([, all]) => all.length > 1);
  if (more.length === 0) return [];
  const calls = knownCalls(world, path);
  return more.flatMap(([name, all]) => {
    const own = calls.filter((one) => nameOf(one.call, isSpace) === name);
    const lost = own.filter(isUnknown).length;
    return all.length - 1 > lost
      ? [`${name} was made ${all.length} times: ${own.map(fateOf).join(", ")}`]
      : [];
  });
}

function fateOf(known: Known): string {
  const { call, seen } = known;
  const from = seen === undefined ? "" : ` by ${seen.from.name}`;
  const heard = seen?.heardAt == null ? "unheard" : `heard after ${Math.round(seen.heardAt - seen.at)} ms`;
  return `${new Date(call.at).toISOString()}${from} ${String(call.status)} ${heard}${isUnknown(known) ? " (lost)" : ""}`;
}

const named = z.object({ name: z.string(), role: z.string().optional() });

function nameOf({ body }: ApiCall, isSpace: boolean): string {
  const { name, role } = named.parse(body);
  return isSpace ? name : `${name} as ${role ?? ""}`;
}

const callSaid = z.object({ operation: z.enum(["createSpace", "createApiUser"]), kind: z.literal("again") });

/** A call does not itself repeat a creation that may have happened already: the next caller looks first. */
function sentAgain(line: string): string[] {
  const said = callSaid.safeParse(JSON.parse(line));
  return said.success ? [`${said.data.operation} was sent again, and may have been done: ${line}`] : [];
}

/** After a 429 nobody calls before the classroom allows it, once they can know of it. */
function callsInPause(world: World): string[] {
  const calls = knownCalls(world, /./);
  return calls.flatMap(({ call, seen }) => {
    const waitMs = call.fault?.kind === "429" ? (call.fault.retryAfterSeconds ?? 0) * second : 0;
    if (waitMs === 0 || seen?.heardAt == null || isUnknown({ call, seen })) return [];
    const { at, heardAt, from } = seen;
    const knownToAll = withPauses(from, heardAt, heardAt + spreadMs);
    const early = calls
      .flatMap((one) => one.seen ?? [])
      // Analytics has its own stricter limits (document part 8).
      .filter(({ url }) => !isAnalytics(seen.url) || isAnalytics(url))
      .filter((one) => {
        const isLate = one.from === from ? one.at > heardAt + underWayMs : one.at > knownToAll;
        // A process that was paused just before may have a call on its way already.
        const isWoken = one.from.pauses.some(({ until }) => one.at >= until && one.at - until < underWayMs);
        return isLate && one.at - at < waitMs - onTheWayMs && !isWoken;
      });
    if (early.length === 0) return [];
    return [
      `${early.length} calls in a pause of ${waitMs / second} s from ${new Date(call.at).toISOString()} on`,
    ];
  });
}

const isAnalytics = (url: string) => url.includes("/analytics/");

/** When a process has done what it would do by `until`, given its pauses since `from` (virtual ms). */
function withPauses({ pauses }: Owner, from: number, until: number): number {
  return pauses.reduce((end, pause) => {
    const stops = pause.until > from && pause.from <= end;
    return stops ? end + pause.until - Math.max(pause.from, from) : end;
  }, until);
}

/** Calls that may leave already leave within this time, after which all instances know of the pause (ms). */
const underWayMs = 300;
const spreadMs = second;

/** Whether the calling process died before a moment, or was paused so long since its request that another may take over. */
function hasStopped({ at, from }: Seen, until: number): boolean {
  const isLong = (pause: { from: number; until: number }) => pause.until - pause.from > takenOverMs;
  const touches = (pause: { from: number; until: number }) =>
    pause.until > at - onTheWayMs && pause.from < until;
  return from.diedAt < until || from.pauses.some((pause) => isLong(pause) && touches(pause));
}

const scored = z.object({ userId: z.string() });

/** No two processes send the same person's score at the same time, unless the first died or was paused long enough to lose its claim. */
function sentByTwo(): string[] {
  const sent = network.seen().filter(({ score }) => score !== "");
  const byPerson = Map.groupBy(
    sent,
    ({ url, score }) => `${scored.parse(JSON.parse(score)).userId} at ${url}`,
  );
  return [...byPerson].flatMap(([what, all]) =>
    all.slice(1).flatMap(({ at, from }, number) => {
      const first = all[number];
      if (first?.heardAt == null || first.from === from || at > first.heardAt || hasStopped(first, at))
        return [];
      return [`a score of ${what} was sent by ${first.from.name} and ${from.name} at the same time`];
    }),
  );
}

/** Everybody in a course meets in one Space. */
function meetingPlaces(course: CoursePlan, { entries }: Told): string[] {
  const spaces = new Set(entries.filter((one) => one.course === course.id).map(({ spaceId }) => spaceId));
  return spaces.size > 1 ? [`people of ${course.title} were let into ${[...spaces].join(" and ")}`] : [];
}

function strangers(
  courses: readonly CoursePlan[],
  spaces: readonly { name: string; spaceId: string }[],
  told: Told,
): string[] {
  return told.entries.flatMap(({ course, person, spaceId }) => {
    const own = courses.find(({ id }) => id === course);
    const space = spaces.find((one) => one.spaceId === spaceId);
    const isTheirs = own !== undefined && space?.name.endsWith(own.title) === true;
    return isTheirs ? [] : [`${person} of course ${course} was let into ${space?.name ?? spaceId}`];
  });
}

/** Somebody who became a learner enters as one. */
function stillHosts({ classroom }: World, { entries }: Told): string[] {
  const hosts = new Set(classroom.users().flatMap(({ userId, role }) => (role === "host" ? [userId] : [])));
  return entries
    .filter(({ isDemoted, userId }) => isDemoted && hosts.has(userId))
    .map(({ course, person }) => `${person} no longer teaches course ${course}, but entered as its host`);
}

/** The longest wait before a failed task is retried (ms). */
const longestPauseMs = 6 * 60 * 60_000;

/**
 * Laws that hold once nothing is under way any more; what is still under way is all that is said while there is some.
 * @param since When this day began: old webhooks are deleted.
 */
export async function brokenWhenQuiet(world: World, told: Told, since: number): Promise<string[]> {
  const underWay = [...(await unfinished(world)), ...wrongGrades(world, told)];
  if (underWay.length > 0) return underWay;
  const claimed = await world.claimed(Date.now());
  return [
    ...(await lostWebhooks(world, told, since)),
    ...(claimed.length > 0 ? [`claims are held: ${claimed.join(", ")}`] : []),
    ...(await oldKeys(world)),
  ];
}

async function unfinished({ stores, classroom, putOff }: World): Promise<string[]> {
  const now = Date.now();
  const receipts = await stores.receipts.countByState();
  const deliveries = await stores.deliveries.countByState();
  const due = [...(await stores.dueHeads.kindsDue(now)).keys()];
  const givenUp = await putOff(now + longestPauseMs);
  const onTheWay = classroom.webhooksSent().filter(({ state }) => state === "waiting").length;
  return [
    ...(onTheWay > 0 ? [`${onTheWay} webhooks are on their way`] : []),
    ...(receipts.waiting + receipts.asking + receipts.unmatched + receipts.failed > 0
      ? [`webhooks are not done: ${JSON.stringify(receipts)}`]
      : []),
    ...(deliveries.waiting > 0 ? [`scores are not sent: ${JSON.stringify(deliveries)}`] : []),
    ...(due.length > 0 ? [`work is due: ${due.join(", ")}`] : []),
    ...givenUp.map((task) => `a task failed and is not tried again soon: ${task}`),
  ];
}

/** Acknowledged means stored. */
async function lostWebhooks(world: World, told: Told, since: number): Promise<string[]> {
  const delivered = world.classroom
    .webhooksSent()
    .filter(({ state, attempts }) => state === "delivered" && (attempts[0]?.at ?? 0) >= since)
    // Webhooks about an erased person are redacted.
    .filter(({ payload }) => !isAbout(world, told.erased, payload))
    .map(({ payload }) => JSON.stringify(payload));
  const stored = await world.storedWebhooks();
  return delivered.filter((body) => !stored.has(body)).map((body) => `acknowledged and not stored: ${body}`);
}

/** No erased person is in any record. */
export function erasedAndBack(world: World, told: Told): string[] {
  return [...told.erased].flatMap((person) => {
    const records = world.recordsWith(fullNameOf(person));
    return records.length > 0 ? [`${person} was erased, and is in ${records.join(", ")}`] : [];
  });
}

function isAbout(
  { classroom }: World,
  people: ReadonlySet<string>,
  payload: Readonly<Record<string, unknown>>,
): boolean {
  const names = new Set([...people].map(fullNameOf));
  const users = classroom.users().filter(({ name }) => names.has(name));
  const text = JSON.stringify(payload);
  return users.some(({ userId }) => text.includes(userId));
}

/** The credit for each status under the default policy; null is left out. */
const worth = { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null };

/** The gradebook of a course by person; null if there is no grade. */
export function gradesOf({ lms }: World, { id, learners }: CoursePlan): Map<string, number | null> {
  const shown = new Map(
    lms.gradebook(id).learners.map(({ personId, grades }) => [personId, grades[0]?.value ?? null]),
  );
  return new Map(learners.map((person) => [person, shown.get(person) ?? null]));
}

/** The gradebook is the mean of the marks, computed here and not by the tool's rules. */
function wrongGrades(world: World, told: Told): string[] {
  const { classroom, plan } = world;
  const events = new Map(
    classroom
      .events()
      .flatMap(({ eventId, spaceId, status }) => (status === "SCHEDULED" ? [[eventId, spaceId]] : [])),
  );
  const participants = Map.groupBy(
    classroom.users().filter(({ role }) => role === "participant"),
    ({ name }) => name,
  );
  const marks = Map.groupBy(classroom.attendance(), ({ userId }) => userId);
  // Without a column, or if they are released by hand, grades are held until an instructor answers, as their page says.
  const graded = plan.courses.filter(({ id }) => !told.columnless.has(id) && !told.held.has(id));
  return graded.flatMap((course) => {
    const own = new Set(
      classroom.spaces().flatMap(({ name, spaceId }) => (name.endsWith(course.title) ? [spaceId] : [])),
    );
    const late = told.late.get(course.id) ?? worth.LATE;
    return [...gradesOf(world, course)].flatMap(([person, shown]) => {
      // The LMS keeps what it has about an erased person.
      if (told.erased.has(person)) return [];
      const users = participants.get(fullNameOf(person)) ?? [];
      const counts = new Map<string, Status>();
      for (const { eventId, status } of users.flatMap(({ userId }) => marks.get(userId) ?? []))
        counts.set(`${eventId} ${person}`, status);
      for (const [what, status] of told.corrections)
        if (what.endsWith(` ${person}`)) counts.set(what, status);
      const earned = [...counts].flatMap(([what, status]) => {
        if (!own.has(events.get(what.split(" ")[0] ?? "") ?? "")) return [];
        return status === "LATE" ? late : (worth[status] ?? []);
      });
      // Rounded half up to hundredths, in whole numbers.
      const sum = earned.reduce((total, one) => total + one, 0);
      const count = earned.length;
      const mean = count === 0 ? null : Math.floor((2 * sum * 100 + count) / (2 * count)) / 100;
      return mean === shown ? [] : [`${person} in course ${course.id} has ${shown} instead of ${mean}`];
    });
  });
}
