import type { CourseSession } from "../../domain/course-session.ts";
import type { Course } from "../../domain/course.ts";
import { toldName } from "../../domain/person-name.ts";
import { type ScoreCounts, scoreStateOf } from "../../domain/score-state.ts";
import { eventOfColumn } from "../../domain/column.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { EventStore } from "../../storage/event-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ProofRow } from "./show-proof.ts";
import { oldestUnsent, type Unsent } from "./oldest-unsent.ts";

export type ShowGradeSummaryDeps = {
  deliveries: Pick<DeliveryStore, "countOfCourse" | "listInStates" | "unsentOfCourse">;
  people: Pick<PersonStore, "findMany">;
  events: Pick<EventStore, "findMany">;
  /** A score that waits longer than this (ms) is one too long. */
  unsentAlarmAfter: number;
  clock: Clock;
};

/** A score that needs somebody. */
export type UrgentScore = Pick<ProofRow, "delivery" | "state" | "name"> & {
  session: Pick<CourseSession, "title" | "startsAt"> | null;
};

/** What the course's page says of its grades. */
export type GradeSummary = {
  counts: ScoreCounts;
  unsent: Unsent;
  /** The first few that need somebody. */
  urgent: UrgentScore[];
};

/** So many that need somebody are looked at; all of them are on the page of grades. */
const most = 200;

/**
 * How a course's grades stand, in numbers, and the first that need somebody. It costs a few counts, however many
 * learners there are.
 * @param shown How many of those that need somebody are wanted at most.
 */
export async function showGradeSummary(
  deps: ShowGradeSummaryDeps,
  course: Course,
  shown: number,
): Promise<GradeSummary> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const [counts, unsent, found] = await Promise.all([
    deps.deliveries.countOfCourse(place),
    oldestUnsent(deps, course),
    deps.deliveries.listInStates(place, ["held", "refused"], most),
  ]);
  const open = found.filter((delivery) => scoreStateOf(delivery) !== "left");
  const people = await deps.people.findMany([...new Set(open.map(({ personId }) => personId))]);
  const byId = new Map(people.map((person) => [person.id, person]));
  const eventIds = open.flatMap(({ columnKey }) => eventOfColumn(columnKey) ?? []);
  const events = await deps.events.findMany(course.environment, [...new Set(eventIds)]);
  const rows = open.map((delivery) => {
    const person = byId.get(delivery.personId);
    const eventId = eventOfColumn(delivery.columnKey);
    const session = events.find((event) => event.eventId === eventId) ?? { title: null, startsAt: null };
    return {
      delivery,
      state: scoreStateOf(delivery),
      name: person === undefined ? null : toldName(person),
      session: eventId === null ? null : session,
    };
  });
  const order = new Intl.Collator("en", { numeric: true });
  rows.sort((a, b) => order.compare(a.name ?? a.delivery.sub, b.name ?? b.delivery.sub));
  return { counts, unsent, urgent: rows.slice(0, shown) };
}
