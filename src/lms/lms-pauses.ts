import {
  closedCheckIntervalMs,
  isBeingTried,
  minClosingMs,
  isPauseDue,
  type LmsPause,
  refusedPause,
  silentTries,
  silentPause,
  stopsScores,
  trialTtlMs,
} from "../modules/registration/rules/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { refusal } from "../kernel/refusal.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { retryAfterMs } from "../kernel/outside-reply.ts";
import { rememberIn } from "../kernel/lists.ts";
import type { LmsPausePort } from "./ports.ts";
import { isThrottled, type LmsReply } from "./requester.ts";
import { scopes as scope } from "./scopes.ts";
import { maxPauses, pauseTtlMs } from "./limits.ts";

type LmsPausesDeps = {
  lmsPauses: LmsPausePort;
  clock: Clock;
  logger: Logger;
  /** Called when an LMS can be asked again, so everything that waited for it is due. */
  onLmsBack: (registrationId: string) => Promise<void>;
};

/** `error`: the LMS's name for the reason. */
export type TokenRefusal = { status: number; error: string | null };

/** The right to try whether a paused LMS is back; null if there was no pause. */
type PauseTry = LmsPause | null;

/**
 * LMSs that we don't call for a while, because they refuse every token, are closed for maintenance or don't answer. All services of
 * all processes wait for a single try, and continue when it succeeds.
 */
export type LmsPauses = ReturnType<typeof createLmsPauses>;

export function createLmsPauses(deps: LmsPausesDeps) {
  const { lmsPauses: store, clock, logger } = deps;
  const known = new Map<string, { at: number; pauses: Promise<LmsPause[]> }>();
  /** Calls without an answer since the LMS last answered, by registration. */
  const silences = new Map<string, number>();

  const pausesOf = async (registrationId: string): Promise<LmsPause[]> => {
    const now = clock.now();
    const found = known.get(registrationId);
    if (found !== undefined && now >= found.at && now - found.at < pauseTtlMs) return found.pauses;
    const pauses = store.listOf(registrationId);
    rememberIn(known, maxPauses, registrationId, { at: now, pauses });
    pauses.catch(() => known.delete(registrationId));
    return pauses;
  };
  /** @throws NamedError unless this caller may try. */
  const takeTry = async (pause: LmsPause): Promise<PauseTry> => {
    const now = clock.now();
    if (!isPauseDue(pause, now)) throw pausedError(pause, now);
    known.delete(pause.registrationId);
    const taken = { ...pause, triedAt: now, nextTryAt: now + trialTtlMs };
    if (await store.takeTry(pause, now, taken.nextTryAt)) return taken;
    // Another caller is trying. Or the pause has ended, and the next attempt will notice.
    throw pausedError(taken, now);
  };
  const back = async (registrationId: string, why: LmsPause["why"]): Promise<void> => {
    known.delete(registrationId);
    const ended = await store.end({ registrationId, why });
    if (ended === null) return;
    const { since, tries } = ended;
    logger.info(
      { registration: registrationId, why, tries, lastedMs: clock.now() - since },
      "an LMS is back",
    );
    // The answer at hand counts even if this fails, since everything that waits also has its own time.
    await deps.onLmsBack(registrationId).catch((thrown: unknown) => {
      logger.error(
        { registration: registrationId, error: messageOf(thrown) },
        "making an LMS's waiting work due failed",
      );
    });
  };
  /** Calls that fail together ask for the same pause; only one of them begins it. */
  const begin = async (first: LmsPause): Promise<LmsPause> => {
    const { pause, begins } = await store.begin(first);
    const { registrationId: registration, why, status, error } = pause;
    const nextTryAt = new Date(pause.nextTryAt).toISOString();
    if (begins)
      logger.warn({ registration, why, status, error, nextTryAt }, "calls to an LMS pause for a while");
    return pause;
  };

  /** Begins a pause of all calls, or prolongs the one that was tried. @returns the error for the caller */
  const lasting = async (
    key: Pick<LmsPause, "registrationId" | "why">,
    tried: PauseTry,
    { host, ...answer }: Pick<LmsPause, "nextTryAt" | "status" | "error" | "host">,
  ): Promise<NamedError> => {
    known.delete(key.registrationId);
    const now = clock.now();
    const latest = { ...answer, triedAt: now, ofScopes: false };
    const prolonged = tried?.why === key.why ? await store.prolong(key, latest) : null;
    const first = { ...key, since: now, tries: 1, refused: [], grades: false, ...latest };
    const begins = host === undefined ? first : { ...first, host };
    return pausedError(prolonged ?? (await begin(begins)), now);
  };
  const silenceOf = async (registrationId: string) =>
    (await pausesOf(registrationId)).find(({ why }) => why === "silent") ?? null;
  const silent = async (registrationId: string, thrown: NamedError): Promise<NamedError> => {
    const calls = (silences.get(registrationId) ?? 0) + 1;
    rememberIn(silences, maxPauses, registrationId, calls);
    const pause = await silenceOf(registrationId);
    if (pause === null && calls < silentTries) return thrown;
    // Calls that left before the pause began say nothing new. The caller with the try may have asked only for a token.
    const tried = pause !== null && isBeingTried(pause) ? pause : null;
    const nextTryAt = clock.now() + silentPause(tried === null ? 1 : tried.tries + 1);
    const { host = "", reason = "" } = thrown.values;
    const answer = { nextTryAt, status: 0, error: String(reason), host: String(host) };
    return lasting({ registrationId, why: "silent" }, tried, answer);
  };

  return {
    /** To be called before each service call. @throws NamedError while the LMS is closed or silent, except for the caller that tries */
    beforeCall: async (registrationId: string) => {
      const pause = (await pausesOf(registrationId)).find(({ why }) => why !== "refused");
      return pause === undefined ? null : takeTry(pause);
    },
    /**
     * Makes a call and learns from the result. @throws NamedError "lms-closed" for a maintenance page, "lms-unreachable" if there is no
     * answer; its details name the pause if that begins one
     */
    heard: async (registrationId: string, tried: PauseTry, call: () => Promise<LmsReply>) => {
      const reply = await call().catch(async (thrown: unknown) => {
        throw isSilence(thrown) ? await silent(registrationId, thrown) : thrown;
      });
      silences.delete(registrationId);
      const now = clock.now();
      const wait = closedFor(reply, now);
      // Any answer ends a silence, even that of a call without a try.
      const over = tried ?? (await silenceOf(registrationId));
      if (wait === null) {
        if (over !== null) await back(registrationId, over.why);
        return reply;
      }
      if (over?.why === "silent") await store.end(over);
      const answer = { nextTryAt: now + wait, status: reply.status, error: null };
      throw await lasting({ registrationId, why: "closed" }, tried, answer);
    },
    /** To be called before a token is fetched. @throws the NamedError that `refused` returns, except for the caller that tries */
    beforeToken: async (registrationId: string, scopes: string) => {
      const pause = (await pausesOf(registrationId)).find(({ why }) => why === "refused") ?? null;
      // Other scopes may be granted: only the LMS knows whether it refuses these scopes or the tool.
      return pause === null || !pause.refused.includes(scopes) ? pause : takeTry(pause);
    },
    /** To be called after a refused token. @returns the caller's error: "lms-key-refused", or "lms-token-refused" about scopes */
    refused: async (registrationId: string, scopes: string, tried: PauseTry, refusal: TokenRefusal) => {
      known.delete(registrationId);
      const now = clock.now();
      const key = { registrationId, why: "refused" } as const;
      const ofScopes = refusal.error === "invalid_scope";
      const again = tried !== null && tried.refused.includes(scopes);
      const prolonged = again
        ? await store.prolong(key, {
            ...refusal,
            triedAt: now,
            ofScopes: tried.ofScopes || ofScopes,
            nextTryAt: now + refusedPause(tried.tries + 1, tried.since, now),
          })
        : null;
      if (prolonged !== null) return pausedError(prolonged, now);
      const first = {
        ...key,
        since: now,
        triedAt: now,
        nextTryAt: now + refusedPause(1, now, now),
        tries: 1,
      };
      const grades = scopes.split(" ").includes(scope.score);
      const pause = await begin({ ...first, ...refusal, refused: [scopes], grades, ofScopes });
      return pausedError(pause, now);
    },
    given: async (registrationId: string, scopes: string, tried: PauseTry) => {
      if (tried === null) return;
      if (tried.refused.includes(scopes)) return back(registrationId, "refused");
      known.delete(registrationId);
      // Tries the refused scopes soon, but not immediately, since they may have been refused a moment ago.
      const nextTryAt = Math.max(clock.now(), tried.triedAt + refusedPause(1, 0, 0));
      await store.isOfScopes({ registrationId, why: "refused" }, nextTryAt);
    },
    /** The pause that stops all scores of an LMS; null if there is none. */
    ofScores: async (registrationId: string) =>
      (await pausesOf(registrationId)).find((pause) => stopsScores(pause, clock.now())) ?? null,
    /** Ends the wait: everything that waits for the LMS is due, and one of its calls tries. */
    tryNow: async (registrationId: string) => {
      known.delete(registrationId);
      if ((await pausesOf(registrationId)).length === 0) return;
      await store.makeDue(registrationId, clock.now());
      known.delete(registrationId);
      await deps.onLmsBack(registrationId);
    },
  };
}

/** A reply that was too long still is an answer. */
function isSilence(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.code === "lms-unreachable" && !thrown.details["answered"];
}

/** How long this answer closes the LMS (ms), or null. Moodle's maintenance page says 503 and 300 s (lib/setup.php). */
function closedFor(reply: LmsReply, now: number): number | null {
  if (reply.status !== 503 || isThrottled(reply)) return null;
  const asked = retryAfterMs(reply, now);
  return asked === null || asked < minClosingMs ? null : Math.min(asked, closedCheckIntervalMs);
}

function pausedError(pause: LmsPause, now: number): NamedError {
  const { registrationId: registration, status, nextTryAt: pausedUntil } = pause;
  const error = pause.error ?? `status ${status}`;
  const retryAfter = Math.max(pausedUntil - now, 1_000);
  const details = { registration, status, error, pausedUntil, retryAfterMs: retryAfter };
  const options = { status: 503, temporary: true, details };
  if (pause.why === "closed") return refusal("lms-closed", options);
  if (pause.why === "silent") {
    return refusal("lms-unreachable", { ...options, values: { host: pause.host ?? "", reason: error } });
  }
  return refusal(pause.ofScopes ? "lms-token-refused" : "lms-key-refused", { ...options, values: { error } });
}
