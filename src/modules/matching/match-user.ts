import type { App } from "../../app.ts";
import { usersOf } from "../../domain/api-user.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { UserMatch } from "./rules/unmatched.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { whoAttended, type WhoAttendedDeps } from "../attendance/record-attendance.ts";
import { auditedPerson, writeCourseAudit, type CourseAuditDeps } from "../audit/write-course-audit.ts";

export type MatchUserDeps = CourseAuditDeps &
  WhoAttendedDeps &
  Pick<App, "userMatches" | "people" | "members" | "wake">;

/** "has-another": the person has a user already, and nobody confirmed. */
export type MatchedUser =
  { kind: "matched"; match: UserMatch; person: Person } | { kind: "has-another"; person: Person };

/**
 * Matches a user of the classroom with a member, for the course's deployment and for earlier reports, too. The person
 * enters with their own user as before: a matched user lets nobody in.
 * @param actor The instructor's person id.
 * @param wanted.confirmed It is wanted although the person has a user already.
 * @throws NamedError "learner-unknown", "user-matched-already"
 */
export async function matchUser(
  deps: MatchUserDeps,
  course: Course,
  actor: string,
  wanted: { userId: string; personId: string; confirmed: boolean },
): Promise<MatchedUser> {
  const { registrationId, deploymentId, environment } = course;
  const { userId, personId } = wanted;
  const person = await deps.people.find(personId);
  const member = await deps.members.find(registrationId, course.id, personId);
  if (person === null || member === null) {
    throw refusal("learner-unknown", {
      status: 404,
    });
  }
  if ((await whoAttended(deps, course, environment, userId)) !== null) throw matchedAlready();
  const others = await deps.userMatches.listOfPerson(registrationId, personId);
  if (!wanted.confirmed && (usersOf(person).length > 0 || others.length > 0))
    return { kind: "has-another", person };
  const at = deps.clock.now();
  const match = {
    id: deps.ids.id("mat"),
    registrationId,
    deploymentId,
    environment,
    userId,
    personId,
    courseId: course.id,
    by: actor,
    at,
    dueAt: at,
  };
  if (!(await deps.userMatches.insert(match))) throw matchedAlready();
  deps.wake("matches");
  await writeCourseAudit(deps, course, actor, {
    what: "person-matched",
    on: auditedPerson(person),
    after: userId,
  });
  return { kind: "matched", match: { ...match, state: "holds" }, person };
}

/** Takes a match back: its attendance leaves the course. @returns the person; null without such a match. */
export async function undoMatch(
  deps: MatchUserDeps,
  course: Course,
  actor: string,
  matchId: string,
): Promise<Person | null> {
  const match = await deps.userMatches.findById(matchId);
  if (match === null || match.courseId !== course.id || match.state !== "holds") return null;
  if (!(await deps.userMatches.undo(match.id, deps.clock.now()))) return null;
  deps.wake("matches");
  const person = await deps.people.find(match.personId);
  await writeCourseAudit(deps, course, actor, {
    what: "person-match-undone",
    on: person === null ? null : auditedPerson(person),
    before: match.userId,
  });
  return person;
}

function matchedAlready(): NamedError {
  return refusal("user-matched-already", { status: 409 });
}
