import { hkdfSync } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";

/** Who came through which launch, with the rights of that launch only. No name, no e-mail. */
export type Session = {
  registrationId: string;
  courseId: string;
  personId: string;
  /** Our id of the link that was opened; null when the LMS named none. */
  courseLinkId: string | null;
  /** Origin of the page that the launch said to go back to: the one its reader's browser shows. Null when it said none. */
  framedBy?: string | null | undefined;
  role: "instructor" | "learner";
  locale: string | null;
  /**
   * When the way into the console closes that the launch opened to an administrator of the LMS (ms); left out for everybody
   * else. Pages hand it on as it is.
   */
  consoleUntil?: number | undefined;
  /** Set where only a ticket of the line is known: it lets its holder enter again, and no course page takes it. */
  only?: "entry" | undefined;
};

/** Issues and reads session tokens. They live in the page, not in a cookie, so they work where cookies are blocked. */
export type Sessions = {
  issue: (session: Session) => Promise<string>;
  /** @throws NamedError "session-over" when the token is missing, forged, too old or only for entering. */
  read: (token: unknown) => Promise<Session>;
  /**
   * As `read`, for the ways in and out of the Space alone: these take sessions that are only for entering, too.
   * Whatever is issued from one must keep its `only`.
   */
  readForEntry: (token: unknown) => Promise<Session>;
};

const purpose = "session";
const hours = 8;

const sessionSchema = z.object({
  registrationId: z.string(),
  courseId: z.string(),
  personId: z.string(),
  courseLinkId: z.string().nullable(),
  framedBy: z.string().nullish(),
  role: z.enum(["instructor", "learner"]),
  locale: z.string().nullable(),
  consoleUntil: z.number().optional(),
  only: z.literal("entry").optional(),
});

/** Sessions signed under SECRET_KEY; ones signed under the previous key still hold until they end. */
export function createSessions(deps: {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  clock: Clock;
}): Sessions {
  const { secretKey, secretKeyPrevious, clock } = deps;
  const keys = [secretKey, ...(secretKeyPrevious === undefined ? [] : [secretKeyPrevious])].map(
    (key) => new Uint8Array(hkdfSync("sha256", key, "spaces-lti", purpose, 32)),
  );
  const [current = new Uint8Array(32)] = keys;
  const readForEntry = async (token: unknown): Promise<Session> => {
    for (const key of keys) {
      try {
        const verified = await jwtVerify(typeof token === "string" ? token : "", key, {
          algorithms: ["HS256"],
          audience: purpose,
          currentDate: new Date(clock.now()),
        });
        return sessionSchema.parse(verified.payload);
      } catch {
        continue; // the other key may fit
      }
    }
    throw sessionOver();
  };
  return {
    issue: (session) => {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ ...session })
        .setProtectedHeader({ alg: "HS256" })
        .setAudience(purpose)
        .setIssuedAt(now)
        .setExpirationTime(now + hours * 3600)
        .sign(current);
    },
    readForEntry,
    read: async (token) => {
      const session = await readForEntry(token);
      if (session.only === "entry") throw sessionOver();
      return session;
    },
  };
}

function sessionOver(): NamedError {
  return new NamedError(
    "session-over",
    "This page is too old. Go back to your course and open the classroom link again.",
    { status: 401 },
  );
}
