// From: AGS 2.0, NRPS 2.0, LTI Course Groups 1.0.
import type { Express } from "express";
import express from "express";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { otherError } from "./other-call.ts";
import type { OtherCall } from "./other-call.ts";
import { answerOtherGroups, answerOtherGroupSets } from "./other-groups.ts";
import { answerOtherLineItem, answerOtherLineItems } from "./other-line-items.ts";
import { createOtherMemberships } from "./other-memberships.ts";
import { answerOtherResults, answerOtherScores } from "./other-scores.ts";
import { pathValue } from "./page-access.ts";
import type { ServiceName } from "./request-log.ts";
import { toolOfToken } from "./service-access.ts";
import { answerService, rawBodyOf } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const { scope, extraScope } = lti;
const reading = [scope.lineItem, scope.lineItemReadOnly];

export function mountOtherServices(app: Express, lms: Lms): void {
  const serve = (
    service: ServiceName,
    path: string,
    scopes: (method: string) => string[],
    answer: (call: OtherCall) => ServiceAnswer,
  ) => {
    const readBody = express.text({ type: () => true, limit: "2mb" });
    app.all(`/lti13/sites/:course${path}`, readBody, async (request, response) => {
      await answerService(lms, service, { request, response }, () => {
        const tool = toolOfToken(lms, request, scopes(request.method));
        if (tool === null) return otherError(401, "Unauthorized.");
        const course = lms.world.courses.get(pathValue(request, "course"));
        if (course === undefined) return otherError(404, "There is no such site.");
        return answer({
          lms,
          method: request.method,
          query: new URL(request.originalUrl, lms.url).searchParams,
          body: rawBodyOf(request),
          tool,
          course,
          columnId: pathValue(request, "column"),
        });
      });
    });
  };
  const writing = (method: string) => (method === "GET" ? reading : [scope.lineItem]);
  serve("memberships", "/members", () => [scope.roster], createOtherMemberships());
  serve("groups", "/groups", () => [extraScope.groups], offered(answerOtherGroups));
  serve("groups", "/group-sets", () => [extraScope.groups], offered(answerOtherGroupSets));
  serve("line-items", "/columns", writing, answerOtherLineItems);
  serve("line-item", "/columns/:column", writing, answerOtherLineItem);
  serve("scores", "/columns/:column/scores", () => [scope.score], answerOtherScores);
  serve("results", "/columns/:column/results", () => [scope.result], answerOtherResults);
}

function offered(answer: (call: OtherCall) => ServiceAnswer): (call: OtherCall) => ServiceAnswer {
  return (call) =>
    call.lms.quirks.courseGroups ? answer(call) : otherError(404, "There is no such service.");
}
