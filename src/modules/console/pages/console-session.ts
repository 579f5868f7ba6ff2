import { createHash, hkdfSync } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../../../kernel/clock.ts";
import type { Ids } from "../../../kernel/ids.ts";
import type { EndedSessionStore } from "../../feedback/store/ended-session-store.ts";

/** An administrator of an LMS who came by a launch: they see that LMS and nothing else. */
export type ConsoleScope = { registrationId: string; personId: string };

/** A browser that gave the right password, or that came by the launch of an LMS's administrator. */
export type ConsoleSession = {
  id: string;
  /** Null for operators, who gave the password and see everything. */
  scope: ConsoleScope | null;
  /** Must come back with every form; a page of another site cannot know it. */
  formToken: string;
  /** Milliseconds since the epoch. */
  endsAt: number;
};

/** Issues, reads and ends console sessions. */
export type ConsoleSessions = {
  /** A new session as a token for the cookie. @param scope Whose; an operator's when null. */
  begin: (scope: ConsoleScope | null) => Promise<string>;
  /** Null when the token is missing, forged, too old, logged out, or from before ADMIN_PASSWORD was changed. */
  read: (token: string | null) => Promise<ConsoleSession | null>;
  /** The token is worth nothing from here on, on any instance. */
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
/** Those of an LMS's administrators are shorter: what they rest on is one launch. */
const scopedSeconds = 2 * 3600;

const claims = z.object({
  jti: z.string(),
  form: z.string(),
  exp: z.number(),
  // Sessions of earlier versions were operators'; a scope that cannot be read makes the session worth nothing.
  scope: z
    .object({ registrationId: z.string().min(1), personId: z.string().min(1) })
    .nullable()
    .default(null),
});

/**
 * Sessions signed under a key made of SECRET_KEY and ADMIN_PASSWORD: changing either (and, for SECRET_KEY, dropping
 * the previous one) ends them all, and tokens issued for anything else do not fit.
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
