import type { App } from "../../app.ts";
import type { HeldRecord, PersonRule, RecordChange, RecordFilter } from "../../domain/held-record.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { ErasureSubject } from "./rules/erasure.ts";

/** `cursor`: begin of the next batch; null when the step is done. */
export type StepOutcome = {
  erased: number;
  cursor: string | null;
  /** The subject, when more of it is known; null when it is not to be erased after all. */
  subject?: ErasureSubject | null;
};

/** One part of an erasure, mostly one kind of record. A batch is repeatable. */
export type EraseStep = { key: string; run: (cursor: string) => Promise<StepOutcome> };

const batchSize = 200;
const courseBatchSize = 200;

export type EraseDeps = Pick<App, "personalRecords">;

/** Deletes or changes everything that a filter finds. @returns how many there were. */
export async function eraseAll(
  { personalRecords }: EraseDeps,
  model: string,
  filter: RecordFilter,
  change?: RecordChange,
): Promise<number> {
  let erased = 0;
  for (;;) {
    const some =
      change === undefined
        ? await personalRecords.remove(model, filter, batchSize)
        : await personalRecords.change(model, filter, change, batchSize);
    erased += some;
    if (some === 0) return erased;
    await letOthersRun();
  }
}

export function wholeStep(
  deps: EraseDeps,
  { model, key }: Pick<HeldRecord, "model" | "key">,
  filter: RecordFilter,
  change?: RecordChange,
): EraseStep {
  return {
    key,
    run: async () => ({ erased: await eraseAll(deps, model, filter, change), cursor: null }),
  };
}

/** The courses of an LMS after one of them, by id. */
export async function coursesAfter(
  { personalRecords }: EraseDeps,
  registrationId: string,
  after: string,
): Promise<{ ids: string[]; next: string | null }> {
  const ids = (await personalRecords.list("Course", { registrationId }, after, courseBatchSize)).map(
    ({ _id }) => _id,
  );
  return { ids, next: ids.length < courseBatchSize ? null : (ids.at(-1) ?? null) };
}

/** A step over some of the courses of an LMS, or all of them. */
export function courseByCourse(
  deps: EraseDeps,
  key: string,
  courses: { registrationId: string; only: readonly string[] | null },
  erase: (courseIds: readonly string[]) => Promise<number>,
): EraseStep {
  const { registrationId, only } = courses;
  return {
    key,
    run: async (cursor) => {
      if (only === null) {
        const { ids, next } = await coursesAfter(deps, registrationId, cursor);
        return { erased: ids.length === 0 ? 0 : await erase(ids), cursor: next };
      }
      const from = cursor === "" ? 0 : Number(cursor);
      const ids = only.slice(from, from + courseBatchSize);
      const next = from + courseBatchSize;
      return {
        erased: ids.length === 0 ? 0 : await erase(ids),
        cursor: next < only.length ? String(next) : null,
      };
    },
  };
}

/** The courses of a rule about a person; null for all of the LMS. */
export function coursesOfRule(
  { over }: Pick<PersonRule, "over">,
  own: readonly string[],
): readonly string[] | null {
  return over === "every-course" ? null : own;
}
