import type { Express, Request, Response } from "express";
import express from "express";
import { canvasError } from "./canvas-call.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { answerCanvasLineItem, answerCanvasLineItems } from "./canvas-line-items.ts";
import { answerCanvasMemberships } from "./canvas-memberships.ts";
import { answerCanvasResults, answerCanvasScores } from "./canvas-scores.ts";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { pathValue } from "./page-access.ts";
import type { ServiceName } from "./request-log.ts";
import { toolOfToken } from "./service-access.ts";
import { answerService, rawBodyOf } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const { scope } = lti;
const reading = [scope.lineItem, scope.lineItemReadOnly];

/** Puts Canvas's names-and-roles and grade services into place; it is easy about media types. */
export function mountCanvasServices(app: Express, lms: Lms): void {
  const course = "/api/lti/courses/:course";
  const serve = (
    service: ServiceName,
    path: string,
    scopes: (method: string) => string[],
    answer: (call: CanvasCall) => ServiceAnswer,
  ) => {
    const readBody = express.text({ type: () => true, limit: "2mb" });
    app.all(course + path, readBody, async (request: Request, response: Response) => {
      await answerService(lms, service, { request, response }, () => {
        const tool = toolOfToken(lms, request, scopes(request.method));
        if (tool === null)
          return canvasError(401, "unauthorized", "Invalid access token or insufficient scope");
        const found = lms.world.courses.get(pathValue(request, "course"));
        if (found === undefined)
          return canvasError(404, "not_found", "The specified resource does not exist.");
        return answer({
          lms,
          method: request.method,
          query: new URL(request.originalUrl, lms.url).searchParams,
          body: rawBodyOf(request),
          tool,
          course: found,
          columnId: pathValue(request, "column"),
        });
      });
    });
  };
  const writing = (method: string) => (method === "GET" ? reading : [scope.lineItem]);
  serve("memberships", "/names_and_roles", () => [scope.roster], answerCanvasMemberships);
  serve("line-items", "/line_items", writing, answerCanvasLineItems);
  serve("line-item", "/line_items/:column", writing, answerCanvasLineItem);
  serve("scores", "/line_items/:column/scores", () => [scope.score], answerCanvasScores);
  serve("results", "/line_items/:column/results", () => [scope.result], answerCanvasResults);
}
