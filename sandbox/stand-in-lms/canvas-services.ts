// From: lti_services.rb.
import type { Express, Request, Response } from "express";
import express from "express";
import { canvasError } from "./canvas-call.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { answerCanvasLineItem, answerCanvasLineItems } from "./canvas-line-items.ts";
import { answerCanvasMemberships } from "./canvas-memberships.ts";
import { answerCanvasResults } from "./canvas-results.ts";
import { answerCanvasScores } from "./canvas-scores.ts";
import { createCanvasThrottle } from "./canvas-throttle.ts";
import type { Lms } from "./lms.ts";
import type { Course, Tool } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { pathValue } from "./page-access.ts";
import type { ServiceName } from "./request-log.ts";
import { toolOfToken } from "./service-access.ts";
import { answerService, rawBodyOf } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const { scope } = lti;
const reading = [scope.lineItem, scope.lineItemReadOnly];

export function mountCanvasServices(app: Express, lms: Lms): void {
  const throttle = createCanvasThrottle(lms.clock);
  const serve = (
    service: ServiceName,
    path: string,
    scopes: (method: string) => string[],
    answer: (call: CanvasCall) => ServiceAnswer,
  ) => {
    const readBody = express.text({ type: () => true, limit: "2mb" });
    app.all(`/api/lti/courses/:course${path}`, readBody, async (request: Request, response: Response) => {
      await answerService(lms, service, { request, response }, () => {
        const tool = toolOfToken(lms, request, scopes(request.method));
        if (tool === null)
          return canvasError(401, "unauthorized", "Invalid access token or insufficient scope");
        return throttle.run(lms.quirks.throttle, tool.clientId, () =>
          answerCall(lms, request, { service, tool, answer }),
        );
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

function answerCall(
  lms: Lms,
  request: Request,
  what: { service: ServiceName; tool: Tool; answer: (call: CanvasCall) => ServiceAnswer },
): ServiceAnswer {
  const { service, tool, answer } = what;
  const course: Course | undefined = lms.world.courses.get(pathValue(request, "course"));
  if (course === undefined) return canvasError(404, "not_found", "The specified resource does not exist.");
  if (course.concluded && service !== "memberships") {
    if (lms.quirks.concludedStatus === 404)
      return canvasError(404, "not_found", "The specified resource does not exist.");
    return canvasError(
      422,
      "unprocessable_entity",
      "This course has concluded. AGS requests will no longer be accepted for this course.",
    );
  }
  return answer({
    lms,
    method: request.method,
    query: new URL(request.originalUrl, lms.url).searchParams,
    body: rawBodyOf(request),
    tool,
    course,
    columnId: pathValue(request, "column"),
  });
}
