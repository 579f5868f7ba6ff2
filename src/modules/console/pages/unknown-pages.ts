import { Router } from "express";
import { noFamily } from "../../../inbox/rules/webhook-family.ts";
import { listUnknownWebhooks } from "../../../inbox/list-unknown-webhooks.ts";
import type { UnknownWebhookStore } from "../../operations/store/unknown-webhook-store.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Gate } from "./gate.ts";
import { addressWith } from "./address-with.ts";

export type UnknownPagesDeps = { unknownWebhooks: Pick<UnknownWebhookStore, "list"> };

/** Kinds of webhooks that the document does not list: how many came, and where they are. For operators only. */
export function unknownPages(deps: UnknownPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/receipts/unknown",
    gate.page(async ({ show, t }) => {
      const kinds = await listUnknownWebhooks(deps);
      show({
        view: "unknown",
        title: t("inbox.unknown.heading"),
        area: "receipts",
        values: {
          kinds: kinds.map(({ named, filedUnder, ...kind }) => ({
            ...kind,
            /** As it came; null where it is no name. */
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
