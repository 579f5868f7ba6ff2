import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { answersRoutes } from "./pages/answers-routes.ts";
import { endedRoutes } from "./pages/ended-routes.ts";
import { createSurveyTokens } from "./pages/survey-tokens.ts";

export function createFeedback(app: App): Module {
  const { secretKey } = app.config;
  const surveyTokens = createSurveyTokens(app);
  return { routes: { pages: [endedRoutes({ ...app, secretKey, surveyTokens }), answersRoutes(app)] } };
}
