import { fullNameOf, type CoursePlan, type World } from "./world.ts";
import { network, type Seen } from "./network.ts";
import type { Told } from "./story.ts";

/** Laws that hold at every moment, looked at in what was noted. @returns what is broken, in words. @param lies Of the classroom: it did what it said it had not done. */
export function brokenNotes(world: World, told: Told, lies: number): string[] {
  const { classroom, plan, log, secrets, failedStarts } = world;
  return [
    ...tooManyCalls(classroom.calls().map(({ at }) => at)),
    ...madeTwice(
      "Spaces",
      classroom.spaces().map(({ name }) => name),
      /spaces\/create/i,
      lies,
    ),
    ...plan.courses.flatMap((course) => meetingPlaces(course, told)),
    ...madeTwice(
      "users",
      classroom.users().map(({ name, role }) => `${name} as ${role}`),
      /createAPIUser/i,
      lies,
    ),
    ...strangers(plan.courses, classroom.spaces(), told),
    ...stillHosts(world, told),
    ...secrets.flatMap((secret) =>
      log()
        .filter((line) => line.includes(secret))
        .map((line) => `a secret is in the log: ${line}`),
    ),
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

/**
 * The classroom cannot be asked which users and Spaces it made: where an answer was lost, on the way or with the process that heard it,
 * it is asked once more. What people see is one of them.
 */
function madeTwice(what: string, names: readonly string[], path: RegExp, lies: number): string[] {
  const isLost = ({ heardAt, from }: Seen) => heardAt === null || from.diedAt < heardAt + 1_000;
  const lost = network.seen().filter((one) => path.test(one.url) && isLost(one)).length + lies;
  const more = [...Map.groupBy(names, (name) => name)].filter(([, all]) => all.length > 1);
  const extra = more.reduce((sum, [, all]) => sum + all.length - 1, 0);
  const whose = more.map(([name]) => name).join(", ");
  return extra > lost ? [`${extra} ${what} too many (${whose}), and ${lost} answers lost`] : [];
}

/** Everybody of a course meets in one Space. */
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

/** Who became a learner enters as one. */
function stillHosts({ classroom }: World, { entries }: Told): string[] {
  const hosts = new Set(classroom.users().flatMap(({ userId, role }) => (role === "host" ? [userId] : [])));
  return entries
    .filter(({ isDemoted, userId }) => isDemoted && hosts.has(userId))
    .map(({ course, person }) => `${person} teaches course ${course} no more, and entered as its host`);
}

/** Laws that hold once nothing is under way any more. @param since When this day began: old webhooks are deleted. */
export async function brokenWhenQuiet(world: World, told: Told, since: number): Promise<string[]> {
  const { stores, classroom } = world;
  const now = Date.now();
  const receipts = await stores.receipts.countByState();
  const deliveries = await stores.deliveries.countByState();
  const due = [...(await stores.dueHeads.kindsDue(now)).keys()];
  const claimed = await world.claimed(now);
  const unfinished = classroom.webhooksSent().filter(({ state }) => state === "waiting").length;
  const stored = await world.storedWebhooks();
  const lost = classroom
    .webhooksSent()
    .filter(
      ({ state, payload, attempts }) =>
        state === "delivered" && (attempts[0]?.at ?? 0) >= since && !stored.has(JSON.stringify(payload)),
    )
    // What is about somebody who was erased is redacted.
    .filter(({ payload }) => !isAbout(world, told.erased, payload));
  const back: string[] = [];
  for (const person of told.erased) {
    const records = await world.recordsWith(fullNameOf(person));
    if (records.length > 0) back.push(`${person} was erased, and is in ${records.join(", ")}`);
  }
  return [
    ...lost.map(({ payload }) => `acknowledged and not stored: ${JSON.stringify(payload)}`),
    ...back,
    ...(unfinished > 0 ? [`${unfinished} webhooks are on their way`] : []),
    ...(receipts.waiting + receipts.asking + receipts.unmatched + receipts.failed > 0
      ? [`webhooks are not done: ${JSON.stringify(receipts)}`]
      : []),
    ...(deliveries.waiting > 0 ? [`scores are not sent: ${JSON.stringify(deliveries)}`] : []),
    ...(due.length > 0 ? [`work is due: ${due.join(", ")}`] : []),
    ...(claimed.length > 0 ? [`claims are held: ${claimed.join(", ")}`] : []),
    ...world.plan.courses.flatMap((course) => wrongGrades(world, told, course)),
  ];
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

/** What a status is worth under the policy that every course begins with; null is left out. */
const worth = { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null };

/** The gradebook of a course by person; null where there is no grade. */
export function gradesOf({ lms }: World, { id, learners }: CoursePlan): Map<string, number | null> {
  const shown = new Map(
    lms.gradebook(id).learners.map(({ personId, grades }) => [personId, grades[0]?.value ?? null]),
  );
  return new Map(learners.map((person) => [person, shown.get(person) ?? null]));
}

/** The gradebook is the mean of the marks, summed up here and not by the tool's rules. */
function wrongGrades(world: World, told: Told, course: CoursePlan): string[] {
  // Held until an instructor answers, as their page says.
  if (told.columnless.has(course.id)) return [];
  const { classroom } = world;
  const own = new Set(
    classroom.spaces().flatMap(({ name, spaceId }) => (name.endsWith(course.title) ? [spaceId] : [])),
  );
  const events = classroom
    .events()
    .filter(({ spaceId, status }) => spaceId !== null && own.has(spaceId) && status === "SCHEDULED");
  const held = new Set(events.map(({ eventId }) => eventId));
  const late = told.late.get(course.id) ?? worth.LATE;
  return [...gradesOf(world, course)].flatMap(([person, shown]) => {
    // The LMS keeps what it has of somebody who was erased.
    if (told.erased.has(person)) return [];
    const users = new Set(
      classroom
        .users()
        .filter(({ name, role }) => name === fullNameOf(person) && role === "participant")
        .map(({ userId }) => userId),
    );
    const marks = classroom
      .attendance()
      .filter(({ eventId, userId }) => held.has(eventId) && users.has(userId));
    const earned = marks.flatMap(({ eventId, status }) => {
      const counts = told.corrections.get(`${eventId} ${person}`) ?? status;
      return counts === "LATE" ? late : (worth[counts] ?? []);
    });
    // Rounded half up to hundredths, in whole numbers.
    const sum = earned.reduce((total, one) => total + one, 0);
    const mean =
      earned.length === 0 ? null : Math.floor((2 * sum * 100 + earned.length) / (2 * earned.length)) / 100;
    return mean === shown ? [] : [`${person} in course ${course.id} has ${shown} instead of ${mean}`];
  });
}
