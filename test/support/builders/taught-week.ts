import type { Stores } from "../../../src/open-stores.ts";
import { giveSpace } from "./approve-space.ts";
import { giveApiUser } from "./give-api-user.ts";
import { launchedCourse, newCourse } from "./launched-course.ts";
import { registrationOf } from "./registration.ts";
import { recordPerson } from "./give-api-user.ts";
import { eventOf } from "./event.ts";

const hour = 3_600_000;
const day = 24 * hour;
const minute = 60_000;

/** An LMS with one course and three learners, each with a user of the classroom. */
export async function school(
  stores: Stores,
  { registrationId, account }: { registrationId: string; account: string },
): Promise<{ courseId: string; spaceId: string; people: readonly string[] }> {
  await stores.registrations.insert(
    registrationOf({
      id: registrationId,
      clientId: registrationId,
      name: `LMS ${registrationId}`,
      environment: account,
    }),
  );
  const courseId = `crs_${registrationId}`;
  const spaceId = `space-${registrationId}`;
  await stores.courses.record(
    { registrationId, deploymentId: "1", contextId: `ctx-${registrationId}` },
    launchedCourse(),
    { ...newCourse(courseId), environment: account },
  );
  await giveSpace(stores, { id: courseId, registrationId, environment: account }, spaceId);
  const people = [];
  for (const n of [1, 2, 3]) {
    const id = `per_${registrationId}_${n}`;
    const person = { registrationId, sub: `sub-${n}`, name: `Learner ${n}`, environment: account };
    await recordPerson(stores.people, id, person);
    await giveApiUser(stores.people, id, { userId: userOf(registrationId, n) });
    people.push(id);
  }
  return { courseId, spaceId, people };
}

export const userOf = (registrationId: string, n: number) => `user-${registrationId}-${n}`;

type Held = { registrationId: string; account: string; courseId: string; spaceId: string };

/** A scheduled hour that these learners attended. */
export async function attended(
  stores: Stores,
  { registrationId, account, courseId, spaceId }: Held,
  { eventId, startsAt, people }: { eventId: string; startsAt: number; people: readonly string[] },
): Promise<void> {
  await stores.events.save(
    eventOf({ environment: account, eventId, spaceId, courseId, startsAt, readAt: startsAt }),
  );
  for (const personId of people)
    await stores.attendance.record(
      { registrationId, courseId, eventId, personId },
      { status: "PRESENT", notes: null, at: startsAt + minute, updatedBy: null },
      { id: `att_${eventId}_${personId}`, sectionIds: [] },
    );
}

/** Somebody was in the Space. */
export async function wasThere(
  stores: Stores,
  { account, spaceId }: Pick<Held, "account" | "spaceId">,
  { userId, sessionId, from, to }: { userId: string; sessionId: string; from: number; to: number },
): Promise<void> {
  const tab = { tab: "tab", room: "main" };
  await stores.presences.note(
    { environment: account, spaceId, sessionId, userId },
    [
      { at: from, kind: "join", ...tab },
      { at: to, kind: "leave", ...tab },
    ],
    false,
  );
}

/** The gradebook took a score of each learner. */
export async function graded(
  stores: Stores,
  { registrationId, courseId }: Pick<Held, "registrationId" | "courseId">,
  { people, at }: { people: readonly string[]; at: number },
): Promise<void> {
  const score = { score: 80, maximum: 100, comment: null };
  for (const personId of people) {
    const id = `dlv_${personId}`;
    await stores.deliveries.setDesired(
      { registrationId, courseId },
      [
        {
          personId,
          sub: "sub",
          seen: { regrade: 1, summary: 1 },
          left: false,
          scores: new Map([["attendance", score]]),
        },
      ],
      { now: at, newId: () => id },
    );
    const claimed = await stores.deliveries.claimDue("test", at, at + minute);
    await stores.deliveries.settle(claimed?.id ?? "", "test", claimed?.desired?.revision ?? 0, {
      state: "delivered",
      accepted: { ...score, at },
      nextTryAt: at,
    });
  }
}

/** A week of one school: two scheduled hours, an unscheduled one, scores, and a launch that failed. */
export async function taughtWeek(
  stores: Stores,
  whose: { registrationId: string; account: string },
  monday: number,
): Promise<void> {
  const { courseId, spaceId, people } = await school(stores, whose);
  const held = { ...whose, courseId, spaceId };
  const [first = "", second = "", third = ""] = people;
  const nine = monday + 9 * hour;
  const user = (n: number) => userOf(whose.registrationId, n);
  await attended(stores, held, { eventId: `${courseId}-1`, startsAt: nine, people: [first, second] });
  await wasThere(stores, held, { userId: user(1), sessionId: "s1", from: nine, to: nine + hour });
  await wasThere(stores, held, { userId: user(2), sessionId: "s1", from: nine, to: nine + hour / 2 });
  await attended(stores, held, {
    eventId: `${courseId}-2`,
    startsAt: nine + 2 * day,
    people: [first, third],
  });
  // Nobody came to the third one.
  await attended(stores, held, { eventId: `${courseId}-3`, startsAt: nine + 3 * day, people: [] });
  const night = monday + 5 * day - hour;
  await wasThere(stores, held, { userId: user(1), sessionId: "s2", from: night, to: night + 2 * hour });
  await graded(stores, held, { people: [first, second], at: nine + 2 * hour });
  const failed = { registrationId: whose.registrationId, issuer: "", clientId: "", code: "token-signature" };
  await stores.refusedLaunches.add(failed, { at: nine, references: ["one"] });
}
