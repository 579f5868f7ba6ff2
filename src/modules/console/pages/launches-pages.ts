import { Router } from "express";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

/** Launches that were refused, an LMS and a reason at a time. */
export type LaunchesPage = ConsoleFrame & {
  /** Only this LMS is shown; null for all. */
  only: string | null;
  refused: {
    /** Of a registered LMS; null: what the request said is `said`. */
    lms: { name: string; link: string } | null;
    said: string;
    advice: Advice;
    code: string;
    count: string;
    lastAt: number;
    reference: string;
  }[];
};

const launchesPage = defineView<LaunchesPage>("admin/launches");

/** What an operator does about it, under `console.launches.advice`. */
type Advice =
  "unknown" | "off" | "deployment" | "clock" | "keys" | "browser" | "busy" | "app" | "id" | "settings";

const advices: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  ["platform-unknown", "unknown"],
  ["client-id-missing", "unknown"],
  ["platform-inactive", "off"],
  ["deployment-refused", "deployment"],
  ["launch-expired", "clock"],
  ["token-expired", "clock"],
  ["token-times", "clock"],
  ["token-key-unknown", "keys"],
  ["token-signature", "keys"],
  ["token-algorithm", "keys"],
  ["token-issuer", "keys"],
  ["token-audience", "keys"],
  ["platform-keys-unreachable", "keys"],
  ["browser-unknown", "browser"],
  ["launch-used", "browser"],
  ["token-nonce", "browser"],
  ["platform-login-required", "browser"],
  ["platform-login-hidden", "browser"],
  ["platform-launch-expired", "browser"],
  ["launches-many", "busy"],
  ["launch-without-login", "app"],
  ["id-unusable", "id"],
]);

/** Why launches failed. For operators only: a request may name any LMS. */
export function launchesPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/launches",
    gate.page(async ({ show, t, request }) => {
      const [all, registrations] = await Promise.all([
        deps.refusedLaunches.list(),
        deps.registrations.list(),
      ]);
      const { lms } = request.query;
      const only = registrations.find(({ id }) => id === lms) ?? null;
      const refused = only === null ? all : all.filter(({ registrationId }) => registrationId === only.id);
      const names = new Map(registrations.map(({ id, name }) => [id, name]));
      show({
        view: launchesPage,
        title: t("console.launches.heading"),
        area: "launches",
        model: {
          only: only?.name ?? null,
          refused: refused.map(({ registrationId, issuer, clientId, code, count, lastAt, reference }) => {
            const name = names.get(registrationId);
            return {
              lms: name === undefined ? null : { name, link: `/admin/registrations/${registrationId}` },
              said: [issuer, clientId].filter((text) => text !== "").join(" · "),
              advice: advices.get(code) ?? "settings",
              ...{ code, count: numberText(t, count), lastAt, reference },
            };
          }),
        },
      });
    }),
  );
  return router;
}
