import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createCodes } from "./codes.ts";
import { myCheckInRoutes } from "./pages/my-check-in-routes.ts";
import { scannedRoutes } from "./pages/scanned-routes.ts";
import { screenRoutes } from "./pages/screen-routes.ts";

export function createCheckIn(app: App): Module {
  const { secretKey, secretKeyPrevious } = app.config;
  const withCodes = { ...app, codes: createCodes({ secretKey, secretKeyPrevious }) };
  return { routes: { pages: [screenRoutes(withCodes), myCheckInRoutes(withCodes), scannedRoutes(app)] } };
}
