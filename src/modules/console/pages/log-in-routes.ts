import { Router } from "express";
import { logIn } from "../../operations/log-in.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import { formField } from "./form-field.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { type Gate, narrowed } from "./gate.ts";
import { inConsole, showLogIn } from "./log-in-page.ts";
import { isFromOwnPage } from "../../../kernel/read-form.ts";
import type { PublicFrame } from "./partials.ts";
import { showRefusal } from "./problem-page.ts";
import { showPublicPage } from "./show-page.ts";

/** `wrong`: one was given just now; `wait`: how long nobody can log in. */
export type LockedPage = PublicFrame & { wrong: boolean; wait: ReturnType<typeof waitOf> };

const lockedPage = defineView<LockedPage>("admin/locked");

export function logInRoutes(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.post("/", async (request, response) => {
    const t = deps.translatorOf(readerLocale(request));
    if (isFromOwnPage(request, deps.publicUrl) === false) {
      showRefusal(deps, response, 403, {
        message: t("errors.foreign-console-form"),
        code: "foreign-console-form",
      });
      return;
    }
    const body: unknown = request.body;
    const { adminPassword } = deps;
    if (adminPassword === undefined) {
      showLogIn(deps, request, response);
      return;
    }
    const device = deps.devices.read(deps.deviceCookie.read(request));
    const outcome = await logIn({ ...deps, adminPassword, who: "console" }, passwordOf(body), device);
    if (outcome.right) {
      deps.cookie.set(response, await deps.logIns.begin({ by: "password" }));
      deps.deviceCookie.set(response, deps.devices.tokenFor(device));
      response.redirect(303, inConsole(formField(body, "to")));
      return;
    }
    const seconds = Math.ceil((outcome.blockedUntil - deps.clock.now()) / 1000);
    if (seconds <= 0) {
      showLogIn(deps, request, response, true);
      return;
    }
    response.status(429).set("Retry-After", String(seconds));
    showPublicPage(deps, response, {
      view: lockedPage,
      title: t("console.locked.heading"),
      model: { wrong: outcome.compared, wait: waitOf(seconds) },
    });
  });

  router.post(
    "/log-out",
    gate.action(
      async ({ session, response }) => {
        await deps.logIns.end(session.id);
        deps.cookie.clear(response);
        response.redirect(303, "/admin");
      },
      narrowed,
      "readers",
    ),
  );
  return router;
}

/** White space may be part of a password. */
function passwordOf(body: unknown): string {
  const given = typeof body === "object" && body !== null && "password" in body ? body.password : "";
  return typeof given === "string" ? given : "";
}

/** Seconds up to a minute, then whole minutes, never less than is left. */
function waitOf(seconds: number): { unit: "seconds" | "minutes"; count: number } {
  return seconds <= 60
    ? { unit: "seconds", count: seconds }
    : { unit: "minutes", count: Math.ceil(seconds / 60) };
}
