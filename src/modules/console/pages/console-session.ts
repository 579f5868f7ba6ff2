import { createHmac, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import type { App } from "../../../app.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Ids } from "../../../kernel/ids.ts";
import { keysFor } from "../../../kernel/sealer.ts";
import type { IdentityProvider } from "../../operations/log-in.ts";
import {
  consoleLifetimeMs,
  type ConsoleRights,
  type ConsoleRole,
  type ConsoleSessionRow,
  isConsoleSessionOver,
  roleOf,
  scopedLifetimeMs,
  usedIntervalMs,
} from "../../operations/rules/console-access.ts";
import type { ConsoleSessionStore } from "../../operations/store/console-stores.ts";
import type { ConnectionReport } from "../../registration/rules/registration.ts";
import { cookiesOf } from "../../../web/session-address.ts";
import type { Sessions } from "../../../web/session.ts";

export type ConsoleApp = App & {
  /** Undefined: nobody logs in with a password. */
  adminPassword: string | undefined;
  /** Null: nobody logs in through a provider. */
  provider: ProviderLogIn | null;
  /** Path of the file that overrides the classroom's dialect. */
  dialectFile: string | null;
  /** @throws NamedError "registration-unknown" */
  testConnection: (registrationId: string) => Promise<ConnectionReport>;
  /** Administrators of an LMS come with a session of a course. */
  courseSessions: Pick<Sessions, "read">;
  /** Reads and makes sessions. `consoleSessions` is their store. */
  logIns: ReturnType<typeof createConsoleSessions>;
  cookie: ConsoleCookie;
  devices: ConsoleDevices;
  /** Identifies the browser. */
  deviceCookie: ConsoleCookie;
};

export type ProviderLogIn = {
  client: IdentityProvider;
  rights: ConsoleRights;
  /** Its host, as people know it. */
  host: string;
  /** Keeps one login under way. The browser sends it when it comes back from the provider's site. */
  cookie: ConsoleCookie;
};

/** An LMS's administrator who came by a launch sees only that LMS. */
type ConsoleScope = {
  registrationId: string;
  personId: string;
  /** The deployment from which they came. An account that is bound to another deployment isn't theirs. */
  deploymentId: string | null;
};

export type ConsoleSession = {
  id: string;
  /** Null if they logged in without an LMS, and so see all LMSs. */
  scope: ConsoleScope | null;
  /** Readers change nothing. Offices see their one report. */
  role: ConsoleRole;
  /** E-mail address of an operator who logged in through a provider. Null with the password, or from an LMS. */
  operator: string | null;
  /** Must come back with every form. A page of another site can't know it. */
  formToken: string;
};

/** Who begins a session, and how they proved it. */
type ConsoleEntry =
  | { by: "password" }
  | { by: "lms"; scope: ConsoleScope }
  /** `right`: the entry in OIDC_OPERATORS, OIDC_READERS ... that names them. */
  | { by: "provider"; right: string; operator: string };

type SessionSecretsApp = {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  /** Undefined: nobody logs in with a password. */
  adminPassword: string | undefined;
  /** Rights of people who log in through a provider. Undefined without a provider. */
  rights: ConsoleRights | undefined;
  consoleSessions: ConsoleSessionStore;
  clock: Clock;
  ids: Ids;
};

function saltOf({ adminPassword = "" }: Pick<SessionSecretsApp, "adminPassword">) {
  return hash("sha256", adminPassword, "buffer");
}

/** How long the browser keeps the cookie (seconds). */
export const sessionSeconds = consoleLifetimeMs / 1000;

/**
 * Finds sessions by a digest of the token under a key made from SECRET_KEY and ADMIN_PASSWORD. Changing either one (for SECRET_KEY, dropping
 * the previous one) ends all sessions.
 */
export function createConsoleSessions(app: SessionSecretsApp) {
  const { clock, ids, consoleSessions } = app;
  const { current, keys } = keysFor(app, "spaces-lti console", saltOf(app));
  const digest = (key: KeyObject, what: "session" | "form", token: string) =>
    createHmac("sha256", key).update(`${what} ${token}`).digest("base64url");

  const roleNow = ({ right }: ConsoleSessionRow): ConsoleRole | null => {
    if (right === "lms") return "operator";
    if (right === "password") return app.adminPassword === undefined ? null : "operator";
    return app.rights === undefined ? null : roleOf(app.rights, right);
  };

  return {
    /** @returns the token for the cookie. */
    begin: async (entry: ConsoleEntry): Promise<string> => {
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
    /** Null if the token is missing, forged, too old or unused for too long, or if its session or right has ended. */
    read: async (token: string | null): Promise<ConsoleSession | null> => {
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
        // A record of an LMS's administrator without its LMS gives access to nothing.
        if (row.right === "lms" && scope === null) return null;
        return { id, scope, role, operator, formToken: digest(key, "form", token) };
      }
      return null;
    },
    /** Ends a session for all instances. @returns false if it had already ended. */
    end: (id: string) => consoleSessions.end(id),
  };
}

type ConsoleCookie = ReturnType<typeof createConsoleCookie>;

/**
 * A cookie for pages under /admin only, which no script can read.
 * @param purpose "console-device" identifies the browser. "console-log-in" must come back with it from the provider's site, so only that one
 * is Lax.
 * @param seconds How long the browser keeps it.
 * @param secure Whether people reach the tool by https. Over plain http (development), it can't be Secure.
 */
export function createConsoleCookie(
  purpose: "console" | "console-device" | "console-log-in",
  seconds: number,
  secure: boolean,
) {
  // Browsers accept `__Secure-` only over https, so a page on plain http can't plant such a cookie.
  const name = `${secure ? "__Secure-" : ""}${purpose}`;
  const options = {
    httpOnly: true,
    secure,
    ...(purpose === "console-log-in"
      ? ({ sameSite: "lax", path: "/admin/log-in" } as const)
      : ({ sameSite: "strict", path: "/admin" } as const)),
  };
  return {
    read: (request: Request): string | null => cookiesOf(request, name)[0] ?? null,
    set: (response: Response, token: string) =>
      response.cookie(name, token, { ...options, maxAge: seconds * 1000 }),
    clear: (response: Response) => response.clearCookie(name, options),
  };
}

/**
 * Browsers in which the right password was given before. Their wrong passwords are counted separately, so a stranger who guesses elsewhere
 * can't lock the people of this browser out. It gives no rights: the password is still asked for.
 */
type ConsoleDevices = {
  /** Call it after the right password. @param known The browser's id, if it has one. */
  tokenFor: (known: string | null) => string;
  /** The browser's id. Null if the token is missing, forged, too old, or from before ADMIN_PASSWORD was changed. */
  read: (token: string | null) => string | null;
};

/** How long a browser is known after its latest login (seconds). */
export const deviceSeconds = 180 * 24 * 3600;

/** Signs with a key made from SECRET_KEY and ADMIN_PASSWORD, and stores nothing. */
export function createConsoleDevices(
  app: Omit<SessionSecretsApp, "rights" | "consoleSessions">,
): ConsoleDevices {
  const { clock, ids } = app;
  const { current, keys } = keysFor(app, "spaces-lti console-device", saltOf(app));
  const signature = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest();
  return {
    tokenFor: (known) => {
      const text = `${known ?? ids.secret(12)}.${Math.floor(clock.now() / 1000) + deviceSeconds}`;
      return `${text}.${signature(current, text).toString("base64url")}`;
    },
    read: (token) => {
      const [, text, id = "", endsAt, given = ""] =
        /^(([\w-]{16})\.(\d{1,12}))\.([\w-]{43})$/.exec(token ?? "") ?? [];
      if (text === undefined || Number(endsAt) * 1000 <= clock.now()) return null;
      const givenSignature = Buffer.from(given, "base64url");
      return keys.some((key) => timingSafeEqual(signature(key, text), givenSignature)) ? id : null;
    },
  };
}
