import { Router } from "express";
import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createSessions } from "../../web/session.ts";
import { judgeByLms } from "../joining/pages/current-roles.ts";
import { testConnection } from "../registration/test-connection.ts";
import { createConsoleCookie } from "./pages/console-cookie.ts";
import { createConsoleDevices, deviceSeconds } from "./pages/console-device.ts";
import { consoleRoutes } from "./pages/console-routes.ts";
import { createConsoleSessions, sessionSeconds } from "./pages/console-session.ts";

/** Under /admin; without ADMIN_PASSWORD there is nothing at that address. */
export function createConsole(app: App): Module {
  const { adminPassword, publicUrl, dialectFile } = app.config;
  if (adminPassword === undefined) return { routes: { admin: [Router()] } };
  const secure = publicUrl.startsWith("https:");
  const secrets = { ...app, ...app.config, adminPassword };
  return {
    routes: {
      admin: [
        consoleRoutes({
          ...app,
          who: "console",
          adminPassword,
          dialectFile: dialectFile ?? null,
          testConnection: (id) => testConnection(app, id),
          // Whether an administrator is in the course does not matter: the roster, which their launch may have read,
          // seldom lists them. Not named for frames: nobody frames the console.
          courseSessions: createSessions(app, judgeByLms(app)),
          consoleSessions: createConsoleSessions(secrets),
          cookie: createConsoleCookie("console", sessionSeconds, secure),
          devices: createConsoleDevices(secrets),
          deviceCookie: createConsoleCookie("console-device", deviceSeconds, secure),
        }),
      ],
    },
  };
}
