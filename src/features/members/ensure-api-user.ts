import type { Person } from "../../domain/course.ts";
import type { Matchable } from "../../domain/receipt.ts";
import { personName } from "../../domain/person-name.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { CallOptions } from "../../classroom/call-options.ts";
import type { ClassroomClient, NewApiUser } from "../../classroom/client.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import { makeAhead, type Turn } from "../make-ahead.ts";
import { makeOnce } from "../make-once.ts";

export type EnsureApiUserDeps = {
  people: PersonStore;
  classroomOf: (environment: Person["environment"]) => Pick<ClassroomClient, "createApiUser">;
  /** Called after an API user was made: receipts may have waited for it. */
  onMatchable: (what: Matchable) => Promise<void>;
  clock: Clock;
  ids: Ids;
};

/**
 * The classroom's user id of a person, made now when there is none: once for all their courses and launches. At the
 * door the claim is held while waiting for the call, so that a second click does not cost a second one; whoever makes
 * it ahead claims only when their turn has come, so that nobody at the door waits behind them.
 * @param role The person's role in the course they enter first; the classroom user is the same in every course.
 * @param options How urgent it is; "door" when left out. `onPermit` is called, too, when somebody else makes it:
 * nothing is held up here.
 * @throws the classroom client's errors; NamedError "person-unknown"; "still-being-made" (temporary).
 */
export async function ensureApiUser(
  deps: EnsureApiUserDeps,
  person: Person,
  role: "host" | "participant",
  options: CallOptions = { priority: "door" },
): Promise<string> {
  if (person.apiUserId !== null) return person.apiUserId;
  const { people } = deps;
  const user = apiUserOf(person, role);
  const make = async (manner: CallOptions) =>
    (await deps.classroomOf(person.environment).createApiUser(user, manner)).userId;
  const once = {
    onOthersMake: options.onPermit,
    read: async () => {
      const current = await people.find(person.id);
      if (current === null)
        throw new NamedError("person-unknown", "This person is not known any more.", { status: 404 });
      return current.apiUserId;
    },
    claim: (holder: string, now: number, until: number) => people.claimApiUser(person.id, holder, now, until),
    extend: (holder: string, until: number) => people.extendApiUser(person.id, holder, until),
    keep: async (holder: string, apiUserId: string) => {
      const kept = await people.keepApiUser(person.id, holder, { apiUserId, apiUserName: user.name });
      if (kept) await deps.onMatchable({ kind: "user", environment: person.environment, id: apiUserId });
      return kept;
    },
    release: (holder: string) => people.releaseApiUser(person.id, holder),
  };
  if (options.priority === "door") return makeOnce(deps, { ...once, make: () => make(options) });
  return makeAhead(deps, { ...once, make: (turn) => make(whenTurnComes(options, turn)) }, options.signal);
}

/** What the classroom is told about a person; what the LMS withholds stays null. */
export function apiUserOf(person: Person, role: "host" | "participant"): NewApiUser {
  return {
    reference: person.id,
    name: personName(person, role === "host" ? "instructor" : "learner"),
    givenName: orNull(person.givenName),
    familyName: orNull(person.familyName),
    email: orNull(person.email),
    role,
  };
}

function whenTurnComes(options: CallOptions, turn: Turn): CallOptions {
  return {
    ...options,
    ...turn,
    onPermit: async () => {
      await turn.onPermit();
      await options.onPermit?.();
    },
  };
}

function orNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
