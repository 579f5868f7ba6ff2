import { Router } from "express";
import type { App } from "../../app.ts";
import type { Config } from "../../config.ts";
import type { Module } from "../../module.ts";
import { createSessions } from "../../web/session.ts";
import { judgeByLms } from "../joining/pages/current-roles.ts";
import { createIdentityProvider } from "../operations/log-in.ts";
import { testConnection } from "../registration/test-connection.ts";
import {
  createConsoleCookie,
  createConsoleDevices,
  createConsoleSessions,
  deviceSeconds,
  type ProviderLogIn,
  sessionSeconds,
} from "./pages/console-session.ts";
import { consoleRoutes } from "./pages/console-routes.ts";
import { logInMs } from "./pages/log-in-routes.ts";

/** Everything under /admin. Without ADMIN_PASSWORD and OIDC_ISSUER, there is nothing at that address. */
export function createConsole(app: App): Module {
  const { adminPassword, oidc, publicUrl, dialectFile } = app.config;
  if (adminPassword === undefined && oidc === null) return { routes: { admin: [Router()] } };
  const secure = publicUrl.startsWith("https:");
  const secrets = { ...app, ...app.config, adminPassword, rights: oidc?.rights };
  return {
    routes: {
      admin: [
        consoleRoutes({
          ...app,
          adminPassword,
          provider: oidc === null ? null : providerOf(app, oidc, secure),
          dialectFile: dialectFile ?? null,
          testConnection: (id) => testConnection(app, id),
          // An administrator needn't be in the course: the roster, which their launch may have read, seldom lists them. The console is never in a
          // frame, so no frame is named.
          courseSessions: createSessions(app, judgeByLms(app)),
          logIns: createConsoleSessions(secrets),
          cookie: createConsoleCookie("console", sessionSeconds, secure),
          devices: createConsoleDevices(secrets),
          deviceCookie: createConsoleCookie("console-device", deviceSeconds, secure),
        }),
      ],
    },
  };
}

/** The operator chose the provider's address, so it may be in their own network. */
function providerOf(
  { clock, publicUrl }: App,
  oidc: NonNullable<Config["oidc"]>,
  secure: boolean,
): ProviderLogIn {
  const redirectUri = `${publicUrl}/admin/log-in/back`;
  return {
    client: createIdentityProvider({ ...oidc, redirectUri, fetch, clock }),
    rights: oidc.rights,
    host: new URL(oidc.issuer).host,
    cookie: createConsoleCookie("console-log-in", logInMs / 1000, secure),
  };
}
