import { z } from "zod";
import { type CourseRights, courseRightsOf, isLearner } from "../domain/course-rights.ts";
import type { Registration } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import { claim } from "./claims.ts";
import { customOf } from "./launch-from-claims.ts";
import { scopes } from "./scopes.ts";
import type { ServiceCalls } from "./service-calls.ts";
import { withQuery } from "./service-url.ts";

/** A person in the LMS's list of a course. */
export type RosterMember = {
  /** The `sub` of their launches. */
  sub: string;
  rights: CourseRights;
  /** Whether they are listed as a student; a mentor or an unknown role has a learner's rights but is none. */
  learner: boolean;
  /** Null when the LMS keeps it private. */
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  active: boolean;
  /** Custom parameters worked out for this person (Canvas's sections); empty without `resourceLinkId`. */
  custom: Readonly<Record<string, string>>;
};

export type RosterTarget = { registration: Registration; membershipsUrl: string };

export type RosterFilter = {
  role?: "instructor" | "learner";
  /** Adds custom parameters for each member, and limits the list to who may open this link. */
  resourceLinkId?: string;
};

export type Roster = {
  /** Everybody in the course, over all pages; complete or an error, never cut short. @throws NamedError */
  list: (target: RosterTarget, filter?: RosterFilter) => Promise<RosterMember[]>;
};

const containerType = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";
const roleUris = {
  instructor: "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor",
  learner: "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner",
} as const;

const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" && value.trim() !== "" ? value : null));
const member = z.object({
  user_id: z.coerce.string().min(1),
  roles: z.array(z.unknown()).catch([]),
  status: z.string().catch("Active"),
  name: text,
  given_name: text,
  family_name: text,
  email: text,
  message: z.array(z.record(z.string(), z.unknown())).catch([]),
});
const container = z.object({ members: z.array(z.unknown()) });

/** Names and Role Provisioning (NRPS 2.0). */
export function createRoster(deps: { calls: ServiceCalls }): Roster {
  return {
    list: async ({ registration, membershipsUrl }, filter = {}) => {
      const url = withQuery(membershipsUrl, {
        // Only learners are worth asking for: "Instructor" would leave out teaching assistants.
        role: filter.role === "learner" ? roleUris.learner : undefined,
        rlid: filter.resourceLinkId,
      });
      const target = { registration, scopes: [scopes.membership] };
      const pages = await deps.calls.pages(target, url, containerType, "the list of people in the course");
      const people = new Map(pages.flatMap(membersOf).map((person) => [person.sub, person]));
      // Filtered here as well: Moodle's next page drops the role, and unknown roles are ignored there.
      return [...people.values()].filter((person) => fits(person, filter.role));
    },
  };
}

function fits(person: RosterMember, role: RosterFilter["role"]): boolean {
  if (role === "instructor") return person.rights.role === "instructor";
  return role === undefined || (person.learner && person.rights.role === "learner");
}

function membersOf(page: unknown): RosterMember[] {
  const parsed = container.safeParse(page);
  if (!parsed.success) {
    throw new NamedError("lms-reply-unreadable", "The LMS sent a list of people that cannot be read.", {
      status: 502,
    });
  }
  return parsed.data.members.flatMap((entry) => {
    const one = member.safeParse(entry);
    return one.success ? [toMember(one.data)] : [];
  });
}

function toMember(given: z.infer<typeof member>): RosterMember {
  const roles = given.roles.filter((role) => typeof role === "string");
  const custom = z.record(z.string(), z.unknown()).safeParse(given.message[0]?.[claim.custom]);
  return {
    sub: given.user_id,
    rights: courseRightsOf(roles),
    learner: isLearner(roles),
    name: given.name,
    givenName: given.given_name,
    familyName: given.family_name,
    email: given.email,
    active: given.status === "Active",
    custom: customOf(custom.data ?? {}),
  };
}
