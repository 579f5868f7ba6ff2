import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import { fullName } from "../../domain/person.ts";
import { currentRequest } from "../../kernel/request-scope.ts";
import type { AuditEntry } from "./rules/audit.ts";
import type { AuditedPerson, CourseAuditEntry, CourseAuditFacts } from "./rules/course-audit.ts";
import type { CourseAuditFilter } from "./store/audit-store.ts";

/** What writing into the audit log needs, including who does it. */
export type AuditApp = Pick<App, "audit" | "clock" | "ids"> & {
  who: AuditEntry["who"];
  personId?: string;
  /** E-mail address of a named operator. */
  operator?: string;
};

/** Call it after the change has taken effect. */
export async function writeAudit(app: AuditApp, done: Pick<AuditEntry, "what" | "registrationId" | "on">) {
  const at = app.clock.now();
  // Sixteen digits keep ids in the order of time.
  const id = app.ids.id(`audit_${String(at).padStart(16, "0")}`);
  const request = currentRequest();
  const by = {
    ...(request === null ? {} : { request }),
    ...(app.personId === undefined ? {} : { personId: app.personId }),
    ...(app.operator === undefined ? {} : { operator: app.operator }),
  };
  await app.audit.add({ id, at, who: app.who, ...by, ...done });
}

const logPageSize = 500;

/**
 * Copies new entries, including those of the command line, into the tool's own log, because a log kept elsewhere can't be changed here.
 * Contains no names. After a crash, entries may be there twice, with the same ids.
 * @returns how many.
 */
export async function logAudit({ audit, logger }: Pick<App, "audit" | "logger">): Promise<number> {
  for (let count = 0; ;) {
    const entries = await audit.listUnlogged(logPageSize);
    for (const { id, at, who, what, registrationId } of entries)
      logger.info({ audit: { id, at: new Date(at).toISOString(), who, what, registrationId } }, "audit log");
    await audit.logged(entries.map(({ id }) => id));
    count += entries.length;
    if (entries.length < logPageSize) return count;
  }
}

export type CourseAuditApp = Pick<App, "courseAudit" | "people" | "clock" | "ids">;

/**
 * Adds a line to a course's change log, after the change has taken effect: what changed, who changed it, and why. `before` and `after` are
 * texts in the course's language, not in that of the person who made the change. Name the learner by `on` (`auditedPerson(person)`) and the
 * session by `session`.
 * @param actor The person's id, whose name is looked up, or both.
 * @param line Id and time of a line planned before, so it's written once.
 */
export async function writeCourseAudit(
  app: CourseAuditApp,
  course: Pick<Course, "id" | "registrationId">,
  actor: string | AuditedPerson,
  facts: CourseAuditFacts,
  line: { id: string; at: number } = newLine(app),
): Promise<void> {
  const by = typeof actor === "string" ? await auditedById(app, actor) : actor;
  await app.courseAudit.insert([
    { ...line, registrationId: course.registrationId, courseId: course.id, by, ...nothing, ...facts },
  ]);
}

function newLine({ clock, ids }: Pick<CourseAuditApp, "clock" | "ids">): { id: string; at: number } {
  const at = clock.now();
  return { id: ids.id(courseAuditPrefix(at)), at };
}

export function auditedPerson(
  person: Pick<Person, "id" | "name" | "givenName" | "familyName">,
): AuditedPerson {
  return { personId: person.id, name: fullName(person) };
}

/** The start of an id. Sixteen digits keep ids in the order of time. */
export function courseAuditPrefix(at: number): string {
  return `caud_${String(at).padStart(16, "0")}`;
}

const nothing = { on: null, session: null, before: null, after: null, count: null, reason: null };

/** The person as the change log names them, with a name if it's known. */
export async function auditedById(
  app: Pick<CourseAuditApp, "people">,
  personId: string,
): Promise<AuditedPerson> {
  const person = await app.people.find(personId);
  return person === null ? { personId, name: null } : auditedPerson(person);
}

/** A page of entries, newest first, and where it ended if there are more. */
type Page<Entry> = { entries: Entry[]; olderThan: string | null };

const pageSize = 100;
const coursePageSize = 50;

/**
 * @param before Where the page before ended. Null for the first page.
 * @param registrationId Only what was done to this registration. Null: everything.
 */
export async function listAudit(
  app: Pick<App, "audit">,
  before: string | null,
  registrationId: string | null = null,
): Promise<Page<AuditEntry>> {
  return pageOf(await app.audit.list(before, pageSize + 1, registrationId), pageSize);
}

/** A course's change log, with parameters as in `listAudit`. */
export async function listCourseAudit(
  app: Pick<App, "courseAudit">,
  filter: CourseAuditFilter,
  before: string | null,
): Promise<Page<CourseAuditEntry>> {
  return pageOf(await app.courseAudit.list(filter, before, coursePageSize + 1), coursePageSize);
}

/** @param found One entry more than the page has, if there are more. */
function pageOf<Entry extends { id: string }>(found: Entry[], size: number): Page<Entry> {
  const entries = found.slice(0, size);
  return { entries, olderThan: found.length > size ? (entries.at(-1)?.id ?? null) : null };
}

const exportBatchSize = 500;

/**
 * Writes the audit log as lines of JSON, oldest first. After its last line, it notes that the log was exported.
 * @param after The id of the entry before the first line. Empty for all.
 */
export async function* exportAudit(app: AuditApp, after = ""): AsyncGenerator<string> {
  let [last, count] = [after, 0];
  for (;;) {
    const entries = await app.audit.listAfter(last, exportBatchSize);
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
    count += entries.length;
    last = entries.at(-1)?.id ?? last;
    if (entries.length < exportBatchSize) break;
  }
  await writeAudit(app, { what: "audit-log-exported", registrationId: null, on: String(count) });
}
