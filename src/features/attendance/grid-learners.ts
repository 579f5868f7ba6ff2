import type { Member } from "../../domain/course.ts";
import { isGraded, type LearnerStanding } from "../../domain/learner-standing.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { ListedMember, MemberKey, MemberStore } from "../../storage/member-store.ts";
import type { StandingStore } from "../../storage/standing-store.ts";
import { everyMember, inListOrder } from "../members/every-member.ts";
import { type GridFilter, isFound, isNarrowed } from "./grid-filter.ts";

export type GridLearnersDeps = {
  members: Pick<MemberStore, "page" | "listAfter">;
  standings: Pick<StandingStore, "findMany">;
};

/** Learners in the order of lists, and how they stand. */
export type GridLearners = {
  members: readonly Member[];
  standings: ReadonlyMap<string, LearnerStanding>;
  /** Whether `members` are all of the section and name; else they are those of the page. */
  whole: boolean;
  /** How many there are in the section. */
  total: number;
};

/** A course of so many learners is read whole: what stands above the table is then about everybody. */
const atOnce = 1_000;
const slice = 300;

/** The learners that a page of the table is made from, with the fewest reads. */
export async function gridLearners(
  deps: GridLearnersDeps,
  key: MemberKey,
  filter: GridFilter,
  everybody = false,
): Promise<GridLearners> {
  const all = await everyLearner(deps, key, everybody || isNarrowed(filter));
  if (all === null) {
    const { members, total } = await pageOf(deps, key, filter);
    return { members, standings: await standingsOf(deps, key, members), whole: false, total };
  }
  const ofSection = all.filter(
    ({ sectionIds }) => filter.sectionId === null || sectionIds.includes(filter.sectionId),
  );
  const members = ofSection.filter(({ listName }) => isFound(listName, filter.search));
  return { members, standings: await standingsOf(deps, key, members), whole: true, total: ofSection.length };
}

/** All learners of a course; null when it is a large one and a page is enough. */
async function everyLearner(
  deps: GridLearnersDeps,
  key: MemberKey,
  needsAll: boolean,
): Promise<ListedMember[] | null> {
  const some = needsAll ? null : await deps.members.listAfter(key, "", atOnce + 1);
  if (some !== null && some.length > atOnce) return null;
  return (some?.sort(inListOrder) ?? (await everyMember(deps, key))).filter(isGraded);
}

/** A page of a large course; the last one when there are not so many. */
async function pageOf(deps: GridLearnersDeps, key: MemberKey, { sectionId, page, perPage }: GridFilter) {
  const read = (from: number) =>
    deps.members.page(key, sectionId, { skip: from, limit: perPage, learners: true });
  const wanted = await read((page - 1) * perPage);
  if (wanted.members.length > 0 || wanted.total === 0) return wanted;
  return read((Math.ceil(wanted.total / perPage) - 1) * perPage);
}

async function standingsOf(
  deps: GridLearnersDeps,
  key: MemberKey,
  members: readonly Member[],
): Promise<Map<string, LearnerStanding>> {
  const found = new Map<string, LearnerStanding>();
  for (let from = 0; from < members.length; from += slice) {
    const ids = members.slice(from, from + slice).map(({ personId }) => personId);
    for (const standing of await deps.standings.findMany(key, ids)) found.set(standing.personId, standing);
    if (from + slice < members.length) await letOthersRun();
  }
  return found;
}
