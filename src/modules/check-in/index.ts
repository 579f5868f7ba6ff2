import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { myCheckInRoutes, scannedRoutes, screenRoutes } from "./pages/check-in-pages.ts";
import { createCodes } from "./check-in.ts";

export function createCheckIn(app: App): Module {
  const withCodes = { ...app, codes: createCodes(app.config) };
  return { routes: { pages: [screenRoutes(withCodes), myCheckInRoutes(withCodes), scannedRoutes(app)] } };
}
