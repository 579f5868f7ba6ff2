import { hkdfSync } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Asked } from "../give-feedback.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { refusal } from "../../../kernel/refusal.ts";

/** Signs who is asked about what, so that only a survey we have shown can be answered. */
export type SurveyTokens = {
  issue: (asked: Asked) => Promise<string>;
  /** @throws NamedError "survey-over" when the token is missing, forged or older than an hour. */
  read: (token: unknown) => Promise<Asked>;
};

const purpose = "survey";
const lifetimeSeconds = 3_600;

const askedSchema: z.ZodType<Asked> = z.object({
  registrationId: z.string(),
  courseId: z.string(),
  personId: z.string(),
  occasion: z.object({ spaceId: z.string(), eventId: z.string().nullable(), heldAt: z.number() }),
  sessionId: z.string().nullable(),
  certain: z.boolean(),
});

/** Tokens under SECRET_KEY; ones under the previous key still hold. */
export function createSurveyTokens(deps: {
  secretKey: string;
  secretKeyPrevious: string | undefined;
  clock: Clock;
}): SurveyTokens {
  const { secretKey, secretKeyPrevious, clock } = deps;
  const keyOf = (secret: string) => new Uint8Array(hkdfSync("sha256", secret, "spaces-lti", purpose, 32));
  const current = keyOf(secretKey);
  const keys = [current, ...(secretKeyPrevious === undefined ? [] : [keyOf(secretKeyPrevious)])];
  return {
    issue: (asked) => {
      const now = Math.floor(clock.now() / 1000);
      return new SignJWT({ ...asked })
        .setProtectedHeader({ alg: "HS256" })
        .setAudience(purpose)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(current);
    },
    read: async (token) => {
      for (const key of keys) {
        try {
          const { payload } = await jwtVerify(typeof token === "string" ? token : "", key, {
            algorithms: ["HS256"],
            audience: purpose,
            currentDate: new Date(clock.now()),
            requiredClaims: ["exp"],
          });
          return askedSchema.parse(payload);
        } catch {
          continue; // the other key may fit
        }
      }
      throw refusal("survey-over", { status: 403 });
    },
  };
}
