import { type RequestHandler, Router } from "express";
import type { Config } from "./config.ts";
import { answersRoutes } from "./modules/feedback/pages/answers-routes.ts";
import { endedRoutes, type EndedRoutesDeps } from "./modules/feedback/pages/ended-routes.ts";
import type { AnswersRoutesDeps } from "./modules/feedback/pages/answers-routes.ts";
import { createSurveyTokens } from "./modules/feedback/pages/survey-tokens.ts";

/** The page after a class, its survey, and what instructors read of it. */
export function buildEnded(
  deps: Omit<EndedRoutesDeps, "surveyTokens" | "secretKey"> & AnswersRoutesDeps & { config: Config },
): RequestHandler {
  const { secretKey, secretKeyPrevious } = deps.config;
  const surveyTokens = createSurveyTokens({ secretKey, secretKeyPrevious, clock: deps.clock });
  return Router()
    .use(endedRoutes({ ...deps, secretKey, surveyTokens }))
    .use(answersRoutes(deps));
}
