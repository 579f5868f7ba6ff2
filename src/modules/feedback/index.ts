import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { answersRoutes, endedRoutes } from "./pages/ended-routes.ts";
import { createSurveyTokens } from "./pages/ended-page.ts";

export function createFeedback(app: App): Module {
  const { secretKey } = app.config;
  const surveyTokens = createSurveyTokens(app);
  return { routes: { pages: [endedRoutes({ ...app, secretKey, surveyTokens }), answersRoutes(app)] } };
}
