import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Person } from "../../domain/course.ts";
import {
  erasedId,
  type PersonalData,
  type PersonRule,
  type PersonSubject,
  type RecordChange,
  type RecordFilter,
} from "../../domain/personal-data.ts";
import { fullName } from "../../domain/person.ts";
import { readWebhook } from "../../inbox/rules/webhook.ts";
import { letOthersRun, pagesByKey } from "../../kernel/async.ts";
import { withoutNames } from "../recordings/rules/recording.ts";
import type { ErasureSubject } from "./rules/erasure.ts";
import type { ReceiptBody } from "./store/erasure-store.ts";

export type RecordsApp = Pick<App, "personalRecords">;

/** What carrying out an erasure needs. */
export type ErasingApp = RecordsApp &
  Pick<App, "clock" | "courses" | "erasures" | "events" | "ids" | "logger" | "people"> &
  Pick<
    App,
    "members" | "pendingRegrades" | "privacyReceipts" | "recordingTexts" | "spaceRegister" | "tombstones"
  >;

/** `cursor`: the start of the next batch, or null when the step is done. */
export type StepOutcome = {
  erased: number;
  cursor: string | null;
  /** The subject, if more of it is known. Null if it isn't to be erased after all. */
  subject?: ErasureSubject | null;
};

/** One part of an erasure, usually one kind of record. A batch is repeatable. */
export type EraseStep = { key: string; run: (cursor: string) => Promise<StepOutcome> };

const rowBatchSize = 200;
const courseBatchSize = 200;

/** Deletes or changes everything that a filter finds. @returns how many there were. */
export async function eraseAll(
  { personalRecords }: RecordsApp,
  model: string,
  filter: RecordFilter,
  change?: RecordChange,
): Promise<number> {
  let erased = 0;
  for (;;) {
    const some =
      change === undefined
        ? await personalRecords.remove(model, filter, rowBatchSize)
        : await personalRecords.change(model, filter, change, rowBatchSize);
    erased += some;
    if (some === 0) return erased;
    await letOthersRun();
  }
}

export function wholeStep(
  app: RecordsApp,
  { model, key }: Pick<PersonalData, "model" | "key">,
  filter: RecordFilter,
  change?: RecordChange,
): EraseStep {
  return { key, run: async () => ({ erased: await eraseAll(app, model, filter, change), cursor: null }) };
}

/** All records of a kind that a filter finds, by id, a page at a time. */
export function recordPages({ personalRecords }: RecordsApp, model: string, filter: RecordFilter) {
  const read = (after: string) => personalRecords.list(model, filter, after, rowBatchSize);
  return pagesByKey(rowBatchSize, ({ _id }) => _id, read);
}

/** The courses of an LMS after one of them, by id. */
export async function coursesAfter({ personalRecords }: RecordsApp, registrationId: string, after: string) {
  const ids = (await personalRecords.list("Course", { registrationId }, after, courseBatchSize)).map(
    ({ _id }) => _id,
  );
  return { ids, next: ids.length < courseBatchSize ? null : (ids.at(-1) ?? null) };
}

/** A step over some of the courses of an LMS, or all of them. */
export function courseByCourse(
  app: RecordsApp,
  key: string,
  courses: { registrationId: string; only: readonly string[] | null },
  erase: (courseIds: readonly string[]) => Promise<number>,
): EraseStep {
  const { registrationId, only } = courses;
  return {
    key,
    run: async (cursor) => {
      if (only === null) {
        const { ids, next } = await coursesAfter(app, registrationId, cursor);
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

/** The courses of a rule about a person. Null for all courses of the LMS. */
export function coursesOfRule({ over }: Pick<PersonRule, "over">, own: readonly string[]) {
  return over === "every-course" ? null : own;
}

/** A body stays, goes, or loses a user's id. */
export type BodyVerdict =
  | { kind: "stays" }
  | { kind: "goes" }
  | { kind: "without"; userIds: readonly string[] };

const bodyBatchSize = 500;

/**
 * Goes through all webhooks of an account, because no index finds a user in a body.
 * @param judge Gives verdicts on the bodies of a batch, in their order.
 */
export function redactStep(
  { privacyReceipts }: ErasingApp,
  environment: AccountId,
  judge: (bodies: readonly ReceiptBody[]) => Promise<BodyVerdict[]>,
): EraseStep {
  return {
    key: "webhooks",
    run: async (cursor) => {
      const bodies = await privacyReceipts.listBodies(environment, cursor, bodyBatchSize);
      const verdicts = await judge(bodies);
      const gone: string[] = [];
      let erased = 0;
      for (const [at, receipt] of bodies.entries()) {
        const verdict = verdicts[at];
        if (verdict?.kind === "goes") gone.push(receipt.id);
        if (verdict?.kind !== "without") continue;
        await privacyReceipts.rewrite(receipt, withoutUsers(receipt.body, verdict.userIds));
        erased += 1;
      }
      if (gone.length > 0) await privacyReceipts.redact(gone);
      erased += gone.length;
      return { erased, cursor: bodies.length < bodyBatchSize ? null : (bodies.at(-1)?.digest ?? null) };
    },
  };
}

/** All texts in a body, and all numbers as texts, because an id may be either. */
export function valuesIn(body: string): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === "string" || typeof value === "number") found.add(String(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(jsonOf(body));
  return found;
}

/** A body about erased users goes. A body that only names them loses their ids. */
export function verdictFor(body: string, userIds: readonly string[]): BodyVerdict {
  const values = valuesIn(body);
  const named = userIds.filter((id) => values.has(id));
  if (named.length === 0) return { kind: "stays" };
  const { userId } = aboutOf(body);
  return userId === null || named.includes(userId) ? { kind: "goes" } : { kind: "without", userIds: named };
}

/** Null if it names none, or can't be read. */
export function aboutOf(body: string): { userId: string | null; eventId: string | null } {
  // Its time doesn't matter.
  const webhook = readWebhook(jsonOf(body), 0);
  return {
    userId: "userId" in webhook ? webhook.userId : null,
    eventId: "eventId" in webhook ? webhook.eventId : null,
  };
}

/** Replaces users' ids by another word, however the sender wrote them: with escaped characters, or as numbers. */
export function withoutUsers(body: string, userIds: readonly string[]): string {
  const isTheirs = (value: unknown) =>
    (typeof value === "string" || typeof value === "number") && userIds.includes(String(value));
  return JSON.stringify(jsonOf(body), (_name, value: unknown) => (isTheirs(value) ? erasedId : value));
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** How many texts are read together. Each may be long. */
const textBatchSize = 5;

/** Takes a person's names out of texts in their courses, before the record with the names is erased. */
export function namesStep(
  app: ErasingApp,
  { registrationId, environment, personIds, courseIds }: PersonSubject,
): EraseStep {
  return courseByCourse(app, "recordingTexts", { registrationId, only: courseIds }, async (ids) => {
    const names = (await app.people.findMany(personIds)).flatMap(namesOf);
    if (names.length === 0) return 0;
    let changed = 0;
    for (const spaceId of await spacesOf(app, registrationId, ids))
      changed += await takeOut(app, { environment, spaceId }, names);
    return changed;
  });
}

/** Spaces that some courses have, had or link to, with or without a right to them. */
async function spacesOf({ personalRecords }: RecordsApp, registrationId: string, ids: readonly string[]) {
  const courseId = { $in: [...ids] };
  const found = [
    await personalRecords.distinct("Course", "spaceId", { _id: courseId }),
    await personalRecords.distinct("FormerSpace", "spaceId", { courseId }),
    await personalRecords.distinct("CourseLink", "choice.spaceId", { registrationId, courseId }),
  ];
  return new Set(found.flat());
}

function namesOf(person: Pick<Person, "name" | "givenName" | "familyName">): string[] {
  return [fullName(person), person.givenName, person.familyName].flatMap((name) => name ?? []);
}

async function takeOut(
  { recordingTexts }: Pick<ErasingApp, "recordingTexts">,
  { environment, spaceId }: Pick<PersonSubject, "environment"> & { spaceId: string },
  names: readonly string[],
): Promise<number> {
  let changed = 0;
  const read = (after: string) => recordingTexts.listOfSpace(environment, spaceId, after, textBatchSize);
  for await (const texts of pagesByKey(textBatchSize, ({ id }) => id, read))
    for (const { id, text: from } of texts) {
      const to = withoutNames(from, names);
      if (to !== from && (await recordingTexts.redact(id, { from, to }))) changed += 1;
    }
  return changed;
}
