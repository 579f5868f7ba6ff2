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

/** Its people: lists, which may be cut off or stand inside what tells of their pages. */
export const cohortPeople = {
  organizers: peopleAt(["organizers", "organizerIds", "hosts"]),
  attendees: peopleAt(["attendees", "attendeeIds", "participants", "members"]),
  // How many there are in all, where that is told beside the list.
  organizersTotal: within(
    ["cohort"],
    ["organizersTotal", "organizerCount", "organizersCount", "totalOrganizers"],
  ),
  attendeesTotal: within(["cohort"], ["attendeesTotal", "attendeeCount", "attendeesCount", "totalAttendees"]),
};

function peopleAt(names: readonly string[]): string[] {
  const inside = names.flatMap((name) => ["results", "items", "data"].map((list) => `${name}.${list}`));
  return within(["cohort"], [...names, ...inside]);
}
