import { byId, slicesOf } from "../../kernel/lists.ts";
import type { App } from "../../app.ts";
import { type AttendanceFacts, currentAttendanceOf } from "../../domain/attendance.ts";
import type { Person } from "../../domain/course.ts";
import type { PersonalData, PersonSubject, RecordFilter } from "../../domain/personal-data.ts";
import type { StoredDocument } from "../../storage/records.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { type CountingApp, factsOfPeople } from "../grading/counting-facts.ts";
import { memberSlices } from "../members/sections.ts";
import { personSubject, unknownCourse } from "./erase.ts";
import { personalRecords as table } from "./rules/erasure.ts";
import { coursesAfter, coursesOfRule, recordPages, type RecordsApp } from "./shared-steps.ts";

export type ExportApp = AuditApp & CountingApp & Pick<App, "people" | "personalRecords">;

const batchSize = 200;
/** Not exported: secrets, and what only the work on a record needs. */
const leftOut = ["login", "fingerprint", "ticket", "digest", "leaseHolder", "leaseUntil", "holder"];

/**
 * Writes all records of a course as one JSON document, in pieces: `{format: "spaces-lti/course", version: 1, exportedAt, records: {kind:
 * [...]}}`, with its members as people. Kinds as in modules/privacy/rules/erasure. The audit log notes the start.
 * @throws NamedError "no-such-course", before the first piece
 */
export async function* exportCourse(app: ExportApp, courseId: string): AsyncGenerator<string> {
  const course = await app.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId } = course;
  await writeAudit(app, { what: "course-exported", registrationId, on: course.title || course.id });
  yield headOf(app, "course");
  yield '"people":[';
  yield* asItems(peopleOf(app, registrationId, courseId), withoutSecrets);
  yield "]";
  for (const { key, model, ofCourses } of table) {
    if (ofCourses === null) continue;
    yield `,\n${JSON.stringify(key)}:[`;
    yield* asItems(rowsOf(app, model, ofCourses(registrationId, [courseId])), withoutSecrets);
    yield "]";
  }
  yield "}}\n";
}

/** The document up to its records. */
function headOf({ clock }: Pick<App, "clock">, kind: "course" | "person", more: object = {}): string {
  const exportedAt = new Date(clock.now()).toISOString();
  const head = { format: `spaces-lti/${kind}`, version: 1, exportedAt, ...more };
  return `${JSON.stringify(head).slice(0, -1)},"records":{`;
}

/** Rows as the items of a JSON list. */
async function* asItems<Row>(
  rows: AsyncIterable<Row>,
  toItem: (row: Row) => unknown,
): AsyncGenerator<string> {
  let comma = "";
  for await (const row of rows) {
    yield `${comma}\n${JSON.stringify(toItem(row))}`;
    comma = ",";
  }
}

async function* peopleOf(app: RecordsApp, registrationId: string, courseId: string) {
  for await (const members of recordPages(app, "Member", { registrationId, courseId })) {
    const ids = members.map(({ personId }) => personId);
    yield* rowsOf(app, "Person", { registrationId, _id: { $in: ids } });
  }
}

async function* rowsOf(app: RecordsApp, model: string, filter: RecordFilter) {
  for await (const page of recordPages(app, model, filter)) yield* page;
}

function withoutSecrets({ _id, ...row }: StoredDocument) {
  return { id: _id, ...Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.includes(name))) };
}

/** Fields that name who did something. Other people become "somebody else". */
const doers = ["by", "updatedBy"];

/**
 * Writes everything about a person as one JSON document, in pieces to save memory: `{format: "spaces-lti/person", version: 1, exportedAt,
 * courses: {id: title}, records: {kind: [...]}}`, kinds and fields as in modules/privacy/rules/erasure, times in ms. Other people are
 * "somebody else". The audit log notes the start with our id, without a name.
 */
export async function* exportPerson(app: ExportApp, person: Person): AsyncGenerator<string> {
  const who = await personSubject(app, person);
  const { registrationId } = person;
  await writeAudit(app, { what: "person-exported", registrationId, on: person.id });
  yield headOf(app, "person", { courses: await titlesOf(app, who) });
  const kinds = table.flatMap(({ key, model, given = [] }) =>
    given.length === 0 ? [] : [{ key, model, given }],
  );
  for (const [at, { key, model, given }] of kinds.entries()) {
    yield `${at === 0 ? "" : ","}\n${JSON.stringify(key)}:[`;
    yield* asItems(givenRecords(app, model, given, who), (record) => withoutOthers(record, who));
    yield "]";
  }
  yield "}}\n";
}

async function* givenRecords(
  app: RecordsApp,
  model: string,
  given: NonNullable<PersonalData["given"]>,
  who: PersonSubject,
) {
  for (const rule of given)
    for await (const courseIds of courseSlices(app, rule, who))
      for await (const row of rowsOf(app, model, rule.find(who, courseIds)))
        yield Object.fromEntries(rule.fields.map((field) => [field, row[field] ?? null]));
}

async function titlesOf(app: ExportApp, { registrationId, courseIds }: PersonSubject) {
  const titles: Record<string, unknown> = {};
  for (const courseId of courseIds) {
    const [course] = await app.personalRecords.list("Course", { registrationId, _id: courseId }, "", 1);
    if (course !== undefined) titles[courseId] = course["title"] ?? null;
  }
  return titles;
}

/** What the person did has their id. What others did has "somebody else". */
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

/** Writes rows while reading them. The audit log notes it. @throws NamedError "no-such-course", before the first row */
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
  for await (const members of memberSlices(app, { registrationId, courseId }, memberBatchSize)) {
    const ids = members.map(({ personId }) => personId);
    const people = byId(await app.people.findMany(ids));
    for (const one of await factsOfPeople(app, course, ids)) {
      const session = sessions.get(one.eventId) ?? sessionOf(one.eventId);
      sessions.set(one.eventId, session);
      const { eventId, personId } = one;
      yield { eventId, ...(await session), person: people.get(personId) ?? null, ...currentIn(one) };
    }
  }
}

function currentIn(facts: AttendanceFacts): Pick<AttendanceRow, "status" | "source" | "notes" | "reason"> {
  const current = currentAttendanceOf(facts);
  if (current === null) return { status: null, source: null, notes: null, reason: null };
  const { status, source, notes, correction } = current;
  return { status, source, notes, reason: correction?.reason ?? null };
}

/** Counts records about a person by kind, without empty kinds and records that only name them. */
export async function countRecords(app: RecordsApp, who: PersonSubject) {
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

/** The courses of a rule in batches. One empty batch for a rule that needs none. */
async function* courseSlices(app: RecordsApp, rule: Parameters<typeof coursesOfRule>[0], who: PersonSubject) {
  if (rule.over === "once") {
    yield [];
    return;
  }
  const only = coursesOfRule(rule, who.courseIds);
  if (only !== null) {
    for (const batch of slicesOf(only, batchSize)) yield batch;
    return;
  }
  for (let after: string | null = ""; after !== null;) {
    const { ids, next } = await coursesAfter(app, who.registrationId, after);
    if (ids.length > 0) yield ids;
    after = next;
  }
}
