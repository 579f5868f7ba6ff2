import type { Router } from "express";
import { z } from "zod";
import { lmsDeployment, type Registration } from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { endApiKey, institutionOf, makeApiKey } from "../../api/api-keys.ts";
import { type ApiKey, maxNameLength, offeredScopes } from "../../api/rules/api-key.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type OpenTo, type Visit } from "./gate.ts";
import { consoleList } from "./list.ts";
import { doneNote, table } from "./list-view.ts";
import type { PageOf } from "./partials.ts";
import { recordOf } from "./requests.ts";

/** What a new key may read: an LMS, or one of its deployments. */
type Choice = { value: string; text: string; of: Pick<ApiKey, "registrationId" | "deploymentId"> };

export type ApiKeyPage = PageOf<typeof keyModel>;
const keyPage = defineView<ApiKeyPage>("admin/api-key");

const shape = z.object({
  reads: z.string().catch(""),
  name: z.string().catch(""),
  until: z.string().catch(""),
  scopes: z
    .preprocess((one) => (typeof one === "string" ? [one] : one), z.array(z.enum(offeredScopes)))
    .catch([]),
});

/** Keys of programs that read. An LMS's administrators see and make keys of their own institution. */
export function apiKeysPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/api-keys",
    area: "apiKeys",
    openTo: narrowed,
    read: () => ({}),
    rows: async ({ t, visit }) => {
      const [all, registrations] = await Promise.all([
        app.apiKeys.list(visit.within),
        app.registrations.list(),
      ]);
      const own = await ownInstitution(app, visit);
      const rows = own === null ? all : all.filter(own.manages);
      const lmsOf = new Map(registrations.map(({ id, name }) => [id, name]));
      const now = app.clock.now();
      return {
        tables: [
          table({ label: t("console.areas.apiKeys"), rows }, ({ column, plain, act }) => [
            plain(t("institution.api.name"), ({ name, registrationId, deploymentId, id }) => [
              name,
              lmsOf.get(registrationId) ?? registrationId,
              deploymentId === null ? null : t("institution.api.deployment", { id: deploymentId }),
              { text: id, code: true },
            ]),
            column(t("institution.api.reads"), ({ scopes }) =>
              scopes.map((text) => ({ text, code: true as const })),
            ),
            column(t("institution.api.until"), ({ endsAt }) => [
              // The key ends with the day before `endsAt`, which is the first moment of the next day.
              { at: endsAt - 1 },
              endsAt <= now ? { text: t("institution.api.over"), pill: "none" } : null,
            ]),
            column(t("console.logIns.used"), ({ usedAt }) =>
              usedAt === null ? t("console.never") : { at: usedAt },
            ),
            act(t("institution.api.end"), ({ id, name }) => ({
              action: `/admin/api-keys/${id}/end`,
              buttons: [
                {
                  text: t("institution.api.end"),
                  label: t("label.value", { label: t("institution.api.end"), value: name }),
                },
              ],
            })),
          ]),
        ],
      };
    },
    around: ({ t, visit: { note } }) => ({
      lead: t("institution.api.lead"),
      done: doneNote(note(["ended"]) === null ? null : t("institution.api.ended")),
      above: [
        { text: t("institution.api.make"), link: "/admin/api-keys/new", primary: true },
        { text: t("institution.api.document"), link: "/api/v1/openapi.json" },
      ],
      empty: t("institution.api.none"),
    }),
  });
  const { page, action } = gate.routes(narrowed, router);
  page("/api-keys/new", (visit) => show(app, visit, { typed: shape.parse({}) }));
  action("/api-keys/new", async (visit) => {
    const typed = shape.parse(recordOf(visit.request.body));
    const of = (await choicesOf(app, visit)).find(({ value }) => value === typed.reads)?.of;
    if (of === undefined) throw refusal("bad-request", { status: 400 });
    try {
      const { key, made } = await makeApiKey({ ...app, ...visit.by }, { ...typed, ...of });
      await show(app, visit, { typed, made: { key, endsAt: made.endsAt } });
    } catch (thrown) {
      if (!(thrown instanceof NamedError) || thrown.status < 409) throw thrown;
      visit.response.status(thrown.status);
      await show(app, visit, { typed, problem: thrown.code });
    }
  });
  const ofItsLms: OpenTo = async (visit) => {
    const key = await app.apiKeys.find(visit.part("id"));
    const own = await ownInstitution(app, visit);
    return key !== null && own?.manages(key) === true ? key.registrationId : null;
  };
  gate.routes(ofItsLms, router).action("/api-keys/:id/end", async ({ part, by, goTo }) => {
    await endApiKey({ ...app, ...by }, part("id"));
    goTo("/admin/api-keys", "ended");
  });
  return router;
}

/** The institution of an LMS administrator. Null for operators, who manage all keys. */
async function ownInstitution(app: ConsoleApp, { within, deployment }: Visit) {
  return within === null ? null : institutionOf(app, within, deployment);
}

/** For an LMS's administrators their institution. For operators every LMS, and each deployment if it matters. */
async function choicesOf(app: ConsoleApp, visit: Visit): Promise<Choice[]> {
  const own = await ownInstitution(app, visit);
  const all = await app.registrations.list();
  if (own !== null)
    return all
      .filter(({ id }) => id === visit.within)
      .map((registration) => choiceOf(visit.t, registration, own.reads.deploymentId));
  const choices = await Promise.all(
    all.map(async (registration) => {
      const deployments = await app.deployments.listOf(registration.id);
      const matters = deployments.length > 1 || deployments.some(({ account }) => account !== undefined);
      const each = matters ? deployments.map(({ deploymentId }) => deploymentId) : [];
      return [null, ...each].map((one) => choiceOf(visit.t, registration, one));
    }),
  );
  return choices.flat();
}

function choiceOf(t: Visit["t"], registration: Registration, deploymentId: string | null): Choice {
  const { id: registrationId, name } = registration;
  const of = { registrationId, deploymentId };
  if (deploymentId === null) return { value: registrationId, text: name, of };
  const deployment = t("institution.api.deployment", { id: lmsDeployment(registration, deploymentId) });
  return { value: `${registrationId} ${deploymentId}`, text: `${name} · ${deployment}`, of };
}

type KeysState = { typed: z.infer<typeof shape>; made?: { key: string; endsAt: number }; problem?: string };

async function show(app: ConsoleApp, visit: Visit, shown: KeysState): Promise<void> {
  const title = visit.t("institution.api.make");
  visit.show({ view: keyPage, title, area: "apiKeys", model: await keyModel(app, visit, shown) });
}

async function keyModel(app: ConsoleApp, visit: Visit, { typed, made, problem }: KeysState) {
  return {
    made: made ?? null,
    problem:
      problem === undefined ? null : (visit.t.dynamic(`institution.api.problems.${problem}`) ?? problem),
    typed,
    choices: (await choicesOf(app, visit)).map(({ value, text }) => ({
      value,
      text,
      chosen: value === typed.reads,
    })),
    scopes: offeredScopes.map((value) => ({
      value,
      text: visit.t(`institution.api.scopes.${value}`),
      chosen: typed.scopes.includes(value),
    })),
    maxNameLength,
    apiUrl: `${app.publicUrl}/api/v1`,
  };
}
