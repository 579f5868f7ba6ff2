import { Router } from "express";
import { z } from "zod";
import { readForm } from "../../../kernel/read-form.ts";
import { answerOrigins } from "../../../domain/lms-product.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../../registration/require-active-registration.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Sealer } from "../../../kernel/sealer.ts";
import { shortDigest } from "../../../kernel/ids.ts";
import type { SignDeepLinkingAnswer } from "../../../lms/deep-linking-response.ts";
import type { HandedAnswerStore } from "../../../storage/handed-answer-store.ts";
import { allowFormsTo } from "../../../web/security-headers.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import type { FetchAnswer, Head } from "../../../web/partials.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { returnPage } from "./return-page.ts";

const answerSchema = z.object({
  registrationId: z.string(),
  deploymentId: z.string(),
  returnUrl: z.string(),
  data: z.string().nullable(),
  acceptTargets: z.array(z.string()).readonly(),
  locale: z.string().nullable(),
  title: z.string(),
  message: z.string(),
  /** Why nothing could be chosen; the LMS gets it, too. */
  refusal: z.string().nullable(),
  items: z
    .array(
      z.object({
        title: z.string(),
        text: z.string().nullable(),
        custom: z.record(z.string(), z.string()),
        column: z
          .object({
            points: z.number(),
            resourceId: z.string(),
            tag: z.string(),
            // Answers that were on their way during an update have none.
            endsAt: z.number().nullable().default(null),
          })
          .nullable(),
      }),
    )
    .readonly(),
});

/** Nothing was chosen yet. `answerKey`: with it the frame asks again. */
export type NotChosenPage = FetchAnswer & Head;

const notChosenPage = defineView<NotChosenPage>("deep-linking/not-chosen");

/** Signed when it is sent: a signature lasts minutes, choosing may take longer. */
export type HandedAnswer = z.infer<typeof answerSchema>;

export type HandOverDeps = { handedAnswers: HandedAnswerStore; sealer: Sealer; clock: Clock };

const purpose = "deep-linking answer";
/** As long as a dialog may be open (ms). */
const keptMs = 60 * 60_000;

/** Somebody is choosing in the window that the frame opened. */
export async function beginHandOver(deps: HandOverDeps, answerTo: string): Promise<void> {
  await deps.handedAnswers.put(answerTo, null, deps.clock.now() + keptMs);
}

/** For the frame, which alone has the key that `answerTo` is the digest of. */
export async function handOver(deps: HandOverDeps, answerTo: string, answer: HandedAnswer): Promise<void> {
  const sealed = deps.sealer.seal(purpose, JSON.stringify(answer));
  await deps.handedAnswers.put(answerTo, sealed, deps.clock.now() + keptMs);
}

const keySchema = z.object({ key: z.string().min(16).max(200) });

export type HandOverRoutesDeps = HandOverDeps &
  RequireActiveRegistrationDeps & {
    signDeepLinkingAnswer: SignDeepLinkingAnswer;
    translatorOf: TranslatorOf;
  };

/** /state, for the frame's script: "none", "choosing" or "ready". The other page sends the answer to the LMS. */
export function handOverRoutes(deps: HandOverRoutesDeps): Router {
  const router = Router();
  const form = readForm({ maxBytes: 4 * 1024 });
  const findFor = (body: unknown) => {
    const asked = keySchema.safeParse(body);
    return asked.success ? deps.handedAnswers.find(shortDigest(asked.data.key), deps.clock.now()) : null;
  };

  router.post("/choose/answer/state", form, async (request, response) => {
    const found = await findFor(request.body);
    const state = found === null ? "none" : found.answer === null ? "choosing" : "ready";
    response.json({ state });
  });

  router.post("/choose/answer", form, async (request, response) => {
    const found = await findFor(request.body);
    if (found?.answer == null) {
      const t = deps.translatorOf(readerLocale(request));
      renderView(response.status(404), notChosenPage, {
        t,
        title: t("choose.notChosen.heading"),
        answerKey: keySchema.safeParse(request.body).data?.key ?? "",
      });
      return;
    }
    const answer = answerSchema.parse(JSON.parse(deps.sealer.open(purpose, found.answer)));
    const registration = await requireActiveRegistration(deps, answer);
    const t = deps.translatorOf(answer.locale);
    allowFormsTo(response, answerOrigins(capabilitiesOf(registration), answer.returnUrl));
    renderView(response, returnPage, {
      t,
      title: answer.title,
      message: answer.message,
      returnUrl: answer.returnUrl,
      jwt: await deps.signDeepLinkingAnswer(registration, { ...answer, error: answer.refusal }),
      sendsItself: answer.refusal === null,
    });
  });
  return router;
}
