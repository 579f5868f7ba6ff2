import type { HeldRecord } from "./held-record.ts";
import { recordsByInstructors } from "./records-by-instructors.ts";
import { recordsOfCourses } from "./records-of-courses.ts";
import { recordsOfPeople } from "./records-of-people.ts";
import { recordsOfTheClassroom } from "./records-of-the-classroom.ts";
import { recordsOfTheTool } from "./records-of-the-tool.ts";

/**
 * Every kind of record there is, with what it holds of people. Export, erasure and the nightly clearing go by it, and a
 * test fails when the store has a kind that it does not name.
 */
export const personalRecords: readonly HeldRecord[] = [
  ...recordsOfPeople,
  ...recordsByInstructors,
  ...recordsOfCourses,
  ...recordsOfTheClassroom,
  ...recordsOfTheTool,
];
