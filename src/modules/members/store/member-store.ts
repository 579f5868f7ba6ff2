import type { Connection } from "mongoose";
import { type Member, memberRecord } from "../../../domain/course.ts";
import type { LastEntry } from "../../../domain/entry.ts";
import { type Section, sectionRecord } from "../../../domain/section.ts";
import { openRecords, retriedOnDuplicate } from "../../../storage/records.ts";
import {
  type ListedMember,
  type MemberKey,
  memberLists,
  type MemberRow,
  sectionsOf,
  toListed,
  toMember,
} from "./member-lists.ts";

export type { ListedMember, MemberKey };
export type RosterChange = {
  personId: string;
  id: string;
  to: Partial<
    Pick<
      ListedMember,
      | "role"
      | "roleFrom"
      | "testUser"
      | "student"
      | "active"
      | "sectionIds"
      | "listName"
      | "listed"
      | "sessionsFrom"
      | "joinedAt"
    >
  >;
};
export type MemberStore = ReturnType<typeof createMemberStore>;

export function createMemberStore(connection: Connection) {
  const records = openRecords(connection, memberRecord);
  const rows = connection.collection<MemberRow>(records.model.collection.collectionName);

  return {
    ...memberLists(records),
    /**
     * The role is this launch's, so that a lower one counts at once; "as-listed" leaves the roster's (see `looksAsLearner`).
     * @param isKnown Whether they were found a moment ago; what is guessed wrong is put right.
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
      /** Of a newcomer (ms); null for one who may have been there from the start. */
      joinedAt: number | null = null,
    ): Promise<Member> => {
      const launched = {
        ...facts,
        ...(role === "as-listed" ? { roleFrom: "roster" as const } : { role, roleFrom: "launch" as const }),
        ...(sectionIds === null ? {} : { ...sectionsOf(sectionIds), sectionsTold: true }),
        active: true,
      };
      // Field by field and past mongoose, as for nonces: every launch writes one.
      const update = () => rows.findOneAndUpdate({ ...key }, { $set: launched }, { returnDocument: "after" });
      const insert = async (): Promise<MemberRow> => {
        const unknown = { lastEntry: null, listed: null, sessionsFrom: null, joinedAt };
        const unsaid = {
          role: "learner" as const,
          student: role !== "instructor",
          ...sectionsOf([]),
          sectionsTold: false,
          ...unknown,
        };
        const row = { _id: id, ...key, ...unsaid, ...launched };
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
    lastLaunchOf: async (registrationId: string): Promise<number | null> =>
      (await records.row({ registrationId }, { sort: { lastLaunchAt: -1 } }))?.lastLaunchAt ?? null,
    recordEntry: async (id: string, lastEntry: LastEntry): Promise<void> => {
      await records.change({ _id: id }, { $set: { lastEntry } });
    },
    listOfPerson: async (registrationId: string, personId: string): Promise<Member[]> =>
      (await records.rows({ registrationId, personId })).map(toMember),
    find: async (registrationId: string, courseId: string, personId: string): Promise<Member | null> => {
      const row = await records.row({ registrationId, courseId, personId });
      return row === null ? null : toMember(row);
    },
    /** At most a few hundred. */
    findMany: async (
      { registrationId, courseId }: MemberKey,
      personIds: readonly string[],
    ): Promise<ListedMember[]> =>
      (await records.rows({ registrationId, courseId, personId: { $in: personIds } })).map(toListed),
    listAfter: async (key: MemberKey, personId: string, limit: number): Promise<ListedMember[]> =>
      (await records.rows({ ...key, personId: { $gt: personId } }, { sort: { personId: 1 }, limit })).map(
        toListed,
      ),
    /** For at most a few hundred people. A launch since `startedAt` stays, even between read and write. */
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

/** A null name leaves the known one. */
export type LearnedSection = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName">;
export type SectionStore = ReturnType<typeof createSectionStore>;

export function createSectionStore(connection: Connection) {
  const records = openRecords(connection, sectionRecord);

  return {
    /** An instructor's name stays. */
    record: async (
      key: Pick<Section, "registrationId" | "courseId">,
      { lmsSectionId, lmsName, lmsSetName }: LearnedSection,
      id: string,
    ): Promise<void> => {
      const names = { lmsName, lmsSetName };
      const given = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null));
      const unnamed = Object.fromEntries(Object.entries(names).filter(([, name]) => name === null));
      await records.save(
        { ...key, lmsSectionId },
        { $set: given, $setOnInsert: { _id: id, givenName: null, ...unnamed } },
      );
    },
    listOf: (registrationId: string, courseId: string): Promise<Section[]> =>
      records.list({ registrationId, courseId }, { sort: { lmsSectionId: 1 } }),
    /** Null removes the instructor's name. @returns false when nothing changed. */
    giveName: (
      key: Pick<Section, "registrationId" | "courseId" | "lmsSectionId">,
      givenName: string | null,
    ): Promise<boolean> => records.change({ ...key, givenName: { $ne: givenName } }, { $set: { givenName } }),
  };
}
