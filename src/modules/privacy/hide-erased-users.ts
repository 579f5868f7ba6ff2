import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import { erasedUsers, type ErasedUsersDeps } from "./erased-users.ts";

/** Clients that hide erased people: the classroom's cohorts list them for ever, and its alerts name them. */
export function hideErasedUsers<Client extends Pick<ClassroomClient, "readCohort" | "readAlert">>(
  deps: ErasedUsersDeps,
  clientOf: (environment: AccountId) => Client,
): (environment: AccountId) => Client {
  return (environment) => {
    const client = clientOf(environment);
    const readCohort: ClassroomClient["readCohort"] = async (...asked) => {
      const cohort = await client.readCohort(...asked);
      if (cohort === null) return null;
      const lists = [cohort.organizers, cohort.attendees];
      const ids = () => lists.flatMap((list) => (list ?? []).flatMap(({ userId }) => userId ?? []));
      const erased = await erasedUsers(deps, environment, ids, null);
      if (erased.length === 0) return cohort;
      const known = (list: typeof cohort.attendees) =>
        list?.filter(({ userId }) => userId === null || !erased.includes(userId)) ?? null;
      return { ...cohort, organizers: known(cohort.organizers), attendees: known(cohort.attendees) };
    };
    const readAlert: ClassroomClient["readAlert"] = async (...asked) => {
      const alert = await client.readAlert(...asked);
      if (alert === null || alert.assigneeId === null) return alert;
      const { assigneeId } = alert;
      const erased = await erasedUsers(deps, environment, () => [assigneeId], null);
      return erased.length === 0 ? alert : { ...alert, assigneeId: null };
    };
    return { ...client, readCohort, readAlert };
  };
}
