import type { LmsCapabilities } from "./lms-product.ts";

const anywhere = "https:";

/**
 * Where an LMS may lead a browser that posts a dialog's answer: browsers check redirects, too. Any https origin where
 * the product's are unknown, so that a teacher's choice is not lost. @param returnUrl The LMS's full address for the
 * answer.
 */
export function answerOrigins(
  { answerStaysOnOrigin }: Pick<LmsCapabilities, "answerStaysOnOrigin">,
  returnUrl: string,
): string[] {
  const { origin } = new URL(returnUrl);
  return answerStaysOnOrigin ? [origin] : [origin, anywhere];
}
