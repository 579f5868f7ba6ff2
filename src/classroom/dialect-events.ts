import { within } from "./places-within.ts";

/** What may stand around a scheduled event. */
export const eventParts = ["event", "scheduledEvent"];
export const eventFields = {
  eventId: within(eventParts, ["eventId", "id", "_id"]),
  spaceId: within(eventParts, ["spaceId", "space.spaceId", "space.id", "space._id"]),
  title: within(eventParts, ["title", "name", "summary"]),
  startsAt: within(eventParts, ["startsAt", "startTime", "startDateTime", "startAt", "startDate", "start"]),
  // Ids, or records with one; whether events name their cohorts is not shown.
  cohortIds: within(eventParts, ["cohortIds", "cohorts", "cohortId", "cohort"]),
  endsAt: within(eventParts, ["endsAt", "endTime", "endDateTime", "endAt", "endDate", "end"]),
};
