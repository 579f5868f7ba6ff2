import { z } from "zod";
import type { Asked } from "../give-feedback.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Sealer } from "../../../kernel/sealer.ts";

/** Seals who is asked about what: only a survey we have shown can be answered, and nobody reads in it who it is for. */
export type SurveyTokens = {
  issue: (asked: Asked) => string;
  /** @throws NamedError "survey-over" when the token is missing, forged or older than an hour. */
  read: (token: unknown) => Asked;
};

const purpose = "survey";
const lifetimeMs = 3_600_000;

const tokenSchema = z.object({
  until: z.number(),
  asked: z.object({
    registrationId: z.string(),
    courseId: z.string(),
    personId: z.string(),
    occasion: z.object({ spaceId: z.string(), eventId: z.string().nullable(), heldAt: z.number() }),
    sessionId: z.string().nullable(),
  }),
});

/** Tokens under SECRET_KEY; ones under the previous key still hold. */
export function createSurveyTokens({ sealer, clock }: { sealer: Sealer; clock: Clock }): SurveyTokens {
  return {
    issue: (asked) => sealer.seal(purpose, JSON.stringify({ until: clock.now() + lifetimeMs, asked })),
    read: (token) => {
      try {
        const sealed = z.string().max(4_096).parse(token);
        const { until, asked } = tokenSchema.parse(JSON.parse(sealer.open(purpose, sealed)));
        if (clock.now() <= until) return asked;
      } catch {
        // It was not made here.
      }
      throw refusal("survey-over", { status: 403 });
    },
  };
}
