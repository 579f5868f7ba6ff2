import { dayMs } from "../../../kernel/clock.ts";
import type { Connection } from "mongoose";
import {
  type AttendanceFacts,
  type AttendanceObservation,
  type Correction,
  hasObservation,
  sameSeen,
  type SeenPresence,
  withCheckIn,
  withCorrection,
  withObservation,
  withSuggestion,
} from "../../../domain/attendance.ts";
import type { RowOf } from "../../../domain/record.ts";
import { byKey } from "../../../kernel/lists.ts";
import {
  type AttendanceSummary,
  attendanceSummaryRecord,
  attendanceSums,
  type CountedSession,
} from "../rules/attendance-summary.ts";
import { type AttendanceMark, attendanceMarkRecord, attendanceRecord } from "../rules/records.ts";
import { horizonMs } from "../../../storage/due-heads.ts";
import { openDueQueue, never } from "../../../storage/due-queue.ts";
import { readTogether } from "../../../storage/read-once.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";

type AttendanceKey = { registrationId: string; courseId: string; eventId: string; personId: string };

export type AttendanceRecord = AttendanceKey &
  AttendanceFacts & {
    /** Their sections at the first fact; later moves don't change this. */
    sectionIds: readonly string[];
    revision: number;
  };

type AttendanceRow = RowOf<typeof attendanceRecord>;

type FirstFacts = { id: string; sectionIds: readonly string[] };

export type AttendanceStore = ReturnType<typeof createAttendanceStore>;

/** Facts with their history, one record for each course, event and person. */
export function createAttendanceStore(connection: Connection) {
  const records = openRecords(connection, attendanceRecord);

  const rowsOf = readTogether(
    ({ registrationId, courseId, eventId }: Omit<AttendanceKey, "personId">, personIds: readonly string[]) =>
      records.rows({ registrationId, courseId, eventId, personId: { $in: personIds } }),
    ({ personId }) => personId,
  );

  /** Uses compare-and-set on the revision, so no concurrent change is lost. */
  async function change(
    key: AttendanceKey,
    first: FirstFacts,
    next: (facts: AttendanceFacts, revision: number) => AttendanceFacts | null,
  ): Promise<AttendanceFacts> {
    for (;;) {
      const { personId, ...ofEvent } = key;
      const [row = null] = await rowsOf(ofEvent, personId);
      const before = row === null ? nothingKnown : factsOf(row);
      const facts = next(before, row?.revision ?? 0);
      if (facts === null) return before;
      const { set, unset } = changeTo(facts);
      if (row === null) {
        const { id: _id, sectionIds } = first;
        if (await records.insert({ _id, ...key, ...set, sectionIds, revision: 1 })) return facts;
        continue;
      }
      const done = await records.change(
        { _id: row._id, revision: row.revision },
        { $set: { ...set, revision: row.revision + 1 }, ...unset },
      );
      if (done) return facts;
    }
  }

  return {
    /** @returns the classroom's complete history. */
    record: async (key: AttendanceKey, observation: AttendanceObservation, first: FirstFacts) => {
      const { history } = await change(key, first, (facts) => {
        const longer = withObservation(facts.history, observation);
        return longer === facts.history ? null : { ...facts, history: longer };
      });
      return history;
    },
    /** Replaces the suggestion from presence; null takes it back. */
    suggest: async (key: AttendanceKey, suggestion: AttendanceObservation | null, first: FirstFacts) => {
      await change(key, first, (facts) => {
        const changed = withSuggestion(facts.history, suggestion);
        return changed === facts.history ? null : { ...facts, history: changed };
      });
    },
    /** Stores when they were in the Space during a planned session, replacing what was known; null if they weren't. */
    see: async (key: AttendanceKey, seen: SeenPresence | null, first: FirstFacts): Promise<void> => {
      await change(key, first, ({ seen: before, ...facts }) => {
        if (sameSeen(before, seen ?? undefined)) return null;
        return seen === null ? facts : { ...facts, seen };
      });
    },
    /** Stores a check-in; only the first one counts. @returns the resulting facts. */
    checkIn: (
      key: AttendanceKey,
      checkIn: Pick<AttendanceObservation, "status" | "at">,
      first: FirstFacts,
    ): Promise<AttendanceFacts> =>
      change(key, first, (facts) => {
        const longer = withCheckIn(facts.history, checkIn);
        return longer === facts.history ? null : { ...facts, history: longer };
      }),
    /** How many people checked in to a session. */
    countCheckedIn: (registrationId: string, courseId: string, eventId: string) =>
      records.count({ registrationId, courseId, eventId, "history.as": "code" }),
    /** Removes observations that belong to another person. */
    takeBack: async (key: AttendanceKey, observations: readonly AttendanceObservation[]): Promise<void> => {
      await change(key, { id: "", sectionIds: [] }, (facts) => {
        const remaining = facts.history.filter((one) => !hasObservation(observations, one));
        return remaining.length === facts.history.length ? null : { ...facts, history: remaining };
      });
    },
    /** Removes all facts, because the session isn't the course's. */
    clear: async (key: AttendanceKey): Promise<void> => {
      await change(key, { id: "", sectionIds: [] }, ({ history, corrections, seen }) =>
        history.length + corrections.length === 0 && seen === undefined ? null : nothingKnown,
      );
    },
    correct: async (key: AttendanceKey, correction: Correction, first: FirstFacts): Promise<void> => {
      await change(key, first, (facts) => ({
        ...facts,
        corrections: withCorrection(facts.corrections, correction),
      }));
    },
    /**
     * Corrects a record. Concurrent corrections are decided one after the other.
     * @param decide Gets the facts and the revision (0 for none); null adds nothing. The result of its last call counts.
     */
    correctIf: async (
      key: AttendanceKey,
      first: FirstFacts,
      decide: (facts: AttendanceFacts, revision: number) => Correction | null,
    ): Promise<void> => {
      await change(key, first, (facts, revision) => {
        const correction = decide(facts, revision);
        if (correction === null) return null;
        return { ...facts, corrections: withCorrection(facts.corrections, correction) };
      });
    },
    find: async (key: AttendanceKey): Promise<AttendanceRecord | null> => {
      const row = await records.row({ ...key });
      return row === null ? null : toRecord(row);
    },
    listOfEvent: async (registrationId: string, courseId: string, eventId: string) =>
      (await records.rows({ registrationId, courseId, eventId })).map(toRecord),
    listOfEvents: async (registrationId: string, courseId: string, eventIds: readonly string[]) =>
      (await records.rows({ registrationId, courseId, eventId: { $in: eventIds } })).map(toRecord),
    /** Of some sessions, those about which anything is known. */
    knownEvents: (
      { registrationId, courseId }: Pick<AttendanceKey, "registrationId" | "courseId">,
      eventIds: readonly string[],
    ): Promise<string[]> =>
      records.distinct("eventId", { registrationId, courseId, eventId: { $in: eventIds } }),
    listOfPeople: async (registrationId: string, courseId: string, personIds: readonly string[]) =>
      (await records.rows({ registrationId, courseId, personId: { $in: personIds } })).map(toRecord),
  };
}

/** The update of a record, or of a new one. */
function changeTo({ history, corrections, seen }: AttendanceFacts) {
  const set = { history: [...history], corrections: [...corrections] };
  return seen === undefined
    ? { set, unset: { $unset: { seen: true } } }
    : { set: { ...set, seen }, unset: {} };
}

const nothingKnown: AttendanceFacts = { history: [], corrections: [] };

function factsOf({ history, corrections, seen }: AttendanceRow): AttendanceFacts {
  return { history, corrections, ...(seen === undefined ? {} : { seen }) };
}

function toRecord(row: AttendanceRow): AttendanceRecord {
  const { registrationId, courseId, eventId, personId, sectionIds, revision } = row;
  return { registrationId, courseId, eventId, personId, ...factsOf(row), sectionIds, revision };
}

export type SummaryCourse = Pick<AttendanceSummary, "registrationId" | "courseId">;

/** `seen`: the revision that was read before the facts, 0 for none. */
type NewSummary = Pick<AttendanceSummary, "personId" | "sub" | "sessions"> & { seen: number };

/** One record for each course and person, so a course costs one read a learner, not one a session. Can be rebuilt from attendance records. */
export function createAttendanceSummaryStore(connection: Connection) {
  const records = openRecords(connection, attendanceSummaryRecord);
  const findMany = ({ registrationId, courseId }: SummaryCourse, personIds: readonly string[]) =>
    records.list({ registrationId, courseId, personId: { $in: personIds } });

  return {
    findMany,
    listAfter: ({ registrationId, courseId }: SummaryCourse, personId: string, limit: number) =>
      records.list(
        { registrationId, courseId, personId: { $gt: personId } },
        { sort: { personId: 1 }, limit },
      ),
    /** Summaries below a rate, or with this many absences. */
    listBySums: (
      { registrationId, courseId }: SummaryCourse,
      sought: { below: number } | { absent: number },
    ): Promise<AttendanceSummary[]> =>
      records.list({
        registrationId,
        courseId,
        ...("below" in sought ? { percent: { $lt: sought.below } } : { absent: { $gte: sought.absent } }),
      }),
    /** Notes that they got a mail about this limit. */
    tell: async (
      { registrationId, courseId }: SummaryCourse,
      personIds: readonly string[],
      limit: string,
    ): Promise<void> => {
      const key = { registrationId, courseId, personId: { $in: personIds } };
      await records.changeAll(key, { $addToSet: { told: limit } });
    },
    count: ({ registrationId, courseId }: SummaryCourse) => records.count({ registrationId, courseId }),
    /** @returns people whose summary another process has changed, to be computed again. */
    publish: async (
      { registrationId, courseId }: SummaryCourse,
      summaries: readonly NewSummary[],
      newId: () => string,
    ): Promise<string[]> => {
      if (summaries.length === 0) return [];
      const writes = summaries.map(({ personId, sub, seen, sessions }) => {
        const key = { registrationId, courseId, personId };
        const to = { sessions: [...sessions], revision: seen + 1, ...attendanceSums(sessions) };
        return seen === 0
          ? { insertOne: { document: { _id: newId(), ...key, sub, ...to } } }
          : { updateOne: { filter: { ...key, revision: seen }, update: { $set: to } } };
      });
      const done = await records.model.bulkWrite(writes, { ordered: false }).catch(onDuplicate(null));
      if (done !== null && done.matchedCount + done.insertedCount === summaries.length) return [];
      // If the revision grew by more than this write, another process wrote, too.
      const now = await findMany(
        { registrationId, courseId },
        summaries.map(({ personId }) => personId),
      );
      const byPerson = byKey(now, ({ personId }) => personId);
      return summaries
        .filter(({ personId, seen, sessions }) => {
          const found = byPerson.get(personId);
          return found?.revision !== seen + 1 || !sameSessions(found.sessions, sessions);
        })
        .map(({ personId }) => personId);
    },
  };
}

function sameSessions(one: readonly CountedSession[], other: readonly CountedSession[]): boolean {
  return (
    one.length === other.length &&
    one.every((session, at) => {
      const twin = other[at];
      return (
        twin?.eventId === session.eventId &&
        twin.status === session.status &&
        String(twin.marks ?? []) === String(session.marks ?? []) &&
        minutesText(twin) === minutesText(session)
      );
    })
  );
}

/** Comparable text, because a store may return an object's fields in another order. */
function minutesText({ minutes }: CountedSession): string {
  return minutes === undefined ? "" : `${minutes.present} ${minutes.of} ${minutes.hidden ?? 0}`;
}

type MarkProgress = Partial<
  Pick<AttendanceMark, "state" | "reached" | "written" | "writtenInClass" | "missed">
>;

/** How long a finished mark is stored (ms). */
const retainedMs = dayMs;

export function createAttendanceMarkStore(connection: Connection) {
  const records = openRecords(connection, attendanceMarkRecord);
  // Counted at the claim, so a mark that crashes the process doesn't come back immediately.
  const onClaim = () => ({ $inc: { attempts: 1 } });
  const queue = openDueQueue(connection, attendanceMarkRecord, "marks", { onClaim });

  return {
    /** The caller holds the claim until `until`. */
    insert: async ({ id, ...mark }: AttendanceMark, holder: string, until: number): Promise<void> => {
      const row = {
        _id: id,
        ...mark,
        dueAt: mark.at,
        attempts: 0,
        expiresAt: null,
        leaseHolder: holder,
        leaseUntil: until,
      };
      await queue.announced(until, () => records.add(row));
    },
    listUnfinished: (key: Pick<AttendanceMark, "registrationId" | "courseId" | "eventId">) =>
      records.list({ ...key, dueAt: { $lt: horizonMs }, state: "facts" }, { sort: { dueAt: 1 } }),
    claimDue: queue.claimDue,
    extend: queue.extend,
    /** @returns false if the claim was lost. */
    progress: (id: string, holder: string, progress: MarkProgress) =>
      records.change({ _id: id, leaseHolder: holder }, { $set: progress }),
    /** The mark continues at `dueAt`. Has no effect on a lost claim. */
    release: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await queue.settle(id, holder, { dueAt });
    },
    /** Deletes the mark's texts, which are in the facts and the change log. */
    finish: async (id: string, holder: string, now: number): Promise<void> => {
      const expiresAt = new Date(now + retainedMs);
      await queue.settle(id, holder, { state: "done", dueAt: never, rows: [], answers: null, expiresAt });
    },
  };
}
