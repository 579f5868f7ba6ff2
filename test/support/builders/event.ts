import type { createSessionPlanStore } from "../../../src/modules/scheduling/store/session-plan-store.ts";
import type { EventStore } from "../../../src/modules/scheduling/store/event-store.ts";

type Adopted = Parameters<ReturnType<typeof createSessionPlanStore>["adopt"]>[0];
type Saved = Parameters<EventStore["save"]>[0];

/** A session of an hour as the classroom reported it, in the Space "space", unless the test says otherwise. */
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

/** An instructor's decision here about a session that was created in the classroom. */
export const foundPlanOf = (
  facts: Pick<Adopted, "registrationId" | "courseId" | "eventId"> & Partial<Adopted>,
): Adopted => ({
  id: `found_${facts.eventId}`,
  environment: "production",
  spaceId: "space",
  origin: "found",
  seriesId: null,
  number: 1,
  of: 1,
  state: "made",
  task: null,
  title: "",
  startsAt: 0,
  endsAt: 0,
  shownTitle: null,
  sectionIds: [],
  counts: true,
  hostPersonId: null,
  askedAt: null,
  attempts: 0,
  problem: null,
  revision: 0,
  createdAt: 0,
  ...facts,
});
