import type { App } from "../../app.ts";
import type { Person } from "../../domain/course.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import type { PersonSubject } from "../../domain/held-record.ts";
import type { StoredRecord } from "./store/personal-record-store.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";
import { courseSlices } from "./count-held.ts";
import { personSubject, type PersonSubjectDeps } from "./person-subject.ts";

export type ExportPersonDeps = PersonSubjectDeps & AuditDeps & Pick<App, "personalRecords">;

const batchSize = 200;
/** Fields that say who did something; of others only that it was somebody else. */
const doers = ["by", "updatedBy"];

/**
 * Everything about a person as one JSON document, in pieces to save memory: `{format: "spaces-lti/person", version: 1,
 * exportedAt, courses: {id: title}, records: {kind: [...]}}`, kinds and fields as in
 * modules/privacy/rules/personal-records, times in ms. Other people are "somebody else". The audit log notes the
 * beginning by our id, without a name.
 */
export async function* exportPerson(deps: ExportPersonDeps, person: Person): AsyncGenerator<string> {
  const who = await personSubject(deps, person);
  const { registrationId } = person;
  await writeAudit(deps, { what: "person-exported", registrationId, on: person.id });
  const head = {
    format: "spaces-lti/person",
    version: 1,
    exportedAt: new Date(deps.clock.now()).toISOString(),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"courses":${JSON.stringify(await titlesOf(deps, who))},"records":{`;
  let first = true;
  for (const { key, model, given = [] } of table) {
    if (given.length === 0) continue;
    yield `${first ? "" : ","}\n${JSON.stringify(key)}:[`;
    first = false;
    let comma = "";
    for (const rule of given) {
      for await (const courseIds of courseSlices(deps, rule, who)) {
        for await (const row of rowsOf(deps, model, rule.find(who, courseIds))) {
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
  { personalRecords }: Pick<ExportPersonDeps, "personalRecords">,
  model: string,
  filter: Readonly<Record<string, unknown>>,
): AsyncGenerator<StoredRecord> {
  for (let after = ""; ;) {
    const rows = await personalRecords.list(model, filter, after, batchSize);
    yield* rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)?._id ?? "";
  }
}

async function titlesOf(deps: ExportPersonDeps, { registrationId, courseIds }: PersonSubject) {
  const titles: Record<string, unknown> = {};
  for (const courseId of courseIds) {
    const [course] = await deps.personalRecords.list("Course", { registrationId, _id: courseId }, "", 1);
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
