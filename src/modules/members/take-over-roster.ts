import type { App } from "../../app.ts";
import { classroomRoleOf, listNameOf } from "../../domain/person.ts";
import type { Course } from "../../domain/course.ts";
import { changesSummary, isGraded } from "../attendance/rules/attendance-summary.ts";
import { type ListedPerson, memberAfterRoster, type RosterFacts } from "./rules/roster.ts";
import { willEnter } from "./rules/provisioning.ts";
import { personScope } from "../../domain/person-scope.ts";
import type { LmsCapabilities } from "../../domain/lms-product.ts";
import type { Registration } from "../../domain/registration.ts";
import { sectionIdsOf } from "../../domain/section.ts";
import { doesNotTeach } from "../../domain/course-rights.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byKey, slicesOf } from "../../kernel/lists.ts";
import { isJoinable, joinByOffice } from "./join-members.ts";
import { everyMember } from "./people.ts";
import type { RosterMember } from "../../lms/roster.ts";
import type { SessionsOf } from "../../storage/browser-session-store.ts";
import type { ListedMember, MemberKey, RosterChange } from "./store/member-store.ts";
import { type Entering, enqueueApiUsers } from "./api-users.ts";

export type TakeOverApp = Pick<App, "attendance" | "browserSessions" | "columns" | "deliveries" | "excuses"> &
  Pick<App, "members" | "officeJoins" | "people" | "provisioning" | "provisionsOf" | "tombstones"> &
  Pick<App, "regradeAfterChanges" | "clock" | "ids" | "wake">;

type RosterToTakeOver = {
  course: Course;
  registration: Pick<Registration, "environment">;
  product: Pick<LmsCapabilities, "idsHoldWithin" | "rosterDemotesInstructors">;
  /** When the reading started (ms). Later launches take precedence. */
  startedAt: number;
  /** Whether the course's people were known before. */
  isRead: boolean;
  listed: readonly RosterMember[];
};

/** People in one transaction. 250 would block others for a quarter of a second. */
const batchSize = 100;

/**
 * Takes a roster over in slices, so entries don't wait. Missing members become inactive and keep their history. People
 * without an API user get one in the background. Repeatable. @param onWritten Called after each slice. If it throws,
 * the work ends.
 */
export async function takeOverRoster(
  app: TakeOverApp,
  { course, registration, product, startedAt, isRead, listed }: RosterToTakeOver,
  onWritten: (written: number, total: number) => Promise<void>,
): Promise<void> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const scope = personScope(product, registration, course);
  const known = byKey(await everyMember(app, key), ({ personId }) => personId);
  const joining = listed.filter(joins);
  const others = listed.filter((person) => !joins(person));
  const regrade = app.regradeAfterChanges(course);
  const seen = new Set<string>();
  const total = listed.length;
  let written = 0;

  const changeFor = (personId: string, person: ListedPerson | null): RosterChange[] => {
    const member = known.get(personId);
    if (member === undefined) return [];
    const to = memberAfterRoster(member, person, { product, startedAt });
    return Object.keys(to).length === 0 ? [] : [{ personId, id: member.id, to }];
  };
  const takeEffect = async (changed: readonly RosterChange[]) => {
    await app.deliveries.standDown(key, idsOf(changed.filter(({ to }) => to.active === false)), "left");
    const noLearners = idsOf(changed.filter(({ to }) => to.student === false));
    await app.deliveries.standDown(key, noLearners, "no-learner");
    await app.deliveries.retryPeople(key, gradableAgain(changed), app.clock.now());
    await endSessions(app, { ...key, launchedBefore: startedAt }, changed);
  };
  const apply = async (changes: { made: RosterChange[]; changed: RosterChange[] }) => {
    // Both before and after: if this process ends in between, the next reading sees no change.
    await takeEffect(changes.changed);
    await app.members.applyRoster(key, startedAt, changes);
    await takeEffect(changes.changed);
  };
  const wrote = async (count: number) => {
    written += count;
    await onWritten(written, total);
    await letOthersRun();
  };

  for (const all of slicesOf(joining, batchSize)) {
    const subs = all.map(({ sub }) => sub);
    // A launch brings an erased person back, a roster doesn't.
    const erased = await app.tombstones.erasedSubs(scope, subs, app.clock.now());
    const some = all.filter(({ sub }) => !erased.has(sub));
    const people = await app.people.recordMany(scope, some.map(factsOf), {
      newId: () => app.ids.id("per"),
      environment: course.environment,
    });
    const made: RosterChange[] = [];
    const changed: RosterChange[] = [];
    const entering: Entering[] = [];
    for (const person of some) {
      const found = people.get(person.sub);
      if (found === undefined) continue;
      const personId = found.id;
      seen.add(personId);
      const before = known.get(personId);
      const changes = changeFor(personId, listedPerson(person));
      changed.push(...changes);
      const role = roleAfter(changes, before, person);
      if (enters(before)) entering.push({ person: found, role });
      if (before === undefined)
        made.push({
          personId,
          id: app.ids.id("mem"),
          to: newcomer(listedPerson(person), { startedAt, isRead }),
        });
    }
    const newcomers = made.map(({ personId }) => personId);
    // Also covers known people, because a process may have been killed before it joined them here.
    const ids = [...people.values()].map(({ id }) => id);
    const joins = (await app.officeJoins.listOf(key.registrationId, ids)).filter(({ personId, joinedTo }) =>
      [personId, joinedTo].every((id) => mayBeJoined(known.get(id)) || newcomers.includes(id)),
    );
    const concerns = joins.length > 0 || (await haveFacts(app, key, newcomers));
    if (concerns || changed.some((change) => concernsScores(known, change))) await regrade.before();
    await apply({ made, changed });
    for (const join of joins) await joinByOffice(app, key, join);
    const arranging = some.filter(({ rights }) => doesNotTeach(rights.staffRole));
    const personIds = arranging.flatMap(({ sub }) => people.get(sub)?.id ?? []);
    await endTeaching(app, { ...key, personIds, launchedBefore: startedAt });
    await enqueueApiUsers(app, course, entering);
    await wrote(all.length);
  }
  for (const batch of slicesOf(others, batchSize)) {
    const subs = batch.map(({ sub }) => sub);
    const personIds = await app.people.idsOf(scope, subs);
    const changed = batch.flatMap((person) => {
      const personId = personIds.get(person.sub);
      if (personId === undefined) return [];
      seen.add(personId);
      if (!person.active) return changeFor(personId, null);
      return person.observer === true ? changeFor(personId, listedPerson(person)) : [];
    });
    await apply({ made: [], changed });
    await wrote(batch.length);
  }
  await checkForNewTerm(app, key, known, seen);
  const absent = [...known.keys()].filter((personId) => !seen.has(personId));
  for (const batch of slicesOf(absent, batchSize)) {
    const changed = batch.flatMap((personId) => changeFor(personId, null));
    await apply({ made: [], changed });
    await letOthersRun();
  }
  await regrade.after();
}

/** Whether anything counts for newcomers: they attended before, or an office excused them. */
async function haveFacts(app: TakeOverApp, key: MemberKey, newcomers: readonly string[]): Promise<boolean> {
  if (newcomers.length === 0) return false;
  const { registrationId, courseId } = key;
  const attended = await app.attendance.listOfPeople(registrationId, courseId, newcomers);
  return attended.length > 0 || (await app.excuses.listOfPeople(registrationId, newcomers)).length > 0;
}

/**
 * If half of the former learners are gone, somebody may have emptied the gradebook, too. Not all learners go, because Moodle lists non-editing
 * teachers as learners, and they stay.
 */
async function checkForNewTerm(
  { columns, wake, clock }: Pick<TakeOverApp, "columns" | "wake" | "clock">,
  key: { registrationId: string; courseId: string },
  known: ReadonlyMap<string, ListedMember>,
  seen: ReadonlySet<string>,
): Promise<void> {
  const learned = [...known.values()].filter((member) => member.active && isGraded(member));
  const gone = learned.filter(({ personId }) => !seen.has(personId)).length;
  if (gone === 0 || gone * 2 < learned.length) return;
  await columns.checkBy(key, clock.now());
  wake("columns");
}

/** Ends sessions of former members and former teachers immediately. */
async function endSessions(app: TakeOverApp, of: SessionsOf, changed: readonly RosterChange[]) {
  const left = idsOf(changed.filter(({ to }) => to.active === false));
  const demoted = idsOf(changed.filter(({ to }) => to.role === "learner"));
  const now = app.clock.now();
  // A roster seldom lists the LMS's administrators, whose session still leads into the console.
  const away = { ...of, personIds: left, consoleUntil: null };
  if (left.length > 0) await app.browserSessions.endAll(away, now, "left-course");
  if (demoted.length === 0) return;
  const taught = { ...of, personIds: demoted, role: "instructor" } as const;
  await app.browserSessions.endAll(taught, now, "role-changed");
}

async function endTeaching(app: TakeOverApp, of: SessionsOf & { personIds: readonly string[] }) {
  if (of.personIds.length === 0) return;
  await app.browserSessions.endAll({ ...of, staffRole: "teacher" }, app.clock.now(), "role-changed");
}

function concernsScores(known: ReadonlyMap<string, ListedMember>, { personId, to }: RosterChange): boolean {
  const before = known.get(personId);
  return before !== undefined && changesSummary(before, { ...before, ...to });
}

/** A roster doesn't add preview students, mentors or people without access. */
function joins(person: RosterMember): boolean {
  return person.active && !person.rights.testUser && (person.learner || person.rights.role === "instructor");
}

function mayBeJoined(member: ListedMember | undefined): boolean {
  return member !== undefined && isJoinable(member) && member.joinedTo == null;
}

/** People who are students (again). Scores that the LMS refused are retried for them. */
function gradableAgain(changed: readonly RosterChange[]): string[] {
  return idsOf(changed.filter(({ to }) => to.active === true || to.student === true));
}

function idsOf(found: readonly RosterChange[]): string[] {
  return found.map(({ personId }) => personId);
}

function roleAfter(changes: readonly RosterChange[], before: ListedMember | undefined, person: RosterMember) {
  return classroomRoleOf(changes[0]?.to.role ?? before?.role ?? person.rights.role);
}

/** Unless a launch made them mentors or preview students. */
function enters(known: ListedMember | undefined): boolean {
  return known === undefined || willEnter({ ...known, active: true });
}

function factsOf({ sub, name, givenName, familyName, email, idNumber = null }: RosterMember) {
  return { sub, name, givenName, familyName, email, idNumber };
}

function listedPerson(person: RosterMember): ListedPerson {
  return {
    role: person.rights.role,
    student: person.learner,
    active: true,
    sectionIds: sectionIdsOf(person.custom) ?? person.groupIds,
    listName: listNameOf(person),
  };
}

function newcomer(
  { role, student, sectionIds, listName }: ListedPerson,
  { startedAt, isRead }: Pick<RosterToTakeOver, "startedAt" | "isRead">,
): RosterChange["to"] & RosterFacts {
  const known = {
    role,
    student,
    sectionIds: sectionIds ?? [],
    listName,
    joinedAt: isRead ? startedAt : null,
  };
  const facts = { ...known, roleFrom: "roster", active: true } as const;
  return role === "instructor" ? { ...facts, listed: { role, since: startedAt } } : facts;
}
