// From: memberships_provider.rb, names_and_roles_serializer.rb.
import { canvasAddresses } from "./canvas-claims.ts";
import { canvasError } from "./canvas-call.ts";
import { canvasCustom } from "./canvas-custom.ts";
import { canvasIds } from "./canvas-ids.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { canvasRosterRoles, canvasShares } from "./canvas-people.ts";
import { lti } from "./lti-names.ts";
import type { Enrolment, Person } from "./lms-records.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const maxPageSize = 50;

/** What an older Canvas does not expand in its roster. */
const sectionVariables = /^\$(Canvas\.course\.section|com\.instructure\.User\.sectionNames|Canvas\.group\.)/;

/** GET of a course's roster: 50 a page, full role URIs, and with `rlid` the custom values of every member. */
export function answerCanvasMemberships(call: CanvasCall): ServiceAnswer {
  const { lms, course, query } = call;
  const rlid = query.get("rlid");
  if (rlid !== null && !isLinkOfTool(call, rlid)) {
    return canvasError(400, "bad_request", "Tool does not have access to rlid or rlid does not exist");
  }
  const wanted = query.get("role");
  const members = course.enrolments.filter(
    ({ suspended, role }) => !suspended && (wanted === null || canvasRosterRoles(role).includes(wanted)),
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

/** The course's own id stands for the tool's default link. */
function isLinkOfTool({ course, tool }: CanvasCall, rlid: string): boolean {
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

function memberOf(call: CanvasCall, member: Member, rlid: string | null): Record<string, unknown> {
  const { person, enrolment } = member;
  const { names, email } = canvasShares(call.lms, call.tool);
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
function messageOf({ lms, course, tool }: CanvasCall, member: Member): Record<string, unknown> {
  const literal = Object.entries(tool.custom).filter(
    ([, value]) => lms.quirks.oldSectionVariables && sectionVariables.test(value),
  );
  return {
    [`${lti.claim}/message_type`]: "LtiResourceLinkRequest",
    locale: "en",
    [`${lti.claim}/custom`]: {
      ...canvasCustom(course, member, tool.custom),
      ...Object.fromEntries(literal),
    },
  };
}
