import type { Model } from "mongoose";
import type { Member } from "../../../domain/course.ts";
import { type MemberKey, type MemberRow, toMember } from "./member-row.ts";

/** How many people of a course there are of each kind; preview students are none of them. */
export type Headcounts = {
  learners: number;
  instructors: number;
  /** Learners who are graded: no mentors, no guests. */
  students: number;
  /** Known, and not in the course any more. */
  inactive: number;
};

/** Of whom a list is to be: all conditions hold. */
export type MembersWanted = {
  /** The LMS's id of a section; null for all. */
  sectionId: string | null;
  role?: Member["role"] | null;
  /** As `plainName` writes them; the name that lists are sorted by holds every one. */
  words: readonly string[];
};

/** A missing value counts like the default: records of earlier versions lack some. */
const orMissing = (value: boolean) => ({ $in: [value, null] });
const student = { role: "learner", testUser: false, student: orMissing(true) } as const;

/**
 * Lists and counts of a course's members. All conditions stand in one index in the order of lists, so that pages and counts
 * of a course of ten thousand are decided there and only the shown documents are read.
 */
export function memberLists(model: Model<MemberRow>) {
  /** Sections are looked for in a text made of them; records of earlier versions get theirs first. */
  const withKeys = async (key: MemberKey): Promise<void> => {
    const without = { ...key, sectionKey: null };
    // A count needs nothing but the index; a search for one would read documents until it finds it.
    while ((await model.countDocuments(without)) > 0) {
      const rows = await model.find(without).limit(500).lean();
      await model.bulkWrite(
        rows.map(({ _id, sectionIds }) => ({
          // Whoever writes other sections meanwhile writes their text, too.
          updateOne: {
            filter: { _id, sectionKey: null },
            update: { $set: { sectionKey: keyOf(sectionIds) } },
          },
        })),
        { ordered: false },
      );
    }
  };
  const filterOf = async (key: MemberKey, { sectionId, role = null, words }: MembersWanted) => {
    if (sectionId !== null) await withKeys(key);
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
    const rows = await model.find(filter).sort(order).skip(skip).limit(limit).lean();
    return { members: rows.map(toMember), total: await model.countDocuments(filter) };
  };

  return {
    /**
     * A page of a course's members, those who are in it first, then by name; of one section when it is given.
     * @param part.learners Only those who are graded.
     */
    page: async (
      key: MemberKey,
      sectionId: string | null,
      part: { skip: number; limit: number; learners?: true },
    ): Promise<{ members: Member[]; total: number }> => {
      const filter = await filterOf(key, { sectionId, words: [] });
      return pageOf({ ...filter, ...(part.learners === true ? student : {}) }, part);
    },
    /** A page of those for whom all conditions hold: who is in the course first, then by name. */
    searchPage: async (
      key: MemberKey,
      wanted: MembersWanted,
      part: { skip: number; limit: number },
    ): Promise<{ members: Member[]; total: number }> => pageOf(await filterOf(key, wanted), part),
    /** Ids of all people for whom all conditions hold. */
    searchIds: async (key: MemberKey, wanted: MembersWanted): Promise<string[]> => {
      const rows = await model.find(await filterOf(key, wanted), { personId: 1 }).lean();
      return rows.map(({ personId }) => personId);
    },
    headcounts: async ({ registrationId, courseId }: MemberKey): Promise<Headcounts> => {
      const within = { registrationId, courseId, active: orMissing(true), testUser: false };
      const [learners, instructors, students, inactive] = await Promise.all([
        model.countDocuments({ ...within, role: "learner" }),
        model.countDocuments({ ...within, role: "instructor" }),
        model.countDocuments({ ...within, ...student }),
        model.countDocuments({ ...within, active: false }),
      ]);
      return { learners, instructors, students, inactive };
    },
    /** Ids of people who are in a course now in a role, by name, so many at most; preview students left out. */
    listPresentIds: async (
      { registrationId, courseId }: MemberKey,
      role: Member["role"],
      limit: number,
    ): Promise<string[]> => {
      const filter = { registrationId, courseId, active: orMissing(true), testUser: false, role };
      const rows = await model
        .find(filter, { personId: 1 })
        .sort({ listName: 1, personId: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ personId }) => personId);
    },
    /** How many learners are in a course now, preview students left out; of some sections when any are given. */
    countLearners: async (key: MemberKey, sectionIds: readonly string[]): Promise<number> => {
      const { registrationId, courseId } = key;
      const within = { registrationId, courseId, active: orMissing(true), ...student };
      if (sectionIds.length === 0) return model.countDocuments(within);
      await withKeys(key);
      return model.countDocuments({
        ...within,
        $or: sectionIds.map((id) => ({ sectionKey: { $regex: literally(JSON.stringify(id)) } })),
      });
    },
    /** Those who will enter and of whom nobody has seen yet that the classroom knows them in the role they have. */
    listUnready: async ({
      registrationId,
      courseId,
    }: MemberKey): Promise<Pick<Member, "personId" | "role">[]> => {
      const within = { registrationId, courseId, active: orMissing(true), testUser: false };
      const rows = await model
        .find(
          {
            ...within,
            $or: [unreadyAs("instructor"), { ...unreadyAs("learner"), student: orMissing(true) }],
          },
          { personId: 1, role: 1 },
        )
        .lean();
      return rows.map(({ personId, role }) => ({ personId, role }));
    },
    /** Notes that the classroom knows some people in a role, which stays so; a few hundred at most. */
    noteReady: async (
      { registrationId, courseId }: MemberKey,
      personIds: readonly string[],
      role: Member["role"],
    ): Promise<void> => {
      if (personIds.length === 0) return;
      const some = { registrationId, courseId, personId: { $in: [...personIds] } };
      await model.updateMany(some, { $set: { ready: role } });
    },
  };
}

/**
 * Who was ready in the other role, or by what earlier versions wrote (`true`), is looked at again. Said by what may stand there,
 * which the index decides: for "not this one" every member would be read.
 */
function unreadyAs(role: Member["role"]) {
  const other = role === "learner" ? "instructor" : "learner";
  return { role, ready: { $in: [null, true, other] } } as const;
}

/** The sections of a member as fields of their record: the list, and the text that it is looked for in. */
export function sectionsOf(
  sectionIds: readonly string[],
): Required<Pick<MemberRow, "sectionIds" | "sectionKey">> {
  return { sectionIds: [...sectionIds], sectionKey: keyOf(sectionIds) };
}

function keyOf(sectionIds: readonly string[]): string {
  return JSON.stringify(sectionIds);
}

/** An expression that finds exactly this text. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
