import { createHash, createHmac, hkdfSync } from "node:crypto";
import type { Clock } from "../../../kernel/clock.ts";
import type { Ids } from "../../../kernel/ids.ts";
import { type ConsoleRights, type ConsoleRole, roleOf } from "../../operations/rules/console-rights.ts";
import {
  consoleLifetimeMs,
  type ConsoleSessionRow,
  isConsoleSessionOver,
  scopedLifetimeMs,
  usedIntervalMs,
} from "../../operations/rules/console-session.ts";
import type { ConsoleSessionStore } from "../../operations/store/console-session-store.ts";

/** An LMS's administrator who came by a launch sees only that LMS. */
export type ConsoleScope = {
  registrationId: string;
  personId: string;
  /** From which they came: an account that is bound to another one is not theirs. */
  deploymentId: string | null;
};

export type ConsoleSession = {
  id: string;
  /** Null for operators and readers, who see everything. */
  scope: ConsoleScope | null;
  /** Readers change nothing. */
  role: ConsoleRole;
  /** E-mail address of whoever logged in by a provider; null with the password, or from an LMS. */
  operator: string | null;
  /** Must come back with every form; a page of another site cannot know it. */
  formToken: string;
};

/** Who begins a session, and by what. */
export type ConsoleEntry =
  | { by: "password" }
  | { by: "lms"; scope: ConsoleScope }
  /** `right`: the entry of OIDC_OPERATORS or OIDC_READERS that names them. */
  | { by: "provider"; right: string; operator: string };

export type ConsoleSessions = {
  /** @returns the token for the cookie. */
  begin: (entry: ConsoleEntry) => Promise<string>;
  /**
   * Null when the token is missing, forged or too old, unused for too long, ended, from before ADMIN_PASSWORD was changed,
   * or when its right was taken away.
   */
  read: (token: string | null) => Promise<ConsoleSession | null>;
  /** On any instance. @returns false: it had ended. */
  end: (id: string) => Promise<boolean>;
};

export type ConsoleSessionsDeps = {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  /** Undefined: nobody enters by a password. */
  adminPassword: string | undefined;
  /** Of those who log in by a provider; undefined without one. */
  rights: ConsoleRights | undefined;
  consoleSessions: ConsoleSessionStore;
  clock: Clock;
  ids: Ids;
};

/** How long the browser keeps the cookie (seconds). */
export const sessionSeconds = consoleLifetimeMs / 1000;

/**
 * Found by a digest of the token under a key made of SECRET_KEY and ADMIN_PASSWORD: changing either (and, for SECRET_KEY,
 * dropping the previous one) ends them all.
 */
export function createConsoleSessions(deps: ConsoleSessionsDeps): ConsoleSessions {
  const { secretKey, secretKeyPrevious, adminPassword = "", clock, ids, consoleSessions } = deps;
  const password = createHash("sha256").update(adminPassword).digest();
  const keys = [secretKey, ...(secretKeyPrevious === undefined ? [] : [secretKeyPrevious])].map((key) =>
    Buffer.from(hkdfSync("sha256", key, password, "spaces-lti console", 32)),
  );
  const [current = Buffer.alloc(32)] = keys;
  const digest = (key: Buffer, what: "session" | "form", token: string) =>
    createHmac("sha256", key).update(`${what} ${token}`).digest("base64url");

  const roleNow = ({ right }: ConsoleSessionRow): ConsoleRole | null => {
    if (right === "lms") return "operator";
    if (right === "password") return deps.adminPassword === undefined ? null : "operator";
    return deps.rights === undefined ? null : roleOf(deps.rights, right);
  };

  return {
    begin: async (entry) => {
      const [token, now] = [ids.secret(), clock.now()];
      const scope = entry.by === "lms" ? entry.scope : null;
      await consoleSessions.insert({
        id: digest(current, "session", token),
        right: entry.by === "provider" ? entry.right : entry.by,
        operator: entry.by === "provider" ? entry.operator : null,
        registrationId: scope?.registrationId ?? null,
        personId: scope?.personId ?? null,
        deploymentId: scope?.deploymentId ?? null,
        beganAt: now,
        usedAt: now,
        endsAt: new Date(now + (scope === null ? consoleLifetimeMs : scopedLifetimeMs)),
      });
      return token;
    },
    read: async (token) => {
      if (token === null || !/^[\w-]{43}$/.test(token)) return null;
      const now = clock.now();
      for (const key of keys) {
        const id = digest(key, "session", token);
        const row = await consoleSessions.find(id);
        if (row === null) continue;
        const role = roleNow(row);
        if (role === null || isConsoleSessionOver(row, now)) return null;
        if (row.usedAt + usedIntervalMs <= now) await consoleSessions.used(id, now);
        const { registrationId, personId, deploymentId, operator } = row;
        const scope =
          registrationId === null || personId === null ? null : { registrationId, personId, deploymentId };
        // A record of an LMS's administrator without its LMS opens nothing.
        if (row.right === "lms" && scope === null) return null;
        return { id, scope, role, operator, formToken: digest(key, "form", token) };
      }
      return null;
    },
    end: (id) => consoleSessions.end(id),
  };
}
