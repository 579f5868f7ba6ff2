import { attendanceSums } from "../../../src/modules/attendance/rules/attendance-summary.ts";
import { sectionsOf } from "../../../src/modules/members/store/member-store.ts";
import type { GradingCourse } from "./grading-course.ts";
import { collectionsByModel, type StoredDocument } from "../../../src/storage/records.ts";

const statuses = ["PRESENT", "PRESENT", "PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;

/** Gives a course learners who all have a status in all sessions, and minutes if they were there: records as stores write them, in bulk. */
export async function seedGrading(
  course: GradingCourse,
  { learners, sessions }: { learners: number; sessions: number },
): Promise<void> {
  const { connection, key } = course;
  const insert = async (model: string, documents: readonly StoredDocument[]) => {
    await collectionsByModel(connection)(model).insertMany([...documents]);
  };
  await insert("ClassroomEvent", range(sessions).map(eventRow(key)));
  for (let from = 0; from < learners; from += 100) {
    const some = range(100).map((at) => from + at);
    await insert("Member", some.map(memberRow(key)));
    await insert("Person", some.map(personRow));
    await insert("Standing", some.map(summaryRow(key, sessions)));
    await insert(
      "Attendance",
      some.flatMap((learner) => range(sessions).map((session) => attendanceRow(key, learner, session))),
    );
  }
}

type Key = GradingCourse["key"];

function eventRow({ courseId }: Key) {
  return (n: number) => ({
    _id: `production:${eventId(n)}`,
    environment: "production",
    eventId: eventId(n),
    spaceId: "space",
    title: `Lesson ${n}`,
    ...timesOf(n),
    cancelled: false,
    courseId,
    readAt: 1,
    planned: true,
  });
}

function memberRow(key: Key) {
  return (n: number) => ({
    _id: `mem_${n}`,
    ...key,
    personId: personIdOf(n),
    role: "learner",
    roleFrom: "roster",
    testUser: false,
    student: true,
    active: true,
    ...sectionsOf([String(n % 40)]),
    sectionsTold: true,
    lastLaunchAt: null,
    lastEntry: null,
    listName: `Family ${String(n).padStart(5, "0")}`,
  });
}

function personRow(n: number) {
  return {
    _id: personIdOf(n),
    registrationId: "reg_1",
    deploymentId: "1",
    sub: `sub-${n}`,
    name: `Given ${n} Family`,
    givenName: `Given ${n}`,
    familyName: "Family",
    email: `${n}@example.test`,
    environment: "production",
    apiUserId: `user-${n}`,
    apiUserName: null,
    leaseHolder: null,
    leaseUntil: 0,
  };
}

function summaryRow(key: Key, sessions: number) {
  return (n: number) => {
    const seen = range(sessions).map((session) => {
      const present = minutesOf(n, session);
      const minutes = present === null ? {} : { minutes: { present, of: sessionMinutes } };
      return { eventId: eventId(session), status: statusOf(n, session), ...minutes };
    });
    const person = { personId: personIdOf(n), sub: `sub-${n}` };
    return { _id: `std_${n}`, ...key, ...person, revision: 1, sessions: seen, ...attendanceSums(seen) };
  };
}

function attendanceRow(key: Key, learner: number, session: number) {
  return {
    _id: `att_${learner}_${session}`,
    ...key,
    eventId: eventId(session),
    personId: personIdOf(learner),
    history: [{ status: statusOf(learner, session), notes: null, at: 1_000 + session, updatedBy: null }],
    corrections: [],
    ...seenBy(learner, session),
    sectionIds: [String(learner % 40)],
    revision: 1,
  };
}

const sessionMinutes = 60;

function timesOf(session: number) {
  const startsAt = session * 86_400_000;
  return { startsAt, endsAt: startsAt + sessionMinutes * 60_000 };
}

/** How long a learner was in a session; null if they are absent or excused. */
function minutesOf(learner: number, session: number): number | null {
  const status = statusOf(learner, session);
  return status === "PRESENT" || status === "LATE" ? 30 + ((learner * 7 + session * 13) % 31) : null;
}

function seenBy(learner: number, session: number) {
  const minutes = minutesOf(learner, session);
  if (minutes === null) return {};
  const { startsAt, endsAt } = timesOf(session);
  const ms = minutes * 60_000;
  return { seen: { startsAt, endsAt, ms, stays: [{ from: startsAt, to: startsAt + ms }] } };
}

/** The learner's id, in the order of the numbers. */
export function personIdOf(n: number): string {
  return `per_${String(n).padStart(24, "0")}`;
}

/** The session's id. */
export function eventId(n: number): string {
  return `event-${String(n).padStart(18, "0")}`;
}

/** What the classroom reported about a learner in a session. */
export function statusOf(learner: number, session: number): (typeof statuses)[number] {
  return statuses[(learner * 31 + session * 7) % statuses.length] ?? "PRESENT";
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_none, at) => at);
}
