import type { App } from "../../app.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { unknownCourse } from "./erase-course.ts";

export type ExportCourseDeps = AuditDeps & Pick<App, "courses" | "personalRecords">;

const batchSize = 200;
/** Secrets, and what only the work on a record needs. */
const left = ["login", "fingerprint", "ticket", "digest", "leaseHolder", "leaseUntil", "holder"];

/**
 * All records of a course as one JSON document, in pieces: `{format: "spaces-lti/course", version: 1, exportedAt,
 * records: {kind: [...]}}`, with its members as people. Kinds as in modules/privacy/rules/personal-records. The audit
 * log notes the beginning.
 * @throws NamedError "no-such-course", before the first piece
 */
export async function* exportCourse(deps: ExportCourseDeps, courseId: string): AsyncGenerator<string> {
  const course = await deps.courses.find(courseId);
  if (course === null) throw unknownCourse();
  const { registrationId } = course;
  await writeAudit(deps, { what: "course-exported", registrationId, on: course.title || course.id });
  const head = {
    format: "spaces-lti/course",
    version: 1,
    exportedAt: new Date(deps.clock.now()).toISOString(),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"records":{"people":[`;
  let comma = "";
  for await (const members of pagesOf(deps, "Member", { registrationId, courseId })) {
    const ids = members.flatMap(({ personId }) => (typeof personId === "string" ? [personId] : []));
    for await (const people of pagesOf(deps, "Person", { registrationId, _id: { $in: ids } })) {
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
    for await (const rows of pagesOf(deps, model, ofCourses(registrationId, [courseId]))) {
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
  { personalRecords }: ExportCourseDeps,
  model: string,
  filter: Readonly<Record<string, unknown>>,
) {
  for (let after = ""; ;) {
    const rows = await personalRecords.list(model, filter, after, batchSize);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)?._id ?? "";
  }
}

function textOf({ _id, ...row }: { _id: string } & Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    id: _id,
    ...Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name))),
  });
}
