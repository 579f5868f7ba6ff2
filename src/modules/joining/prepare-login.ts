import type { App } from "../../app.ts";
import type { ExpectedClass } from "./rules/expected-class.ts";
import { insideSince, loginWantedAt, mostFetches } from "./rules/expected-person.ts";
import type { Entry, LastEntry } from "../../domain/entry.ts";
import { willEnter } from "../members/rules/provisioning.ts";
import { isOutcomeUnknown, messageOf, NamedError } from "../../kernel/errors.ts";
import { authorizeEntry, type AuthorizeEntryDeps } from "./authorize-entry.ts";
import { type EntryTarget, findTarget, type FindTargetDeps } from "./find-target.ts";
import type { SequencedCalls } from "./create-sequencer.ts";
import { loginPurpose } from "./take-login.ts";
import { loginUsableMs } from "./rules/limits.ts";

export type PrepareLoginDeps = AuthorizeEntryDeps &
  FindTargetDeps &
  Pick<App, "logins" | "queuePositions" | "expectedClasses" | "sealer" | "logger">;

export type ClaimedClass = { plan: ExpectedClass; holder: string };

/**
 * "not-wanted": they have come, or would come differently; "elsewhere": another process makes their API user; "ended":
 * this process is stopping.
 */
export type Preparation = "kept" | "not-wanted" | "elsewhere" | "ended" | "failed";

/** Thrown instead of a call that is no longer wanted. */
class NotWanted extends Error {}

/**
 * Checked before the call and each second while it waits, which may take minutes: the person may be inside by then, or
 * the plan in other hands.
 */
export async function prepareLogin(
  deps: PrepareLoginDeps,
  claimed: ClaimedClass,
  entry: Entry,
  calls: Pick<SequencedCalls, "sequenced" | "signal">,
): Promise<Preparation> {
  const { plan } = claimed;
  const { courseId, personId } = entry;
  const key = { registrationId: plan.registrationId, courseId, personId };
  try {
    const wanted = await stillWanted(deps, claimed, entry);
    const target = wanted.target;
    const { url, fingerprint } = await authorizeEntry(lookingAgain(deps, claimed, target, calls), target, {
      priority: "session",
      signal: calls.signal,
    });
    await Promise.all([
      deps.logins.keep({
        ...key,
        ...recordFor(plan, wanted.fetches + 1),
        login: deps.sealer.seal(loginPurpose(entry), url),
        fingerprint,
        expectedAs: wayOf(entry),
        usableUntil: deps.clock.now() + loginUsableMs,
      }),
      deps.expectedClasses.countCall(plan.id, claimed.holder),
    ]);
    return "kept";
  } catch (thrown) {
    if (thrown instanceof NotWanted) return "not-wanted";
    if (calls.signal.aborted) return "ended";
    const code = thrown instanceof NamedError ? thrown.code : "unexpected";
    if (code === "still-being-made") return "elsewhere";
    if (code === "not-in-course") return "not-wanted";
    const facts = { course: courseId, person: personId, code, error: messageOf(thrown) };
    deps.logger.warn(facts, "a login could not be authorized ahead");
    const known = await deps.logins.find(key);
    // A creation of unknown outcome is not repeated automatically.
    const unknown = isOutcomeUnknown(thrown);
    const fetches = unknown ? mostFetches(plan) : fetchesOf(known, plan) + 1;
    if (unknown || !(thrown instanceof NamedError && thrown.temporary))
      await deps.logins.keep({
        ...key,
        ...recordFor(plan, fetches),
        login: "",
        fingerprint: "",
        usableUntil: 0,
      });
    return "failed";
  }
}

/** Calls wait one after the other and give up when not wanted. */
function lookingAgain(
  deps: PrepareLoginDeps,
  claimed: ClaimedClass,
  target: EntryTarget,
  { sequenced }: Pick<SequencedCalls, "sequenced">,
): PrepareLoginDeps {
  const look = async () => {
    const now = await stillWanted(deps, claimed, target.entry);
    if (!sameWay(target, now.target)) throw new NotWanted("how they would come has changed");
  };
  return {
    ...deps,
    classroomOf: (environment) => {
      const client = deps.classroomOf(environment);
      return {
        usersHaveRoles: client.usersHaveRoles,
        createSpace: (space, options) => client.createSpace(space, sequenced(options, look)),
        createApiUser: (user, options) => client.createApiUser(user, sequenced(options, look)),
        addsToSpace: client.addsToSpace,
        addToSpace: (added, options) => client.addToSpace(added, sequenced(options, look)),
        authorize: (entry, options) => client.authorize(entry, sequenced(options, look)),
      };
    },
  };
}

async function stillWanted(
  deps: PrepareLoginDeps,
  { plan, holder }: ClaimedClass,
  entry: Entry,
): Promise<{ target: EntryTarget; fetches: number }> {
  const now = deps.clock.now();
  const { courseId, personId } = entry;
  const key = { registrationId: plan.registrationId, courseId, personId };
  if (now >= plan.endsAt) throw new NotWanted("the session is over");
  if (!(await deps.expectedClasses.holds(plan.id, holder, now))) throw new NotWanted("the claim was lost");
  const target = await findTarget(deps, entry);
  if (target.member === null || !willEnter(target.member)) throw new NotWanted("not in the course any more");
  const login = await deps.logins.find(key);
  const queuedAt = await deps.queuePositions.lastArrivalOf(key, insideSince(plan));
  const wantedAt = loginWantedAt({ queuedAt, login }, plan);
  if (wantedAt === null || wantedAt > now) throw new NotWanted("they have come, or have a login");
  return { target, fetches: fetchesOf(login, plan) };
}

/** A Space made meanwhile is the wanted one. */
function sameWay(before: EntryTarget, now: EntryTarget): boolean {
  const [one, other] = [before, now].map(({ entry, settings }) => JSON.stringify([entry, settings]));
  return one === other && (before.spaceId === null || before.spaceId === now.spaceId);
}

function wayOf({ courseLinkId, locale, mobile }: Entry): LastEntry {
  return { courseLinkId, locale, mobile };
}

function fetchesOf(login: { plan: string; fetches: number } | null, plan: ExpectedClass): number {
  return login?.plan === plan.id ? login.fetches : 0;
}

function recordFor(plan: ExpectedClass, fetches: number) {
  return { plan: plan.id, fetches, usedAt: null, keptUntil: plan.endsAt + loginUsableMs };
}
