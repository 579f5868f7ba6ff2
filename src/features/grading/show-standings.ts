import { attendanceColumn } from "../../domain/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Delivery } from "../../domain/delivery.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { MemberStore } from "../../storage/member-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { StandingStore } from "../../storage/standing-store.ts";

export type ShowStandingsDeps = {
  members: Pick<MemberStore, "page">;
  people: Pick<PersonStore, "findMany">;
  standings: Pick<StandingStore, "findMany">;
  deliveries: Pick<DeliveryStore, "listOfPeople">;
};

/** One member of a course with how they stand. */
export type StandingRow = {
  personId: string;
  sub: string;
  /** Null when the LMS withholds names. */
  name: string | null;
  active: boolean;
  /** One for each session asked for, in that order; null where nothing is known. */
  statuses: readonly (string | null)[];
  /** The score of all sessions together and whether the gradebook has it; null when there never was one. */
  delivery: Delivery | null;
};

/**
 * A page of a course's members with their status in some sessions and their score: what a table of learners and
 * sessions shows. It reads a few records for each learner, however many sessions there are.
 * @param part.skip So many members come before the page, by name.
 */
export async function showStandings(
  deps: ShowStandingsDeps,
  course: Pick<Course, "id" | "registrationId">,
  part: { eventIds: readonly string[]; sectionId: string | null; skip: number; limit: number },
): Promise<{ rows: StandingRow[]; total: number }> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const { members, total } = await deps.members.page(place, part.sectionId, part);
  const ids = members.map(({ personId }) => personId);
  const people = new Map((await deps.people.findMany(ids)).map((person) => [person.id, person]));
  const standings = await deps.standings.findMany(place, ids);
  const byPerson = new Map(
    standings.map(({ personId, sessions }) => [
      personId,
      new Map(sessions.map(({ eventId, status }) => [eventId, status])),
    ]),
  );
  const deliveries = await deps.deliveries.listOfPeople({ ...place, columnKey: attendanceColumn }, ids);
  const delivered = new Map(deliveries.map((delivery) => [delivery.personId, delivery]));
  const rows = members.map(({ personId, active }) => {
    const statuses = byPerson.get(personId);
    return {
      personId,
      sub: people.get(personId)?.sub ?? "",
      name: people.get(personId)?.name ?? null,
      active,
      statuses: part.eventIds.map((eventId) => statuses?.get(eventId) ?? null),
      delivery: delivered.get(personId) ?? null,
    };
  });
  return { rows, total };
}
