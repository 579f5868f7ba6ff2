// From: services.php, measured.
import express, { type Express, type Request } from "express";
import { byFamilyName } from "./gradebook.ts";
import type { Enrolment, Link, Person } from "./lms-records.ts";
import { findLink, membersOf } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import { lti, personFields } from "./lti-names.ts";
import { moodleAddresses } from "./moodle-claims.ts";
import {
  answerLineItem,
  answerLineItems,
  answerResults,
  anyMedia,
  type MoodleCall,
  moodleError,
  moodlePage,
} from "./moodle-grades.ts";
import { answerScores } from "./moodle-scores.ts";
import {
  answerService,
  contentTypeOf,
  jsonAnswer,
  lineItemScopes,
  type ServiceAnswer,
  serviceCall,
  type ServiceName,
  sharingWith,
  toolOfToken,
} from "./services.ts";

type Template = {
  service: ServiceName;
  path: RegExp;
  methods: string[];
  /** Moodle uses them to find the handler. */
  formats: string[];
  scopes: (method: string) => string[];
  answer: (call: MoodleCall) => ServiceAnswer;
};

const { scope, media } = lti;
const ags = (path: string) => new RegExp(`^/(?<course>\\d+)/lineitems${path}$`);

const templates: readonly Template[] = [
  {
    service: "memberships",
    path: /^\/CourseSection\/(?<course>\d+)\/bindings\/\w+\/memberships$/,
    methods: ["GET"],
    formats: [media.roster],
    scopes: () => [scope.roster],
    answer: answerMemberships,
  },
  {
    service: "line-items",
    path: ags(""),
    methods: ["GET", "POST"],
    formats: [media.lineItems, media.lineItem],
    scopes: lineItemScopes,
    answer: answerLineItems,
  },
  {
    service: "line-item",
    path: ags("/(?<column>\\d+)/lineitem"),
    methods: ["GET", "PUT", "DELETE"],
    formats: [media.lineItem],
    scopes: lineItemScopes,
    answer: answerLineItem,
  },
  {
    service: "scores",
    path: ags("/(?<column>\\d+)/lineitem/scores"),
    methods: ["GET", "POST"],
    formats: ["application/vnd.ims.lis.v1.scorecontainer+json", media.score],
    scopes: () => [scope.score],
    answer: answerScores,
  },
  {
    service: "results",
    path: ags("/(?<column>\\d+)/lineitem/results"),
    methods: ["GET"],
    formats: [media.results],
    scopes: () => [scope.result],
    answer: answerResults,
  },
];

export function mountMoodleServices(app: Express, lms: Lms): void {
  const readBody = express.text({ type: () => true, limit: "2mb" });
  app.use("/mod/lti/services.php", readBody, async (request, response) => {
    const template = templates.find(({ path }) => path.test(request.path));
    await answerService(lms, template?.service ?? "line-items", { request, response }, () =>
      template === undefined
        ? serviceError(request, 400, noHandler(request))
        : answerTemplate(lms, template, request),
    );
  });
}

/** Moodle's order: the handler by media type, then the token, then the course, then the service itself. */
function answerTemplate(lms: Lms, template: Template, request: Request): ServiceAnswer {
  if (!takesMediaOf(template, request)) return serviceError(request, 400, noHandler(request));
  const tool = toolOfToken(lms, request, template.scopes(request.method));
  if (tool === null) return serviceError(request, 401, "Unauthorized");
  const groups = template.path.exec(request.path)?.groups ?? {};
  const course = lms.world.courses.get(groups["course"] ?? "");
  if (course === undefined) {
    return serviceError(request, 404, `Not Found: Course ${groups["course"] ?? ""} doesn't exist`);
  }
  const call = { ...serviceCall(lms, request, tool, course), ...headOf(request) };
  return template.answer({ ...call, columnId: groups["column"] ?? "" });
}

function takesMediaOf(template: Template, request: Request): boolean {
  if (!template.methods.includes(request.method)) return false;
  const accept = acceptOf(request);
  if (request.method === "GET") return anyMedia(accept) || template.formats.includes(accept);
  return request.method === "DELETE" || template.formats.includes(contentTypeOf(request));
}

function acceptOf(request: Request): string {
  return request.headers.accept ?? "";
}

function headOf(request: Request): Pick<MoodleCall, "url" | "accept" | "contentType"> {
  return { url: request.originalUrl, accept: acceptOf(request), contentType: contentTypeOf(request) };
}

function noHandler(request: Request): string {
  const accept = anyMedia(acceptOf(request)) ? "" : acceptOf(request);
  return `No handler found for ${request.path} ${accept} ${contentTypeOf(request)}`;
}

function serviceError(request: Request, status: number, reason: string): ServiceAnswer {
  return moodleError({ method: request.method, ...headOf(request) }, status, reason);
}

/** GET of a course's roster: short role names, no default page size. */
export function answerMemberships(call: MoodleCall): ServiceAnswer {
  const { lms, course, tool, query } = call;
  const link = linkOfCall(call);
  if (link === undefined) {
    return moodleError(call, 404, `Not Found: LTI link ${query.get("rlid") ?? ""} doesn't exist`);
  }
  const role = askedRole(query.get("role"));
  const members = membersOf(lms.world, course)
    .filter(({ enrolment }) => role === null || rosterRole(enrolment) === role)
    .sort((one, other) => byFamilyName(one.person, other.person));
  const { items, limit, from } = moodlePage(call, members);
  const url = moodleAddresses(lms.url, course.id, tool.id).memberships;
  // The next page's address loses the requested role, but not the link.
  const next = `${url}?limit=${limit}&from=${from + limit}${link === null ? "" : `&rlid=${link.id}`}`;
  const more = limit > 0 && from + limit < members.length;
  const body = {
    id: url,
    context: { id: course.id, label: course.shortname, title: course.title },
    members: items.map(({ enrolment, person }) => memberOf(call, enrolment, person, link)),
  };
  return jsonAnswer(200, body, {
    type: `${lti.media.roster}; charset=utf-8`,
    ...(more ? { headers: { link: `<${next}>; rel="next"` } } : {}),
  });
}

/** Null without `rlid`; undefined when there is no such link. */
function linkOfCall(call: MoodleCall): Link | null | undefined {
  const id = call.query.get("rlid");
  if (id === null) return null;
  const link = findLink(call.lms.world, id);
  return link?.courseId === call.course.id ? link : undefined;
}

/** Only these two can be asked for, in short or as URI; any other role is ignored and all members are returned. */
function askedRole(role: string | null): "Learner" | "Instructor" | null {
  const short = role?.replace(`${lti.membership}#`, "");
  return short === "Learner" || short === "Instructor" ? short : null;
}

/** A non-editing teacher is a Learner in the roster, although an Instructor in launches. */
function rosterRole({ role }: Enrolment): "Learner" | "Instructor" {
  return role === "teacher" || role === "manager" ? "Instructor" : "Learner";
}

function memberOf(
  call: MoodleCall,
  enrolment: Enrolment,
  person: Person,
  link: Link | null,
): Record<string, unknown> {
  const { lms, tool } = call;
  const shares = sharingWith(lms, tool);
  return {
    status: "Active",
    roles: [rosterRole(enrolment)],
    ...(link === null ? {} : { message: [{ [`${lti.claim}/message_type`]: "LtiResourceLinkRequest" }] }),
    user_id: person.id,
    lis_person_sourcedid: "",
    ...personFields(person, shares),
    ...(shares.names ? { ext_user_username: person.username } : {}),
  };
}
