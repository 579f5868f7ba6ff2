import { Router } from "express";
import { noFamily } from "../../../inbox/rules/webhook-family.ts";
import { type ListedUnknown, listUnknownWebhooks } from "../../../inbox/find-receipts.ts";
import { numberText } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate } from "./gate.ts";
import { addressWith } from "./address-with.ts";
import type { ConsoleFrame } from "./partials.ts";

/** Kinds that the document does not list. */
export type UnknownPage = ConsoleFrame & {
  kinds: (Pick<ListedUnknown, "eventType" | "environment" | "firstAt" | "lastAt"> & {
    /** As it came; null where it is no name. */
    name: string | null;
    words: string;
    count: string;
    link: string;
  })[];
};

const unknownPage = defineView<UnknownPage>("admin/unknown");

/** How many came, and where they are. For operators only. */
export function unknownPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/receipts/unknown",
    gate.page(async ({ show, t }) => {
      const kinds = await listUnknownWebhooks(deps);
      show({
        view: unknownPage,
        title: t("inbox.unknown.heading"),
        area: "receipts",
        model: {
          kinds: kinds.map(({ named, filedUnder, ...kind }) => ({
            ...kind,
            name: named && kind.family !== "" ? kind.family : null,
            words: t(named ? `inbox.families.${noFamily}` : "inbox.unknown.beyond"),
            count: numberText(t, kind.count),
            link: addressWith("/admin/receipts", { ...filedUnder, environment: kind.environment }),
          })),
        },
      });
    }),
  );
  return router;
}
