import type { EventStore } from "../../../src/modules/scheduling/store/event-store.ts";

type Saved = Parameters<EventStore["save"]>[0];

/** A session of an hour as the classroom told of it, in the Space "space", unless the test says otherwise. */
export function eventOf(facts: Partial<Saved> & Pick<Saved, "eventId" | "courseId">): Saved {
  const { startsAt = null } = facts;
  return {
    environment: "production",
    spaceId: "space",
    title: "Lesson",
    startsAt,
    endsAt: startsAt === null ? null : startsAt + 3_600_000,
    cancelled: false,
    readAt: 1,
    ...facts,
  };
}
