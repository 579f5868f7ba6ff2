import type { App } from "../../app.ts";
import { z } from "zod";
import type { AccountId } from "../../domain/account.ts";
import { searchKey } from "../members/rules/names.ts";
import { spaceIdFrom } from "../spaces/rules/space-right.ts";
import type { GradeState } from "./store/console-lists.ts";
import { cursorOf as latestCursorOf, cursorText as latestCursorText } from "./page-cursor.ts";
import type { AfterCourse, ListedCourse } from "../courses/store/course-lists.ts";

export type FindCoursesDeps = Pick<
  App,
  "courses" | "courseLinks" | "registrations" | "consoleLists" | "accounts"
> & {
  appUrlOf: (environment: AccountId) => string;
};

export type CoursesWanted = {
  /** The beginning of a title or short name, an id of the LMS or of ours, a Space's id or address. */
  typed: string;
  registrationId: string | null;
  /** Where the page before ended; null for the first. */
  from: string | null;
};

export type FoundCourse = ListedCourse & { lms: string; members: number; grades: GradeState };

/** `next`: where the page ended, when there is more. */
export type FoundCourses = { rows: readonly FoundCourse[]; next: string | null };

const pageSize = 25;

/** By the beginning of title or short name (one range of an index), ignoring case and accents, or by a whole id. */
export async function findCourses(deps: FindCoursesDeps, wanted: CoursesWanted): Promise<FoundCourses> {
  const registrations = await deps.registrations.list();
  const names = new Map(registrations.map(({ id, name }) => [id, name]));
  const key = searchKey(wanted.typed);
  const exact = key === "" || wanted.from !== null ? [] : await byIds(deps, wanted, [...names.keys()]);
  const { rows, next } = key === "" ? await latest(deps, wanted) : await beginning(deps, wanted, key);
  const shown = new Map([...exact, ...rows].map((row) => [row.course.id, row]));
  return {
    rows: await Promise.all(
      [...shown.values()].map(async (row) => ({
        ...row,
        lms: names.get(row.course.registrationId) ?? "",
        members: await deps.consoleLists.countMembers(row.course),
        grades: await deps.consoleLists.gradeState(row.course),
      })),
    ),
    next,
  };
}

type Page = { rows: ListedCourse[]; next: string | null };

async function latest({ courses }: FindCoursesDeps, { registrationId, from }: CoursesWanted): Promise<Page> {
  const found = await courses.listLatest(registrationId, latestCursorOf(from), pageSize + 1);
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  const next = last === undefined ? null : { at: last.lastLaunchAt ?? 0, id: last.course.id };
  return { rows, next: next === null ? null : latestCursorText(next) };
}

const cursorShape = z.object({ by: z.enum(["labelKey", "titleKey"]), key: z.string(), id: z.string() });

/** Short names first, then titles; a course in both lists is in the first only. */
async function beginning(
  { courses }: FindCoursesDeps,
  { registrationId, from }: CoursesWanted,
  begins: string,
): Promise<Page> {
  const cursor = cursorOf(from);
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
    if (found.length > left) return { rows, next: cursorText(by, some.at(-1) ?? null, after, begins) };
  }
  return { rows, next: null };
}

/** A page that was full before this list began continues with its first entry. */
function cursorText(
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

function cursorOf(from: string | null): z.infer<typeof cursorShape> | null {
  if (from === null) return null;
  try {
    return cursorShape.parse(JSON.parse(Buffer.from(from, "base64url").toString("utf8")));
  } catch {
    return null; // a changed address shows the first page
  }
}

/** By a whole id or a Space's address. */
async function byIds(
  deps: FindCoursesDeps,
  { typed, registrationId }: CoursesWanted,
  registrationIds: readonly string[],
): Promise<ListedCourse[]> {
  const text = typed.trim();
  const within = registrationId === null ? registrationIds : [registrationId];
  const [own, byContext, bySpace] = await Promise.all([
    deps.courses.listMany([text]),
    deps.courses.listByContext(within, text),
    Promise.all(deps.accounts.ids().map((environment) => ofSpace(deps, environment, text))),
  ]);
  const found = [...own, ...byContext, ...bySpace.flat()];
  return found.filter(({ course }) => within.includes(course.registrationId));
}

/** Courses whose Space it is or was, or with a link that opens it. */
async function ofSpace(
  { courses, courseLinks, appUrlOf }: FindCoursesDeps,
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
