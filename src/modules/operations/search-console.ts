import type { App } from "../../app.ts";
import type { ClassroomAccount } from "../../classroom/account.ts";
import type { AuditEntry } from "../audit/rules/audit.ts";
import type { Person } from "../../domain/course.ts";
import type { Registration } from "../../domain/registration.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { searchKey } from "../members/rules/names.ts";
import type { RefusedLaunches } from "../registration/store/lms-trouble-store.ts";
import { findCourses, type FindCoursesDeps, type FoundCourse } from "./find-courses.ts";

export type SearchConsoleDeps = FindCoursesDeps &
  Pick<App, "people" | "refusedLaunches" | "receipts" | "deliveries" | "erasures" | "audit">;

/** At most `maxFound` of each kind. */
export type ConsoleFindings = {
  registrations: readonly Registration[];
  accounts: readonly Pick<ClassroomAccount, "id" | "name">[];
  courses: readonly FoundCourse[];
  people: readonly Person[];
  /** Launches that were refused with this reference. */
  launches: readonly RefusedLaunches[];
  /** What operators and administrators did in a request of this id. */
  deeds: readonly AuditEntry[];
  receipts: readonly Receipt[];
  /** Ids of scores. */
  scores: readonly { id: string; courseId: string; registrationId: string; state: string }[];
  erasures: readonly { id: string; label: string | null }[];
  /** Kinds of which there may be more. */
  more: readonly ("registrations" | "accounts" | "courses" | "people")[];
};

export const maxFound = 8;
const minTyped = 2;
/** People who were joined and get their keys in one search. */
const keyBatchSize = 2_000;

/**
 * Everything that one text may name: a person by id, name or e-mail address, a course by title, id or Space, an LMS, an
 * account, a launch by the reference that people read out, a deed by the id of its request, a webhook, a score or an erasure by its id. Each read is a
 * range of an index, or a whole list that is short.
 * @param within The LMS of an administrator, who finds only it and its courses.
 */
export async function searchConsole(
  deps: SearchConsoleDeps,
  { typed, within }: { typed: string; within: string | null },
): Promise<ConsoleFindings> {
  const text = typed.trim();
  if (text.length < minTyped) return nothing;
  const key = searchKey(text);
  const all = await deps.registrations.list();
  const own = within === null ? all : all.filter(({ id }) => id === within);
  const registrations = own.filter((one) => namesLms(one, text, key));
  const courses = await findCourses(deps, { typed: text, registrationId: within, from: null });
  const foundCourses = { courses: courses.rows.slice(0, maxFound) };
  if (within !== null) return { ...nothing, registrations, ...foundCourses };
  const accounts = deps.accounts
    .list()
    .filter(({ id, name }) => id === text || searchKey(name).includes(key));
  const [people, launches, deeds, receipt, score, erasure] = await Promise.all([
    peopleOf(deps, all, text, key),
    deps.refusedLaunches.listOfReference(text),
    deps.audit.listOfRequest(text),
    deps.receipts.find(text),
    deps.deliveries.findById(text),
    deps.erasures.find(text),
  ]);
  const found = { registrations, accounts, courses: courses.rows, people };
  const kinds = ["registrations", "accounts", "courses", "people"] as const;
  return {
    ...{ registrations: registrations.slice(0, maxFound), ...foundCourses, launches, deeds },
    accounts: accounts.slice(0, maxFound).map(({ id, name }) => ({ id, name })),
    people: people.slice(0, maxFound),
    receipts: receipt === null ? [] : [receipt],
    scores: score === null ? [] : [score],
    erasures: erasure === null ? [] : [{ id: erasure.id, label: erasure.label }],
    more: kinds.filter((kind) => found[kind].length > maxFound),
  };
}

const nothing: ConsoleFindings = {
  ...{ registrations: [], accounts: [], courses: [], people: [], launches: [], deeds: [] },
  ...{ receipts: [], scores: [], erasures: [], more: [] },
};

function namesLms({ id, issuer, clientId, name }: Registration, text: string, key: string): boolean {
  return [id, issuer, clientId].includes(text) || searchKey(name).includes(key);
}

async function peopleOf(
  { people, accounts }: SearchConsoleDeps,
  registrations: readonly Registration[],
  text: string,
  key: string,
): Promise<Person[]> {
  await people.keyMore(keyBatchSize);
  const limit = maxFound + 1;
  const found = [
    await people.findMany([text]),
    await people.listBySub(
      registrations.map(({ id }) => id),
      text,
      limit,
    ),
    await people.listByUser(accounts.ids(), text, limit),
    key === "" ? [] : await people.listBeginning(key, limit),
  ];
  return [...new Map(found.flat().map((person) => [person.id, person])).values()];
}
