import type { PersonSubject } from "../../domain/held-record.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import type { PersonalRecordStore } from "./store/personal-record-store.ts";
import { coursesAfter, coursesOfRule } from "./erase-step.ts";

const batchSize = 200;

/** Records about a person by kind, without kinds of none and records that only name them. */
export async function countHeld(
  deps: { personalRecords: PersonalRecordStore },
  who: PersonSubject,
): Promise<{ key: string; count: number }[]> {
  const counts = new Map<string, number>();
  const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
  const rules = table.flatMap(({ key, model, person }) =>
    person.flatMap((rule) => (rule.change === undefined ? [{ key, model, rule }] : [])),
  );
  for (const { key, model, rule } of rules) {
    for await (const courseIds of courseSlices(deps, rule, who))
      add(key, await deps.personalRecords.count(model, rule.find(who, courseIds)));
  }
  return [...counts].flatMap(([key, count]) => (count === 0 ? [] : [{ key, count }]));
}

/** The courses of a rule in batches; one empty batch for a rule that needs none. */
export async function* courseSlices(
  deps: { personalRecords: PersonalRecordStore },
  rule: Parameters<typeof coursesOfRule>[0],
  who: PersonSubject,
): AsyncGenerator<readonly string[]> {
  if (rule.over === "once") {
    yield [];
    return;
  }
  const only = coursesOfRule(rule, who.courseIds);
  if (only !== null) {
    for (let from = 0; from < only.length; from += batchSize) yield only.slice(from, from + batchSize);
    return;
  }
  for (let after: string | null = ""; after !== null;) {
    const { ids, next } = await coursesAfter(deps, who.registrationId, after);
    if (ids.length > 0) yield ids;
    after = next;
  }
}
