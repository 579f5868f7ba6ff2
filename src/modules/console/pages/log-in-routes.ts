import { Router } from "express";
import { logIn, type LogInDeps } from "../../operations/log-in.ts";
import type { ConsoleCookie } from "./console-cookie.ts";
import type { ConsoleDevices } from "./console-device.ts";
import { formField } from "./form-field.ts";
import { readerLocale } from "../../../web/reader-locale.ts";
import { type Gate, type GateDeps, inConsole, narrowed, showLogIn } from "./gate.ts";
import { isFromHere } from "../../../web/is-from-here.ts";
import { areas } from "./navigation.ts";
import { showPage } from "./show-page.ts";

export type LogInRoutesDeps = LogInDeps &
  GateDeps & {
    devices: ConsoleDevices;
    /** Carries what the browser is known by. */
    deviceCookie: ConsoleCookie;
  };

/** /admin itself (the way in), POST /admin (the password) and POST /admin/log-out. */
export function logInRoutes(deps: LogInRoutesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/",
    gate.page((visit) => visit.goTo(areas[0].path), narrowed),
  );

  router.post("/", async (request, response) => {
    const t = deps.translatorOf(readerLocale(request));
    if (!isFromHere(request, deps.publicUrl)) {
      response.status(403);
      showPage(deps, response, null, {
        view: "problem",
        title: t("console.problem.heading"),
        area: null,
        values: { message: t("console.problem.foreignForm"), code: "foreign-form" },
      });
      return;
    }
    const body: unknown = request.body;
    const device = deps.devices.read(deps.deviceCookie.read(request));
    const outcome = await logIn(deps, passwordOf(body), device);
    if (outcome.right) {
      deps.cookie.set(response, await deps.sessions.begin(null));
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
    showPage(deps, response, null, {
      view: "locked",
      title: t("console.locked.heading"),
      area: null,
      values: { wrong: outcome.compared, wait: waitOf(seconds) },
    });
  });

  router.post(
    "/log-out",
    gate.action(async ({ session, response }) => {
      await deps.sessions.end(session);
      deps.cookie.clear(response);
      response.redirect(303, "/admin");
    }, narrowed),
  );
  return router;
}

/** As it was typed: white space may be part of a password. */
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
