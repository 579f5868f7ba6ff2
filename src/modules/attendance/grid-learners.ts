import type { App } from "../../app.ts";
import type { Member } from "../../domain/course.ts";
import { isGraded, type AttendanceSummary } from "./rules/attendance-summary.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { ListedMember, MemberKey } from "../members/store/member-store.ts";
import { everyMember, inListOrder } from "../members/people.ts";
import { type GridFilter, isFound, isNarrowed } from "./grid-filter.ts";

export type GridLearnersDeps = Pick<App, "members" | "attendanceSummaries">;

export type GridLearners = {
  members: readonly Member[];
  summaries: ReadonlyMap<string, AttendanceSummary>;
  /** `members` are all that fit section and name, not only the page's. */
  whole: boolean;
  total: number;
};

/** Up to this size a course is read whole, and sums cover everybody. */
const maxWholeSize = 1_000;
const batchSize = 300;

/**
 * With the fewest reads. @param asked.allCount Whether every session counts for grades: sums cover all sessions.
 * @param asked.everybody For files, which have a column for each session with facts.
 */
export async function gridLearners(
  deps: GridLearnersDeps,
  key: MemberKey,
  filter: GridFilter,
  asked: { allCount: boolean; everybody?: boolean },
): Promise<GridLearners> {
  const few = asked.allCount && asked.everybody !== true ? await thoseWhoMayFit(deps, key, filter) : null;
  if (few !== null) return few;
  const narrowed = asked.everybody === true || isNarrowed(filter);
  const all = narrowed || (await isSmall(deps, key)) ? await everyMember(deps, key) : null;
  if (all === null) {
    const { members, total } = await pageOf(deps, key, filter);
    return { members, summaries: await summariesOf(deps, key, members), whole: false, total };
  }
  const graded = all.filter(isGraded);
  const members = graded.filter((member) => isSought(member, filter));
  const total = graded.filter((member) => isInSection(member, filter)).length;
  return { members, summaries: await summariesOf(deps, key, members), whole: true, total };
}

/** By low rates and frequent absences; null where everybody has to be read. */
async function thoseWhoMayFit(
  deps: GridLearnersDeps,
  key: MemberKey,
  filter: GridFilter,
): Promise<GridLearners | null> {
  const { only, percent, times } = filter;
  if (only !== "low" && only !== "absent") return null;
  if ((await deps.attendanceSummaries.count(key)) <= maxWholeSize) return null;
  const found = await deps.attendanceSummaries.listBySums(
    key,
    only === "low" ? { below: percent } : { absent: times },
  );
  const members: ListedMember[] = [];
  for (let from = 0; from < found.length; from += batchSize) {
    const ids = found.slice(from, from + batchSize).map(({ personId }) => personId);
    members.push(...(await deps.members.findMany(key, ids)));
    await letOthersRun();
  }
  const sought = members.filter((member) => isGraded(member) && isSought(member, filter));
  return {
    members: sought.sort(inListOrder),
    summaries: new Map(found.map((current) => [current.personId, current])),
    whole: true,
    total: sought.length,
  };
}

function isSought(member: ListedMember, filter: GridFilter): boolean {
  return isInSection(member, filter) && isFound(member.listName, filter.search);
}

function isInSection({ sectionIds }: Member, { sectionId }: GridFilter): boolean {
  return sectionId === null || sectionIds.includes(sectionId);
}

async function isSmall(deps: GridLearnersDeps, key: MemberKey): Promise<boolean> {
  const { total } = await deps.members.page(key, null, { skip: 0, limit: 1, learners: true });
  return total <= maxWholeSize;
}

async function pageOf(deps: GridLearnersDeps, key: MemberKey, { sectionId, page, perPage }: GridFilter) {
  const read = (from: number) =>
    deps.members.page(key, sectionId, { skip: from, limit: perPage, learners: true });
  const wanted = await read((page - 1) * perPage);
  if (wanted.members.length > 0 || wanted.total === 0) return wanted;
  return read((Math.ceil(wanted.total / perPage) - 1) * perPage);
}

async function summariesOf(
  deps: GridLearnersDeps,
  key: MemberKey,
  members: readonly Member[],
): Promise<Map<string, AttendanceSummary>> {
  const found = new Map<string, AttendanceSummary>();
  for (let from = 0; from < members.length; from += batchSize) {
    const ids = members.slice(from, from + batchSize).map(({ personId }) => personId);
    for (const current of await deps.attendanceSummaries.findMany(key, ids))
      found.set(current.personId, current);
    if (from + batchSize < members.length) await letOthersRun();
  }
  return found;
}
