import { z } from "zod";
import type { App } from "../../app.ts";
import type { ClassroomAccount } from "../../classroom/account.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Person } from "../../domain/course.ts";
import type { Registration } from "../../domain/registration.ts";
import { byId } from "../../kernel/lists.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import type { AuditEntry } from "../audit/rules/audit.ts";
import type { AfterCourse, ListedCourse } from "../courses/store/course-lists.ts";
import { searchKey } from "../members/rules/names.ts";
import type { RefusedLaunches } from "../registration/store/lms-trouble-store.ts";
import { spaceIdFrom } from "../spaces/rules/space-right.ts";
import { cursorOf, cursorText } from "./paging.ts";
import type { GradeState } from "./store/console-stores.ts";

type FindCoursesApp = Pick<
  App,
  "courses" | "courseLinks" | "registrations" | "consoleLists" | "accounts" | "appUrlOf"
>;
/** What finding everything that a text may name needs. */
type SearchApp = FindCoursesApp &
  Pick<App, "people" | "refusedLaunches" | "receipts" | "deliveries" | "erasures" | "audit">;

/** At most `maxFound` of each kind. */
export type ConsoleFindings = {
  registrations: readonly Registration[];
  accounts: readonly Pick<ClassroomAccount, "id" | "name">[];
  courses: readonly FoundCourse[];
  people: readonly Person[];
  /** Launches that were refused with this reference. */
  launches: readonly RefusedLaunches[];
  /** What operators and administrators did in the request with this id. */
  actions: readonly AuditEntry[];
  receipts: readonly Receipt[];
  /** Ids of scores. */
  scores: readonly { id: string; courseId: string; registrationId: string; state: string }[];
  erasures: readonly { id: string; label: string | null }[];
  /** Kinds of which there may be more. */
  more: readonly ("registrations" | "accounts" | "courses" | "people")[];
};

export const maxFound = 8;
const minTyped = 2;
/** How many joined people get their keys in one search. */
const keyBatchSize = 2_000;

/**
 * Finds everything that a text may name: a person by id, name or e-mail address, a course by title, id or Space, an LMS, an account, a launch
 * by the reference that people read out, an action by its request's id, a webhook, a score or an erasure by its id. Each read is a range of an
 * index, or a whole short list.
 * @param within The LMS of an administrator, who finds only it and its courses.
 */
export async function searchConsole(
  app: SearchApp,
  { typed, within }: { typed: string; within: string | null },
): Promise<ConsoleFindings> {
  const text = typed.trim();
  if (text.length < minTyped) return nothingFound;
  const key = searchKey(text);
  const all = await app.registrations.list();
  const own = within === null ? all : all.filter(({ id }) => id === within);
  const registrations = own.filter((one) => namesLms(one, text, key));
  const courses = await findCourses(app, { typed: text, registrationId: within, from: null });
  const foundCourses = { courses: courses.rows.slice(0, maxFound) };
  if (within !== null) return { ...nothingFound, registrations, ...foundCourses };
  const accounts = app.accounts.list().filter(({ id, name }) => id === text || searchKey(name).includes(key));
  const [people, launches, actions, receipt, score, erasure] = await Promise.all([
    peopleOf(app, all, text, key),
    app.refusedLaunches.listOfReference(text),
    app.audit.listOfRequest(text),
    app.receipts.find(text),
    app.deliveries.findById(text),
    app.erasures.find(text),
  ]);
  const found = { registrations, accounts, courses: courses.rows, people };
  const kinds = ["registrations", "accounts", "courses", "people"] as const;
  return {
    registrations: registrations.slice(0, maxFound),
    ...foundCourses,
    launches,
    actions,
    accounts: accounts.slice(0, maxFound).map(({ id, name }) => ({ id, name })),
    people: people.slice(0, maxFound),
    receipts: receipt === null ? [] : [receipt],
    scores: score === null ? [] : [score],
    erasures: erasure === null ? [] : [{ id: erasure.id, label: erasure.label }],
    more: kinds.filter((kind) => found[kind].length > maxFound),
  };
}

const nothingFound: ConsoleFindings = {
  registrations: [],
  accounts: [],
  courses: [],
  people: [],
  launches: [],
  actions: [],
  receipts: [],
  scores: [],
  erasures: [],
  more: [],
};

function namesLms({ id, issuer, clientId, name }: Registration, text: string, key: string): boolean {
  return [id, issuer, clientId].includes(text) || searchKey(name).includes(key);
}

async function peopleOf(
  { people, accounts }: SearchApp,
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
  return [...byId(found.flat()).values()];
}

type CoursesQuery = {
  /** The beginning of a title or short name, the LMS's id or ours, or a Space's id or address. */
  typed: string;
  registrationId: string | null;
  /** Where the page before ended. Null for the first page. */
  from: string | null;
};

export type FoundCourse = ListedCourse & { lms: string; members: number; grades: GradeState };

/** `next`: where the page ended, if there is more. */
export type FoundCourses = { rows: readonly FoundCourse[]; next: string | null };

const pageSize = 25;

/** Finds by the beginning of title or short name (one range of an index), ignoring case and accents, or by a whole id. */
export async function findCourses(app: FindCoursesApp, query: CoursesQuery): Promise<FoundCourses> {
  const registrations = await app.registrations.list();
  const names = new Map(registrations.map(({ id, name }) => [id, name]));
  const key = searchKey(query.typed);
  const exact = key === "" || query.from !== null ? [] : await byIds(app, query, [...names.keys()]);
  const { rows, next } = key === "" ? await latest(app, query) : await beginning(app, query, key);
  const found = [...new Map([...exact, ...rows].map((row) => [row.course.id, row])).values()];
  const grades = await app.consoleLists.gradeStates(found.map(({ course }) => course));
  return {
    rows: await Promise.all(
      found.map(async (row) => ({
        ...row,
        lms: names.get(row.course.registrationId) ?? "",
        members: await app.consoleLists.countMembers(row.course),
        grades: grades.get(row.course.id) ?? null,
      })),
    ),
    next,
  };
}

type Page = { rows: ListedCourse[]; next: string | null };

async function latest({ courses }: FindCoursesApp, { registrationId, from }: CoursesQuery): Promise<Page> {
  const found = await courses.listLatest(registrationId, cursorOf(from), pageSize + 1);
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  const next = last === undefined ? null : { at: last.lastLaunchAt ?? 0, id: last.course.id };
  return { rows, next: next === null ? null : cursorText(next) };
}

const cursorShape = z.object({ by: z.enum(["labelKey", "titleKey"]), key: z.string(), id: z.string() });

/** Short names first, then titles. A course in both lists is only in the first. */
async function beginning(
  { courses }: FindCoursesApp,
  { registrationId, from }: CoursesQuery,
  begins: string,
): Promise<Page> {
  const cursor = nameCursorOf(from);
  const rows: ListedCourse[] = [];
  for (const by of ["labelKey", "titleKey"] as const) {
    if (by === "labelKey" && cursor?.by === "titleKey") continue;
    const after: AfterCourse | null = cursor?.by === by ? cursor : null;
    const left = pageSize - rows.length;
    const found = await courses.listBeginning({ by, begins, registrationId }, after, left + 1);
    const some = found.slice(0, left);
    rows.push(
      ...some.filter(({ course }) => by === "labelKey" || !searchKey(course.label).startsWith(begins)),
    );
    if (found.length > left) return { rows, next: nameCursorText(by, some.at(-1) ?? null, after, begins) };
  }
  return { rows, next: null };
}

/** If the page was full before this list began, the next page continues with the list's first entry. */
function nameCursorText(
  by: "labelKey" | "titleKey",
  last: ListedCourse | null,
  after: AfterCourse | null,
  begins: string,
): string {
  const key =
    last === null
      ? (after?.key ?? begins)
      : searchKey(by === "labelKey" ? last.course.label : last.course.title);
  const id = last?.course.id ?? after?.id ?? "";
  return Buffer.from(JSON.stringify({ by, key, id })).toString("base64url");
}

function nameCursorOf(from: string | null): z.infer<typeof cursorShape> | null {
  if (from === null) return null;
  try {
    return cursorShape.parse(JSON.parse(Buffer.from(from, "base64url").toString("utf8")));
  } catch {
    return null; // a changed address shows the first page
  }
}

/** Finds by a whole id or a Space's address. */
async function byIds(
  app: FindCoursesApp,
  { typed, registrationId }: CoursesQuery,
  registrationIds: readonly string[],
): Promise<ListedCourse[]> {
  const text = typed.trim();
  const within = registrationId === null ? registrationIds : [registrationId];
  const [own, byContext, bySpace] = await Promise.all([
    app.courses.listMany([text]),
    app.courses.listByContext(within, text),
    Promise.all(app.accounts.ids().map((environment) => ofSpace(app, environment, text))),
  ]);
  const found = [...own, ...byContext, ...bySpace.flat()];
  return found.filter(({ course }) => within.includes(course.registrationId));
}

/** Courses that own or owned the Space, or have a link that opens it. */
async function ofSpace(
  { courses, courseLinks, appUrlOf }: FindCoursesApp,
  environment: AccountId,
  text: string,
): Promise<ListedCourse[]> {
  const spaceId = spaceIdFrom(text, appUrlOf(environment));
  if (spaceId === null) return [];
  const [using, links] = await Promise.all([
    courses.findBySpace(environment, spaceId),
    courseLinks.listOpening(spaceId),
  ]);
  const ids = new Set([...using.map(({ id }) => id), ...links.map(({ courseId }) => courseId)]);
  const found = await courses.listMany([...ids].slice(0, pageSize));
  return found.filter(({ course }) => course.environment === environment);
}
