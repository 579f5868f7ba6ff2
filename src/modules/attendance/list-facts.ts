import { summarySlices } from "../grading/grade-members.ts";
import type { AttendanceRecord } from "./store/attendance-stores.ts";
import type { ShowAttendanceApp } from "./show-attendance.ts";
import {
  authorsIn,
  currentAttendanceOf,
  latestObservation,
  minutesOf,
  presenceSeen,
  type SessionMinutes,
  sourceOf,
} from "../../domain/attendance.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import { fullName, personName } from "../../domain/person.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId, byKey, slicesOf } from "../../kernel/lists.ts";
import { everyMember, namesOfUsers } from "../members/people.ts";
import { factsOfPeople } from "../grading/counting-facts.ts";
import { listSessions } from "../scheduling/list-sessions.ts";

type AttendanceFact = {
  sub: string;
  name: string | null;
  session: CourseSession;
  /** Their sections at the session's first fact. */
  sectionIds: readonly string[];
  /** "presence": suggested by the time in the Space. "code": they checked in. */
  source: "classroom" | "instructor" | "presence" | "code";
  /** As reported; null for a correction that was taken back. */
  status: string | null;
  notes: string | null;
  reason: string | null;
  /** If the person is unknown, we only have a classroom user id. */
  by: { name: string } | { classroomUser: string } | null;
  at: number;
  holds: boolean;
  /** The person's minutes in the session; null if unknown. */
  minutes: SessionMinutes | null;
};

type Learner = { personId: string; sectionIds: readonly string[] };
/** How many learners to read at a time; each may have a hundred sessions. */
const batchSize = 100;

/**
 * All facts by learner and time, in batches to save memory. @param sectionId Only learners who were in this section then, or are in it now if
 * that is unknown; null for all.
 */
export async function* listFacts(
  app: ShowAttendanceApp,
  course: Course,
  sectionId: string | null,
): AsyncGenerator<AttendanceFact[]> {
  const sessions = byKey(await listSessions(app, course), ({ eventId }) => eventId);
  const names = createNames(app, course);
  for await (const learners of peopleWithFacts(app, course)) {
    const personIds = learners.map(({ personId }) => personId);
    const sectionsNow = new Map(learners.map(({ personId, sectionIds }) => [personId, sectionIds]));
    const people = byId(await app.people.findMany(personIds));
    const all = await factsOfPeople(app, course, personIds);
    const records = all.filter((one) => {
      const known = one.sectionIds.length > 0 ? one.sectionIds : (sectionsNow.get(one.personId) ?? []);
      return sectionId === null || known.includes(sectionId);
    });
    await names.learn(records);
    const facts = records.flatMap((record) => {
      const session = sessions.get(record.eventId) ?? unknownSession(record.eventId);
      return factsOf(record, session, people.get(record.personId), names);
    });
    const orderOf = new Map(personIds.map((id, at) => [people.get(id)?.sub ?? id, at]));
    yield facts.sort((a, b) => (orderOf.get(a.sub) ?? 0) - (orderOf.get(b.sub) ?? 0) || a.at - b.at);
    await letOthersRun();
  }
}

/** Members first, then people with facts who were never members. */
async function* peopleWithFacts(app: ShowAttendanceApp, course: Course): AsyncGenerator<readonly Learner[]> {
  const courseKey = keyOfCourse(course);
  const members = await everyMember(app, courseKey);
  yield* slicesOf(members, batchSize);
  const known = new Set(members.map(({ personId }) => personId));
  for await (const summaries of summarySlices(app, courseKey, batchSize)) {
    const others = summaries.filter(({ personId }) => !known.has(personId));
    if (others.length > 0) yield others.map(({ personId }) => ({ personId, sectionIds: [] }));
  }
}

type Names = {
  learn: (records: readonly AttendanceRecord[]) => Promise<void>;
  instructor: (personId: string) => AttendanceFact["by"];
  classroomUser: (userId: string | null) => AttendanceFact["by"];
};

function createNames(app: Pick<ShowAttendanceApp, "people">, course: Course): Names {
  const instructors = new Map<string, string | null>();
  const users = new Map<string, string | null>();
  return {
    learn: async (records) => {
      const unknown = authorsIn(records).filter((id) => !instructors.has(id));
      const found = byId(await app.people.findMany(unknown));
      for (const id of unknown) {
        const person = found.get(id);
        instructors.set(id, person === undefined ? null : personName(person, "instructor"));
      }
      const authors = records.flatMap(({ history }) => history.flatMap(({ updatedBy }) => updatedBy ?? []));
      const fresh = authors.filter((id) => !users.has(id));
      const names = await namesOfUsers(app, course, fresh);
      for (const id of fresh) users.set(id, names.get(id) ?? null);
    },
    instructor: (id) => {
      const name = instructors.get(id) ?? null;
      return name === null ? null : { name };
    },
    classroomUser: (id) => {
      if (id === null) return null;
      const name = users.get(id) ?? null;
      return name === null ? { classroomUser: id } : { name };
    },
  };
}

function factsOf(
  record: AttendanceRecord,
  session: CourseSession,
  person: Person | undefined,
  names: Names,
): AttendanceFact[] {
  const { history, corrections, sectionIds } = record;
  const current = currentAttendanceOf(record);
  const seen = presenceSeen(record);
  const common = {
    minutes: seen === undefined ? null : minutesOf(seen),
    sub: person?.sub ?? record.personId,
    name: person === undefined ? null : fullName(person),
    session,
    sectionIds,
  };
  return [
    ...history.map((seen) => ({
      ...common,
      source: sourceOf(seen),
      status: seen.status,
      notes: seen.notes,
      reason: null,
      by: names.classroomUser(seen.updatedBy),
      at: seen.at,
      holds: current !== null && current.source !== "instructor" && seen === latestObservation(history),
    })),
    ...corrections.map((correction, at) => ({
      ...common,
      source: "instructor" as const,
      status: correction.status,
      notes: correction.notes,
      reason: correction.reason,
      by: names.instructor(correction.by),
      at: correction.at,
      holds: current?.source === "instructor" && at === 0,
    })),
  ];
}
