import { Router } from "express";
import { z } from "zod";
import { numberText } from "../../../web/number-text.ts";
import { defineView } from "../../../web/view.ts";
import { compareFigures } from "../../analytics/compare-figures.ts";
import { wholeName } from "../../analytics/pages/figure-text.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type ComparedAnalyticsPage = ConsoleFrame & {
  sessions: string;
  figures: { path: string; name: string; chosen: boolean }[];
  rows: {
    registrationId: string;
    name: string;
    sessions: string;
    average: string;
    lowest: string;
    highest: string;
  }[];
};

const comparedPage = defineView<ComparedAnalyticsPage>("admin/analytics");

const shape = z.object({ figure: z.string().max(500).catch("") });

/** What the classroom says of sessions, over all LMSs: a figure at a time. */
export function analyticsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/analytics",
    gate.page(async ({ request, show, t }) => {
      const { figure } = shape.parse(request.query);
      const [{ sessions, paths, path, sums }, registrations] = await Promise.all([
        compareFigures(deps, figure),
        deps.registrations.list(),
      ]);
      const names = new Map(registrations.map(({ id, name }) => [id, name]));
      const text = (value: number) => numberText(t, value);
      show({
        view: comparedPage,
        title: t("analytics.heading"),
        area: "analytics",
        model: {
          sessions: t("analytics.compared", { count: sessions, number: text(sessions) }),
          figures: paths.map((one) => ({ path: one, name: wholeName(one), chosen: one === path })),
          rows: sums.map(({ registrationId, ...sum }) => ({
            registrationId,
            name: names.get(registrationId) ?? registrationId,
            sessions: text(sum.sessions),
            average: text(sum.average),
            lowest: text(sum.lowest),
            highest: text(sum.highest),
          })),
        },
      });
    }),
  );
  return router;
}
