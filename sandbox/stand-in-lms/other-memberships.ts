// From: NRPS 2.0, 2; order and pages are assumed.
import { randomUUID } from "node:crypto";
import { lti } from "./lti-names.ts";
import { otherError, otherPage } from "./other-call.ts";
import type { OtherCall } from "./other-call.ts";
import { otherContext, otherCustom } from "./other-claims.ts";
import { otherAddresses, otherIds, otherPerson, otherRoles } from "./other-names.ts";
import type { ServiceAnswer } from "./service-answer.ts";

type Member = Record<string, unknown> & { user_id: string };
type Snapshot = { courseId: string; members: Map<string, string> };

/** Pages and order are the platform's choice (NRPS 2.0, 2.4.1); assumption `rosterPagesAreLong`. */
const pageSizes = { long: 100, short: 7 };
const maxSnapshots = 50;

/** Suspended people are "Inactive"; the last page names a differences link, which lists new, changed and "Deleted" people since. */
export function createOtherMemberships(): (call: OtherCall) => ServiceAnswer {
  const snapshots = new Map<string, Snapshot>();
  const keep = (call: OtherCall, members: readonly Member[]): string => {
    const token = randomUUID();
    const known = new Map(members.map((member) => [member.user_id, JSON.stringify(member)]));
    snapshots.set(token, { courseId: call.course.id, members: known });
    for (const old of snapshots.keys()) {
      if (snapshots.size <= maxSnapshots) break;
      snapshots.delete(old);
    }
    return token;
  };
  return (call) => {
    const { lms, course, query } = call;
    const url = otherAddresses(lms.url, course.id).memberships;
    const link = linkOf(call);
    if (link === undefined) return otherError(404, "There is no such link.");
    const short = lms.turned.has("rosterPagesAreLong");
    const members = membersOf(call, link);
    const everybody = short ? members.toReversed() : members;
    const since = query.get("since");
    const snapshot = snapshots.get(since ?? "");
    if (since !== null && snapshot?.courseId !== course.id)
      return otherError(400, "Unknown differences link.");
    const wanted = query.get("role");
    const listed = (snapshot === undefined ? everybody : differences(everybody, snapshot)).filter(
      ({ roles }) => wanted === null || (Array.isArray(roles) && roles.includes(wanted)),
    );
    const page = otherPage(call, url, listed, short ? pageSizes.short : pageSizes.long);
    const links = page.last
      ? [...page.link, `<${url}&since=${keep(call, everybody)}>; rel="differences"`]
      : page.link;
    return {
      status: 200,
      type: lti.media.roster,
      headers: { link: links.join(", ") },
      body: JSON.stringify({ id: url, context: otherContext(course), members: page.items }),
    };
  };
}

/** Null without `rlid`, undefined when it is unknown. */
function linkOf({ course, query, tool }: OtherCall) {
  const rlid = query.get("rlid");
  if (rlid === null) return null;
  return course.links.find((link) => link.toolId === tool.id && otherIds.link(link.id) === rlid);
}

function membersOf(call: OtherCall, link: OtherCall["course"]["links"][number] | null): Member[] {
  const { lms, course, tool } = call;
  return course.enrolments.flatMap(({ personId, role, suspended }) => {
    const person = lms.world.people.get(personId);
    if (person === undefined) return [];
    const message = {
      [`${lti.claim}/message_type`]: "LtiResourceLinkRequest",
      [`${lti.claim}/custom`]: otherCustom(course, person, { tool, link, review: null }),
    };
    return [
      {
        ...(lms.turned.has("statusIsReported") && !suspended
          ? {}
          : { status: suspended ? "Inactive" : "Active" }),
        user_id: otherIds.person(personId),
        roles: otherRoles(role),
        ...otherPerson(lms, tool, person),
        ...(link === null ? {} : { message: [message] }),
      },
    ];
  });
}

function differences(everybody: readonly Member[], { members }: Snapshot): Member[] {
  const here = new Set(everybody.map(({ user_id: id }) => id));
  const gone = [...members.keys()].filter((id) => !here.has(id));
  return [
    ...everybody.filter((member) => members.get(member.user_id) !== JSON.stringify(member)),
    ...gone.map((id) => ({ status: "Deleted", user_id: id, roles: [] })),
  ];
}
