// From: lti_services.rb, request_throttle.rb, throttling.md, memberships_provider.rb, names_and_roles_serializer.rb; the size of pages is assumed.
import type { Express } from "express";
import type { Clock } from "../../src/kernel/clock.ts";
import { canvasAddresses, canvasCustom, canvasIds, canvasRosterRoles } from "./canvas-claims.ts";
import {
  answerCanvasLineItem,
  answerCanvasLineItems,
  answerCanvasResults,
  canvasError,
  notFound,
  pageLinks,
  unprocessable,
} from "./canvas-line-items.ts";
import { answerCanvasScores } from "./canvas-scores.ts";
import type { Enrolment, Person } from "./lms-records.ts";
import { membersOf } from "./lms-world.ts";
import type { Lms, Quirks } from "./lms.ts";
import { lti, personFields } from "./lti-names.ts";
import {
  courseServices,
  jsonAnswer,
  lineItemScopes,
  type ServiceAnswer,
  type ServiceCall,
  sharingWith,
} from "./services.ts";

type Throttle = NonNullable<Quirks["throttle"]>;
type Bucket = { level: number; at: number };

/** How far the bucket can fill above the refusal mark. */
const maxHeadroom = 200;

/** A call is refused while its tool's bucket is over the mark; refusals are plain text, cost nothing and do not say how long to wait. */
export function createCanvasThrottle(clock: Clock) {
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
    /** Refuses the call, or runs it within the tool's bucket. */
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
  const serve = courseServices(app, lms, {
    root: "/api/lti/courses",
    refuse: (status) => (status === 401 ? unauthorized() : notFound()),
    around: (tool, work) => throttle.run(lms.quirks.throttle, tool.clientId, work),
  });
  serve("memberships", "/names_and_roles", () => [scope.roster], answerCanvasMemberships);
  serve("line-items", "/line_items", lineItemScopes, unlessConcluded(answerCanvasLineItems));
  serve("line-item", "/line_items/:column", lineItemScopes, unlessConcluded(answerCanvasLineItem));
  serve("scores", "/line_items/:column/scores", () => [scope.score], unlessConcluded(answerCanvasScores));
  serve("results", "/line_items/:column/results", () => [scope.result], unlessConcluded(answerCanvasResults));
}

function unauthorized(): ServiceAnswer {
  return canvasError(401, "unauthorized", "Invalid access token or insufficient scope");
}

function unlessConcluded(answer: (call: ServiceCall) => ServiceAnswer) {
  return (call: ServiceCall): ServiceAnswer => {
    if (!call.course.concluded) return answer(call);
    return call.lms.quirks.concludedStatus === 404
      ? notFound()
      : unprocessable("This course has concluded. AGS requests will no longer be accepted for this course.");
  };
}

const maxPageSize = 50;

/** GET of a course's roster: 50 a page, full role URIs, and with `rlid` the custom values of every member. */
export function answerCanvasMemberships(call: ServiceCall): ServiceAnswer {
  const { lms, course, query } = call;
  const rlid = query.get("rlid");
  if (rlid !== null && !isLinkOfTool(call, rlid)) {
    return canvasError(400, "bad_request", "Tool does not have access to rlid or rlid does not exist");
  }
  const role = query.get("role");
  const members = membersOf(lms.world, course).filter(
    ({ enrolment }) => role === null || canvasRosterRoles(enrolment.role).includes(role),
  );
  const size = pageSize(query);
  const from = startOf(query);
  const url = canvasAddresses(lms.url, course.id).memberships;
  const next = from + size < members.length ? bookmark(from + size) : null;
  const body = {
    id: `${url}?${query.toString()}`,
    context: { id: canvasIds.course(course.id), label: course.shortname, title: course.title },
    members: members.slice(from, from + size).map((member) => memberOf(call, member, rlid)),
  };
  return jsonAnswer(200, body, {
    type: `${lti.media.roster}; charset=utf-8`,
    headers: { link: pageLinks(url, query, { first: bookmark(0), current: bookmark(from), next }) },
  });
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

function bookmark(start: number): string {
  return `bookmark:${Buffer.from(`after ${start}`).toString("base64url")}`;
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
    ...personFields(person, { names, email }),
    ...(names ? { lis_person_sourcedid: "" } : {}),
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
