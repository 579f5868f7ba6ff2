import { literally } from "../../../kernel/text.ts";
import type { Member, memberRecord } from "../../../domain/course.ts";
import type { RowOf } from "../../../domain/record.ts";
import type { Records } from "../../../storage/records.ts";

export type MemberRow = RowOf<typeof memberRecord>;
export type MemberKey = Pick<Member, "registrationId" | "courseId">;
export type ListedMember = Member & { listName: string };

/** Earlier records came from launches. */
const earlier: Partial<MemberRow> = {
  roleFrom: "launch",
  active: true,
  sectionIds: [],
  sectionsTold: false,
  listName: "",
  lastEntry: null,
};

export function toListed({ _id, sectionKey: _key, ready: _ready, ...member }: MemberRow): ListedMember {
  return { id: _id, ...earlier, ...member };
}

export function toMember(row: MemberRow): Member {
  const { listName: _name, ...member } = toListed(row);
  return member;
}

type Headcounts = {
  learners: number;
  instructors: number;
  /** Learners who are graded: no mentors, no guests. */
  students: number;
  inactive: number;
};

type MembersWanted = {
  sectionId: string | null;
  role?: Member["role"] | null;
  /** As `plainName` writes them; the list name must hold all. */
  words: readonly string[];
};

/** Missing values count as the default: earlier records lack some. */
const orMissing = (value: boolean) => ({ $in: [value, null] });
const student = { testUser: false, student: orMissing(true) } as const;

/** All conditions are in one index in list order: a page or count reads only the documents shown. */
export function memberLists(records: Records<typeof memberRecord>) {
  const filterOf = (key: MemberKey, { sectionId, role = null, words }: MembersWanted) => {
    const named = words.map((word) => ({ listName: { $regex: literally(word) } }));
    return {
      registrationId: key.registrationId,
      courseId: key.courseId,
      ...(sectionId === null ? {} : { sectionKey: { $regex: literally(JSON.stringify(sectionId)) } }),
      ...(role === null ? {} : { role }),
      ...(named.length === 0 ? {} : { $and: named }),
    };
  };

  const pageOf = async (
    filter: Record<string, unknown>,
    { skip, limit }: { skip: number; limit: number },
  ): Promise<{ members: Member[]; total: number }> => {
    const order = { active: -1, listName: 1, personId: 1 } as const;
    const rows = await records.rows(filter, { sort: order, skip: skip, limit });
    return { members: rows.map(toMember), total: await records.count(filter) };
  };

  return {
    /** Present members first, then by name. @param part.learners Only graded ones. */
    page: async (
      key: MemberKey,
      sectionId: string | null,
      part: { skip: number; limit: number; learners?: true },
    ): Promise<{ members: Member[]; total: number }> => {
      const filter = filterOf(key, { sectionId, words: [] });
      return pageOf({ ...filter, ...(part.learners === true ? student : {}) }, part);
    },
    /** Present members first, then by name. */
    searchPage: async (
      key: MemberKey,
      wanted: MembersWanted,
      part: { skip: number; limit: number },
    ): Promise<{ members: Member[]; total: number }> => pageOf(filterOf(key, wanted), part),
    searchIds: async (key: MemberKey, wanted: MembersWanted): Promise<string[]> => {
      const rows = await records.some(["personId"], filterOf(key, wanted));
      return rows.map(({ personId }) => personId);
    },
    headcounts: async ({ registrationId, courseId }: MemberKey): Promise<Headcounts> => {
      const within = { registrationId, courseId, active: orMissing(true), testUser: false };
      const [learners, instructors, students, inactive] = await Promise.all([
        records.count({ ...within, role: "learner" }),
        records.count({ ...within, role: "instructor" }),
        records.count({ ...within, ...student }),
        records.count({ ...within, active: false }),
      ]);
      return { learners, instructors, students, inactive };
    },
    /** Of a role, without preview students, by name. */
    listPresentIds: async (
      { registrationId, courseId }: MemberKey,
      role: Member["role"],
      limit: number,
    ): Promise<string[]> => {
      const filter = { registrationId, courseId, active: orMissing(true), testUser: false, role };
      const rows = await records.some(["personId"], filter, { sort: { listName: 1, personId: 1 }, limit });
      return rows.map(({ personId }) => personId);
    },
    /** Whether somebody has opened the course as a learner, preview students included. */
    hasLearnerLaunch: ({ registrationId, courseId }: MemberKey): Promise<boolean> =>
      records.exists({ registrationId, courseId, role: "learner", lastLaunchAt: { $ne: null } }),
    /** Present, without preview students; of some sections when any are given. */
    countLearners: async (
      { registrationId, courseId }: MemberKey,
      sectionIds: readonly string[],
    ): Promise<number> => {
      const within = { registrationId, courseId, active: orMissing(true), ...student };
      if (sectionIds.length === 0) return records.count(within);
      return records.count({
        ...within,
        $or: sectionIds.map((id) => ({ sectionKey: { $regex: literally(JSON.stringify(id)) } })),
      });
    },
    /** Those who will enter and are not yet known to have a user for their role. */
    listUnready: async ({
      registrationId,
      courseId,
    }: MemberKey): Promise<Pick<Member, "personId" | "role">[]> => {
      const within = { registrationId, courseId, active: orMissing(true), testUser: false };
      const rows = await records.some(["personId", "role"], {
        ...within,
        $or: [unreadyAs("instructor"), { ...unreadyAs("learner"), student: orMissing(true) }],
      });
      return rows.map(({ personId, role }) => ({ personId, role }));
    },
    /** People with a user for their role, which is permanent; a few hundred at most. */
    noteReady: async (
      { registrationId, courseId }: MemberKey,
      personIds: readonly string[],
      role: Member["role"],
    ): Promise<void> => {
      if (personIds.length === 0) return;
      const some = { registrationId, courseId, personId: { $in: [...personIds] } };
      await records.changeAll(some, { $set: { ready: role } });
    },
  };
}

/**
 * Includes members ready in another role, or marked by earlier versions (`true`). Written with $in, which an index
 * serves; $ne would read every member.
 */
function unreadyAs(role: Member["role"]) {
  const other = role === "learner" ? "instructor" : "learner";
  return { role, ready: { $in: [null, true, other] } } as const;
}

export function sectionsOf(
  sectionIds: readonly string[],
): Required<Pick<MemberRow, "sectionIds" | "sectionKey">> {
  return { sectionIds: [...sectionIds], sectionKey: keyOf(sectionIds) };
}

function keyOf(sectionIds: readonly string[]): string {
  return JSON.stringify(sectionIds);
}
