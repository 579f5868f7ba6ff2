import {
  aboutOf,
  type BodyVerdict,
  courseByCourse,
  coursesOfRule,
  eraseAll,
  type EraseStep,
  type ErasingApp,
  namesStep,
  type RecordsApp,
  redactStep,
  valuesIn,
  verdictFor,
  wholeStep,
} from "./shared-steps.ts";
import { slicesOf } from "../../kernel/lists.ts";
import type { AccountId } from "../../domain/account.ts";
import type { PersonalData, PersonRule, PersonSubject } from "../../domain/personal-data.ts";
import { taskId } from "../../kernel/ids.ts";
import { separateErased } from "../members/join-members.ts";
import type { UserOfPerson } from "../members/store/person-store.ts";
import { recordingReadings } from "../recordings/recording-readings.ts";
import {
  type Erasure,
  type ErasureSubject,
  type RegistrationSubject,
  personalRecords as table,
} from "./rules/erasure.ts";
import type { ReceiptBody, TombstoneKey } from "./store/erasure-store.ts";

/** Records about a Space, for all courses that use it. */
const spaceRecords = table.filter(({ key }) =>
  ["recordings", "recordingTexts", "sessionEnds", "presences"].includes(key),
);

/**
 * Erases the course first, so the next launch makes a new one, then what belongs to it, and records about its Spaces that no other course
 * uses. The Spaces stay in the classroom and are closed to people without a right to them, because old addresses contain their ids.
 */
export function courseSteps(
  app: RecordsApp & ErasingApp,
  { who }: Pick<Erasure, "who">,
  what: Extract<ErasureSubject, { kind: "course" }>,
): EraseStep[] {
  const { registrationId, courseId, environment, spaceIds, eventIds } = what;
  const ofCourse = table.flatMap((held) =>
    held.ofCourses === null ? [] : [{ held, filter: held.ofCourses(registrationId, [courseId]) }],
  );
  const courseFirst = [
    ...ofCourse.filter(({ held }) => held.key === "courses"),
    ...ofCourse.filter(({ held }) => held.key !== "courses"),
  ];
  return [
    {
      key: "spaceRights",
      run: async () => ({
        erased: await app.spaceRegister.closeOf({ courseId }, "course-erased", app.clock.now()),
        cursor: null,
      }),
    },
    ...courseFirst.map(({ held, filter }) => wholeStep(app, held, filter)),
    {
      key: "recordings",
      run: async () => ({ erased: await eraseSpaces(app, environment, spaceIds), cursor: null }),
    },
    // Webhooks of an abandoned course are deleted by age.
    ...(who === "retention"
      ? []
      : [
          redactStep(app, environment, (bodies) =>
            Promise.resolve(
              bodies.map(({ body }) => {
                const { eventId } = aboutOf(body);
                return eventId !== null && eventIds.includes(eventId) ? { kind: "goes" } : { kind: "stays" };
              }),
            ),
          ),
        ]),
  ];
}

/** Erases records about Spaces, except those that a course still uses. */
async function eraseSpaces(app: RecordsApp, environment: AccountId, spaceIds: readonly string[]) {
  let erased = 0;
  for (const spaceId of spaceIds) {
    const used =
      (await app.personalRecords.count("Course", { environment, spaceId })) +
      (await app.personalRecords.count("FormerSpace", { environment, spaceId })) +
      (await app.personalRecords.count("CourseLink", { "choice.spaceId": spaceId }));
    if (used > 0) continue;
    for (const { model } of spaceRecords) erased += await eraseAll(app, model, { environment, spaceId });
    const { key } = recordingReadings.identityOf({ environment, spaceId });
    erased += await eraseAll(app, "Task", { _id: taskId(recordingReadings.name, key) });
  }
  return erased;
}

type Person = Extract<ErasureSubject, { kind: "person" }>;

/** First the mark that keeps them away, then names in texts, the person (a launch then makes a new one), and the rest. */
export function personSteps(app: ErasingApp, erasure: Erasure, who: Person): EraseStep[] {
  const records = table.flatMap((held) => held.person.map((rule) => stepOf(app, held, rule, who)));
  // Nobody asked to be forgotten. Webhooks about people in no course are deleted by age.
  if (erasure.who === "retention") return records;
  return [
    { key: "person", run: () => addTombstones(app, erasure, who) },
    {
      key: "memberships",
      run: async () => {
        await separateErased(app, who);
        return { erased: 0, cursor: null };
      },
    },
    namesStep(app, who),
    ...records,
    redactStep(app, who.environment, (bodies) => judgeForPerson(app, who, bodies)),
  ];
}

function stepOf(app: RecordsApp, held: PersonalData, rule: PersonRule, who: PersonSubject): EraseStep {
  const change = rule.change?.(who);
  if (rule.over === "once") return wholeStep(app, held, rule.find(who, who.courseIds), change);
  const { registrationId, courseIds } = who;
  const courses = { registrationId, only: coursesOfRule(rule, courseIds) };
  return courseByCourse(app, held.key, courses, (ids) =>
    eraseAll(app, held.model, rule.find(who, ids), change),
  );
}

/** Marks them in the first round. Later rounds check whether a roster or a launch has brought them back. */
async function addTombstones(app: ErasingApp, { id, rounds }: Erasure, who: Person) {
  const { registrationId, deploymentId, sub, environment, userIds } = who;
  const own: TombstoneKey = { kind: "sub", deploymentId, sub };
  const now = app.clock.now();
  if (rounds === 0) {
    const users = userIds.map((userId): TombstoneKey => ({ kind: "user", environment, userId }));
    await app.tombstones.addTombstones(registrationId, [own, ...users], {
      erasureId: id,
      at: now,
      newSalt: app.ids.secret(),
    });
    return { erased: 0, cursor: null };
  }
  const mark = await app.tombstones.find(registrationId, own, now);
  // They launched, so later reports about their user are theirs.
  if (mark === null || mark.risenAt !== null)
    return { erased: 0, cursor: null, subject: { ...who, userIds: [], soleUserIds: [] } };
  const again = await app.people.findBySub({ registrationId, deploymentId, sub });
  if (again === null || who.personIds.includes(again.id)) return { erased: 0, cursor: null };
  return { erased: 0, cursor: null, subject: { ...who, personIds: [...who.personIds, again.id] } };
}

/** If a user is also a person of another LMS, only webhooks about this LMS's sessions are affected. */
async function judgeForPerson(
  app: ErasingApp,
  { environment, registrationId, userIds, soleUserIds }: PersonSubject,
  bodies: readonly ReceiptBody[],
): Promise<BodyVerdict[]> {
  const shared = userIds.filter((id) => !soleUserIds.includes(id));
  const verdicts: BodyVerdict[] = [];
  for (const { body } of bodies) {
    const verdict = verdictFor(body, soleUserIds);
    const values = valuesIn(body);
    const isShared = verdict.kind === "stays" && shared.some((id) => values.has(id));
    const { eventId } = isShared ? aboutOf(body) : { eventId: null };
    const event = eventId === null ? null : await app.events.find(environment, eventId);
    const course = event === null || event.courseId === null ? null : await app.courses.find(event.courseId);
    verdicts.push(course?.registrationId === registrationId ? verdictFor(body, shared) : verdict);
  }
  return verdicts;
}

type Registration = Extract<ErasureSubject, { kind: "registration" }>;

const spaceBatchSize = 100;
/** The last of the LMS's records, because people and courses are needed to find the rest. */
const last = ["courses", "person"];

/**
 * Switches an LMS off, notes its courses, Spaces and accounts, and closes the Spaces. Then erases webhooks that name its people, what is
 * found by its courses, everything else of the LMS, the LMS itself, and records about its Spaces that no course of another LMS uses.
 */
export function registrationSteps(app: ErasingApp, what: Registration): EraseStep[] {
  const { registrationId, accounts, courseIds = null, spaceIds = [] } = what;
  const registration = { model: "Registration", key: "registrations" };
  const off = { update: { $set: { active: false } } };
  const byCourse = table.filter((held) => held.ofCourses !== null && held.ofRegistration === null);
  const own = table.flatMap((held) =>
    held.ofRegistration === null ? [] : [{ held, filter: held.ofRegistration(registrationId) }],
  );
  // As noted, because none are stored from the second round on.
  const all = { registrationId, only: courseIds };
  return [
    // Counted with the registration itself, at the end.
    {
      key: "registrations",
      run: async () => {
        await eraseAll(app, registration.model, { _id: registrationId, active: true }, off);
        return { erased: 0, cursor: null, subject: await withCoursesAndSpaces(app, what) };
      },
    },
    {
      key: "spaceRights",
      run: async () => ({
        erased: await app.spaceRegister.closeOf({ registrationId }, "lms-uninstalled", app.clock.now()),
        cursor: null,
      }),
    },
    ...accounts.map((account) =>
      redactStep(app, account, (bodies) => judgeForRegistration(app, account, registrationId, bodies)),
    ),
    ...byCourse.map(({ model, key, ofCourses }) =>
      courseByCourse(app, key, all, (ids) =>
        ofCourses === null ? Promise.resolve(0) : eraseAll(app, model, ofCourses(registrationId, ids)),
      ),
    ),
    ...own
      .filter(({ held }) => !last.includes(held.key))
      .map(({ held, filter }) => wholeStep(app, held, filter)),
    ...own
      .filter(({ held }) => last.includes(held.key))
      .map(({ held, filter }) => wholeStep(app, held, filter)),
    wholeStep(app, registration, { _id: registrationId }),
    {
      key: "recordings",
      run: async (cursor) => {
        const from = cursor === "" ? 0 : Number(cursor);
        const next = from + spaceBatchSize;
        let erased = 0;
        for (const account of accounts) erased += await eraseSpaces(app, account, spaceIds.slice(from, next));
        return { erased, cursor: next < spaceIds.length ? String(next) : null };
      },
    },
  ];
}

/** A webhook goes if it's about a person of this LMS and of no other. */
async function judgeForRegistration(
  app: ErasingApp,
  environment: AccountId,
  registrationId: string,
  bodies: readonly ReceiptBody[],
): Promise<BodyVerdict[]> {
  const users = bodies.map(({ body }) => aboutOf(body).userId);
  const people = await app.people.listByApiUsers(environment, [
    ...new Set(users.flatMap((userId) => userId ?? [])),
  ]);
  const isHere = ({ person }: UserOfPerson) => person.registrationId === registrationId;
  const here = new Set(people.filter(isHere).map(({ userId }) => userId));
  const elsewhere = new Set(people.filter((one) => !isHere(one)).map(({ userId }) => userId));
  return users.map((userId) => ({
    kind: userId !== null && here.has(userId) && !elsewhere.has(userId) ? "goes" : "stays",
  }));
}

/** Running work may add to the LMS after the first records are gone. Ten thousand courses take about a megabyte. */
async function withCoursesAndSpaces(
  { personalRecords }: RecordsApp,
  what: { kind: "registration" } & RegistrationSubject,
): Promise<{ kind: "registration" } & RegistrationSubject> {
  const { registrationId } = what;
  const own = { registrationId };
  const now = await personalRecords.distinct("Course", "_id", own);
  const courseIds = [...new Set([...(what.courseIds ?? []), ...now])];
  const spaceIds = new Set([
    ...(what.spaceIds ?? []),
    ...(await personalRecords.distinct("Course", "spaceId", own)),
    ...(await personalRecords.distinct("CourseLink", "choice.spaceId", own)),
  ]);
  for (const batch of slicesOf(courseIds, batchSize)) {
    const courseId = { $in: batch };
    for (const id of await personalRecords.distinct("FormerSpace", "spaceId", { courseId })) spaceIds.add(id);
  }
  const accounts = new Set(what.accounts);
  for (const model of ["Course", "Person"])
    for (const id of await personalRecords.distinct(model, "environment", own)) accounts.add(id);
  return { ...what, accounts: [...accounts], courseIds, spaceIds: [...spaceIds] };
}

const batchSize = 1_000;
