import { canvasAddresses, canvasCourseRoles, canvasShares } from "./canvas-claims.ts";
import { canvasCustom } from "./canvas-custom.ts";
import { canvasError, pageLinks } from "./canvas-call.ts";
import { canvasIds } from "./canvas-ids.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { lti } from "./lti-names.ts";
import type { Person } from "./lms-world.ts";
import type { ServiceAnswer } from "./service-answer.ts";

/** Never more members on a page. */
const largestPage = 50;

/** GET of a course's roster: 50 a page, full role URIs, and with `rlid` the custom values of every member. */
export function answerCanvasMemberships(call: CanvasCall): ServiceAnswer {
  const { lms, course, query } = call;
  const rlid = query.get("rlid");
  const known = [canvasIds.course(course.id), ...course.links.map((link) => canvasIds.link(link.id))];
  if (rlid !== null && !known.includes(rlid)) {
    return canvasError(400, "bad_request", "Tool does not have access to rlid or rlid does not exist");
  }
  const wanted = query.get("role");
  const members = course.enrolments
    .filter((enrolment) => !enrolment.suspended)
    .flatMap((enrolment) => lms.world.people.get(enrolment.personId) ?? [])
    .filter((person) => wanted === null || canvasCourseRoles(course, person).includes(wanted));
  const size = Math.min(Number(query.get("limit") ?? query.get("per_page") ?? largestPage), largestPage);
  const number = Number(query.get("page") ?? 1);
  const url = canvasAddresses(lms.url, course.id).memberships;
  return {
    status: 200,
    type: `${lti.media.roster}; charset=utf-8`,
    headers: { link: pageLinks(url, query, { number, more: number * size < members.length }) },
    body: JSON.stringify({
      id: `${url}?${query.toString()}`,
      context: { id: canvasIds.course(course.id), label: course.shortname, title: course.title },
      members: members
        .slice((number - 1) * size, number * size)
        .map((person) => memberOf(call, person, rlid !== null)),
    }),
  };
}

function memberOf(call: CanvasCall, person: Person, withMessage: boolean): Record<string, unknown> {
  const { lms, course, tool } = call;
  const { names, email } = canvasShares(lms, { tool });
  return {
    status: "Active",
    user_id: canvasIds.person(person.id),
    lti11_legacy_user_id: canvasIds.course(`legacy ${person.id}`),
    roles: canvasCourseRoles(course, person),
    ...(names
      ? {
          name: `${person.given} ${person.family}`,
          given_name: person.given,
          family_name: person.family,
          lis_person_sourcedid: "",
        }
      : {}),
    ...(email ? { email: person.email } : {}),
    ...(withMessage
      ? {
          message: [
            {
              [`${lti.claim}/message_type`]: "LtiResourceLinkRequest",
              locale: "en",
              [`${lti.claim}/custom`]: canvasCustom(course, person, tool.custom),
            },
          ],
        }
      : {}),
  };
}
