import { z } from "zod";
import type { Registration } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { type AccessTokensDeps, createAccessTokens } from "./access-tokens.ts";
import type { TokenRefusal } from "./lms-pauses.ts";
import { publishedKeys } from "./key-sets.ts";
import { productOf } from "./products/products.ts";
import { jsonOf, type LmsReply, refusedBy, unreadable } from "./requester.ts";
import { membersType } from "./roster.ts";
import { scopes } from "./scopes.ts";
import { type ServiceCalls, withQuery } from "./service-calls.ts";

/** What a connection test asks an LMS; it only reads. */
export type ConnectionProbes = ReturnType<typeof createConnectionProbes>;

const grant = z.object({ scope: z.string() });
const container = z.object({ members: z.array(z.unknown()) });

/** For tokens that are fetched each time. A refusal neither waits for a pause nor starts one. */
export const unstoredTokens: Pick<AccessTokensDeps, "accessTokens" | "pauses"> = {
  accessTokens: {
    find: () => Promise.resolve(null),
    save: () => Promise.resolve(),
    drop: () => Promise.resolve(),
  },
  pauses: {
    beforeToken: () => Promise.resolve(null),
    heard: (_registration, _tried, call) => call(),
    refused: (registration, _scopes, _tried, refusal) => Promise.resolve(refusedToken(registration, refusal)),
    given: () => Promise.resolve(),
  },
};

/** Always fetches new tokens and never stores them. */
export function createConnectionProbes(
  deps: Omit<AccessTokensDeps, "accessTokens" | "pauses"> & { calls: ServiceCalls },
) {
  /** A reply without scopes grants all that were requested (RFC 6749, section 5.1). */
  const granted = async (registration: Registration, asked: readonly string[]): Promise<string[]> => {
    const seen: { reply: LmsReply | null } = { reply: null };
    const tokens = createAccessTokens({
      ...deps,
      ...unstoredTokens,
      request: async (request) => (seen.reply = await deps.request(request)),
    });
    await tokens.get(registration, asked);
    const scope = seen.reply === null ? undefined : grant.safeParse(jsonOf(seen.reply)).data?.scope.trim();
    return scope === undefined || scope === "" ? [...asked] : scope.split(/\s+/);
  };

  const lacking = async (registration: Registration, asked: readonly string[]): Promise<string[]> => {
    const given = await granted(registration, asked);
    return asked.filter((scope) => !given.includes(scope));
  };

  return {
    /** The scopes that the tool needs, by use. */
    needed: {
      membership: scopes.membership,
      lineItem: scopes.lineItem,
      result: scopes.resultReadOnly,
      score: scopes.score,
    },
    /** Fetches the LMS's key set, past every cache. @returns the number of usable keys. @throws NamedError */
    keys: async ({ jwksUrl }: Registration) => {
      const reply = await deps.request({
        method: "GET",
        url: jwksUrl,
        headers: { accept: "application/json, application/jwk-set+json" },
      });
      if (reply.status !== 200) throw refusedBy(reply, "its key set", deps.clock.now());
      const usable = publishedKeys(jsonOf(reply)).length;
      if (usable > 0) return usable;
      throw refusal("platform-keys-empty", { status: 502 });
    },
    /**
     * Asks for a new token with all these scopes; if that is refused, for each scope separately.
     * @returns the scopes that the LMS doesn't grant.
     * @throws NamedError when the problem isn't a scope.
     */
    missingScopes: async (registration: Registration, asked: readonly string[]) => {
      try {
        return await lacking(registration, asked);
      } catch (thrown) {
        if (!mayBeScope(thrown)) throw thrown;
        const missing: string[] = [];
        for (const scope of asked) {
          const refused = await lacking(registration, [scope]).catch((error: unknown) => {
            if (!mayBeScope(error)) throw error;
            return [scope];
          });
          missing.push(...refused);
        }
        // The LMS grants each scope separately, so the refusal meant something else.
        if (missing.length === 0) throw thrown;
        return missing;
      }
    },
    /** Reads the first page of a course's roster. @throws NamedError */
    roster: async (registration: Registration, membershipsUrl: string) => {
      const url = withQuery(membershipsUrl, { limit: "1" });
      const target = { registration, scopes: [scopes.membership] };
      const reply = await deps.calls.call(target, { method: "GET", url, headers: { accept: membersType } });
      if (reply.status !== 200) throw refusedBy(reply, "the list of people in the course", deps.clock.now());
      if (container.safeParse(jsonOf(reply)).success) return;
      throw unreadable("a list of people");
    },
    /** A sentence that says where this LMS allows a scope. */
    whereToAllow: (registration: Registration, scope: string) =>
      productOf(registration).registration.whereToAllow(scope),
  };
}

function refusedToken(registration: string, refused: TokenRefusal): NamedError {
  const { status } = refused;
  const error = refused.error ?? `status ${status}`;
  return refusal("probe-token-refused", {
    values: { error },
    status: 502,
    details: { registration, status, error },
  });
}

/** Whether a scope may be the reason of a refusal, rather than our identity. */
export function mayBeScope(thrown: unknown): boolean {
  if (!(thrown instanceof NamedError) || thrown.code !== "probe-token-refused") return false;
  const { error, status } = thrown.details;
  return (
    error === "invalid_scope" ||
    (status === 400 && error !== "invalid_client" && error !== "unauthorized_client")
  );
}
