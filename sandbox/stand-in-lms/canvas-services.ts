// From: lti_services.rb, request_throttle.rb, throttling.md, memberships_provider.rb, names_and_roles_serializer.rb; the size of pages is assumed.
import express, { type Express, type Request, type Response } from "express";
import type { Clock } from "../../src/kernel/clock.ts";
import { canvasAddresses, canvasCustom, canvasIds, canvasRosterRoles } from "./canvas-claims.ts";
import {
  answerCanvasLineItem,
  answerCanvasLineItems,
  answerCanvasResults,
  canvasError,
} from "./canvas-line-items.ts";
import { answerCanvasScores } from "./canvas-scores.ts";
import type { Course, Enrolment, Person, Tool } from "./lms-records.ts";
import type { Lms, Quirks } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { pathValue } from "./pages.ts";
import {
  answerService,
  lineItemScopes,
  type Serve,
  type ServiceAnswer,
  type ServiceCall,
  serviceCall,
  type ServiceName,
  sharingWith,
  toolOfToken,
} from "./services.ts";

type Throttle = NonNullable<Quirks["throttle"]>;
type Bucket = { level: number; at: number };

/** How far the bucket can fill above the refusing mark. */
const maxHeadroom = 200;

/** A call is refused while its tool's bucket is over the mark; refusals are plain text, cost nothing and name no time to wait. */
function createCanvasThrottle(clock: Clock) {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (throttle: Throttle, clientId: string): Bucket => {
    const bucket = buckets.get(clientId) ?? { level: 0, at: clock.now() };
    const leaked = ((clock.now() - bucket.at) / 1000) * throttle.leakPerSecond;
    bucket.level = Math.max(0, bucket.level - leaked);
    bucket.at = clock.now();
    buckets.set(clientId, bucket);
    return bucket;
  };
  return {
    /** Refuses, or runs within the tool's bucket. */
    run: async (
      throttle: Throttle | null,
      clientId: string,
      work: () => ServiceAnswer | Promise<ServiceAnswer>,
    ): Promise<ServiceAnswer> => {
      if (throttle === null) return work();
      const { full, upFront, cost } = throttle;
      const before = bucketOf(throttle, clientId);
      const remaining = () => String(Math.round((full - bucketOf(throttle, clientId).level) * 10) / 10);
      if (before.level >= full) {
        return {
          status: throttle.status,
          type: "text/plain; charset=utf-8",
          headers: { "x-rate-limit-remaining": "0.0" },
          body: `${throttle.status} ${throttle.status === 403 ? "Forbidden" : "Too Many Requests"} (Rate Limit Exceeded)\n`,
        };
      }
      before.level = Math.min(before.level + upFront, full + maxHeadroom);
      if (throttle.callMs > 0) await clock.sleep(throttle.callMs);
      const answer = await work();
      const after = bucketOf(throttle, clientId);
      after.level = Math.max(0, Math.min(after.level - upFront + cost, full + maxHeadroom));
      const headers = { "x-request-cost": String(cost), "x-rate-limit-remaining": remaining() };
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
}

const { scope } = lti;

export function mountCanvasServices(app: Express, lms: Lms): void {
  const throttle = createCanvasThrottle(lms.clock);
  const serve: Serve = (service, path, scopes, answer) => {
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
  serve("memberships", "/names_and_roles", () => [scope.roster], answerCanvasMemberships);
  serve("line-items", "/line_items", lineItemScopes, answerCanvasLineItems);
  serve("line-item", "/line_items/:column", lineItemScopes, answerCanvasLineItem);
  serve("scores", "/line_items/:column/scores", () => [scope.score], answerCanvasScores);
  serve("results", "/line_items/:column/results", () => [scope.result], answerCanvasResults);
}

function answerCall(
  lms: Lms,
  request: Request,
  what: { service: ServiceName; tool: Tool; answer: (call: ServiceCall) => ServiceAnswer },
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
  return answer(serviceCall(lms, request, tool, course));
}

const maxPageSize = 50;

/** GET of a course's roster: 50 a page, full role URIs, and with `rlid` the custom values of every member. */
export function answerCanvasMemberships(call: ServiceCall): ServiceAnswer {
  const { lms, course, query } = call;
  const rlid = query.get("rlid");
  if (rlid !== null && !isLinkOfTool(call, rlid)) {
    return canvasError(400, "bad_request", "Tool does not have access to rlid or rlid does not exist");
  }
  const wanted = query.get("role");
  const members = course.enrolments.filter(
    ({ role }) => wanted === null || canvasRosterRoles(role).includes(wanted),
  );
  const size = pageSize(query);
  const from = startOf(query);
  const url = canvasAddresses(lms.url, course.id).memberships;
  return {
    status: 200,
    type: `${lti.media.roster}; charset=utf-8`,
    headers: { link: linksOf(url, query, { from, next: from + size < members.length ? from + size : null }) },
    body: JSON.stringify({
      id: `${url}?${query.toString()}`,
      context: { id: canvasIds.course(course.id), label: course.shortname, title: course.title },
      members: members.slice(from, from + size).flatMap((enrolment) => {
        const person = lms.world.people.get(enrolment.personId);
        return person === undefined ? [] : [memberOf(call, { person, enrolment }, rlid)];
      }),
    }),
  };
}

/** The course's own id is that of the tool's default link. */
function isLinkOfTool({ course, tool }: ServiceCall, rlid: string): boolean {
  if (rlid === canvasIds.course(course.id)) return true;
  return course.links.some((link) => link.toolId === tool.id && canvasIds.link(link.id) === rlid);
}

function pageSize(query: URLSearchParams): number {
  const asked = Number(query.get("limit") ?? query.get("per_page") ?? maxPageSize);
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, maxPageSize) : maxPageSize;
}

/** Pages are opaque bookmarks: tools should not build them. */
function startOf(query: URLSearchParams): number {
  const [, text = ""] = /^bookmark:(.+)$/.exec(query.get("page") ?? "") ?? [];
  const number = Number(Buffer.from(text, "base64url").toString("utf8").replace("after ", ""));
  return Number.isInteger(number) ? number : 0;
}

function linksOf(url: string, query: URLSearchParams, page: { from: number; next: number | null }): string {
  const link = (start: number, relation: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set("page", `bookmark:${Buffer.from(`after ${start}`).toString("base64url")}`);
    return `<${url}?${parameters.toString()}>; rel="${relation}"`;
  };
  return [
    link(page.from, "current"),
    ...(page.next === null ? [] : [link(page.next, "next")]),
    link(0, "first"),
  ].join(",");
}

type Member = { person: Person; enrolment: Enrolment };

function memberOf(call: ServiceCall, member: Member, rlid: string | null): Record<string, unknown> {
  const { person, enrolment } = member;
  const { names, email } = sharingWith(call.lms, call.tool);
  return {
    status: "Active",
    user_id: canvasIds.person(person.id),
    lti11_legacy_user_id: canvasIds.course(`legacy ${person.id}`),
    roles: canvasRosterRoles(enrolment.role),
    ...(names
      ? {
          name: `${person.given} ${person.family}`,
          given_name: person.given,
          family_name: person.family,
          lis_person_sourcedid: "",
        }
      : {}),
    ...(email ? { email: person.email } : {}),
    ...(rlid === null ? {} : { message: [messageOf(call, member)] }),
  };
}

/** Only the tool's own parameters: the message belongs to no placement. */
function messageOf({ course, tool }: ServiceCall, member: Member): Record<string, unknown> {
  return {
    [`${lti.claim}/message_type`]: "LtiResourceLinkRequest",
    locale: "en",
    [`${lti.claim}/custom`]: canvasCustom(course, member, tool.custom),
  };
}
