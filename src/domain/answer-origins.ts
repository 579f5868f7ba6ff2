import type { Registration } from "./registration.ts";

/** Any place that is reached by https. */
const anywhere = "https:";

/**
 * Where an LMS may lead a browser that posts the answer of a dialog to it; browsers hold this against the redirects that follow
 * as well. Moodle (`mod/lti/contentitem_return.php`) and Canvas (`deep_linking_response`) answer with a page of the address they
 * gave. Of others it is not known, and what a teacher has chosen must not be lost.
 * @param returnUrl The full web address that the LMS gave for the answer.
 */
export function answerOrigins({ family }: Pick<Registration, "family">, returnUrl: string): string[] {
  const { origin } = new URL(returnUrl);
  return family === "other" ? [origin, anywhere] : [origin];
}
