import type { Member } from "../../domain/course.ts";
import type { Section } from "../../domain/section.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { MemberKey, MemberStore } from "./store/member-store.ts";

/** Members of a kind now, without preview students. */
export type Headcount = { learners: number; instructors: number };

export type SectionRow = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName" | "givenName"> & Headcount;

export type MemberCounts = {
  total: Headcount & { inactive: number; withoutSection: Headcount };
  bySection: ReadonlyMap<string, Headcount>;
};

/** Members per read. */
const batchSize = 500;

/** In slices, so that a large course does not block. @param onRead Gets each slice, members who left included. */
export async function countMembers(
  deps: { members: Pick<MemberStore, "listAfter"> },
  key: MemberKey,
  onRead: (members: readonly Member[]) => Promise<void> = () => Promise.resolve(),
): Promise<MemberCounts> {
  const nobody = (): Headcount => ({ learners: 0, instructors: 0 });
  const total = { ...nobody(), inactive: 0, withoutSection: nobody() };
  const bySection = new Map<string, Headcount>();
  const add = (to: Headcount, { role }: Member) => {
    to[role === "learner" ? "learners" : "instructors"] += 1;
  };
  let last = "";
  for (;;) {
    const some = await deps.members.listAfter(key, last, batchSize);
    for (const member of some.filter(({ testUser }) => !testUser)) {
      if (!member.active) {
        total.inactive += 1;
        continue;
      }
      add(total, member);
      if (member.sectionIds.length === 0) add(total.withoutSection, member);
      for (const id of member.sectionIds) {
        const counted = bySection.get(id) ?? nobody();
        bySection.set(id, counted);
        add(counted, member);
      }
    }
    await onRead(some);
    if (some.length < batchSize) return { total, bySection };
    last = some.at(-1)?.personId ?? last;
    await letOthersRun();
  }
}

export function sectionRows(sections: readonly Section[], { bySection: counts }: MemberCounts): SectionRow[] {
  return [...sections].sort(inSectionOrder).map(({ lmsSectionId, lmsName, lmsSetName, givenName }) => ({
    lmsSectionId,
    lmsName,
    lmsSetName,
    givenName,
    ...(counts.get(lmsSectionId) ?? { learners: 0, instructors: 0 }),
  }));
}

/** By set, name, then the LMS's id as a number: "Group 9" before "Group 10". */
export function inSectionOrder(one: Section, other: Section): number {
  const numeric = { numeric: true };
  return (
    (one.lmsSetName ?? "").localeCompare(other.lmsSetName ?? "", undefined, numeric) ||
    nameOf(one).localeCompare(nameOf(other), undefined, numeric) ||
    one.lmsSectionId.localeCompare(other.lmsSectionId, undefined, numeric)
  );
}

function nameOf({ givenName, lmsName }: Section): string {
  return givenName ?? lmsName ?? "";
}
