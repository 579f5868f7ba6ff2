import { Router } from "express";
import { rotateKeys } from "../../operations/change-registration.ts";
import { listAllKeys } from "../../operations/list-all-keys.ts";
import { resealAll } from "../../operations/reseal-all.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { chosen } from "./form-field.ts";
import type { Gate } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type KeysPage = ConsoleFrame &
  Awaited<ReturnType<typeof listAllKeys>> & { note: (typeof notes)[number] | null };

const keysPage = defineView<KeysPage>("admin/keys");

/** Messages under `console.allKeys.notes`, shown once. */
const notes = ["rotated", "resealed"] as const;

export function keysPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/keys",
    gate.page(async ({ request, show, t }) => {
      const { note } = request.query;
      show({
        view: keysPage,
        title: t("console.allKeys.heading"),
        area: "keys",
        model: { ...(await listAllKeys(deps)), note: notes.find((one) => one === note) ?? null },
      });
    }),
  );
  router.post(
    "/keys",
    gate.action(async ({ field, goTo, asOperator }) => {
      chosen(field("what"), ["reseal"]);
      await resealAll({ ...deps, ...asOperator });
      goTo("/admin/keys", "resealed");
    }),
  );
  router.post(
    "/keys/:id/rotate",
    gate.action(async ({ part, goTo, asOperator }) => {
      await rotateKeys({ ...deps, ...asOperator }, part("id"));
      goTo("/admin/keys", "rotated");
    }),
  );
  return router;
}
