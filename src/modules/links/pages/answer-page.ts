import type { Response } from "express";
import { answerOrigins } from "../../../domain/lms-product.ts";
import type { ContentItem } from "../rules/content-item.ts";
import type { Registration } from "../../../domain/registration.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { SignDeepLinkingAnswer } from "../../../lms/deep-linking-response.ts";
import { allowFormsTo } from "../../../web/security-headers.ts";
import type { Head } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { Dialog } from "./dialogs.ts";
import { handOver, type HandOverDeps } from "./hand-over.ts";
import { returnPage } from "./return-page.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";

/** What the answer of a dialog needs. */
export type Answered = Pick<
  Dialog,
  "returnUrl" | "deploymentId" | "data" | "acceptTargets" | "locale" | "answerTo"
>;

/** The answer waits in the LMS's dialog; the form is for somebody whose dialog is closed. */
export type HandedOverPage = Head & { returnUrl: string; jwt: string };

const handedOverPage = defineView<HandedOverPage>("deep-linking/handed-over");

export type AnswerWords = { title: string; message: string };

/**
 * The form posts one field `JWT` to the return address, by itself unless somebody should read the page first. Where a
 * frame in the LMS's dialog waits, the answer is left for it instead; the form is then for somebody whose dialog is
 * closed.
 * @throws NamedError "no-return-address" when a form may not be sent to the LMS's address.
 */
export async function showAnswer(
  deps: HandOverDeps & { signDeepLinkingAnswer: SignDeepLinkingAnswer; t: Translate },
  registration: Registration,
  dialog: Answered,
  answer: {
    items: readonly ContentItem[];
    words: AnswerWords;
    /** The LMS gets the reason, too; the page waits for a click. */
    refused?: boolean;
  },
  response: Response,
): Promise<void> {
  const returnUrl = webAddressOrNull(dialog.returnUrl);
  if (returnUrl === null) {
    throw refusal("no-return-address", { status: 400 });
  }
  const { items, words, refused = false } = answer;
  const jwt = await deps.signDeepLinkingAnswer(registration, {
    deploymentId: dialog.deploymentId,
    data: dialog.data,
    acceptTargets: dialog.acceptTargets,
    items,
    error: refused ? words.message : null,
  });
  allowFormsTo(response, answerOrigins(capabilitiesOf(registration), returnUrl));
  const shown = { t: deps.t, returnUrl, jwt };
  if (dialog.answerTo != null) {
    const { deploymentId, data, acceptTargets, locale } = dialog;
    const left = { registrationId: registration.id, deploymentId, returnUrl, data, acceptTargets, locale };
    const refusal = refused ? words.message : null;
    await handOver(deps, dialog.answerTo, { ...left, ...words, refusal, items });
    if (!refused) {
      renderView(response, handedOverPage, { ...shown, title: deps.t("choose.handedOver.heading") });
      return;
    }
  }
  renderView(response, returnPage, { ...shown, ...words, sendsItself: !refused });
}
