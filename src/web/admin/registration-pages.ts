import { Router } from "express";
import {
  type ChangeRegistrationDeps,
  decideDeployment,
  rotateKeys,
  setNewDeployments,
  switchRegistration,
} from "../../features/console/change-registration.ts";
import { listRegistrations } from "../../features/console/list-registrations.ts";
import { showRegistration, type ShowRegistrationDeps } from "../../features/console/show-registration.ts";
import type { ConnectionReport } from "../../features/registration/connection-report.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { ManualValues } from "../../lms/manual-values.ts";
import type { Gate, Visit } from "./gate.ts";

export type RegistrationPagesDeps = ShowRegistrationDeps &
  ChangeRegistrationDeps & {
    /** What an administrator enters in the LMS. */
    manualValues: ManualValues;
    /** Tries out the services of an LMS. */
    testConnection: (registrationId: string) => Promise<ConnectionReport>;
  };

/** What a page says once after something was done; each is a message under `console.notes`. */
const notes = ["added", "switchedOn", "switchedOff", "accepted", "refused", "policy", "rotated", "replaced"];

/** The list of registrations, one registration, and what can be done to it. */
export function registrationPages(deps: RegistrationPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/registrations",
    gate.page(async ({ show, t }) => {
      const rows = await listRegistrations(deps);
      show({
        view: "registrations",
        title: t("console.registrations.heading"),
        area: "registrations",
        values: { rows },
      });
    }),
  );
  router.get(
    "/registrations/:id",
    gate.page((visit) => showOne(deps, visit, null)),
  );
  router.post(
    "/registrations/:id/test",
    gate.action(async (visit) => showOne(deps, visit, await deps.testConnection(visit.part("id")))),
  );

  const change = (path: string, act: (visit: Visit, id: string) => Promise<string>) =>
    router.post(
      `/registrations/:id/${path}`,
      gate.action(async (visit) => {
        const id = visit.part("id");
        visit.goTo(`/admin/registrations/${id}`, await act(visit, id));
      }),
    );
  change("switch", async ({ field }, id) => {
    const active = chosen(field("to"), ["on", "off"]) === "on";
    await switchRegistration(deps, id, active);
    return active ? "switchedOn" : "switchedOff";
  });
  change("deployments", async ({ field }, id) => {
    const status = chosen(field("status"), ["accepted", "refused"]);
    await decideDeployment(deps, id, field("deployment"), status);
    return status;
  });
  change("new-deployments", async ({ field }, id) => {
    await setNewDeployments(deps, id, chosen(field("policy"), ["accept", "refuse"]));
    return "policy";
  });
  change("keys", async ({ field }, id) => {
    const atOnce = field("how") === "at-once";
    await rotateKeys(deps, id, { atOnce });
    return atOnce ? "replaced" : "rotated";
  });
  return router;
}

async function showOne(
  deps: RegistrationPagesDeps,
  { request, show, part }: Visit,
  report: ConnectionReport | null,
): Promise<void> {
  const details = await showRegistration(deps, part("id"));
  const note = report === null ? request.query["note"] : undefined;
  show({
    view: "registration",
    title: details.registration.name,
    area: "registrations",
    values: {
      ...details,
      report,
      note: notes.find((one) => one === note) ?? null,
      values: deps.manualValues,
    },
  });
}

/** One of the values a button of ours carries. */
function chosen<Value extends string>(given: string, values: readonly Value[]): Value {
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw new NamedError("bad-request", "The request could not be understood. Go back and try again.", {
    status: 400,
  });
}
