import { Router } from "express";
import { saySameLms } from "../../operations/say-same-lms.ts";
import { knownRegistration } from "../../registration/registrations.ts";
import { type NamedCourse, planSameLms, type SameLms } from "../../registration/same-lms.ts";
import type { Registration } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type SameLmsPage = ConsoleFrame & {
  registration: Pick<Registration, "id">;
  /** The chosen one; empty for none. */
  old: string;
  others: { id: string; label: string }[];
  problem: string | null;
  plan: ReturnType<typeof planView> | null;
};

const sameLmsPage = defineView<SameLmsPage>("admin/same-lms");

/** Says that a registration is the same LMS as an earlier one, after showing what follows. For operators. */
export function sameLmsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/registrations/:id/same-as",
    gate.page(async (visit) => {
      const { old } = visit.request.query;
      await showPlan(deps, visit, typeof old === "string" ? old : "");
    }),
  );
  router.post(
    "/registrations/:id/same-as",
    gate.action(async (visit) => {
      const old = visit.field("old");
      try {
        const { to } = await saySameLms({ ...deps, ...visit.asOperator }, visit.part("id"), old);
        visit.goTo(`/admin/registrations/${to.id}`, "sameLms");
      } catch (thrown) {
        if (!isAboutChoice(thrown)) throw thrown;
        await showPlan(deps, visit, old);
      }
    }),
  );
  return router;
}

/** Shown beside the choice, so that another one can be made. */
function isAboutChoice(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.code.startsWith("same-lms-");
}

async function showPlan(deps: ConsoleApp, visit: Visit, old: string): Promise<void> {
  const { t, part } = visit;
  const registration = await knownRegistration(deps.registrations, part("id"));
  const others = (await deps.registrations.list()).filter(({ id }) => id !== registration.id);
  const known = others.some(({ id }) => id === old);
  const planned = known ? await planOrProblem(deps, registration.id, old) : null;
  if (planned instanceof NamedError) visit.response.status(planned.status);
  visit.show({
    view: sameLmsPage,
    title: t("registration.sameLms.heading"),
    area: "registrations",
    model: {
      registration,
      old,
      others: others.map(({ id, name, clientId }) => ({ id, label: `${name} · ${clientId}` })),
      problem: planned instanceof NamedError ? planned.message : null,
      plan: planned === null || planned instanceof NamedError ? null : planView(planned),
    },
  });
}

async function planOrProblem(deps: ConsoleApp, newId: string, oldId: string): Promise<SameLms | NamedError> {
  try {
    return await planSameLms(deps, newId, oldId);
  } catch (thrown) {
    if (isAboutChoice(thrown)) return thrown;
    throw thrown;
  }
}

/** Courses named; the numbers are whole. */
const maxNamed = 50;

function planView({ from, to, kept, lastLaunchAt, ...courses }: SameLms) {
  const part = (what: "moved" | "replaced" | "conflicts") => ({
    what,
    count: courses[what].length,
    named: courses[what].slice(0, maxNamed).map(({ id, title }: NamedCourse) => ({ id, title: title || id })),
  });
  return {
    name: to.name,
    fresh: from.clientId,
    earlier: to.clientId,
    lastLaunchAt,
    kept,
    parts: [part("moved"), part("replaced"), part("conflicts")],
  };
}
