import { anyOf, erasedId } from "../../../domain/held-record.ts";
import { describeRecord, index, type ItemOf, number, text, unique } from "../../../domain/record.ts";

/** Learners of a session may check in by a code for a while; times in ms. Who did is attendance, not this. */
export const checkInRecord = describeRecord("CheckIn", {
  fields: {
    registrationId: text,
    courseId: text,
    eventId: text,
    startedBy: text,
    /** Codes are counted from it: those of before are none any more. */
    startedAt: number,
    closesAt: number,
  },
  indexes: [unique("courseId", "eventId"), index("courseId", "closesAt"), index("closesAt")],
  held: {
    key: "checkIns",
    holds: "from when to when learners could check in to a session, and who started it",
    kept: "30 days; who checked in is attendance and stays with the course",
    person: [
      {
        over: "own-courses",
        find: ({ personIds }, courseIds) => ({ courseId: anyOf(courseIds), startedBy: anyOf(personIds) }),
        change: () => ({ update: { $set: { startedBy: erasedId } } }),
      },
    ],
    purged: { days: 30, field: "closesAt" },
    names: [{ path: "startedBy", among: "courses" }],
  },
});
export type CheckIn = ItemOf<typeof checkInRecord>;

export const checkInRecords = [checkInRecord];
