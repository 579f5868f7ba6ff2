import type { Member } from "../../domain/course.ts";
import type { Section } from "../../domain/section.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { MemberKey, MemberStore } from "./store/member-store.ts";

/** How many people of a kind are in the course now; preview students are none. */
export type Headcount = { learners: number; instructors: number };

/** A section with its people. */
export type SectionRow = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName" | "givenName"> & Headcount;

/** Everybody in a course, counted. */
export type MemberCounts = {
  total: Headcount & { inactive: number; withoutSection: Headcount };
  /** By the LMS's id of the section. */
  bySection: ReadonlyMap<string, Headcount>;
};

/** Members read in one go while counting. */
const slice = 500;

/**
 * Counts who is in the course now, in slices, so that a course of thousands holds nobody up.
 * @param onRead Told of each slice of members, those who left among them.
 */
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
    const some = await deps.members.listAfter(key, last, slice);
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
    if (some.length < slice) return { total, bySection };
    last = some.at(-1)?.personId ?? last;
    await letOthersRun();
  }
}

/** Sections as they are listed, with their people. */
export function sectionRows(sections: readonly Section[], { bySection: counts }: MemberCounts): SectionRow[] {
  return [...sections].sort(inSectionOrder).map(({ lmsSectionId, lmsName, lmsSetName, givenName }) => ({
    lmsSectionId,
    lmsName,
    lmsSetName,
    givenName,
    ...(counts.get(lmsSectionId) ?? { learners: 0, instructors: 0 }),
  }));
}

/** Sets together, then by name, then by the LMS's id as a number: "Group 9" before "Group 10". */
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
