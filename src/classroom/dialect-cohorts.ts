import { within } from "./places-within.ts";

/** Where replies may have what about a cohort. */
export const cohortFields = {
  cohortId: within(["cohort"], ["cohortId", "id", "_id"]),
  name: within(["cohort"], ["name", "title"]),
};

/** Where a reply may have the list of cohorts. */
export const cohortList = {
  items: ["cohorts", "items", "results", "data", ""],
  ...cohortFields,
  programId: within(["cohort"], ["programId", "program.programId", "program.id", "program._id", "program"]),
};
