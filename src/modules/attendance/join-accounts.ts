import type { App } from "../../app.ts";
import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import { officeId } from "../../domain/counting-facts.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type AuditApp, auditedPerson, writeAudit, writeCourseAudit } from "../audit/audit.ts";
import type { AuditedPerson } from "../audit/rules/course-audit.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import {
  type AccountPair,
  clashes,
  joinByOffice,
  joinMembers,
  type JoinProblem,
} from "../members/join-members.ts";

export type OfficeJoinApp = GradingApp & AuditApp & Pick<App, "officeJoins">;

/** The author that the change log names for actions from the console; not a person of the course. */
export const officeActor: AuditedPerson = { personId: officeId, name: null };

/**
 * From now on, marks, minutes and evidence of the earlier account count for the other one. Nothing is rewritten.
 * @throws NamedError "learner-unknown", "join-learners-only", "join-taken", "join-left"
 */
export async function joinAccounts(app: GradingApp, course: Course, actor: string, pair: AccountPair) {
  const people = await peopleOf(app, pair);
  await gradeAfterChange(app, course, people, async () => {
    const problem = await joinMembers(app, keyOfCourse(course), pair, false);
    if (problem !== null) throw notJoined(problem);
  });
  await writeLines(app, course, actor, people, "accounts-joined");
}

/** @throws NamedError "learner-unknown", "join-by-office" */
export async function separateAccounts(app: GradingApp, course: Course, actor: string, personId: string) {
  const { registrationId, id } = course;
  const member = await app.members.find(registrationId, id, personId);
  if (member?.joinedTo == null) throw refusal("learner-unknown", { status: 404 });
  if (member.joinedByOffice === true) throw refusal("join-by-office", { status: 409 });
  await separate(app, course, actor, { personId, joinedTo: member.joinedTo });
}

async function separate(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId">,
  actor: string | AuditedPerson,
  pair: AccountPair,
): Promise<boolean> {
  const people = await app.people.findMany([pair.personId, pair.joinedTo]);
  const done = await gradeAfterChange(app, course, people, () =>
    app.members.separate(keyOfCourse(course), pair.personId, pair.joinedTo),
  );
  if (done) await writeLines(app, course, actor, people, "accounts-separated");
  return done;
}

/**
 * Joins two accounts in every course that has both, now and later. @param sub The LMS's user id of the account that is in use now.
 * @throws NamedError "no-such-person", "join-same", "join-taken"
 */
export async function joinEverywhere(app: OfficeJoinApp, earlier: Person, sub: string) {
  const now = await app.people.findBySub({ ...earlier, sub: sub.trim() });
  if (now === null) throw refusal("no-such-person", { status: 404 });
  if (now.id === earlier.id) throw refusal("join-same", { status: 400 });
  const { registrationId } = earlier;
  const pair = { personId: earlier.id, joinedTo: now.id };
  const known = await app.officeJoins.listOf(registrationId, [earlier.id, now.id]);
  if (clashes(known, pair)) throw notJoined("taken");
  const join = { id: app.ids.id("ojn"), registrationId, ...pair, at: app.clock.now() };
  // If a process ended half-way, pressing the button again joins them in the remaining courses.
  const begun = known.some(({ personId }) => personId === earlier.id);
  if (!begun && !(await app.officeJoins.add(join))) throw notJoined("taken");
  await writeAudit(app, { what: "accounts-joined", registrationId, on: earlier.id });
  for (const course of await coursesOfBoth(app, registrationId, pair))
    await gradeAfterChange(app, course, [earlier, now], async () => {
      const problem = await joinByOffice(app, keyOfCourse(course), pair);
      if (problem === null) await writeLines(app, course, officeActor, [earlier, now], "accounts-joined");
    });
}

/** Undoes what the office joined. Accounts that instructors joined stay joined. */
export async function separateEverywhere(app: OfficeJoinApp, { id, registrationId }: Person): Promise<void> {
  const join = (await app.officeJoins.listOf(registrationId, [id])).find((one) => one.personId === id);
  if (join === undefined) return;
  // Before removing the join, so the button still works after a crash; and after it, since a launch may have joined them in between.
  await separateInCourses(app, join);
  await app.officeJoins.remove(registrationId, id);
  await separateInCourses(app, join);
  await writeAudit(app, { what: "accounts-separated", registrationId, on: id });
}

async function separateInCourses(
  app: OfficeJoinApp,
  { registrationId, ...join }: AccountPair & Pick<Person, "registrationId">,
): Promise<void> {
  for (const course of await coursesOfBoth(app, registrationId, join)) {
    for (const { personId, joinedTo, joinedByOffice } of await app.members.listJoined(keyOfCourse(course))) {
      const isTheirs = [join.personId, join.joinedTo].includes(personId) && joinedByOffice === true;
      if (isTheirs && joinedTo != null) await separate(app, course, officeActor, { personId, joinedTo });
    }
  }
}

async function coursesOfBoth(app: GradingApp, registrationId: string, { personId, joinedTo }: AccountPair) {
  const [own, other] = await Promise.all([
    app.members.listOfPerson(registrationId, personId),
    app.members.listOfPerson(registrationId, joinedTo),
  ]);
  const also = new Set(other.map(({ courseId }) => courseId));
  return own.flatMap(({ courseId }) => (also.has(courseId) ? [{ id: courseId, registrationId }] : []));
}

async function peopleOf(app: GradingApp, { personId, joinedTo }: AccountPair): Promise<Person[]> {
  const people = await app.people.findMany([personId, joinedTo]);
  if (people.length < 2 && personId !== joinedTo) throw refusal("learner-unknown", { status: 404 });
  return people;
}

/** One audit entry for each account, so both histories have it, and erasing one person leaves no trace in the other's. */
async function writeLines(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId">,
  actor: string | AuditedPerson,
  people: readonly Person[],
  what: "accounts-joined" | "accounts-separated",
): Promise<void> {
  for (const person of people)
    await writeCourseAudit(app, course, actor, { what, on: auditedPerson(person) });
}

function notJoined(problem: JoinProblem): NamedError {
  return refusal(`join-${problem}`, { status: 409 });
}
