import { Router } from "express";
import { rotateKeys, type ChangeRegistrationDeps } from "../../operations/change-registration.ts";
import { listAllKeys, type ListAllKeysDeps } from "../../operations/list-all-keys.ts";
import { resealAll, type ResealAllDeps } from "../../operations/reseal-all.ts";
import { chosen } from "./form-field.ts";
import type { Gate } from "./gate.ts";

export type KeysPagesDeps = ListAllKeysDeps & ChangeRegistrationDeps & ResealAllDeps;

/** What the page says once after something was done; each is a message under `console.allKeys.notes`. */
const notes = ["rotated", "resealed"] as const;

/** Our keys towards all LMSs, and the secret they are sealed with. */
export function keysPages(deps: KeysPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/keys",
    gate.page(async ({ request, show, t }) => {
      const { note } = request.query;
      show({
        view: "keys",
        title: t("console.allKeys.heading"),
        area: "keys",
        values: { ...(await listAllKeys(deps)), note: notes.find((one) => one === note) ?? null },
      });
    }),
  );
  router.post(
    "/keys",
    gate.action(async ({ field, goTo }) => {
      chosen(field("what"), ["reseal"]);
      await resealAll(deps);
      goTo("/admin/keys", "resealed");
    }),
  );
  router.post(
    "/keys/:id/rotate",
    gate.action(async ({ part, goTo }) => {
      await rotateKeys(deps, part("id"));
      goTo("/admin/keys", "rotated");
    }),
  );
  return router;
}
