import type { Connection } from "mongoose";
import type { LastEntry } from "../../../domain/entry.ts";
import { literally } from "../../../kernel/text.ts";
import { type Member, memberRecord } from "../../../domain/course.ts";
import type { RowOf } from "../../../domain/record.ts";
import { readTogether } from "../../../storage/read-once.ts";
import { openRecords, type Records, retriedOnDuplicate } from "../../../storage/records.ts";
import { type OfficeJoin, officeJoinRecord } from "../rules/provisioning.ts";

type MemberRow = RowOf<typeof memberRecord>;
export type MemberKey = Pick<Member, "registrationId" | "courseId">;
export type ListedMember = Member & { listName: string };

function toListed({ _id, sectionKey: _key, ready: _ready, ...member }: MemberRow): ListedMember {
  return { id: _id, ...member };
}

function toMember(row: MemberRow): Member {
  const { listName: _name, ...member } = toListed(row);
  return member;
}

function isOfSections(member: MemberRow, sectionIds: readonly string[]): boolean {
  return sectionIds.length === 0 || sectionIds.some((id) => member.sectionIds.includes(id));
}

type MemberQuery = {
  sectionId: string | null;
  role?: Member["role"] | null;
  /** Written like `plainName` writes them. The list name must contain all of them. */
  words: readonly string[];
};

const student = { testUser: false, student: true } as const;
/** Matches a partial index, because few accounts are joined. */
const joined = { joinedTo: { $gt: "" } } as const;

/** Reads members of a course. A member came when the first of the accounts joined to theirs did. */
function memberReads(records: Records<typeof memberRecord>) {
  const joinedRows = records.once((course: MemberKey) => records.rows({ ...course, ...joined }));
  const sinceFirst = async (rows: MemberRow[]): Promise<MemberRow[]> => {
    const late = rows.find(({ joinedAt }) => joinedAt != null);
    if (late === undefined) return rows;
    const { registrationId, courseId } = late;
    const joins = await joinedRows({ registrationId, courseId });
    return rows.map((row) => {
      const own = joins.filter(({ joinedTo }) => joinedTo === row.personId);
      const times = [row, ...own].map(({ joinedAt }) => joinedAt ?? 0);
      return own.length === 0 ? row : { ...row, joinedAt: Math.min(...times) };
    });
  };
  const rowsOf: typeof records.rows = async (...query) => sinceFirst(await records.rows(...query));
  const find = async (key: MemberKey & { personId: string }): Promise<Member | null> => {
    const row = await records.row(key);
    const [found = null] = row === null ? [] : await sinceFirst([row]);
    return found === null ? null : toMember(found);
  };
  return { joinedRows, rowsOf, find };
}

/** One index in list order has all conditions, so a page or count reads only the documents shown. */
function memberLists(
  records: Records<typeof memberRecord>,
  { joinedRows, rowsOf }: ReturnType<typeof memberReads>,
) {
  const filterOf = (key: MemberKey, { sectionId, role = null, words }: MemberQuery) => {
    const named = words.map((word) => ({ listName: { $regex: literally(word) } }));
    return {
      registrationId: key.registrationId,
      courseId: key.courseId,
      ...(sectionId === null ? {} : { sectionKey: { $regex: literally(JSON.stringify(sectionId)) } }),
      ...(role === null ? {} : { role }),
      ...(named.length === 0 ? {} : { $and: named }),
    };
  };

  type Counted = MemberKey & { sectionIds: readonly string[]; joinedAfter?: number };
  const countOf = records.once(({ sectionIds, joinedAfter, ...course }: Counted) => {
    const named = sectionIds.map((id) => ({ sectionKey: { $regex: literally(JSON.stringify(id)) } }));
    const present = { ...course, active: true, ...student };
    const within = joinedAfter === undefined ? present : { ...present, joinedAt: { $gt: joinedAfter } };
    return records.count(named.length === 0 ? within : { ...within, $or: named });
  });

  const pageOf = async (
    filter: Record<string, unknown>,
    { skip, limit }: { skip: number; limit: number },
  ): Promise<{ members: Member[]; total: number }> => {
    const order = { active: -1, listName: 1, personId: 1 } as const;
    const rows = await rowsOf(filter, { sort: order, skip, limit });
    return { members: rows.map(toMember), total: await records.count(filter) };
  };

  return {
    /** Members who are in the course now come first, then by name. @param part.learners Only graded learners. */
    page: async (
      key: MemberKey,
      sectionId: string | null,
      part: { skip: number; limit: number; learners?: true },
    ): Promise<{ members: Member[]; total: number }> => {
      const filter = filterOf(key, { sectionId, words: [] });
      return pageOf({ ...filter, ...(part.learners === true ? student : {}) }, part);
    },
    /** Members who are in the course now come first, then by name. */
    searchPage: async (key: MemberKey, query: MemberQuery, part: { skip: number; limit: number }) =>
      pageOf(filterOf(key, query), part),
    searchIds: async (key: MemberKey, query: MemberQuery): Promise<string[]> => {
      const rows = await records.some(["personId"], filterOf(key, query));
      return rows.map(({ personId }) => personId);
    },
    headcounts: async ({ registrationId, courseId }: MemberKey) => {
      const within = { registrationId, courseId, active: true, testUser: false };
      const [learners, instructors, students, inactive] = await Promise.all([
        records.count({ ...within, role: "learner" }),
        records.count({ ...within, role: "instructor" }),
        records.count({ ...within, ...student }),
        records.count({ ...within, active: false }),
      ]);
      // Only students are graded, not mentors or guests.
      return { learners, instructors, students, inactive };
    },
    /** Members in a role who are in the course now, without preview students, by name. */
    listPresentIds: async ({ registrationId, courseId }: MemberKey, role: Member["role"], limit: number) => {
      const filter = { registrationId, courseId, active: true, testUser: false, role };
      const rows = await records.some(["personId"], filter, { sort: { listName: 1, personId: 1 }, limit });
      return rows.map(({ personId }) => personId);
    },
    /** Whether anyone ever opened the course as a learner. Preview students count, too. */
    hasLearnerLaunch: ({ registrationId, courseId }: MemberKey) =>
      records.exists({ registrationId, courseId, role: "learner", lastLaunchAt: { $ne: null } }),
    /**
     * Counts learners who are in the course now, without preview students. If sections are given, only theirs.
     * @param startsAt Leaves out learners who joined the course after this (ms). Null counts them, too.
     */
    countLearners: async (
      { registrationId, courseId }: MemberKey,
      sectionIds: readonly string[],
      startsAt: number | null = null,
    ): Promise<number> => {
      const key = { registrationId, courseId };
      const isAmong = (member: MemberRow) =>
        member.active && !member.testUser && member.student && isOfSections(member, sectionIds);
      const cameBefore = ({ joinedAt }: MemberRow) => startsAt === null || (joinedAt ?? 0) <= startsAt;
      const [all, late, joins] = await Promise.all([
        countOf({ ...key, sectionIds }),
        startsAt === null ? 0 : countOf({ ...key, sectionIds, joinedAfter: startsAt }),
        joinedRows(key),
      ]);
      const earlier = joins.filter(cameBefore);
      const currentIds = earlier.map(({ joinedTo }) => joinedTo ?? "");
      const current = late === 0 ? [] : await records.rows({ ...key, personId: { $in: currentIds } });
      // These were counted as late, but their earlier account wasn't.
      const notLate = current.filter((member) => isAmong(member) && !cameBefore(member));
      return all - late - earlier.filter(isAmong).length + notLate.length;
    },
    /** Accounts in whose place another account of the course counts. */
    listJoined: async ({ registrationId, courseId }: MemberKey) =>
      (await joinedRows({ registrationId, courseId })).map(toMember),
    /** Members who will enter and aren't yet known to have a user for their role. */
    listUnready: async ({ registrationId, courseId }: MemberKey) => {
      const within = { registrationId, courseId, active: true, testUser: false };
      const rows = await records.some(["personId", "role"], {
        ...within,
        $or: [unreadyAs("instructor"), { ...unreadyAs("learner"), student: true }],
      });
      return rows.map(({ personId, role }) => ({ personId, role }));
    },
    /** Notes people who have a user for their role, which never changes. At most a few hundred. */
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

/** Includes members who are ready in another role. Written with $in, because an index serves it. $ne would read every member. */
function unreadyAs(role: Member["role"]) {
  const other = role === "learner" ? "instructor" : "learner";
  return { role, ready: { $in: [null, other] } } as const;
}

export function sectionsOf(
  sectionIds: readonly string[],
): Required<Pick<MemberRow, "sectionIds" | "sectionKey">> {
  return { sectionIds: [...sectionIds], sectionKey: JSON.stringify(sectionIds) };
}

export type RosterChange = {
  personId: string;
  id: string;
  to: Partial<Pick<ListedMember, "role" | "roleFrom" | "testUser" | "student" | "active" | "sectionIds">> &
    Partial<Pick<ListedMember, "listName" | "listed" | "sessionsFrom" | "joinedAt">>;
};
export type MemberStore = ReturnType<typeof createMemberStore>;

export function createMemberStore(connection: Connection) {
  const records = openRecords(connection, memberRecord);
  const rows = connection.collection<MemberRow>(records.collection);
  const reads = memberReads(records);
  const findMany = async ({ registrationId, courseId }: MemberKey, personIds: readonly string[]) =>
    (await reads.rowsOf({ registrationId, courseId, personId: { $in: personIds } })).map(toListed);

  return {
    ...memberLists(records, reads),
    /**
     * Stores a launch's role, so a lower role counts immediately. "as-listed" leaves the roster's (see `previewsAsLearner`).
     * @param isKnown Whether the member was found a moment ago. A wrong guess is corrected.
     */
    recordLaunch: async (
      key: Pick<Member, "registrationId" | "courseId" | "personId">,
      {
        role,
        ...facts
      }: Pick<ListedMember, "testUser" | "listName"> & {
        role: Member["role"] | "as-listed";
        lastLaunchAt: number;
        student?: boolean;
        /** Left out: what is known stays. */
        language?: string;
      },
      /** Null: what is known stays. */
      sectionIds: readonly string[] | null,
      id: string,
      isKnown = true,
      /** When a newcomer joined (ms). Null for a member who may have been there from the start. */
      joinedAt: number | null = null,
    ): Promise<Member> => {
      const launched = {
        ...facts,
        ...(role === "as-listed" ? { roleFrom: "roster" as const } : { role, roleFrom: "launch" as const }),
        ...(sectionIds === null ? {} : { ...sectionsOf(sectionIds), sectionsTold: true }),
        active: true,
      };
      // Built field by field without mongoose, as for nonces, because every launch writes one.
      const update = () => rows.findOneAndUpdate({ ...key }, { $set: launched }, { returnDocument: "after" });
      const insert = async (): Promise<MemberRow> => {
        const unknown = { lastEntry: null, listed: null, sessionsFrom: null, joinedTo: null, joinedAt };
        const firstFacts = {
          role: "learner" as const,
          student: role !== "instructor",
          ...sectionsOf([]),
          sectionsTold: false,
          ...unknown,
        };
        const row = { _id: id, ...key, ...firstFacts, ...launched };
        await rows.insertOne(row);
        return row;
      };
      let isExpected = isKnown;
      const row = await retriedOnDuplicate(async () => {
        const known = isExpected ? await update() : null;
        isExpected = true;
        return known ?? (await insert());
      });
      return toMember(row);
    },
    lastLaunchOf: async (registrationId: string) =>
      (await records.row({ registrationId }, { sort: { lastLaunchAt: -1 } }))?.lastLaunchAt ?? null,
    /** The last launch of each person in each course since a moment (ms), the latest first. */
    listLaunchedSince: async (registrationId: string, since: number, limit: number) =>
      (
        await records.some(
          ["courseId", "personId", "role", "lastLaunchAt"],
          { registrationId, lastLaunchAt: { $gte: since } },
          { sort: { lastLaunchAt: -1 }, limit },
        )
      ).map(({ _id, ...launch }) => launch),
    /** @returns false if it's already joined. */
    join: (
      key: MemberKey,
      {
        personId,
        joinedTo,
        joinedByOffice,
      }: Required<Pick<Member, "personId" | "joinedTo" | "joinedByOffice">>,
    ) => records.change({ ...key, personId, joinedTo: null }, { $set: { joinedTo, joinedByOffice } }),
    /** @returns false if it wasn't joined to that account. */
    separate: ({ registrationId, courseId }: MemberKey, personId: string, joinedTo: string) =>
      records.change({ registrationId, courseId, personId, joinedTo }, { $set: { joinedTo: null } }),
    recordEntry: async (id: string, lastEntry: LastEntry): Promise<void> => {
      await records.change({ _id: id }, { $set: { lastEntry } });
    },
    listOfPerson: async (registrationId: string, personId: string) =>
      (await records.rows({ registrationId, personId })).map(toMember),
    find: (registrationId: string, courseId: string, personId: string) =>
      reads.find({ registrationId, courseId, personId }),
    findMany,
    /** Like `find`, but collects many lookups made at the same time into one. */
    findTogether: readTogether(findMany, ({ personId }) => personId),
    listAfter: async (key: MemberKey, personId: string, limit: number) =>
      (await reads.rowsOf({ ...key, personId: { $gt: personId } }, { sort: { personId: 1 }, limit })).map(
        toListed,
      ),
    /** For at most a few hundred people. A launch since `startedAt` stays, even if it comes between read and write. */
    applyRoster: async (
      key: MemberKey,
      startedAt: number,
      changes: { made: readonly RosterChange[]; changed: readonly RosterChange[] },
    ): Promise<void> => {
      const made = changes.made.map(({ personId, id, to }) => {
        const first = { _id: id, ...newMember, student: to.role === "learner", ...to };
        return {
          filter: { ...key, personId },
          update: { $setOnInsert: { ...first, ...sectionsOf(to.sectionIds ?? []) } },
          upsert: true,
        };
      });
      const older = [{ lastLaunchAt: null }, { lastLaunchAt: { $lt: startedAt } }];
      const changed = changes.changed.map(({ personId, to }) => ({
        filter: { ...key, personId, $or: older },
        update: { $set: { ...to, ...(to.sectionIds === undefined ? {} : sectionsOf(to.sectionIds)) } },
      }));
      await records.changeEach([...made, ...changed]);
    },
  };
}

const newMember = {
  roleFrom: "roster",
  testUser: false,
  active: true,
  sectionIds: [],
  sectionsTold: false,
  lastLaunchAt: null,
  listed: null,
  sessionsFrom: null,
  lastEntry: null,
  listName: "",
} as const;

export function createOfficeJoinStore(connection: Connection) {
  const records = openRecords(connection, officeJoinRecord);

  return {
    /** @returns false if the account is already joined to another one. */
    add: ({ id, ...join }: OfficeJoin) => records.insert({ _id: id, ...join }),
    /** Lists the pairs that have one of these people on either side. */
    listOf: (registrationId: string, personIds: readonly string[]) => {
      const some = { $in: [...personIds] };
      return records.list({ registrationId, $or: [{ personId: some }, { joinedTo: some }] });
    },
    remove: (registrationId: string, personId: string) => records.remove({ registrationId, personId }),
  };
}
