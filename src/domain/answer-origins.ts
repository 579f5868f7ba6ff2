import type { LmsCapabilities } from "./lms-product.ts";

/** Any place that is reached by https. */
const anywhere = "https:";

/**
 * Where an LMS may lead a browser that posts the answer of a dialog to it; browsers hold this against the redirects that follow
 * as well. Where it is not known that a product stays on its own origin, what a teacher has chosen must not be lost.
 * @param returnUrl The full web address that the LMS gave for the answer.
 */
export function answerOrigins(
  { answerStaysOnOrigin }: Pick<LmsCapabilities, "answerStaysOnOrigin">,
  returnUrl: string,
): string[] {
  const { origin } = new URL(returnUrl);
  return answerStaysOnOrigin ? [origin] : [origin, anywhere];
}
