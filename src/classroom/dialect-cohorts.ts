import { within } from "./places-within.ts";

export const cohortFields = {
  cohortId: within(["cohort"], ["cohortId", "id", "_id"]),
  name: within(["cohort"], ["name", "title"]),
};

export const cohortList = {
  items: ["cohorts", "items", "results", "data", ""],
  ...cohortFields,
  programId: within(["cohort"], ["programId", "program.programId", "program.id", "program._id", "program"]),
};

/** A cohort's people: lists, which may be cut off or stand beside their paging. */
export const cohortPeople = {
  organizers: peopleAt(["organizers", "organizerIds", "hosts"]),
  attendees: peopleAt(["attendees", "attendeeIds", "participants", "members"]),
  // How many there are in all, where the reply says it.
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
