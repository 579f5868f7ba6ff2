import { eventOfColumn } from "../../domain/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Delivery } from "../../domain/delivery.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { EventStore } from "../../storage/event-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";

/** One learner's score and whether it has arrived. */
export type GradeSyncRow = {
  personId: string;
  sub: string;
  /** Null when the LMS withholds names. */
  name: string | null;
  /** The session whose own column it is in; null for the column of all attendance. */
  session: SessionName | null;
  score: number | null;
  maximum: number;
  state: Delivery["state"];
  lastAcceptedAt: number | null;
  /** In words, when the LMS does not have it. */
  problem: string | null;
};

/** A session as a table names it; the title is null when the classroom told none. */
export type SessionName = { eventId: string; title: string | null; startsAt: number | null };

export type GradeSync = { rows: GradeSyncRow[]; delivered: number; waiting: number; refused: number };

const urgency = { held: 0, refused: 0, waiting: 1, delivered: 2, idle: 2 };

/** What an instructor sees of a course's grades: per learner the score, its state and the reason. */
export async function showGradeSync(
  deps: { deliveries: DeliveryStore; people: PersonStore; events: EventStore },
  course: Course,
): Promise<GradeSync> {
  const deliveries = (await deps.deliveries.listOfCourse(course.registrationId, course.id)).filter(isShown);
  const sessions = await sessionsOf(deps, course, deliveries);
  const people = new Map(
    (await deps.people.findMany(deliveries.map((d) => d.personId))).map((p) => [p.id, p]),
  );
  const rows = deliveries.map((delivery) => ({
    personId: delivery.personId,
    sub: delivery.sub,
    name: people.get(delivery.personId)?.name ?? null,
    session: sessions.get(delivery.columnKey) ?? null,
    score: delivery.desired?.score ?? null,
    maximum: delivery.desired?.maximum ?? 100,
    state: delivery.state,
    lastAcceptedAt: delivery.accepted?.at ?? null,
    problem: delivery.state === "delivered" ? null : delivery.lastError,
  }));
  // What needs somebody comes first; with a class of thirty it would be lost among the rest.
  rows.sort(
    (a, b) => urgency[a.state] - urgency[b.state] || (a.name ?? a.sub).localeCompare(b.name ?? b.sub),
  );
  const count = (state: Delivery["state"]) => rows.filter((row) => row.state === state).length;
  return { rows, delivered: count("delivered"), waiting: count("waiting"), refused: count("refused") };
}

/** A session's column that nobody has saved in the LMS (yet) is no news. */
function isShown(delivery: Delivery): boolean {
  return (
    eventOfColumn(delivery.columnKey) === null || delivery.state !== "idle" || delivery.accepted !== null
  );
}

async function sessionsOf(
  deps: { events: EventStore },
  course: Course,
  deliveries: readonly Delivery[],
): Promise<Map<string, SessionName>> {
  const names = new Map<string, SessionName>();
  for (const columnKey of new Set(deliveries.map((delivery) => delivery.columnKey))) {
    const eventId = eventOfColumn(columnKey);
    if (eventId === null) continue;
    const event = await deps.events.find(course.environment, eventId);
    names.set(columnKey, { eventId, title: event?.title ?? null, startsAt: event?.startsAt ?? null });
  }
  return names;
}
