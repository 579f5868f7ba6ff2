import { byId, slicesOf } from "../../kernel/lists.ts";
import type { App } from "../../app.ts";
import { type AttendanceFacts, currentAttendanceOf } from "../../domain/attendance.ts";
import type { Person } from "../../domain/course.ts";
import type { PersonSubject } from "../../domain/held-record.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { personSubject, unknownCourse } from "./erase.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import { coursesAfter, coursesOfRule, type RecordsApp } from "./shared-steps.ts";
import type { StoredRecord } from "./store/erasure-store.ts";

/** To export, with who does so. */
export type ExportApp = AuditApp &
  Pick<App, "attendance" | "courses" | "events" | "members" | "people" | "personalRecords">;

const courseRowBatchSize = 200;
/** Secrets, and what only the work on a record needs. */
const left = ["login", "fingerprint", "ticket", "digest", "leaseHolder", "leaseUntil", "holder"];

/**
 * All records of a course as one JSON document, in pieces: `{format: "spaces-lti/course", version: 1, exportedAt,
 * records: {kind: [...]}}`, with its members as people. Kinds as in modules/privacy/rules/personal-records. The audit
 * log notes the beginning.
 * @throws NamedError "no-such-course", before the first piece
 */
export async function* exportCourse(app: ExportApp, courseId: string): AsyncGenerator<string> {
  const course = await app.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId } = course;
  await writeAudit(app, { what: "course-exported", registrationId, on: course.title || course.id });
  const head = {
    format: "spaces-lti/course",
    version: 1,
    exportedAt: new Date(app.clock.now()).toISOString(),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"records":{"people":[`;
  let comma = "";
  for await (const members of pagesOf(app, "Member", { registrationId, courseId })) {
    const ids = members.flatMap(({ personId }) => (typeof personId === "string" ? [personId] : []));
    for await (const people of pagesOf(app, "Person", { registrationId, _id: { $in: ids } })) {
      for (const row of people) {
        yield `${comma}\n${textOf(row)}`;
        comma = ",";
      }
    }
  }
  yield "]";
  for (const { key, model, ofCourses } of table) {
    if (ofCourses === null) continue;
    yield `,\n${JSON.stringify(key)}:[`;
    comma = "";
    for await (const rows of pagesOf(app, model, ofCourses(registrationId, [courseId]))) {
      for (const row of rows) {
        yield `${comma}\n${textOf(row)}`;
        comma = ",";
      }
    }
    yield "]";
  }
  yield "}}\n";
}

async function* pagesOf(
  { personalRecords }: RecordsApp,
  model: string,
  filter: Readonly<Record<string, unknown>>,
) {
  for (let after = ""; ;) {
    const rows = await personalRecords.list(model, filter, after, courseRowBatchSize);
    if (rows.length > 0) yield rows;
    if (rows.length < courseRowBatchSize) return;
    after = rows.at(-1)?._id ?? "";
  }
}

function textOf({ _id, ...row }: { _id: string } & Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    id: _id,
    ...Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))),
  });
}

const personRowBatchSize = 200;
/** Fields that say who did something; of others only that it was somebody else. */
const doers = ["by", "updatedBy"];

/**
 * Everything about a person as one JSON document, in pieces to save memory: `{format: "spaces-lti/person", version: 1,
 * exportedAt, courses: {id: title}, records: {kind: [...]}}`, kinds and fields as in
 * modules/privacy/rules/personal-records, times in ms. Other people are "somebody else". The audit log notes the
 * beginning by our id, without a name.
 */
export async function* exportPerson(app: ExportApp, person: Person): AsyncGenerator<string> {
  const who = await personSubject(app, person);
  const { registrationId } = person;
  await writeAudit(app, { what: "person-exported", registrationId, on: person.id });
  const head = {
    format: "spaces-lti/person",
    version: 1,
    exportedAt: new Date(app.clock.now()).toISOString(),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"courses":${JSON.stringify(await titlesOf(app, who))},"records":{`;
  let first = true;
  for (const { key, model, given = [] } of table) {
    if (given.length === 0) continue;
    yield `${first ? "" : ","}\n${JSON.stringify(key)}:[`;
    first = false;
    let comma = "";
    for (const rule of given) {
      for await (const courseIds of courseSlices(app, rule, who)) {
        for await (const row of rowsOf(app, model, rule.find(who, courseIds))) {
          const record = Object.fromEntries(rule.fields.map((field) => [field, row[field] ?? null]));
          yield `${comma}\n${JSON.stringify(withoutOthers(record, who))}`;
          comma = ",";
        }
      }
    }
    yield "]";
  }
  yield "}}\n";
}

async function* rowsOf(
  { personalRecords }: RecordsApp,
  model: string,
  filter: Readonly<Record<string, unknown>>,
): AsyncGenerator<StoredRecord> {
  for (let after = ""; ;) {
    const rows = await personalRecords.list(model, filter, after, personRowBatchSize);
    yield* rows;
    if (rows.length < personRowBatchSize) return;
    after = rows.at(-1)?._id ?? "";
  }
}

async function titlesOf(app: ExportApp, { registrationId, courseIds }: PersonSubject) {
  const titles: Record<string, unknown> = {};
  for (const courseId of courseIds) {
    const [course] = await app.personalRecords.list("Course", { registrationId, _id: courseId }, "", 1);
    if (course !== undefined) titles[courseId] = course["title"] ?? null;
  }
  return titles;
}

/** Deeds of others are shown as somebody else's, their own as theirs. */
function withoutOthers(value: unknown, who: PersonSubject): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withoutOthers(one, who));
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      doers.includes(name) ? doerOf(inner, who) : withoutOthers(inner, who),
    ]),
  );
}

function doerOf(value: unknown, { personIds, userIds }: PersonSubject): string | null {
  if (value === null || value === undefined) return null;
  const id = typeof value === "object" && "personId" in value ? value.personId : value;
  return typeof id === "string" && [...personIds, ...userIds].includes(id) ? "this person" : "somebody else";
}

type AttendanceRow = {
  eventId: string;
  session: string | null;
  startsAt: number | null;
  person: Pick<Person, "sub" | "name"> | null;
  status: string | null;
  source: "classroom" | "instructor" | "presence" | "code" | null;
  notes: string | null;
  reason: string | null;
};

const memberBatchSize = 100;

/** As rows, read while written; the audit log notes it. @throws NamedError "no-such-course", before the first row */
export async function* listAttendance(app: ExportApp, courseId: string): AsyncGenerator<AttendanceRow> {
  const course = await app.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId, environment } = course;
  await writeAudit(app, { what: "course-exported", registrationId, on: course.title || course.id });
  const sessions = new Map<string, Promise<Pick<AttendanceRow, "session" | "startsAt">>>();
  const sessionOf = async (eventId: string) => {
    const event = await app.events.find(environment, eventId);
    return { session: event?.title ?? null, startsAt: event?.startsAt ?? null };
  };
  for (let after = ""; ;) {
    const members = await app.members.listAfter({ registrationId, courseId }, after, memberBatchSize);
    const ids = members.map(({ personId }) => personId);
    const people = byId(await app.people.findMany(ids));
    for (const one of await app.attendance.listOfPeople(registrationId, courseId, ids)) {
      const session = sessions.get(one.eventId) ?? sessionOf(one.eventId);
      sessions.set(one.eventId, session);
      const { eventId, personId } = one;
      yield { eventId, ...(await session), person: people.get(personId) ?? null, ...currentIn(one) };
    }
    if (members.length < memberBatchSize) return;
    after = ids.at(-1) ?? "";
  }
}

function currentIn(facts: AttendanceFacts): Pick<AttendanceRow, "status" | "source" | "notes" | "reason"> {
  const current = currentAttendanceOf(facts);
  if (current === null) return { status: null, source: null, notes: null, reason: null };
  const { status, source, notes, correction } = current;
  return { status, source, notes, reason: correction?.reason ?? null };
}

const courseBatchSize = 200;

/** Records about a person by kind, without kinds of none and records that only name them. */
export async function countHeld(
  app: RecordsApp,
  who: PersonSubject,
): Promise<{ key: string; count: number }[]> {
  const counts = new Map<string, number>();
  const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
  const rules = table.flatMap(({ key, model, person }) =>
    person.flatMap((rule) => (rule.change === undefined ? [{ key, model, rule }] : [])),
  );
  for (const { key, model, rule } of rules) {
    for await (const courseIds of courseSlices(app, rule, who))
      add(key, await app.personalRecords.count(model, rule.find(who, courseIds)));
  }
  return [...counts].flatMap(([key, count]) => (count === 0 ? [] : [{ key, count }]));
}

/** The courses of a rule in batches; one empty batch for a rule that needs none. */
async function* courseSlices(
  app: RecordsApp,
  rule: Parameters<typeof coursesOfRule>[0],
  who: PersonSubject,
): AsyncGenerator<readonly string[]> {
  if (rule.over === "once") {
    yield [];
    return;
  }
  const only = coursesOfRule(rule, who.courseIds);
  if (only !== null) {
    for (const some of slicesOf(only, courseBatchSize)) yield some;
    return;
  }
  for (let after: string | null = ""; after !== null;) {
    const { ids, next } = await coursesAfter(app, who.registrationId, after);
    if (ids.length > 0) yield ids;
    after = next;
  }
}
