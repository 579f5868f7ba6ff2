import { Router } from "express";
import type { LmsLight } from "../../operations/lms-light.ts";
import { type LmsLine, type Overview, showOverview } from "../../operations/show-overview.ts";
import { agoText } from "../../../web/ago-text.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { alarmsShown, type AlarmsShown } from "./alarms-pages.ts";
import type { ConsoleApp } from "./console-app.ts";
import { countText } from "./count-text.ts";
import { type Gate, narrowed } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type OverviewPage = ConsoleFrame &
  AlarmsShown & {
    numbers: readonly NumberShown[];
    lines: readonly LineShown[];
  };

/** A number as text, what is added to it, and the page behind it. */
type NumberShown = {
  what: "courses" | "scores" | "webhooks" | "alerts";
  path: string;
  value: string;
  sub: string | null;
  tone: "good" | "wait" | "bad" | "none";
};

/** `scores`: how many wait; null for none. */
type LineShown = Pick<LmsLine["registration"], "id" | "name" | "family"> & {
  light: LmsLight;
  tone: Tone;
  lastLaunch: AgoShown | null;
  lastWebhook: AgoShown | null;
  scores: string | null;
};

/** `iso`: for machines. */
type AgoShown = { iso: string; text: string };

const overviewPage = defineView<OverviewPage>("admin/overview");

const tones: Readonly<Record<LmsLight, Tone>> = {
  down: "bad",
  check: "wait",
  quiet: "none",
  good: "good",
  off: "free",
};

/** Where the console begins; administrators of one LMS begin with that. */
export function overviewPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/",
    gate.page(async ({ show, t, within, goTo }) => {
      if (within !== null) {
        goTo(`/admin/registrations/${within}`);
        return;
      }
      const overview = await showOverview(deps);
      const now = deps.clock.now();
      show({
        view: overviewPage,
        title: t("console.overview.heading"),
        area: "overview",
        model: {
          ...alarmsShown(overview.alarms),
          numbers: numbersOf(t, overview, now),
          lines: overview.lines.map((line) => lineShown(t, line, now)),
        },
      });
    }, narrowed),
  );
  return router;
}

function numbersOf(t: Translate, overview: Overview, now: number): NumberShown[] {
  const { alarms, courses, lines, scoresWaiting, oldestScoreAt, failedWebhooks, lastWebhookAt } = overview;
  const urgent = alarms.filter((alarm) => alarm.urgent).length;
  const since = (key: "oldest" | "lastOne", at: number | null) =>
    at === null ? null : t(`console.overview.${key}`, { ago: agoText(t, at, now) });
  return [
    {
      what: "courses",
      path: "/admin/courses",
      value: numberText(t, courses),
      sub: t("console.overview.lmsCount", { number: numberText(t, lines.length) }),
      tone: "none",
    },
    {
      what: "scores",
      path: "/admin/deliveries?state=waiting",
      value: countText(t, scoresWaiting),
      sub: since("oldest", oldestScoreAt),
      tone: scoresWaiting === 0 ? "good" : "wait",
    },
    {
      what: "webhooks",
      path: "/admin/receipts?state=failed",
      value: countText(t, failedWebhooks),
      sub: since("lastOne", lastWebhookAt),
      tone: failedWebhooks === 0 ? "good" : "bad",
    },
    {
      what: "alerts",
      path: "/admin/alarms",
      value: numberText(t, alarms.length),
      sub: urgent === 0 ? null : t("console.overview.urgent", { number: numberText(t, urgent) }),
      tone: alarms.length === 0 ? "good" : urgent > 0 ? "bad" : "wait",
    },
  ];
}

function lineShown(t: Translate, line: LmsLine, now: number): LineShown {
  const { registration, light, lastLaunchAt, lastWebhookAt, scoresWaiting } = line;
  const { id, name, family } = registration;
  const ago = (at: number | null) =>
    at === null ? null : { iso: new Date(at).toISOString(), text: agoText(t, at, now) };
  return {
    ...{ id, name, family, light },
    tone: tones[light],
    lastLaunch: ago(lastLaunchAt),
    lastWebhook: ago(lastWebhookAt),
    scores: scoresWaiting === 0 ? null : numberText(t, scoresWaiting),
  };
}
