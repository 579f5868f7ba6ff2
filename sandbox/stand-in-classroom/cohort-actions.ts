import { z } from "zod";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Ids } from "../../src/kernel/ids.ts";
import { hostAccount } from "./host-account.ts";
import { found } from "./refusal.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import type { StandInCohort, World } from "./world.ts";

const people = z.array(z.string());
/** User id of the acting host; the API key's account when left out. */
const by = z.string().default(hostAccount);

export const cohortActionSchemas = {
  createCohort: z.object({
    programId: z.string().default("program-1"),
    name: z.string().min(1),
    organizerIds: people.default([]),
    attendeeIds: people.default([]),
  }),
  updateCohort: z.object({
    cohortId: z.string(),
    name: z.string().min(1).optional(),
    organizerIds: people.optional(),
    attendeeIds: people.optional(),
    by,
  }),
  changeMember: z.object({
    cohortId: z.string(),
    userId: z.string().min(1),
    change: z.enum(["add", "remove"]).default("add"),
    as: z.enum(["attendee", "organizer"]).default("attendee"),
  }),
  deleteCohort: z.object({ cohortId: z.string(), by }),
};

type Input<Name extends keyof typeof cohortActionSchemas> = z.input<(typeof cohortActionSchemas)[Name]>;

/** Each change sends its webhook (part 6.7). */
export function createCohortActions(deps: { world: World; webhooks: WebhookSender; clock: Clock; ids: Ids }) {
  const { world, webhooks, clock, ids } = deps;

  function sendCohort(
    { cohortId, programId }: StandInCohort,
    eventType: string,
    updatedBy = hostAccount,
  ): void {
    webhooks.send({
      cohortId,
      programId,
      timestamp: new Date(clock.now()).toISOString(),
      eventType,
      updatedBy,
      _type: "PROGRAM_AND_COHORT",
    });
  }

  return {
    createCohort: (input: Input<"createCohort">): StandInCohort => {
      const cohort = { cohortId: ids.id("cohort"), ...cohortActionSchemas.createCohort.parse(input) };
      world.cohorts.set(cohort.cohortId, cohort);
      sendCohort(cohort, "COHORT_CREATED");
      return cohort;
    },
    updateCohort: (input: Input<"updateCohort">): StandInCohort => {
      const cohort = found(world.cohorts.get(input.cohortId), "cohort");
      cohort.name = input.name ?? cohort.name;
      cohort.organizerIds = input.organizerIds ?? cohort.organizerIds;
      cohort.attendeeIds = input.attendeeIds ?? cohort.attendeeIds;
      sendCohort(cohort, "COHORT_UPDATED", input.by);
      return cohort;
    },
    changeMember: (input: Input<"changeMember">): StandInCohort => {
      const { cohortId, userId, change, as } = cohortActionSchemas.changeMember.parse(input);
      const cohort = found(world.cohorts.get(cohortId), "cohort");
      const list = as === "attendee" ? "attendeeIds" : "organizerIds";
      const others = cohort[list].filter((each) => each !== userId);
      cohort[list] = change === "add" ? [...others, userId] : others;
      sendCohort(cohort, "COHORT_UPDATED");
      return cohort;
    },
    deleteCohort: (input: Input<"deleteCohort">): void => {
      const cohort = found(world.cohorts.get(input.cohortId), "cohort");
      world.cohorts.delete(cohort.cohortId);
      sendCohort(cohort, "COHORT_DELETED", input.by);
    },
  };
}
