import { Router } from "express";
import type { AccountId } from "../../../domain/account.ts";
import { inviteLms } from "../../operations/invite-lms.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import { knownEnvironment } from "./known-environment.ts";
import type { ConsoleFrame } from "./partials.ts";

export type InvitePage = ConsoleFrame & {
  environments: readonly AccountId[];
  offeredHours: typeof offeredHours;
  usualHours: number;
};

/** An invitation, shown once. */
export type InvitedPage = ConsoleFrame & { url: string; environment: AccountId; expiresAt: number };

const invitePage = defineView<InvitePage>("admin/invite");
const invitedPage = defineView<InvitedPage>("admin/invited");

/** Hours: an hour, a day, three days, a week, a month. */
const offeredHours = [1, 24, 72, 168, 720] as const;
const usualHours = 72;

export function invitationPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/invitations/new",
    gate.page((visit) => askFor(deps, visit)),
  );
  router.post(
    "/invitations",
    gate.action(async (visit) => {
      const environment = knownEnvironment(visit.field("environment"), deps.accounts.ids());
      const hours = offeredHours.find((one) => String(one) === visit.field("hours"));
      if (environment === null || hours === undefined) {
        visit.response.status(422);
        askFor(deps, visit);
        return;
      }
      const { invitation, url } = await inviteLms({ ...deps, ...visit.asOperator }, environment, hours);
      // Only in this answer: an address of its own would put the invitation into logs and histories.
      visit.show({
        view: invitedPage,
        title: visit.t("console.invited.heading"),
        area: "invite",
        model: { url, environment, expiresAt: invitation.expiresAt },
      });
    }),
  );
  return router;
}

function askFor({ accounts }: ConsoleApp, { show, t }: Visit): void {
  show({
    view: invitePage,
    title: t("console.invite.heading"),
    area: "invite",
    model: { environments: accounts.ids(), offeredHours, usualHours },
  });
}
