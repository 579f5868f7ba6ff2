import { Router } from "express";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { inviteLms, type InviteLmsDeps } from "../../operations/invite-lms.ts";
import type { Gate, Visit } from "./gate.ts";
import { knownEnvironment } from "./known-environment.ts";

export type InvitationPagesDeps = InviteLmsDeps & { environments: readonly EnvironmentName[] };

/** How long an invitation may be offered for (hours): an hour, a day, three days, a week, a month. */
const offeredHours = [1, 24, 72, 168, 720] as const;
const usualHours = 72;

/** Asks for and makes invitations. */
export function invitationPages(deps: InvitationPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/invitations/new",
    gate.page((visit) => askFor(deps, visit)),
  );
  router.post(
    "/invitations",
    gate.action(async (visit) => {
      const environment = knownEnvironment(visit.field("environment"), deps.environments);
      const hours = offeredHours.find((one) => String(one) === visit.field("hours"));
      if (environment === null || hours === undefined) {
        visit.response.status(422);
        askFor(deps, visit);
        return;
      }
      const { invitation, url } = await inviteLms(deps, environment, hours);
      // Shown in this answer and nowhere else: an address of its own would put the invitation into logs and histories.
      visit.show({
        view: "invited",
        title: visit.t("console.invited.heading"),
        area: "invite",
        values: { url, environment, expiresAt: invitation.expiresAt },
      });
    }),
  );
  return router;
}

function askFor({ environments }: InvitationPagesDeps, { show, t }: Visit): void {
  show({
    view: "invite",
    title: t("console.invite.heading"),
    area: "invite",
    values: { environments, offeredHours, usualHours },
  });
}
