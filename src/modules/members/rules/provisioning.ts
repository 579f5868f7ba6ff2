import type { AccountId } from "../../../domain/account.ts";
import { usersOf, fullName } from "../../../domain/person.ts";
import { type Member, memberRecord, type Person, personRecord } from "../../../domain/course.ts";
import { anyOf, everyCourse, given, once } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { sectionRecord } from "../../../domain/section.ts";
import { dayMs, minuteMs, secondMs } from "../../../kernel/clock.ts";

/**
 * An API user to be made or renamed in the background. One record per course and person. A person in several courses is prepared with the
 * earliest.
 */
export const provisioningRecord = describeRecord("Provisioning", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    personId: field.text,
    dueAt: field.number,
    attempts: field.number,
    /** Why the latest attempt failed, for instructors. */
    problem: field.text.orNull,
    /** The code of `problem`, for translation. */
    problemCode: field.text.orNull.optional,
    /** The classroom refused it: asked again soon, it would give the same answer. */
    refused: field.flag,
  },
  hidden: { holder: field.text.orNull },
  indexes: [index("registrationId", "courseId", "dueAt"), index("refused")],
  personalData: {
    key: "preparations",
    holds: "people who need an API user",
    stored: "until it is made",
    person: [everyCourse],
  },
});
export type Provisioning = ItemOf<typeof provisioningRecord>;

/** The turns of courses: one record per course with people to prepare. */
export const courseTurnRecord = describeRecord("ProvisioningTurn", {
  id: null,
  fields: {
    registrationId: field.text,
    environment: field.textOf<AccountId>(),
    /** When there may be work (ms). */
    dueAt: field.number,
    /** When the course last had a turn (ms). */
    servedAt: field.number,
    /** Counts announcements, so a course isn't dropped while a person is being added. */
    revision: field.number,
  },
  indexes: [index("registrationId", "servedAt"), index("dueAt")],
  personalData: {
    key: "preparationTurns",
    holds: "which course's people are prepared next; no person",
    stored: "until everyone is prepared",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  },
});

/** The pause after a refusal (ms). */
export const refusedPauseMs = dayMs;
/** The pause after an unknown outcome (ms). */
export const unknownPauseMs = 30 * dayMs;
/** The pause of a course that is closed at present (ms): LMS switched off, deployment refused. */
export const closedPauseMs = 15 * minuteMs;
/** The pause while an entry makes the user (ms). */
export const elsewherePauseMs = 15 * secondMs;

/** Whether to prepare a user: not for preview students, who come and go, nor mentors and guests, who never enter. An entry makes it anyway. */
export function willEnter(member: Pick<Member, "role" | "active" | "testUser" | "student">): boolean {
  return member.active && !member.testUser && (member.role === "instructor" || member.student);
}

/**
 * Users that the classroom knows by an earlier name. A pseudonym that was replaced by a name counts, but not a name that is now withheld, nor
 * a pseudonym with another role's word.
 */
export function usersToRename(person: Pick<Person, "name" | "givenName" | "familyName" | "apiUsers">) {
  const current = fullName(person);
  return current === null ? [] : usersOf(person).filter(({ name }) => name !== null && name !== current);
}

/** The wait after a temporary failure (ms): half a minute, doubling to half an hour. */
export function provisioningRetryAfter(attempts: number): number {
  return Math.min(30 * secondMs * 2 ** Math.min(attempts - 1, 10), 30 * minuteMs);
}

/** An office's statement that two accounts of an LMS are one person. It counts in every course that has both. */
export const officeJoinRecord = describeRecord("OfficeJoin", {
  fields: {
    registrationId: field.text,
    /** The earlier account. */
    personId: field.text,
    joinedTo: field.text,
    at: field.number,
  },
  indexes: [index.unique("registrationId", "personId"), index("registrationId", "joinedTo")],
  personalData: {
    key: "officeJoins",
    holds: "which two accounts of one person an office joined",
    stored: "with the LMS or one of the two",
    person: [
      once,
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({ registrationId, joinedTo: anyOf(personIds) }),
      },
    ],
    given: given(once, "at"),
    names: [
      { path: "personId", among: "registration", both: "keep" },
      { path: "joinedTo", among: "registration" },
    ],
  },
});
export type OfficeJoin = ItemOf<typeof officeJoinRecord>;

export const membersRecords = [
  officeJoinRecord,
  personRecord,
  sectionRecord,
  memberRecord,
  provisioningRecord,
  courseTurnRecord,
];
