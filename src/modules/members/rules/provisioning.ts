import { type ApiUser, usersOf } from "../../../domain/api-user.ts";
import type { Member, Person } from "../../../domain/course.ts";
import { toldName } from "../../../domain/person-name.ts";

/**
 * A person of a course whose API user is to be made, or told a new name, without anybody waiting for it. One record
 * for each (course, person): courses take turns, and who is in two of them comes with whichever is earlier.
 */
export type Provisioning = {
  id: string;
  registrationId: string;
  courseId: string;
  personId: string;
  /** When it is (next) to be tried (ms). */
  dueAt: number;
  /** Failures so far. */
  attempts: number;
  /** Why the latest attempt failed, in words for an instructor; null when none did. */
  problem: string | null;
  /** Code of what `problem` says, to say it in other languages; earlier records lack it, and alone it means nothing. */
  problemCode?: string | null;
  /** Whether the classroom said no: trying again soon would change nothing. */
  refused: boolean;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long somebody whom the classroom refused is left alone (ms). */
export const refusedRests = 24 * hour;
/** How long somebody is left alone of whom it is not known whether the classroom made a user (ms). */
export const unknownRests = 30 * 24 * hour;
/** How long a course is left alone whose people may not come in at present (ms): switched-off LMS, refused deployment. */
export const shutRests = 15 * minute;
/** How long a person is left alone whom somebody at the door is about to make (ms). */
export const elsewhereRests = 15 * second;

/**
 * Whether a member is somebody who will walk into the classroom: a student or an instructor who is in the course.
 * Preview students come and go, mentors and guests never enter; the door makes whoever comes all the same.
 */
export function willEnter(member: Pick<Member, "role" | "active" | "testUser" | "student">): boolean {
  return member.active && !member.testUser && (member.role === "instructor" || member.student);
}

/**
 * The users of a person that the classroom should be told another name of because it knows them under an earlier one.
 * A pseudonym that became a name is a change; a name that the LMS withholds from now on is none, and neither is a
 * pseudonym whose word for the role differs.
 */
export function usersToRename(
  person: Pick<Person, "name" | "givenName" | "familyName" | "apiUsers">,
): ApiUser[] {
  const told = toldName(person);
  return told === null ? [] : usersOf(person).filter(({ name }) => name !== null && name !== told);
}

/** How long to wait after a temporary failure (ms): half a minute, then twice as long each time, at most half an hour. */
export function provisioningRetryAfter(attempts: number): number {
  return Math.min(30 * second * 2 ** Math.min(attempts - 1, 10), 30 * minute);
}
