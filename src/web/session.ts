import { isSameSecret } from "../kernel/sealer.ts";
import {
  type BrowserSession,
  type EndReason,
  isSessionOver,
  maxSessions,
  seenIntervalMs,
  type SessionFacts,
  sessionLifetimeMs,
} from "../domain/browser-session.ts";
import type { Course } from "../domain/course.ts";
import type { Registration } from "../domain/registration.ts";
import type { Background } from "../kernel/async.ts";
import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Ids, secretDigest } from "../kernel/ids.ts";
import { noteActor } from "../kernel/request-scope.ts";
import { rememberIn } from "../kernel/lists.ts";
import { createPageNews, createTypedForms } from "./page-news.ts";
import type { BrowserSessionStore } from "../storage/browser-session-store.ts";

/** A person's session. Its rights are those of its launch. */
export type Session = Pick<
  SessionFacts,
  "registrationId" | "courseId" | "personId" | "courseLinkId" | "role" | "staffRole" | "locale"
> & {
  deploymentId?: string | null | undefined;
  framedBy?: string | null | undefined;
  consoleUntil?: number | undefined;
  /** Set if the reader has only the ticket of a queue position. */
  only?: "entry" | undefined;
  /** Default: now. */
  launchedAt?: number | undefined;
  /** The token for its pages; missing until a page needs it. */
  token?: string | undefined;
};

export type SessionOrigin = { registration: Registration; course: Course };

type AboutSession = {
  session: Pick<Session, "registrationId" | "courseId" | "framedBy">;
  /** Why the session has ended (410); null while it lives. */
  over: NamedError | null;
};

/** Tokens are in the page and not in a cookie, so they work if cookies are blocked (record 0004). */
export type Sessions = Omit<ReturnType<typeof createSessions>, "signOut" | "issue"> & {
  /** @param known The session's registration and course, if they were just read. */
  issue: (session: Session, known?: SessionOrigin) => Promise<string>;
};

export type SignOut = Pick<ReturnType<typeof createSessions>, "signOut">;

/** Why a session ends now, or is refused here but continues elsewhere (`stays`); null if it continues. */
export type SessionJudge = (
  session: BrowserSession,
) => Promise<{ because: EndReason; says: NamedError; stays?: true } | null>;

type SessionsDeps = {
  browserSessions: BrowserSessionStore;
  clock: Clock;
  ids: Pick<Ids, "secret">;
  background: Background;
};

/** In bytes: 96 bits name a session, 256 bits prove it. */
const size = { id: 12, secret: 32 };

export function createSessions(deps: SessionsDeps, judge: SessionJudge = () => Promise.resolve(null)) {
  const { browserSessions, clock } = deps;
  const begun = countBegun();

  /** The record of a token with the right secret, even if the session is over. */
  const proved = async (token: unknown): Promise<BrowserSession> => {
    const { id, secret } = parts(token);
    const record = await browserSessions.find(id);
    if (record === null || !isSameSecret(secretDigest(secret), record.secret)) throw sessionOver();
    return record;
  };

  /** For the ways into and out of the Space. Also accepts entry-only sessions, whose `only` is passed on to what is issued. */
  const readForEntry = async (token: unknown): Promise<Session> => {
    const record = await proved(token);
    const now = clock.now();
    if (record.endedAt === null && isSessionOver(record, now)) throw sessionOver();
    // The present verdict comes first, because it says more than the reason for which the session was ended.
    const verdict = await judge(record);
    if (record.endedAt !== null) throw verdict?.says ?? ended(record.endedBecause);
    if (verdict !== null) {
      if (verdict.stays !== true) await browserSessions.end(record.id, now, verdict.because);
      throw verdict.says;
    }
    if (record.lastSeenAt + seenIntervalMs <= now)
      deps.background.run("note a request", () => browserSessions.seen(record.id, now));
    const { registrationId, personId, role } = record;
    noteActor({ kind: "person", registrationId, personId, role });
    return sessionOf(record, String(token));
  };

  return {
    /** The token for a page. The first page creates the record; later pages carry the same token. */
    issue: async (session: Session): Promise<string> => {
      if (session.token !== undefined) return session.token;
      const now = clock.now();
      const { launchedAt = now } = session;
      const [id, secret] = [deps.ids.secret(size.id), deps.ids.secret(size.secret)];
      const facts = factsOf(session);
      const { registrationId, courseId, personId, courseLinkId } = facts;
      await browserSessions.insert({
        id,
        secret: secretDigest(secret),
        ...facts,
        launchedAt,
        lastSeenAt: now,
        endsAt: launchedAt + sessionLifetimeMs,
        endedAt: null,
        endedBecause: null,
        news: null,
        typed: null,
      });
      if (begun(`${courseId} ${personId} ${courseLinkId ?? ""}`))
        deps.background.run("end the oldest sessions", () =>
          browserSessions.endOldest(
            { registrationId, courseId, personIds: [personId], courseLinkId },
            maxSessions,
            clock.now(),
            "too-many",
          ),
        );
      return [id, secret, ...(/^[\w-]{1,35}$/.exec(facts.locale ?? "") ?? [])].join(".");
    },
    readForEntry,
    /** What a session's address alone reveals: which course it leads to. Null if there is no such session. */
    about: async (id: string): Promise<AboutSession | null> => {
      const record = await browserSessions.find(id);
      if (record === null) return null;
      const { registrationId, courseId, framedBy, endedAt, endedBecause } = record;
      const session = { registrationId, courseId, framedBy };
      if (endedAt !== null) return { session, over: ended(endedBecause, 410) };
      return { session, over: isSessionOver(record, clock.now()) ? sessionOver(410) : null };
    },
    news: createPageNews(deps),
    typed: createTypedForms(deps),
    /**
     * @throws NamedError "session-over" if the token is missing, invented, too old, idle for too long or only for entering; another
     * error says why the session was ended.
     */
    read: async (token: unknown) => {
      const session = await readForEntry(token);
      if (session.only === "entry") throw sessionOver();
      return session;
    },
    /**
     * Ends the session of a page.
     * @param everywhere Also ends all other sessions of this person in this course, even if this one is already signed out.
     * @returns the session, and how many others of the person are still open in this course.
     */
    signOut: async (token: unknown, everywhere: boolean) => {
      const record = await proved(token);
      const now = clock.now();
      const mayGoOn = record.endedAt === null || record.endedBecause === "signed-out";
      if (isSessionOver(record, now) || !mayGoOn) throw ended(record.endedBecause);
      await browserSessions.end(record.id, now, "signed-out");
      const { registrationId, courseId, personId } = record;
      const own = { registrationId, courseId, personIds: [personId] };
      if (everywhere) await browserSessions.endAll(own, now, "signed-out");
      return { session: sessionOf(record, String(token)), others: await browserSessions.countLive(own, now) };
    },
  };
}

/**
 * Whether a person has begun enough sessions in this process to check for too many. A class that arrives once costs no reads, and
 * five processes together still notice the twentieth session.
 */
function countBegun(): (whose: string) => boolean {
  const begun = new Map<string, number>();
  return (whose) => {
    const count = (begun.get(whose) ?? 0) + 1;
    rememberIn(begun, 10_000, whose, count);
    return count * 5 > maxSessions;
  };
}

/** Splits "id.secret", optionally with ".language" for pages shown without the session; see `readerLocale`. */
function parts(token: unknown): { id: string; secret: string } {
  const found = typeof token === "string" ? /^([\w-]{16})\.([\w-]{43})(?:\.[\w-]{1,35})?$/.exec(token) : null;
  if (found === null) throw sessionOver();
  const [, id = "", secret = ""] = found;
  return { id, secret };
}

/** Copies field by field, so nothing else in the object is stored. */
function factsOf(session: Session | BrowserSession): SessionFacts {
  const { registrationId, courseId, personId, courseLinkId, role, staffRole, locale } = session;
  const { deploymentId = null, framedBy = null, consoleUntil = null, only = null } = session;
  const ids = { registrationId, deploymentId, courseId, personId, courseLinkId };
  return { ...ids, role, staffRole, framedBy, locale, consoleUntil, only };
}

function sessionOf(record: BrowserSession, token: string): Session {
  const { consoleUntil, only, ...facts } = factsOf(record);
  const { launchedAt } = record;
  return {
    ...facts,
    ...(consoleUntil === null ? {} : { consoleUntil }),
    ...(only === null ? {} : { only }),
    launchedAt,
    token,
  };
}

function sessionOver(status: 401 | 410 = 401): NamedError {
  return refusal("session-over", { status });
}

const endedCodes = {
  "signed-out": "signed-out",
  "role-changed": "role-changed",
  "launch-again": "launch-again",
  "by-administrator": "ended-by-administrator",
  "too-many": "too-many-sessions",
  "left-course": "session-over",
  "lms-off": "session-over",
  "deployment-refused": "session-over",
} as const satisfies Record<EndReason, string>;

/**
 * The error that says why a session was ended early.
 * @param status 410 for a page at its own address, which existed and won't come back.
 */
export function ended(because: EndReason | null, status: 401 | 410 = 401): NamedError {
  return because === null ? sessionOver(status) : refusal(endedCodes[because], { status });
}
