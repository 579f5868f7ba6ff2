import type { App } from "../../app.ts";
import type { PersonSubject, RecordFilter } from "../../domain/personal-data.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { messageOf } from "../../kernel/errors.ts";
import { workOnDue } from "../../kernel/with-claim.ts";
import { dayMs } from "../../kernel/clock.ts";
import { eraseCourse, erasePerson, type PrivacyApp } from "./erase.ts";
import {
  afterRound,
  cleanAgainMs,
  cleansAfter,
  type Erasure,
  type ErasureSubject,
  recheckMs,
} from "./rules/erasure.ts";
import {
  type EraseStep,
  type ErasingApp,
  recordPages,
  type RecordsApp,
  type StepOutcome,
} from "./shared-steps.ts";
import { courseSteps, personSteps, registrationSteps } from "./subject-steps.ts";

/**
 * Claims the given erasure, or the one that has been due longest, and does one round of it, or cleans the files after the last round. The work
 * of a killed process continues when its claim has expired.
 * @returns false if none was due.
 */
export function runErasure(app: ErasingApp, id?: string): Promise<boolean> {
  const { claim, claimDue, extend } = app.erasures;
  const given: typeof claimDue = (...at) => (id === undefined ? claimDue(...at) : claim(id, ...at));
  return workOnDue(app, { claimDue: given, extend }, (erasure, holder) =>
    erasure.state === "cleaning" ? cleanAfter(app, erasure, holder) : carryOutRound(app, erasure, holder),
  );
}

async function carryOutRound(app: ErasingApp, claimed: Erasure, holder: string): Promise<void> {
  const { erasures, clock, logger } = app;
  let erasure = claimed;
  for (;;) {
    const step = stepsOf(app, erasure)[erasure.step];
    if (step === undefined) break;
    const outcome = await step.run(erasure.cursor);
    if (outcome.subject === null) return abandon(app, erasure, holder);
    const progress = progressAfter(erasure, step.key, outcome);
    const hasDone = outcome.erased > 0 || outcome.cursor !== null || outcome.subject !== undefined;
    if (hasDone && !(await erasures.note(erasure.id, holder, progress))) return;
    erasure = { ...erasure, ...progress };
    await letOthersRun();
  }
  const { id, kind, found, erased } = erasure;
  const rounds = erasure.rounds + 1;
  const state = afterRound(rounds, found);
  const now = clock.now();
  // The erased person's identity is deleted before the files are cleaned.
  const [gone, dueAt] =
    state === "cleaning" ? [{ subject: null }, now + cleansAfter(erasure.who)] : [{}, now + recheckMs];
  const progress = { state, rounds, step: 0, cursor: "", found: 0, erased, ...gone };
  await erasures.settle(id, holder, progress, dueAt);
  logger.info({ erasure: id, kind, rounds, found, state }, "erased");
}

/** Finishes every erasure that waits for clean files. If they couldn't be cleaned, checks again later. */
async function cleanAfter(app: ErasingApp, erasure: Erasure, holder: string): Promise<void> {
  const { id, step, cursor, found, erased } = erasure;
  if (await cleanFiles(app, { night: false })) return;
  const again = app.clock.now() + cleanAgainMs;
  await app.erasures.settle(id, holder, { step, cursor, found, erased }, again);
}

function progressAfter(erasure: Erasure, key: string, { erased, cursor, subject }: StepOutcome) {
  const before = erasure.erased[key] ?? 0;
  return {
    // A big LMS's subject is long, so it's only written if it has grown.
    ...(subject === undefined ? {} : { subject }),
    step: cursor === null ? erasure.step + 1 : erasure.step,
    cursor: cursor ?? "",
    found: erasure.found + erased,
    erased: erased === 0 ? erasure.erased : { ...erasure.erased, [key]: before + erased },
  };
}

/** Ends a retention erasure whose subject came back, without erasing anything. */
async function abandon(app: ErasingApp, erasure: Erasure, holder: string): Promise<void> {
  const { id, kind, rounds, erased } = erasure;
  const none = { step: 0, cursor: "", found: 0, subject: null };
  const progress = { ...none, state: "done", rounds, erased, doneAt: app.clock.now() } as const;
  await app.erasures.settle(id, holder, progress, null);
  app.logger.info({ erasure: id, kind }, "an erasure was abandoned: its course or person came back");
}

function stepsOf(app: ErasingApp, erasure: Erasure): EraseStep[] {
  const { subject } = erasure;
  switch (subject?.kind) {
    case "person":
      return [...retireFirst(app, erasure, subject), ...personSteps(app, erasure, subject)];
    case "course":
      return [...retireFirst(app, erasure, subject), ...courseSteps(app, erasure, subject)];
    case "registration":
      return registrationSteps(app, subject);
    case undefined:
      return [];
  }
}

/**
 * Leaves no byte of what was erased in the database's files, and finishes the erasures that waited for that. At night, also cleans big files
 * and what earlier releases deleted.
 * @returns false if something is left. Erasures stay unfinished until it's gone.
 */
export async function cleanFiles(app: Pick<App, "erasures" | "clock" | "logger">, when: { night: boolean }) {
  const { erasures, clock, logger } = app;
  // Erasures that come while the files are being written may have left bytes behind the writer's position.
  const waiting = await erasures.cleaning();
  if (waiting.length === 0 && !(when.night && erasures.owesScrub())) return true;
  const from = clock.now();
  try {
    if (!(await erasures.leaveNoTrace(when))) return false;
  } catch (thrown) {
    logger.warn(
      { reason: messageOf(thrown) },
      "the database's files could not be cleaned; it is tried again",
    );
    return false;
  }
  await erasures.finish(waiting, clock.now());
  logger.info(
    { erasures: waiting.length, ms: clock.now() - from },
    "the database's files hold nothing that was erased",
  );
  return true;
}

const batchSize = 200;
/** How many courses, and people, are erased in one night at most. Each takes minutes in the background. */
const maxErasuresPerNight = 500;
/** During a first launch, a person is in no course for a moment. */
const loneMs = dayMs;

/**
 * Enqueues erasures by age: courses that nobody has opened for some days, with webhooks that failed before then, and people who have been in
 * no course for a day. If they return before it's carried out, they are kept. There is no tombstone, because nobody asked to be forgotten.
 * @param days RETENTION_DAYS. 0 keeps courses until they are erased, but not people in no course.
 * @returns how many records it deleted, plus how many courses and people it enqueued.
 */
export async function retireOld(app: PrivacyApp, days: number): Promise<number> {
  const before = app.clock.now() - days * dayMs;
  const ofCourses = days === 0 ? 0 : (await retireCourses(app, before)) + (await dropFailed(app, before));
  return ofCourses + (await retirePeople(app));
}

async function retireCourses(app: PrivacyApp, before: number): Promise<number> {
  const old = unopenedSince(before);
  let retired = 0;
  for await (const courses of recordPages(app, "Course", old))
    for (const { _id } of courses) {
      if (retired >= maxErasuresPerNight) return retired;
      await eraseCourse({ ...app, who: "retention" }, _id, before);
      retired += 1;
    }
  return retired;
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
  for await (const people of recordPages(app, "Person", {})) {
    const inCourses = await inSomeCourse(app, people);
    // A merged person is in the other person's courses, and goes with them.
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
  }
  return retired;
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

/** Records of early releases don't say when a course was last opened. */
const unopenedSince = (before: number): RecordFilter => ({
  $or: [{ lastLaunchAt: { $gt: 0, $lt: before } }, { lastLaunchAt: null, createdAt: { $lt: before } }],
});

/**
 * The first step of an automatic erasure: deletes the course or person itself if the reason, perhaps queued for hours, is still true, and only
 * in the state that was read, so a launch at this moment wins.
 * @returns no step for an erasure that somebody asked for.
 */
function retireFirst(
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
        return unlessReturned(app, "Course", { registrationId, _id: courseId }, unopenedSince(before));
      },
    },
  ];
}

async function retirePerson(app: RecordsApp, who: PersonSubject): Promise<StepOutcome> {
  const { registrationId, personIds } = who;
  const ids = { $in: [...personIds] };
  if ((await app.personalRecords.count("Member", { registrationId, personId: ids })) > 0) return hasReturned;
  // A launch and a roster remove this before they add a member. Rows merged into this person go with the other records.
  return unlessReturned(
    app,
    "Person",
    { registrationId, _id: ids, mergedInto: null },
    { loneSince: { $gt: 0 } },
  );
}

const hasReturned: StepOutcome = { erased: 0, cursor: null, subject: null };

/** If the record is missing, a process that was killed has deleted it, and its work continues. */
async function unlessReturned(
  { personalRecords }: RecordsApp,
  model: string,
  it: RecordFilter,
  still: RecordFilter,
): Promise<StepOutcome> {
  const erased = await personalRecords.remove(model, { $and: [it, still] }, 10);
  return (await personalRecords.count(model, it)) > 0 ? hasReturned : { erased, cursor: null };
}
