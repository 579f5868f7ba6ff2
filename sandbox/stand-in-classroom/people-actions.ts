// From: document 2 (access), 6.2 and 6.7.
import { z } from "zod";
import { action, found, Refusal } from "./refusal.ts";
import type { Visits } from "./visits.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import { type Classroom, hostAccount, iso, type StandInCohort, type StandInSpace } from "./world.ts";

const personInSpace = z.object({ spaceId: z.string(), userId: z.string() });
const ids = z.array(z.string());
/** User id of the acting host. */
const by = z.string().default(hostAccount);
/** Times in ms; with `to` null, no webhook reports the leaving. */
const stay = z.object({ userId: z.string(), from: z.number(), to: z.number().nullable() });

/** What people do without a browser, and the cohorts they are in: each change sends its webhook. */
export function createPeopleActions(deps: Classroom & { webhooks: WebhookSender; visits: Visits }) {
  const { world, webhooks, visits, clock } = deps;
  const spaceOf = (spaceId: string) => found(world.spaces.get(spaceId), "Space");
  const cohortOf = (cohortId: string) => found(world.cohorts.get(cohortId), "cohort");

  /** For every tab the person has there. */
  function eachTab(
    { spaceId, userId }: z.output<typeof personInSpace>,
    act: (space: StandInSpace, userTabId: string) => void,
  ): void {
    const space = spaceOf(spaceId);
    const tabs = space.people.filter((each) => each.userId === userId);
    if (tabs.length === 0) throw new Refusal(409, "NOT_HERE", "This person is not in the Space.");
    for (const { userTabId } of tabs) act(space, userTabId);
  }

  function sendCohort({ cohortId, programId }: StandInCohort, eventType: string, updatedBy: string): void {
    const timestamp = iso(clock.now());
    webhooks.send({ cohortId, programId, timestamp, eventType, updatedBy, _type: "PROGRAM_AND_COHORT" });
  }

  return {
    enterSpace: action(personInSpace, ({ spaceId, userId }): { userTabId: string } => {
      const { name, role } = found(world.users.get(userId), "user");
      const entry = visits.enter(spaceOf(spaceId), { userId, name, role }, {});
      if (entry.outcome === "joined") return { userTabId: entry.userTabId };
      const sentence = entry.outcome === "waiting" ? "Is in the waiting room now." : "Is not invited.";
      throw new Refusal(409, "AT_THE_DOOR", sentence);
    }),
    leaveSpace: action(personInSpace, (who): void => eachTab(who, visits.leave)),
    hideTab: action(personInSpace, (who): void =>
      eachTab(who, (space, tab) => visits.tabVisibility(space, tab, false)),
    ),
    unhideTab: action(personInSpace, (who): void =>
      eachTab(who, (space, tab) => visits.tabVisibility(space, tab, true)),
    ),
    changeRoom: action(personInSpace.extend({ roomId: z.string().min(1) }), (who): void =>
      eachTab(who, (space, tab) => visits.changeRoom(space, tab, who.roomId)),
    ),
    admit: action(personInSpace, ({ spaceId, userId }): void => {
      const space = spaceOf(spaceId);
      space.waitingUserIds = space.waitingUserIds.filter((each) => each !== userId);
      space.admittedUserIds.push(userId);
    }),
    tellEarlier: action(
      z.object({ spaceId: z.string(), stays: z.array(stay).min(1).max(2_000) }),
      ({ spaceId, stays }) => ({ sessionId: visits.tellEarlier(spaceOf(spaceId), stays) }),
    ),
    createCohort: action(
      z.object({
        programId: z.string().default("program-1"),
        name: z.string().min(1),
        organizerIds: ids.default([]),
        attendeeIds: ids.default([]),
      }),
      (fields): StandInCohort => {
        const cohort = { cohortId: deps.ids.id("cohort"), ...fields };
        world.cohorts.set(cohort.cohortId, cohort);
        sendCohort(cohort, "COHORT_CREATED", hostAccount);
        return cohort;
      },
    ),
    updateCohort: action(
      z.object({
        cohortId: z.string(),
        name: z.string().min(1).optional(),
        organizerIds: ids.optional(),
        attendeeIds: ids.optional(),
        by,
      }),
      (change): StandInCohort => {
        const cohort = cohortOf(change.cohortId);
        cohort.name = change.name ?? cohort.name;
        cohort.organizerIds = change.organizerIds ?? cohort.organizerIds;
        cohort.attendeeIds = change.attendeeIds ?? cohort.attendeeIds;
        sendCohort(cohort, "COHORT_UPDATED", change.by);
        return cohort;
      },
    ),
    deleteCohort: action(z.object({ cohortId: z.string(), by }), ({ cohortId, by: who }): void => {
      const cohort = cohortOf(cohortId);
      world.cohorts.delete(cohortId);
      sendCohort(cohort, "COHORT_DELETED", who);
    }),
  };
}
