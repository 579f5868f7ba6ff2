import type { LmsCapabilities } from "./lms-product.ts";

const anywhere = "https:";

/**
 * Origins to which an LMS may lead a browser that posts a dialog's answer: browsers check redirects, too. Any https origin where the
 * product's are not known, so that a teacher's choice is not lost.
 * @param returnUrl The full web address the LMS gave for the answer.
 */
export function answerOrigins(
  { answerStaysOnOrigin }: Pick<LmsCapabilities, "answerStaysOnOrigin">,
  returnUrl: string,
): string[] {
  const { origin } = new URL(returnUrl);
  return answerStaysOnOrigin ? [origin] : [origin, anywhere];
}
