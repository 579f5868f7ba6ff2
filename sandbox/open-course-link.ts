import type { StandInLms } from "./stand-in-lms/start-stand-in-lms.ts";
import type { Seen, Visitor } from "./visitor.ts";
import { waitInQueue } from "./wait-in-queue.ts";

/**
 * Clicks a course link and follows it up to the tool's response to the launch: a redirect into the Space, or a page. @param options.pollMs
 * how often the waiting page is reloaded @param options.path of another way to the tool in the LMS
 */
export async function openCourseLink(
  visitor: Visitor,
  lms: StandInLms,
  person: string,
  linkId: string,
  options: { framed?: boolean; pollMs?: number; path?: string } = {},
): Promise<Seen> {
  const framed = options.framed ?? false;
  visitor.addCookie(lms.url, lms.cookieFor(person));
  const path = options.path ?? lms.launchPath(linkId, framed ? "embed" : "existing");
  const start = await visitor.open(lms.url + path, { framed });
  const toAuthorization = await visitor.submit(start, { framed });
  if (toAuthorization.location === null) return toAuthorization;
  const idToken = await visitor.open(toAuthorization.location, { framed });
  return waitInQueue(visitor, await visitor.submit(idToken, { framed }), options.pollMs);
}

/**
 * A person goes into the Space from a course link in a new tab: a learner directly, an instructor by the button of their page. @returns the
 * redirect into the Space, or the page that gives the reason for refusing.
 */
export async function enterByCourseLink(
  visitor: Visitor,
  lms: StandInLms,
  person: string,
  linkId: string,
  pollMs?: number,
): Promise<Seen> {
  const options = pollMs === undefined ? {} : { pollMs };
  const seen = await openCourseLink(visitor, lms, person, linkId, options);
  const hasButton = seen.status === 200 && /<form\s+id="enter"/.test(seen.text);
  return hasButton ? waitInQueue(visitor, await visitor.submit(seen, { action: "/enter" }), pollMs) : seen;
}
