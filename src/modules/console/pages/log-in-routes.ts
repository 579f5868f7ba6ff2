import { type Request, type Response, Router } from "express";
import { z } from "zod";
import { NamedError } from "../../../kernel/errors.ts";
import { isFromOwnPage } from "../../../kernel/read-form.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { isSameSecret } from "../../../kernel/sealer.ts";
import { writeAudit } from "../../audit/audit.ts";
import { type LogInSecrets, enterAsAdministrator, logIn } from "../../operations/log-in.ts";
import { rightOf } from "../../operations/rules/console-access.ts";
import { showSetUp } from "../../operations/set-up.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { sayError } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp, ProviderLogIn } from "./console-session.ts";
import { formField } from "./requests.ts";
import { type Gate, inConsole, narrowed, presentSession, showLogIn } from "./gate.ts";
import type { PublicFrame } from "./partials.ts";
import { baseOf } from "./set-up-pages.ts";
import { showPublicPage, showRefusal } from "./show-page.ts";

/** `wrong`: a wrong password was just given. `wait`: how long nobody can log in. */
export type LockedPage = PublicFrame & { wrong: boolean; wait: ReturnType<typeof waitOf> };

const lockedPage = defineView<LockedPage>("admin/locked");

export function logInRoutes(app: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.post("/", async (request, response) => {
    if (isForeign(app, request, response)) return;
    const t = app.translatorOf(readerLocale(request));
    const body: unknown = request.body;
    const { adminPassword } = app;
    if (adminPassword === undefined) {
      showLogIn(app, request, response);
      return;
    }
    const device = app.devices.read(app.deviceCookie.read(request));
    const outcome = await logIn({ ...app, adminPassword, who: "console" }, passwordOf(body), device);
    if (outcome.right) {
      app.cookie.set(response, await app.logIns.begin({ by: "password" }));
      app.deviceCookie.set(response, app.devices.tokenFor(device));
      response.redirect(303, inConsole(formField(body, "to")));
      return;
    }
    const seconds = Math.ceil((outcome.blockedUntil - app.clock.now()) / 1000);
    if (seconds <= 0) {
      showLogIn(app, request, response, true);
      return;
    }
    response.status(429).set("Retry-After", String(seconds));
    showPublicPage(app, response, {
      view: lockedPage,
      title: t("console.locked.heading"),
      model: { wrong: outcome.compared, wait: waitOf(seconds) },
    });
  });

  router.post(
    "/log-out",
    gate.action(
      async ({ session, response }) => {
        await app.logIns.end(session.id);
        app.cookie.clear(response);
        response.redirect(303, "/admin");
      },
      narrowed,
      "all",
    ),
  );
  return router;
}

/** Tells a form of another site why it's refused. */
function isForeign(app: ConsoleApp, request: Request, response: Response): boolean {
  if (isFromOwnPage(request, app.publicUrl) !== false) return false;
  const code = "foreign-console-form";
  const t = app.translatorOf(readerLocale(request));
  showRefusal(app, response, 403, { message: t(`errors.${code}`), code });
  return true;
}

/** White space may be part of a password. */
function passwordOf(body: unknown): string {
  const given = typeof body === "object" && body !== null && "password" in body ? body.password : "";
  return typeof given === "string" ? given : "";
}

/** Seconds up to a minute, then whole minutes, rounded up. */
function waitOf(seconds: number): { unit: "seconds" | "minutes"; count: number } {
  return seconds <= 60
    ? { unit: "seconds", count: seconds }
    : { unit: "minutes", count: Math.ceil(seconds / 60) };
}

export type LoggedInPage = PublicFrame & { name: string; to: string };

const loggedInPage = defineView<LoggedInPage>("admin/logged-in");

/** What a login needs when its browser comes back. Sealed in a cookie, so nothing is stored for strangers. */
const underWay = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  until: z.number(),
});

const purpose = "console-log-in";
/** How long a login at the provider may take (ms). */
export const logInMs = 10 * 60_000;

/** /admin/log-in leads to the provider, which leads back to /admin/log-in/back. */
export function providerLogIn(app: ConsoleApp): Router {
  const router = Router();
  const { provider } = app;
  if (provider === null) return router;
  router.get(
    "/log-in",
    explained(app, (request, response) => begin(app, provider, request, response)),
  );
  router.get(
    "/log-in/back",
    explained(app, (request, response) => finish(app, provider, request, response)),
  );
  return router;
}

async function begin(app: ConsoleApp, provider: ProviderLogIn, request: Request, response: Response) {
  const { ids, clock, sealer } = app;
  const secrets: LogInSecrets = { state: ids.secret(), nonce: ids.secret(), verifier: ids.secret() };
  const address = await provider.client.addressFor(secrets);
  const { to } = request.query;
  const attempt = {
    ...secrets,
    to: inConsole(typeof to === "string" ? to : ""),
    until: clock.now() + logInMs,
  };
  provider.cookie.set(response, sealer.seal(purpose, JSON.stringify(attempt)));
  response.redirect(303, address);
}

async function finish(app: ConsoleApp, provider: ProviderLogIn, request: Request, response: Response) {
  const { searchParams: answer } = new URL(request.originalUrl, app.publicUrl);
  const attempt = attemptOf(app, provider, request);
  provider.cookie.clear(response);
  if (attempt === null || !isSameSecret(answer.get("state") ?? "", attempt.state))
    throw refusal("console-log-in-lost", { status: 403 });
  const { identity, name } = await provider.client.redeem(answer, attempt);
  const right = rightOf(provider.rights, identity);
  if (right === null)
    throw refusal("console-log-in-stranger", { status: 403, details: { verified: identity.email !== null } });
  const device = app.devices.read(app.deviceCookie.read(request));
  app.cookie.set(response, await app.logIns.begin({ by: "provider", right, operator: name }));
  app.deviceCookie.set(response, app.devices.tokenFor(device));
  await writeAudit(
    { ...app, who: "console", operator: name },
    { what: "logged-in", registrationId: null, on: "" },
  );
  // After a redirect, the browser wouldn't send the session's cookie, because it comes from another site.
  response.set("Refresh", `0; url=${attempt.to}`);
  const t = app.translatorOf(readerLocale(request));
  showPublicPage(app, response, {
    view: loggedInPage,
    title: t("console.loggedIn.heading"),
    model: { name, to: attempt.to },
  });
}

function attemptOf({ sealer, clock }: ConsoleApp, { cookie }: ProviderLogIn, request: Request) {
  const sealed = cookie.read(request);
  if (sealed === null) return null;
  try {
    const attempt = underWay.parse(JSON.parse(sealer.open(purpose, sealed)));
    return attempt.until > clock.now() ? attempt : null;
  } catch {
    return null; // forged, or sealed under another SECRET_KEY
  }
}

/** A page says what failed, and the log says why. */
function explained(app: ConsoleApp, act: (request: Request, response: Response) => Promise<void>) {
  return async (request: Request, response: Response): Promise<void> => {
    try {
      await act(request, response);
    } catch (thrown) {
      if (!(thrown instanceof NamedError) || response.headersSent) throw thrown;
      const { code, details, cause } = thrown;
      app.logger.warn({ code, ...details, err: cause }, "a login to the console by the provider failed");
      const t = app.translatorOf(readerLocale(request));
      showRefusal(app, response, thrown.status, { message: sayError(t, thrown), code });
    }
  };
}

/** Opens in its own window, because the console is never in a frame and its cookie is a first-party cookie. */
export function lmsEntrance(app: ConsoleApp): Router {
  const router = Router();
  router.post("/lms", async (request, response) => {
    if (isForeign(app, request, response)) return;
    const t = app.translatorOf(readerLocale(request));
    try {
      const session = await app.courseSessions.read(formField(request.body, "session"));
      const { registrationId, personId, deploymentId = null, consoleUntil } = session;
      await enterAsAdministrator(
        { ...app, who: "lms-administrator" },
        { registrationId, personId, until: consoleUntil },
      );
      const present = await presentSession(app, request);
      // An operator who is logged in here stays an operator. Anybody else is now only the administrator, because a browser has one login.
      if (present === null || present.scope !== null || present.role !== "operator") {
        if (present !== null) await app.logIns.end(present.id);
        const scope = { registrationId, personId, deploymentId };
        app.cookie.set(response, await app.logIns.begin({ by: "lms", scope }));
      }
      response.redirect(303, await firstPage(app, registrationId, deploymentId));
    } catch (thrown) {
      if (!(thrown instanceof NamedError)) throw thrown;
      showRefusal(app, response, thrown.status, { message: sayError(t, thrown), code: thrown.code });
    }
  });
  return router;
}

/** Leads an institution with its own account to its set-up until that is done. */
async function firstPage(app: ConsoleApp, registrationId: string, deploymentId: string | null) {
  const { own, steps, done } = await showSetUp(app, registrationId, deploymentId);
  const isUnfinished = own !== null && done < steps.length;
  return isUnfinished ? baseOf(registrationId) : `/admin/registrations/${registrationId}`;
}
