import { createHash, hkdfSync } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../../../kernel/clock.ts";
import type { Ids } from "../../../kernel/ids.ts";
import type { EndedSessionStore } from "../../feedback/store/ended-session-store.ts";

/** An LMS's administrator who came by a launch sees only that LMS. */
export type ConsoleScope = { registrationId: string; personId: string };

export type ConsoleSession = {
  id: string;
  /** Null for operators, who gave the password and see everything. */
  scope: ConsoleScope | null;
  /** Must come back with every form; a page of another site cannot know it. */
  formToken: string;
  /** Milliseconds since the epoch. */
  endsAt: number;
};

export type ConsoleSessions = {
  /** @param scope Null for an operator. @returns the token for the cookie. */
  begin: (scope: ConsoleScope | null) => Promise<string>;
  /** Null when the token is missing, forged, too old, logged out, or from before ADMIN_PASSWORD was changed. */
  read: (token: string | null) => Promise<ConsoleSession | null>;
  /** On any instance. */
  end: (session: ConsoleSession) => Promise<void>;
};

export type ConsoleSessionsDeps = {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  adminPassword: string;
  endedSessions: EndedSessionStore;
  clock: Clock;
  ids: Ids;
};

/** How long an operator's session lasts (seconds). */
export const sessionSeconds = 12 * 3600;

const purpose = "console";
/** Shorter for an LMS's administrators: theirs rest on one launch. */
const scopedSeconds = 2 * 3600;

const claims = z.object({
  jti: z.string(),
  form: z.string(),
  exp: z.number(),
  // Sessions of earlier versions were operators'; an unreadable scope makes the session invalid.
  scope: z
    .object({ registrationId: z.string().min(1), personId: z.string().min(1) })
    .nullable()
    .default(null),
});

/**
 * Signed under a key made of SECRET_KEY and ADMIN_PASSWORD: changing either (and, for SECRET_KEY, dropping the previous
 * one) ends them all, and tokens issued for anything else do not fit.
 */
export function createConsoleSessions(deps: ConsoleSessionsDeps): ConsoleSessions {
  const { secretKey, secretKeyPrevious, clock, ids, endedSessions } = deps;
  const password = createHash("sha256").update(deps.adminPassword).digest();
  const keys = [secretKey, ...(secretKeyPrevious === undefined ? [] : [secretKeyPrevious])].map(
    (key) => new Uint8Array(hkdfSync("sha256", key, password, `spaces-lti ${purpose}`, 32)),
  );
  const [current = new Uint8Array(32)] = keys;

  const verified = async (token: string): Promise<ConsoleSession | null> => {
    for (const key of keys) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          audience: purpose,
          currentDate: new Date(clock.now()),
        });
        const { jti, form, exp, scope } = claims.parse(payload);
        return { id: jti, scope, formToken: form, endsAt: exp * 1000 };
      } catch {
        continue; // the other key may fit
      }
    }
    return null;
  };

  return {
    begin: (scope) => {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ form: ids.secret(16), scope })
        .setProtectedHeader({ alg: "HS256" })
        .setAudience(purpose)
        .setJti(ids.id("session"))
        .setIssuedAt(now)
        .setExpirationTime(now + (scope === null ? sessionSeconds : scopedSeconds))
        .sign(current);
    },
    read: async (token) => {
      const session = token === null ? null : await verified(token);
      return session === null || (await endedSessions.hasEnded(session.id)) ? null : session;
    },
    end: ({ id, endsAt }) => endedSessions.end(id, endsAt),
  };
}
