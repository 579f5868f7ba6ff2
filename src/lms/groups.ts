import { z } from "zod";
import type { Registration } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import { identifierOrNumber, known, name } from "./claims.ts";
import { unreadable } from "./requester.ts";
import { scopes } from "./scopes.ts";
import { type ServiceCalls, type ServiceTarget, withQuery } from "./service-calls.ts";

export type CourseGroup = {
  id: string;
  name: string | null;
  /** Of the set it belongs to. */
  setName: string | null;
};

export type GroupTarget = { registration: Registration; groupsUrl: string; setsUrl: string | null };

export type Groups = {
  /** All groups of the course, over all pages; without unreadable sets. @throws NamedError */
  list: (target: GroupTarget) => Promise<CourseGroup[]>;
  /** Groups of one person, by the `sub` of their launches. @throws NamedError */
  idsOfPerson: (target: GroupTarget, sub: string) => Promise<string[]>;
};

const containerType = "application/vnd.ims.lti-gs.v1.contextgroupcontainer+json";
const setsType = "application/vnd.ims.lti-gs.v1.contextgroupsetcontainer+json";

const id = identifierOrNumber;
const group = z.object({ id, name, set_id: id.nullish().catch(null) });
const set = z.object({ id, name });
const groupPage = z.object({ groups: z.array(z.unknown()) });
const setPage = z.object({ sets: z.array(z.unknown()) });

/** The Course Groups Service (version 1.0), which few LMSs offer; some send groups with the roster, too. */
export function createGroups(deps: { calls: ServiceCalls }): Groups {
  const { pages } = deps.calls;
  const setNames = async (target: ServiceTarget, url: string | null): Promise<Map<string, string | null>> => {
    if (url === null) return new Map();
    try {
      const asked = { url, accept: setsType, what: "the sets of groups" };
      const sets = await pages(target, asked, (page) =>
        (setPage.safeParse(page).data?.sets ?? []).flatMap((entry) => known(set, entry)),
      );
      return new Map(sets.map((one) => [one.id, one.name]));
    } catch (thrown) {
      if (thrown instanceof NamedError) return new Map(); // a group is worth having without its set
      throw thrown;
    }
  };
  return {
    list: async ({ registration, groupsUrl, setsUrl }) => {
      const target = { registration, scopes: [scopes.groups] };
      const asked = { url: groupsUrl, accept: containerType, what: "the list of groups" };
      const groups = await pages(target, asked, groupsOf);
      const sets = await setNames(target, groups.some(({ set_id: of }) => of != null) ? setsUrl : null);
      return groups.map((one) => ({
        id: one.id,
        name: one.name,
        setName: sets.get(one.set_id ?? "") ?? null,
      }));
    },
    idsOfPerson: async ({ registration, groupsUrl }, sub) => {
      const url = withQuery(groupsUrl, { user_id: sub });
      const target = { registration, scopes: [scopes.groups] };
      const asked = { url, accept: containerType, what: "the groups of a person" };
      return (await pages(target, asked, groupsOf)).map((one) => one.id);
    },
  };
}

function groupsOf(page: unknown): z.output<typeof group>[] {
  const parsed = groupPage.safeParse(page);
  if (parsed.success) return parsed.data.groups.flatMap((entry) => known(group, entry));
  throw unreadable("a list of groups");
}
