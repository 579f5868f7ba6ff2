import { z } from "zod";
import { type CourseRights, courseRightsOf, isLearner, isObserver } from "../domain/course-rights.ts";
import type { Registration } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import { letOthersRun } from "../kernel/async.ts";
import { claim, email, identifierOrNumber, idNumber, known, name, strings } from "./claims.ts";
import { customOf } from "./launch-from-claims.ts";
import { rosterBatchSize } from "./limits.ts";
import { productOf } from "./products/products.ts";
import { unreadable } from "./requester.ts";
import { scopes } from "./scopes.ts";
import { type ServiceCalls, withQuery, type ServiceTarget } from "./service-calls.ts";

export type RosterMember = {
  sub: string;
  rights: CourseRights;
  /** Listed as a student. A mentor or an unknown role has a learner's rights, but isn't listed. */
  learner: boolean;
  /** Listed as a mentor or similar; false when left out. */
  observer?: boolean;
  /** Null if the LMS keeps it private. */
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
  /** Their ID number at the institution: "ID number" in Moodle, "SIS ID" in Canvas. */
  idNumber?: string | null;
  active: boolean;
  /** This person's custom parameters (Canvas's sections); empty without `resourceLinkId`. */
  custom: Readonly<Record<string, string>>;
  /** From the roster, if the LMS's groups service adds them; otherwise null. */
  groupIds: readonly string[] | null;
};

type RosterTarget = { registration: Registration; membershipsUrl: string };

export type RosterFilter = {
  role?: "instructor" | "learner";
  /**
   * Adds each member's custom parameters, and limits the list to people who may open this link (Canvas accepts the course's id and
   * limits nothing). If the LMS refuses it, we read the list without it.
   */
  resourceLinkId?: string;
  /** Also asks for each member's groups. An LMS with a groups service may send them. */
  withGroups?: boolean;
};

export type Roster = ReturnType<typeof createRoster>;

export const membersType = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";
const roleUris = {
  instructor: "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor",
  learner: "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner",
} as const;
/** Statuses that mean the link id isn't accepted: Canvas 400 or 412, Moodle 404. */
const linkRefusals: readonly unknown[] = [400, 404, 412];

/** Names and Role Provisioning (NRPS 2.0). */
export function createRoster(deps: { calls: ServiceCalls }) {
  const read = async (
    { registration, membershipsUrl }: RosterTarget,
    filter: RosterFilter,
    onListed: ((count: number) => Promise<void>) | undefined,
  ): Promise<RosterEntry[]> => {
    const url = withQuery(membershipsUrl, {
      // We only filter by learners; "Instructor" would leave out teaching assistants.
      role: filter.role === "learner" ? roleUris.learner : undefined,
      rlid: filter.resourceLinkId,
      groups: filter.withGroups === true ? "true" : undefined,
      limit: productOf(registration).services.rosterPageSize,
    });
    const target = { registration, scopes: [scopes.membership] };
    const request = { url, accept: membersType, what: "the list of people in the course" };
    let count = 0;
    return deps.calls.pages(target, request, async (page) => {
      const people: RosterEntry[] = [];
      const listed = entriesOf(page);
      for (let at = 0; at < listed.length; at += rosterBatchSize) {
        for (const entry of listed
          .slice(at, at + rosterBatchSize)
          .flatMap((entry) => known(rosterEntry, entry)))
          people.push(entry);
        await letOthersRun();
      }
      await onListed?.((count += listed.length));
      return people;
    });
  };
  return {
    /**
     * All members of all pages. Either complete or an error, never cut short.
     * @param onListed Called with the count so far. If it throws, reading ends.
     * @throws NamedError
     */
    list: async (
      target: RosterTarget,
      filter: RosterFilter = {},
      onListed?: (count: number) => Promise<void>,
    ) => {
      const entries = await read(target, filter, onListed).catch((thrown: unknown) => {
        if (filter.resourceLinkId === undefined || !refusesLink(thrown)) throw thrown;
        const { resourceLinkId: _refused, ...rest } = filter;
        return read(target, rest, onListed);
      });
      const people = new Map<string, RosterEntry>();
      for (const entry of entries) {
        const before = people.get(entry.sub);
        people.set(entry.sub, before === undefined ? entry : mergedEntries(before, entry));
      }
      // Filtered here, too: Moodle's link to the next page drops the role, and Moodle ignores unknown roles.
      return [...people.values()].map(toMember).filter((person) => fits(person, filter.role));
    },
  };
}

function refusesLink(thrown: unknown): boolean {
  return thrown instanceof NamedError && !thrown.temporary && linkRefusals.includes(thrown.details["status"]);
}

function fits(person: RosterMember, role: RosterFilter["role"]): boolean {
  if (role === "instructor") return person.rights.role === "instructor";
  return role === undefined || (person.learner && person.rights.role === "learner");
}

function entriesOf(page: unknown): unknown[] {
  const parsed = rosterPage.safeParse(page);
  if (parsed.success) return parsed.data.members;
  throw unreadable("a list of people");
}

function toMember({ roles, ...entry }: RosterEntry): RosterMember {
  return { ...entry, rights: courseRightsOf(roles), learner: isLearner(roles), observer: isObserver(roles) };
}

const rosterPage = z.object({ members: z.array(z.unknown()) });

const record = z.record(z.string(), z.unknown());
/** One member of a page (NRPS 2.0, section 2.2). Only the id is required. */
const rosterEntry = z
  .object({
    user_id: identifierOrNumber,
    roles: strings.catch([]),
    status: z.string().catch("Active"),
    name,
    given_name: name,
    family_name: name,
    email,
    lis_person_sourcedid: idNumber,
    message: z.array(record).catch([]),
    group_enrollments: z
      .array(z.object({ group_id: identifierOrNumber }).transform(({ group_id }) => group_id))
      .optional()
      .catch(undefined),
  })
  .transform((given) => ({
    sub: given.user_id,
    roles: given.roles,
    name: given.name,
    givenName: given.given_name,
    familyName: given.family_name,
    email: given.email,
    idNumber: given.lis_person_sourcedid,
    // A missing status means active. "Deleted" only occurs in lists of differences.
    active: given.status.toLowerCase() === "active",
    custom: customOf(customIn(given.message)),
    groupIds: given.group_enrollments ?? null,
  }));

type RosterEntry = z.output<typeof rosterEntry>;

/** An LMS may send several messages for one member (Moodle: basic outcomes). We read the one with parameters. */
function customIn(messages: readonly Record<string, unknown>[]): Record<string, unknown> {
  for (const message of messages) {
    const custom = record.safeParse(message[claim.custom]);
    if (custom.success) return custom.data;
  }
  return {};
}

/** Merges two entries of one person, for two enrolments or on two pages. Only active enrolments give roles and groups, if there are any. */
function mergedEntries(one: RosterEntry, other: RosterEntry): RosterEntry {
  const active = one.active || other.active;
  const holding = [one, other].filter((entry) => entry.active === active);
  const groups = holding.map(({ groupIds }) => groupIds).filter((ids) => ids !== null);
  return {
    sub: one.sub,
    roles: [...new Set(holding.flatMap(({ roles }) => roles))],
    name: one.name ?? other.name,
    givenName: one.givenName ?? other.givenName,
    familyName: one.familyName ?? other.familyName,
    email: one.email ?? other.email,
    idNumber: one.idNumber ?? other.idNumber,
    active,
    custom: { ...one.custom, ...other.custom },
    groupIds: groups.length === 0 ? null : [...new Set(groups.flat())],
  };
}

export type CourseGroup = {
  id: string;
  name: string | null;
  /** The name of the group's set. */
  setName: string | null;
};

export type GroupTarget = { registration: Registration; groupsUrl: string; setsUrl: string | null };

const containerType = "application/vnd.ims.lti-gs.v1.contextgroupcontainer+json";
const setsType = "application/vnd.ims.lti-gs.v1.contextgroupsetcontainer+json";

const id = identifierOrNumber;
const group = z.object({ id, name, set_id: id.nullish().catch(null) });
const set = z.object({ id, name });
const groupPage = z.object({ groups: z.array(z.unknown()) });
const setPage = z.object({ sets: z.array(z.unknown()) });

/** The Course Groups Service (version 1.0), which few LMSs offer. Some also send groups with the roster. */
export function createGroups(deps: { calls: ServiceCalls }) {
  const { pages } = deps.calls;
  const setNames = async (target: ServiceTarget, url: string | null): Promise<Map<string, string | null>> => {
    if (url === null) return new Map();
    try {
      const request = { url, accept: setsType, what: "the sets of groups" };
      const sets = await pages(target, request, (page) =>
        (setPage.safeParse(page).data?.sets ?? []).flatMap((entry) => known(set, entry)),
      );
      return new Map(sets.map((one) => [one.id, one.name]));
    } catch (thrown) {
      if (thrown instanceof NamedError) return new Map(); // a group is useful even without its set
      throw thrown;
    }
  };
  return {
    /** All groups of the course, over all pages. Sets that can't be read are left out. @throws NamedError */
    list: async ({ registration, groupsUrl, setsUrl }: GroupTarget): Promise<CourseGroup[]> => {
      const target = { registration, scopes: [scopes.groups] };
      const request = { url: groupsUrl, accept: containerType, what: "the list of groups" };
      const groups = await pages(target, request, groupsOf);
      const sets = await setNames(target, groups.some(({ set_id: of }) => of != null) ? setsUrl : null);
      return groups.map((one) => ({
        id: one.id,
        name: one.name,
        setName: sets.get(one.set_id ?? "") ?? null,
      }));
    },
    /** The groups of a person, by the `sub` of their launches. @throws NamedError */
    idsOfPerson: async ({ registration, groupsUrl }: GroupTarget, sub: string) => {
      const url = withQuery(groupsUrl, { user_id: sub });
      const target = { registration, scopes: [scopes.groups] };
      const request = { url, accept: containerType, what: "the groups of a person" };
      return (await pages(target, request, groupsOf)).map((one) => one.id);
    },
  };
}

function groupsOf(page: unknown): z.output<typeof group>[] {
  const parsed = groupPage.safeParse(page);
  if (parsed.success) return parsed.data.groups.flatMap((entry) => known(group, entry));
  throw unreadable("a list of groups");
}
