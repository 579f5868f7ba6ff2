import type { AttendanceObservation, Correction, SeenPresence } from "../../../domain/attendance.ts";
import { attendanceMarkRecord } from "./attendance-mark.ts";
import { attendanceSummaryRecord } from "./attendance-summary.ts";
import { describeRecord, index, json, number, text, texts, unique } from "../../../domain/record.ts";
import { everyCourse, given, withCourse, anyOf, erasedId, inCourses } from "../../../domain/held-record.ts";

export const attendanceRecord = describeRecord("Attendance", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    eventId: text,
    personId: text,
    history: json<AttendanceObservation[]>(),
    corrections: json<Correction[]>().optional,
    sectionIds: texts.optional,
    seen: json<SeenPresence>().optional,
    revision: number,
  },
  indexes: [
    unique("registrationId", "courseId", "eventId", "personId"),
    index("registrationId", "courseId", "personId"),
  ],
  held: {
    key: "attendance",
    holds:
      "each status and note the classroom told, with its history; when somebody was in the Space during a session; when somebody checked in by a code; corrections by instructors with their reasons; who made each",
    kept: withCourse,
    person: [
      everyCourse,
      {
        over: "own-courses",
        find: ({ registrationId, personIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "corrections.by": anyOf(personIds),
        }),
        change: ({ personIds }) => ({
          update: { $set: { "corrections.$[one].by": erasedId } },
          arrayFilters: [{ "one.by": anyOf(personIds) }],
        }),
      },
      {
        over: "own-courses",
        find: ({ registrationId, userIds }, courseIds) => ({
          ...inCourses(registrationId, courseIds),
          "history.updatedBy": anyOf(userIds),
        }),
        change: ({ userIds }) => ({
          update: { $set: { "history.$[one].updatedBy": erasedId } },
          arrayFilters: [{ "one.updatedBy": anyOf(userIds) }],
        }),
      },
    ],
    given: given(everyCourse, "courseId eventId history corrections sectionIds seen"),
    names: [
      { path: "personId", among: "courses", both: "history" },
      { path: "corrections.by", list: "of-each", among: "courses" },
    ],
  },
});

export const attendanceRecords = [attendanceRecord, attendanceMarkRecord, attendanceSummaryRecord];
