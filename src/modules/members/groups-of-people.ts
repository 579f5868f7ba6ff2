import type { App } from "../../app.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { Groups, GroupTarget } from "../../lms/groups.ts";
import type { RosterMember } from "../../lms/roster.ts";

export type GroupsOfPeopleDeps = Pick<App, "logger"> & {
  groups: Groups;
  ending: AbortSignal;
};

/** A request for each person; larger courses get groups from rosters only. */
const maxPeople = 300;
const laneCount = 4;

/**
 * Asks a groups service for each person's groups, where the roster has none (Course Groups 1.0, `user_id`). @param
 * hasGroups False: no request is made. @returns the list with groups; unchanged when the LMS refuses, so that known
 * sections stay.
 */
export async function withGroupsOfPeople(
  deps: GroupsOfPeopleDeps,
  target: GroupTarget,
  listed: readonly RosterMember[],
  hasGroups: boolean,
): Promise<readonly RosterMember[]> {
  const asked = listed.filter(({ active, rights }) => active && !rights.testUser);
  const hasGroupIds = listed.some(({ groupIds }) => groupIds !== null);
  if (!hasGroups || hasGroupIds || asked.length > maxPeople) return listed;
  const found = new Map<string, readonly string[]>();
  const left = [...asked];
  const ask = async (): Promise<void> => {
    for (let person = left.pop(); person !== undefined; person = left.pop()) {
      deps.ending.throwIfAborted();
      found.set(person.sub, await deps.groups.idsOfPerson(target, person.sub));
    }
  };
  try {
    await Promise.all(Array.from({ length: laneCount }, ask));
  } catch (thrown) {
    left.length = 0; // the others stop, too
    if (!(thrown instanceof NamedError)) throw thrown;
    deps.logger.info({ error: messageOf(thrown) }, "who is in which group could not be read");
    return listed;
  }
  return listed.map((person) => ({ ...person, groupIds: found.get(person.sub) ?? null }));
}
