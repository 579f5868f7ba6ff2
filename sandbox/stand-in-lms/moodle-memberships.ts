// From: measured.
import { byFamilyName } from "./gradebook.ts";
import type { Lms } from "./lms.ts";
import { findLink } from "./lms-world.ts";
import type { Enrolment, Link, Person } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { moodleAddresses } from "./moodle-addresses.ts";
import { isGraded, resultSourcedId } from "./moodle-outcomes.ts";
import { sharingWith } from "./moodle-people.ts";
import { moodleError } from "./moodle-call.ts";
import type { MoodleCall } from "./moodle-call.ts";
import type { ServiceAnswer } from "./service-answer.ts";

/** GET of a course's roster: short role names, no page size of its own, suspended people simply absent. */
export function answerMemberships(call: MoodleCall): ServiceAnswer {
  const { lms, course, tool, query } = call;
  const link = linkOfCall(call);
  if (link === undefined) {
    return moodleError(call, 404, `Not Found: LTI link ${query.get("rlid") ?? ""} doesn't exist`);
  }
  const wanted = wantedRole(query.get("role"));
  const members = course.enrolments
    .filter((enrolment) => !enrolment.suspended)
    .filter((enrolment) => wanted === null || rosterRole(enrolment) === wanted)
    .flatMap((enrolment) => {
      const person = lms.world.people.get(enrolment.personId);
      return person === undefined ? [] : [{ enrolment, person }];
    })
    .sort((one, other) => byFamilyName(one.person, other.person));
  const limit = Number(query.get("limit") ?? 0);
  const from = Number(query.get("from") ?? 0);
  const page = limit > 0 ? members.slice(from, from + limit) : members;
  const url = moodleAddresses(lms.url, course.id, tool.id).memberships;
  const more = limit > 0 && from + limit < members.length;
  return {
    status: 200,
    type: `${lti.media.roster}; charset=utf-8`,
    body: JSON.stringify({
      id: url,
      context: { id: course.id, label: course.shortname, title: course.title },
      members: page.map(({ enrolment, person }) => memberOf(call, enrolment, person, link)),
    }),
    // The next page forgets the role that was asked for, but not the link.
    ...(more
      ? {
          headers: {
            link: `<${url}?limit=${limit}&from=${from + limit}${link === null ? "" : `&rlid=${link.id}`}>; rel="next"`,
          },
        }
      : {}),
  };
}

/** Null without `rlid`; undefined when there is no such link. */
function linkOfCall(call: MoodleCall): Link | null | undefined {
  const id = call.query.get("rlid");
  if (id === null) return null;
  const link = findLink(call.lms.world, id);
  return link?.courseId === call.course.id ? link : undefined;
}

/** Only these two can be asked for, in short or as URI; any other role is ignored and everybody returned. */
function wantedRole(role: string | null): "Learner" | "Instructor" | null {
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
    ...(link === null ? {} : { message: [messageOf(lms, link, person, tool.id)] }),
    user_id: person.id,
    lis_person_sourcedid: "",
    ...(shares.names
      ? {
          name: `${person.given} ${person.family}`,
          given_name: person.given,
          family_name: person.family,
        }
      : {}),
    ...(shares.email ? { email: person.email } : {}),
    ...(shares.names ? { ext_user_username: person.username } : {}),
  };
}

function messageOf(lms: Lms, link: Link, person: Person, toolId: string): Record<string, unknown> {
  return {
    [`${lti.claim}/message_type`]: "LtiResourceLinkRequest",
    ...(isGraded(lms, link)
      ? {
          [lti.basicOutcomeClaim]: {
            lis_result_sourcedid: resultSourcedId(link.id, person.id, toolId),
            lis_outcome_service_url: `${lms.url}/mod/lti/service.php`,
          },
        }
      : {}),
  };
}
