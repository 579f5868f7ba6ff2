import { z } from "zod";
import type { App } from "../../app.ts";
import {
  type Correction,
  checkInOf,
  currentAttendanceOf,
  minutesOf,
  presenceSeen,
  sourceOf,
} from "../../domain/attendance.ts";
import { officeId } from "../../domain/counting-facts.ts";
import { type Course, isReplaced, keyOfCourse, type Person } from "../../domain/course.ts";
import { fullName } from "../../domain/person.ts";
import { lmsDeployment, type Registration } from "../../domain/registration.ts";
import { byId, byKey, compareText } from "../../kernel/lists.ts";
import { isGraded } from "../attendance/rules/attendance-summary.ts";
import type { AttendanceRecord } from "../attendance/store/attendance-stores.ts";
import { factsOfPeople } from "../grading/counting-facts.ts";
import { eventOfColumn } from "../grading/rules/column.ts";
import { causeOf, type Delivery, isNews, scoreStateOf, scoreStates } from "../grading/rules/delivery.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import type { ApiKey, ApiScope } from "./rules/api-key.ts";

export type ReadApp = Pick<App, "attendance" | "attendanceSummaries" | "columns" | "courses" | "deliveries"> &
  Pick<App, "events" | "excuses" | "members" | "people" | "sessionPlans">;

/** Which rows of a list: those after a key, or "" for the first ones. */
export type Part = { after: string; limit: number };
/** `next`: the key of the last row, if more may follow. */
export type Rows = { data: readonly unknown[]; next: string | null };
/** A key with its LMS, and the deployments that it leaves out. */
export type Reader = { key: ApiKey; registration: Registration; separate: readonly string[] };

type OfLms = { read: (app: ReadApp, reader: Reader, part: Part) => Promise<Rows> };
type OfCourse = { readCourse: (app: ReadApp, course: Course, part: Part) => Promise<Rows> };
/** A list that keys can read. Its address, its place in the document and its answer all follow from this. */
export type Resource = {
  /** Under /api/v1. With `{course}`, the list is one course's. */
  path: string;
  name: string;
  summary: string;
  scope: ApiScope;
  /** Describes one row. */
  schema: z.ZodType;
} & (OfLms | OfCourse);

const id = z.string().describe("The tool's id. It stays the same as long as the record is kept.");
const time = z.iso.datetime().describe("In UTC.");
const person = z
  .object({ id, lmsId: z.string().nullable().describe("The LMS's user id (LTI `sub`).") })
  .describe("Who it is about. Names and e-mail addresses are in /people, with a scope of their own.");
const sectionIds = z.array(z.string()).describe("The LMS's ids of sections or groups.");
const active = z.boolean().describe("Whether they are in the course now.");

const courseRow = z.object({
  id,
  lmsId: z
    .string()
    .nullable()
    .describe("The LMS's id of the course (LTI `context.id`); null: another record took this one's place."),
  deploymentId: z.string().describe("The LMS's deployment of the tool."),
  title: z.string(),
  label: z.string(),
  url: z.string().nullable().describe("The course's page in the LMS."),
  timeZone: z.string().nullable().describe("IANA name."),
  grading: z.enum(["no-grades", "one-column", "column-per-session"]),
  createdAt: time,
});

const sessionRow = z.object({
  id: z.string().describe("The classroom's id of the event, or the tool's id of a class nobody had planned."),
  title: z.string().nullable(),
  startsAt: time.nullable(),
  endsAt: time.nullable(),
  cancelled: z.boolean(),
  counts: z.boolean().describe("Whether it counts for grades."),
  sectionIds: sectionIds.describe("Sections that it is for; empty for the whole course."),
});

const status = z
  .string()
  .describe("PRESENT, LATE, ABSENT or EXCUSED; another word is passed on as the classroom wrote it.");
const source = z
  .enum(["classroom", "instructor", "office", "presence", "code"])
  .describe("Who says so. presence: computed from the time in the Space. code: they checked in themselves.");
const minutes = z
  .object({
    present: z.int(),
    of: z.int().describe("The session's length."),
    hidden: z.int().optional().describe("Of `present`, with the Space behind another tab."),
  })
  .nullable()
  .describe("Whole minutes in the Space during the session; null where nobody knows.");
const attendanceRow = z.object({
  person,
  active,
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      status: status.nullable().describe("What holds now; null for nothing."),
      source: source.nullable(),
      since: time.nullable().describe("When that was said."),
      minutes,
      checkedInAt: time.nullable(),
      reports: z
        .array(z.object({ status: status.nullable(), source, at: time }))
        .describe("All that was ever said, oldest first. null: an instructor took a mark back."),
      sectionIds: sectionIds.describe("Their sections then."),
    }),
  ),
});

const score = z.object({ score: z.number().nullable(), maximum: z.number() });
const gradeRow = z.object({
  person,
  active,
  scores: z.array(
    z.object({
      sessionId: z.string().nullable().describe("Of a session's column; null: the column of all sessions."),
      lineItemUrl: z.string().nullable().describe("The LMS's address of the column."),
      wanted: score.nullable(),
      unreleased: score.nullable().describe("Computed since, and kept back until an instructor releases it."),
      arrived: score.extend({ at: time }).nullable().describe("What the gradebook took last, and when."),
      state: z
        .enum(scoreStates)
        .describe(
          "delivered: the gradebook has it. waiting: it will be sent again. refused: somebody must act. held: a teacher's grade is there, and an instructor decides. left: the teacher's grade stays. idle: nothing to send.",
        ),
      reason: z.string().nullable().describe("Code of why it is not there."),
      gradebook: score.extend({ seenAt: time }).nullable().describe("A teacher's grade, as last seen."),
    }),
  ),
});

const personRow = z.object({
  id,
  lmsId: z.string(),
  idNumber: z.string().nullable().describe("The institution's."),
  name: z.string().nullable(),
  givenName: z.string().nullable(),
  familyName: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum(["instructor", "learner"]),
  graded: z.boolean().describe("Mentors, guests and preview students are not."),
  active,
  sectionIds,
});

const ofCourses: Resource = {
  path: "/courses",
  name: "Course",
  summary: "Courses of the LMS",
  scope: "courses:read",
  schema: courseRow,
  read: async ({ courses }, { key, registration, separate }, { after, limit }) => {
    const { registrationId, deploymentId } = key;
    const of = deploymentId === null ? { notOf: separate } : { deploymentId };
    const found = await courses.listAfter({ registrationId, ...of }, after, limit);
    const data = found.map((course): z.infer<typeof courseRow> => ({
      id: course.id,
      lmsId: isReplaced(course) ? null : course.contextId,
      deploymentId: lmsDeployment(registration, course.deploymentId),
      title: course.title,
      label: course.label,
      url: course.courseUrl,
      timeZone: course.timeZone,
      grading: course.policy.kind,
      createdAt: iso(course.createdAt),
    }));
    return { data, next: nextOf(found, limit, ({ id }) => id) };
  },
};

const ofSessions: Resource = {
  path: "/courses/{course}/sessions",
  name: "Session",
  scope: "courses:read",
  summary: "Sessions of a course, cancelled ones included",
  schema: sessionRow,
  readCourse: async (app, course, { after, limit }) => {
    const all = (await listSessions(app, course)).filter(({ eventId }) => eventId > after);
    const some = all.toSorted((one, other) => compareText(one.eventId, other.eventId)).slice(0, limit);
    const data = some.map((session): z.infer<typeof sessionRow> => ({
      id: session.eventId,
      title: session.title,
      startsAt: isoOrNull(session.startsAt),
      endsAt: isoOrNull(session.endsAt),
      cancelled: session.cancelled,
      counts: session.counts,
      sectionIds: [...session.sectionIds],
    }));
    return { data, next: nextOf(some, limit, ({ eventId }) => eventId) };
  },
};

const ofAttendance: Resource = {
  path: "/courses/{course}/attendance",
  name: "Attendance",
  scope: "attendance:read",
  summary: "People with attendance in a course, and its evidence. Those without any are left out",
  schema: attendanceRow,
  readCourse: async (app, course, { after, limit }) => {
    const key = keyOfCourse(course);
    const known = await app.attendanceSummaries.listAfter(key, after, limit);
    const ids = known.map(({ personId }) => personId);
    const [records, members, people] = await Promise.all([
      factsOfPeople(app, course, ids),
      app.members.findMany(key, ids),
      app.people.findMany(ids),
    ]);
    const [memberOf, personOf] = [byKey(members, ({ personId }) => personId), byId(people)];
    const recordsOf = Map.groupBy(records, ({ personId }) => personId);
    const data = ids.flatMap((personId): z.infer<typeof attendanceRow>[] => {
      const member = memberOf.get(personId);
      if (member?.testUser === true || member?.joinedTo != null) return [];
      const sessions = (recordsOf.get(personId) ?? []).map(evidenceOf);
      return [{ person: namedBy(personId, personOf), active: member?.active ?? false, sessions }];
    });
    return { data, next: nextOf(known, limit, ({ personId }) => personId) };
  },
};

function evidenceOf(record: AttendanceRecord): z.infer<typeof attendanceRow>["sessions"][number] {
  const { history, corrections, eventId, sectionIds } = record;
  const reports = [
    ...history.map((one) => ({ status: one.status, source: sourceOf(one), at: one.at })),
    ...corrections.map((one) => ({ status: one.status, source: authorOf(one), at: one.at })),
  ].sort((one, other) => one.at - other.at);
  const current = currentAttendanceOf(record);
  const { source: reported = null, correction = null } = current ?? {};
  const source = correction === null ? reported : authorOf(correction);
  const holds = reports.findLast((one) => one.source === source && one.status === current?.status);
  const seen = presenceSeen(record);
  return {
    sessionId: eventId,
    status: current?.status ?? null,
    source,
    since: isoOrNull(holds?.at ?? null),
    minutes: seen === undefined ? null : minutesOf(seen),
    checkedInAt: isoOrNull(checkInOf(record) ?? null),
    reports: reports.map(({ at, ...report }) => ({ ...report, at: iso(at) })),
    sectionIds: [...sectionIds],
  };
}

function authorOf({ by }: Pick<Correction, "by">): "instructor" | "office" {
  return by === officeId ? "office" : "instructor";
}

const ofGrades: Resource = {
  path: "/courses/{course}/grades",
  name: "Grades",
  scope: "grades:read",
  summary: "Scores of a course's people, and whether and when each reached the gradebook",
  schema: gradeRow,
  readCourse: async (app, course, { after, limit }) => {
    const key = keyOfCourse(course);
    const members = await app.members.listAfter(key, after, limit);
    const ids = members.map(({ personId }) => personId);
    const [deliveries, columns, people] = await Promise.all([
      app.deliveries.listAllOfPeople(key, ids),
      app.columns.listOfCourse(key.registrationId, key.courseId),
      app.people.findMany(ids),
    ]);
    const [columnOf, personOf] = [byKey(columns, (one) => one.key), byId(people)];
    const scoresOf = Map.groupBy(deliveries.filter(isNews), ({ personId }) => personId);
    const data = members.flatMap(({ personId, active }): z.infer<typeof gradeRow>[] => {
      const own = scoresOf.get(personId);
      if (own === undefined) return [];
      const scores = own.map((one) => scoreOf(one, columnOf.get(one.columnKey)?.lineItemUrl ?? null));
      return [{ person: namedBy(personId, personOf), active, scores }];
    });
    return { data, next: nextOf(members, limit, ({ personId }) => personId) };
  },
};

function scoreOf(delivery: Delivery, lineItemUrl: string | null): z.infer<typeof gradeRow>["scores"][number] {
  const { desired, unreleased = null, accepted, foreign } = delivery;
  const plain = (one: z.infer<typeof score>) => ({ score: one.score, maximum: one.maximum });
  return {
    sessionId: eventOfColumn(delivery.columnKey),
    lineItemUrl,
    wanted: desired === null ? null : plain(desired),
    unreleased: unreleased === null ? null : plain(unreleased),
    arrived: accepted === null ? null : { ...plain(accepted), at: iso(accepted.at) },
    state: scoreStateOf(delivery),
    reason: causeOf(delivery),
    gradebook: foreign === null ? null : { ...plain(foreign), seenAt: iso(foreign.seenAt) },
  };
}

const ofPeople: Resource = {
  path: "/courses/{course}/people",
  name: "Person",
  scope: "people:read",
  summary: "People of a course, with names and e-mail addresses",
  schema: personRow,
  readCourse: async (app, course, { after, limit }) => {
    const members = await app.members.listAfter(keyOfCourse(course), after, limit);
    const personOf = byId(await app.people.findMany(members.map(({ personId }) => personId)));
    const data = members.flatMap((member): z.infer<typeof personRow>[] => {
      const one = personOf.get(member.personId);
      if (one === undefined) return [];
      const { sub: lmsId, givenName, familyName, email, idNumber = null } = one;
      const names = { lmsId, idNumber, name: fullName(one), givenName, familyName, email };
      const facts = { role: member.role, active: member.active, graded: isGraded(member) };
      return [{ id: one.id, ...names, ...facts, sectionIds: [...member.sectionIds] }];
    });
    return { data, next: nextOf(members, limit, ({ personId }) => personId) };
  },
};

export const resources: readonly Resource[] = [ofCourses, ofSessions, ofAttendance, ofGrades, ofPeople];

function namedBy(personId: string, personOf: ReadonlyMap<string, Person>): z.infer<typeof person> {
  return { id: personId, lmsId: personOf.get(personId)?.sub ?? null };
}

function nextOf<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => string): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : keyOf(last);
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}
