import type { Person } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import { makeOnce } from "../make-once.ts";

export type EnsureApiUserDeps = {
  people: PersonStore;
  classroomOf: (environment: Person["environment"]) => ClassroomClient;
  /** Called after an API user was made: receipts may have waited for it. */
  onMatchable: () => Promise<void>;
  clock: Clock;
  ids: Ids;
};

/**
 * The classroom's user id of a person, made now when there is none: once for all their courses and launches.
 * @param role The person's role in the course they enter first; the classroom user is the same in every course.
 */
export async function ensureApiUser(
  deps: EnsureApiUserDeps,
  person: Person,
  role: "host" | "participant",
  signal?: AbortSignal,
): Promise<string> {
  if (person.apiUserId !== null) return person.apiUserId;
  const { people } = deps;
  return makeOnce(deps, {
    read: async () => {
      const current = await people.find(person.id);
      if (current === null)
        throw new NamedError("person-unknown", "This person is not known any more.", { status: 404 });
      return current.apiUserId;
    },
    claim: (holder, now, until) => people.claimApiUser(person.id, holder, now, until),
    extend: (holder, until) => people.extendApiUser(person.id, holder, until),
    make: async () => {
      const { givenName, familyName, email } = person;
      const name = personName(person, role === "host" ? "instructor" : "learner");
      const user = await deps
        .classroomOf(person.environment)
        .createApiUser(
          { reference: person.id, name, givenName, familyName, email, role },
          { priority: "door", ...(signal === undefined ? {} : { signal }) },
        );
      return user.userId;
    },
    keep: async (holder, apiUserId) => {
      const kept = await people.keepApiUser(person.id, holder, apiUserId);
      if (kept) await deps.onMatchable();
      return kept;
    },
    release: (holder) => people.releaseApiUser(person.id, holder),
  });
}
