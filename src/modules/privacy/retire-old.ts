import { eraseCourse, erasePerson, type PrivacyApp } from "./erase.ts";
import type { EraseStep, RecordsApp, StepOutcome } from "./shared-steps.ts";
import type { PersonSubject, RecordFilter } from "../../domain/held-record.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { Erasure, ErasureSubject } from "./rules/erasure.ts";

const dayMs = 24 * 3_600_000;
const batchSize = 200;
/** Courses, and people, erased in one night at most: each takes minutes in the background. */
const maxErasuresPerNight = 500;
/** During a first launch a person is in no course for a moment. */
const loneMs = dayMs;

/**
 * Enqueues erasures by age: courses that nobody has opened for so many days, with webhooks that failed before that, and
 * people in no course for a day. A return before it is carried out keeps them, and there is no tombstone, since nobody
 * asked to be forgotten.
 * @param days RETENTION_DAYS; 0 keeps courses until they are erased, but not people in no course.
 * @returns how many records it deleted, and how many courses and people it enqueued.
 */
export async function retireOld(app: PrivacyApp, days: number): Promise<number> {
  const before = app.clock.now() - days * dayMs;
  const ofCourses = days === 0 ? 0 : (await retireCourses(app, before)) + (await dropFailed(app, before));
  return ofCourses + (await retirePeople(app));
}

async function retireCourses(app: PrivacyApp, before: number): Promise<number> {
  const old = unopenedSince(before);
  let retired = 0;
  for (let after = ""; ;) {
    const courses = await app.personalRecords.list("Course", old, after, batchSize);
    for (const { _id } of courses) {
      if (retired >= maxErasuresPerNight) return retired;
      await eraseCourse({ ...app, who: "retention" }, _id, before);
      retired += 1;
    }
    if (courses.length < batchSize) return retired;
    after = courses.at(-1)?._id ?? "";
    await letOthersRun();
  }
}

/** Webhooks that took effect are gone by then. */
async function dropFailed({ personalRecords }: PrivacyApp, before: number): Promise<number> {
  const old = { state: "failed", receivedAt: { $lt: before } };
  for (let dropped = 0; ;) {
    const some = await personalRecords.remove("Receipt", old, batchSize);
    dropped += some;
    if (some === 0) return dropped;
    await letOthersRun();
  }
}

/** Notes people in no course, and erases those noted a day ago. */
async function retirePeople(app: PrivacyApp): Promise<number> {
  const { personalRecords, clock } = app;
  const now = clock.now();
  let retired = 0;
  for (let after = ""; ;) {
    const people = await personalRecords.list("Person", {}, after, batchSize);
    const inCourses = await inSomeCourse(app, people);
    // A merged person is in the other one's courses, and goes with them.
    const lone = people.filter(({ _id, mergedInto }) => mergedInto === undefined && !inCourses.has(_id));
    for (const { _id, loneSince } of lone) {
      if (typeof loneSince !== "number" || loneSince > now - loneMs || retired >= maxErasuresPerNight)
        continue;
      await erasePerson({ ...app, who: "retention" }, _id);
      retired += 1;
    }
    const ids = (some: typeof people) => some.map(({ _id }) => _id);
    const fresh = { _id: { $in: ids(lone) }, loneSince: { $exists: false } };
    await personalRecords.change("Person", fresh, { update: { $set: { loneSince: now } } }, batchSize);
    const back = { _id: { $in: [...inCourses] }, loneSince: { $gt: 0 } };
    await personalRecords.change("Person", back, { update: { $unset: { loneSince: "" } } }, batchSize);
    if (people.length < batchSize) return retired;
    after = people.at(-1)?._id ?? "";
    await letOthersRun();
  }
}

async function inSomeCourse(
  { personalRecords }: Pick<PrivacyApp, "personalRecords">,
  people: readonly { _id: string; registrationId?: unknown }[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const registrationId of new Set(people.map((one) => one.registrationId))) {
    const personId = {
      $in: people.flatMap((one) => (one.registrationId === registrationId ? [one._id] : [])),
    };
    for (const id of await personalRecords.distinct("Member", "personId", { registrationId, personId }))
      found.add(id);
  }
  return found;
}

/** Records of early releases do not say when a course was last opened. */
const unopenedSince = (before: number): RecordFilter => ({
  $or: [{ lastLaunchAt: { $gt: 0, $lt: before } }, { lastLaunchAt: null, createdAt: { $lt: before } }],
});

/**
 * The first step of an automatic erasure: deletes the course or person itself if the reason, perhaps queued for hours,
 * still holds, and only as it was read, so that a launch at this moment wins.
 * @returns no step for an erasure that was asked for.
 */
export function retireFirst(
  app: RecordsApp,
  erasure: Pick<Erasure, "who" | "rounds" | "askedAt">,
  what: Exclude<ErasureSubject, { kind: "registration" }>,
): EraseStep[] {
  if (erasure.who !== "retention") return [];
  const key = what.kind === "course" ? "courses" : "person";
  return [
    {
      key,
      run: async () => {
        // Later rounds look for what is left.
        if (erasure.rounds > 0) return { erased: 0, cursor: null };
        if (what.kind === "person") return retirePerson(app, what);
        const { registrationId, courseId, unopenedSince: before = erasure.askedAt } = what;
        return unlessBack(app, "Course", { registrationId, _id: courseId }, unopenedSince(before));
      },
    },
  ];
}

async function retirePerson(app: RecordsApp, who: PersonSubject): Promise<StepOutcome> {
  const { registrationId, personIds } = who;
  const ids = { $in: [...personIds] };
  if ((await app.personalRecords.count("Member", { registrationId, personId: ids })) > 0) return cameBack;
  // A launch and a roster remove this before they add a member. Rows merged into this person go with the other records.
  return unlessBack(app, "Person", { registrationId, _id: ids, mergedInto: null }, { loneSince: { $gt: 0 } });
}

const cameBack: StepOutcome = { erased: 0, cursor: null, subject: null };

/** A missing one was deleted by a process that was killed: its work continues. */
async function unlessBack(
  { personalRecords }: RecordsApp,
  model: string,
  it: RecordFilter,
  still: RecordFilter,
): Promise<StepOutcome> {
  const erased = await personalRecords.remove(model, { $and: [it, still] }, 10);
  return (await personalRecords.count(model, it)) > 0 ? cameBack : { erased, cursor: null };
}
