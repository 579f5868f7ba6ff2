import { type Connection, Schema } from "mongoose";
import type { Member } from "../domain/course.ts";
import type { LastEntry } from "../domain/entry.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";

type MemberRow = Omit<Member, "id"> & {
  _id: string;
  /** What the person is sorted by in lists; a copy, because a store cannot sort by another record. */
  listName: string;
};

export type MemberKey = Pick<Member, "registrationId" | "courseId">;
/** A member with what they are sorted by. */
export type ListedMember = Member & { listName: string };
/** What a roster makes of one person; without `id` they are a member already. */
export type RosterChange = {
  personId: string;
  /** Of the record to make when there is none. */
  id: string;
  to: Partial<Pick<ListedMember, "role" | "roleFrom" | "testUser" | "active" | "sectionIds" | "listName">>;
};
export type MemberStore = ReturnType<typeof createMemberStore>;

/** Who is in which course, one record for each (course, person). */
export function createMemberStore(connection: Connection) {
  const schema = new Schema<MemberRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      personId: { type: String, required: true },
      role: { type: String, required: true },
      roleFrom: { type: String, default: "launch" },
      testUser: { type: Boolean, required: true },
      student: { type: Boolean, default: true },
      active: { type: Boolean, default: true },
      sectionIds: { type: [String], default: [] },
      sectionsTold: { type: Boolean, default: false },
      lastLaunchAt: { type: Number, default: null },
      lastEntry: { type: Schema.Types.Mixed, default: null },
      listName: { type: String, default: "" },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, personId: 1 }, { unique: true });
  schema.index({ registrationId: 1, courseId: 1, active: -1, listName: 1, personId: 1 });
  schema.index({ registrationId: 1, lastLaunchAt: -1 });
  schema.index({ registrationId: 1, personId: 1 });
  const model = connection.model<MemberRow>("Member", schema);

  return {
    /** Records a launch: the role is always this launch's, so that a lower one takes effect at once. */
    recordLaunch: async (
      key: Pick<Member, "registrationId" | "courseId" | "personId">,
      facts: Pick<ListedMember, "role" | "testUser" | "listName"> & {
        lastLaunchAt: number;
        student?: boolean;
      },
      /** Null when the launch does not tell: what is known stays. */
      sectionIds: readonly string[] | null,
      id: string,
    ): Promise<Member> => {
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $set: {
                ...facts,
                roleFrom: "launch",
                ...(sectionIds === null ? {} : { sectionIds: [...sectionIds], sectionsTold: true }),
                active: true,
              },
              $setOnInsert: {
                _id: id,
                lastEntry: null,
                ...(sectionIds === null ? { sectionIds: [], sectionsTold: false } : {}),
              },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toMember(row);
    },
    /** When anybody last came from an LMS (ms); null when nobody has. */
    lastLaunchOf: async (registrationId: string): Promise<number | null> =>
      (await model.findOne({ registrationId }).sort({ lastLaunchAt: -1 }).lean())?.lastLaunchAt ?? null,
    /** Remembers how somebody came in. */
    recordEntry: async (id: string, lastEntry: LastEntry): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { lastEntry } });
    },
    /** The courses somebody is in. */
    listOfPerson: async (registrationId: string, personId: string): Promise<Member[]> =>
      (await model.find({ registrationId, personId }).lean()).map(toMember),
    find: async (registrationId: string, courseId: string, personId: string): Promise<Member | null> => {
      const row = await model.findOne({ registrationId, courseId, personId }).lean();
      return row === null ? null : toMember(row);
    },
    /** Those of some people who are members; a few hundred at most. */
    findMany: async (
      { registrationId, courseId }: MemberKey,
      personIds: readonly string[],
    ): Promise<ListedMember[]> =>
      (await model.find({ registrationId, courseId, personId: { $in: [...personIds] } }).lean()).map(
        toListed,
      ),
    /** Members of a course in the order of their person's id, for going through all of them. */
    listAfter: async (key: MemberKey, personId: string, limit: number): Promise<ListedMember[]> =>
      (
        await model
          .find({ ...key, personId: { $gt: personId } })
          .sort({ personId: 1 })
          .limit(limit)
          .lean()
      ).map(toListed),
    /**
     * A page of a course's members, those who are in it first, then by name; of one section when it is given.
     * @param part.learners Only those who are graded.
     */
    page: async (
      key: MemberKey,
      sectionId: string | null,
      part: { skip: number; limit: number; learners?: true },
    ): Promise<{ members: Member[]; total: number }> => {
      const graded = { role: "learner" as const, testUser: false, student: { $in: [true, null] } };
      const filter = {
        ...key,
        ...(sectionId === null ? {} : { sectionIds: sectionId }),
        ...(part.learners === true ? graded : {}),
      };
      const rows = await model
        .find(filter)
        .sort({ active: -1, listName: 1, personId: 1 })
        .skip(part.skip)
        .limit(part.limit)
        .lean();
      return { members: rows.map(toMember), total: await model.countDocuments(filter) };
    },
    /** How many learners are in a course now, preview students left out; of some sections when any are given. */
    countLearners: (key: MemberKey, sectionIds: readonly string[]): Promise<number> =>
      model
        .countDocuments({
          registrationId: key.registrationId,
          courseId: key.courseId,
          active: { $ne: false },
          role: "learner",
          testUser: false,
          student: { $ne: false },
          ...(sectionIds.length === 0 ? {} : { sectionIds: { $in: [...sectionIds] } }),
        })
        .exec(),
    /**
     * As `page`, of those for whom all conditions hold.
     * @param narrowed.words As `plainName` writes them; the name holds every one.
     */
    searchPage: async (
      key: MemberKey,
      narrowed: { sectionId: string | null; role: Member["role"] | null; words: readonly string[] },
      part: { skip: number; limit: number },
    ): Promise<{ members: Member[]; total: number }> => {
      const { sectionId, role, words } = narrowed;
      const named = words.map((word) => ({
        listName: { $regex: word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") },
      }));
      const filter = {
        ...key,
        ...(sectionId === null ? {} : { sectionIds: sectionId }),
        ...(role === null ? {} : { role }),
        ...(named.length === 0 ? {} : { $and: named }),
      };
      const rows = await model
        .find(filter)
        .sort({ active: -1, listName: 1, personId: 1 })
        .skip(part.skip)
        .limit(part.limit)
        .lean();
      return { members: rows.map(toMember), total: await model.countDocuments(filter) };
    },
    /**
     * Takes over what a roster says about some people of a course, a few hundred at most. Whoever launched since
     * `startedAt` is left as the launch says, also when it comes between reading and writing.
     */
    applyRoster: async (
      key: MemberKey,
      startedAt: number,
      changes: { made: readonly RosterChange[]; changed: readonly RosterChange[] },
    ): Promise<void> => {
      const made = changes.made.map(({ personId, id, to }) => ({
        updateOne: {
          filter: { ...key, personId },
          update: { $setOnInsert: { _id: id, ...newMember, ...to } },
          upsert: true,
        },
      }));
      const older = [{ lastLaunchAt: null }, { lastLaunchAt: { $lt: startedAt } }];
      const changed = changes.changed.map(({ personId, to }) => ({
        updateOne: { filter: { ...key, personId, $or: older }, update: { $set: to } },
      }));
      if (made.length + changed.length === 0) return;
      await retriedOnDuplicate(() => model.bulkWrite([...made, ...changed], { ordered: false }));
    },
  };
}

/** What a member has whom only a roster has told of. */
const newMember = {
  roleFrom: "roster",
  testUser: false,
  student: true,
  active: true,
  sectionIds: [],
  sectionsTold: false,
  lastLaunchAt: null,
  lastEntry: null,
  listName: "",
} as const;

/** What records of earlier versions lack: they came from launches. */
const earlier: Partial<MemberRow> = {
  roleFrom: "launch",
  active: true,
  sectionIds: [],
  sectionsTold: false,
  listName: "",
  lastEntry: null,
};

function toListed({ _id, ...member }: MemberRow): ListedMember {
  return { id: _id, ...earlier, ...member };
}

function toMember(row: MemberRow): Member {
  const { listName: _name, ...member } = toListed(row);
  return member;
}
