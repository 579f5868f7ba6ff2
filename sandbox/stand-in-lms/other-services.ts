// From: NRPS 2.0, 2; LTI Course Groups 1.0; order and pages are assumed.
import { randomUUID } from "node:crypto";
import type { Express } from "express";
import { enrolmentOf, membersOf as peopleOf } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import {
  otherAddresses,
  otherContext,
  otherCustom,
  otherIds,
  otherPerson,
  otherRoles,
} from "./other-claims.ts";
import {
  answerOtherLineItem,
  answerOtherLineItems,
  answerOtherResults,
  answerOtherScores,
  headersOf,
  otherError,
  otherPage,
} from "./other-grades.ts";
import {
  courseServices,
  jsonAnswer,
  lineItemScopes,
  type ServiceAnswer,
  type ServiceCall,
} from "./services.ts";

const { scope, extraScope } = lti;

export function mountOtherServices(app: Express, lms: Lms): void {
  const refuse = (status: 401 | 404) =>
    otherError(status, status === 401 ? "Unauthorized." : "There is no such site.");
  const serve = courseServices(app, lms, { root: "/lti13/sites", refuse });
  serve("memberships", "/members", () => [scope.roster], createOtherMemberships());
  serve("groups", "/groups", () => [extraScope.groups], answerOtherGroups);
  serve("line-items", "/columns", lineItemScopes, answerOtherLineItems);
  serve("line-item", "/columns/:column", lineItemScopes, answerOtherLineItem);
  serve("scores", "/columns/:column/scores", () => [scope.score], answerOtherScores);
  serve("results", "/columns/:column/results", () => [scope.result], answerOtherResults);
}

type Member = Record<string, unknown> & { user_id: string };
type Snapshot = { courseId: string; members: Map<string, string> };

/** Pages and order are the platform's choice (NRPS 2.0, 2.4.1); assumption `rosterPagesAreLong`. */
const pageSizes = { long: 100, short: 7 };
const maxSnapshots = 50;

/** The last page names a differences link, which lists new, changed and "Deleted" people since then. */
export function createOtherMemberships(): (call: ServiceCall) => ServiceAnswer {
  const snapshots = new Map<string, Snapshot>();
  const keep = (call: ServiceCall, members: readonly Member[]): string => {
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
    const role = query.get("role");
    const listed = (snapshot === undefined ? everybody : differences(everybody, snapshot)).filter(
      ({ roles }) => role === null || (Array.isArray(roles) && roles.includes(role)),
    );
    const page = otherPage(call, url, listed, short ? pageSizes.short : pageSizes.long);
    const links = page.last
      ? [...page.link, `<${url}&since=${keep(call, everybody)}>; rel="differences"`]
      : page.link;
    const body = { id: url, context: otherContext(course), members: page.items };
    return jsonAnswer(200, body, { type: lti.media.roster, ...headersOf({ link: links }) });
  };
}

/** Null without `rlid`, undefined when it is unknown. */
function linkOf({ course, query, tool }: ServiceCall) {
  const rlid = query.get("rlid");
  if (rlid === null) return null;
  return course.links.find((link) => link.toolId === tool.id && otherIds.link(link.id) === rlid);
}

function membersOf(call: ServiceCall, link: ServiceCall["course"]["links"][number] | null): Member[] {
  const { lms, course, tool } = call;
  return peopleOf(lms.world, course).map(({ person, enrolment }) => {
    const message = {
      [`${lti.claim}/message_type`]: "LtiResourceLinkRequest",
      [`${lti.claim}/custom`]: otherCustom(course, person, { tool, link, review: null }),
    };
    return {
      ...(lms.turned.has("statusIsReported") ? {} : { status: "Active" }),
      user_id: otherIds.person(person.id),
      roles: otherRoles(enrolment.role),
      ...otherPerson(lms, tool, person),
      ...(link === null ? {} : { message: [message] }),
    };
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

/** Few entries a page, so that tools have to follow the pages. */
const groupsPageSize = 20;

/** Course Groups: the sections of a course, or with `user_id` those of one person. Their ids are numbers, as some LMSs have them. */
function answerOtherGroups(call: ServiceCall): ServiceAnswer {
  const { course, query, lms } = call;
  const user = query.get("user_id");
  const own = user === null ? undefined : enrolmentOf(course, otherIds.numberOf(user));
  const groups = course.sections.filter(({ id }) => user === null || own?.sections.includes(id) === true);
  const url = otherAddresses(lms.url, course.id).groups;
  const page = otherPage(call, url, groups, groupsPageSize);
  const body = { id: url, groups: page.items.map(({ id, name }) => ({ id: Number(id), name })) };
  return jsonAnswer(200, body, { type: lti.media.groups, ...headersOf(page) });
}
