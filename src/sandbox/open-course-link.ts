import type { StandInLms } from "./stand-in-lms/start-stand-in-lms.ts";
import type { Seen, Visitor } from "./visitor.ts";
import { waitAtDoor } from "./wait-at-door.ts";

/**
 * What happens when somebody who is logged in at the LMS clicks a course link: login initiation to the tool, the
 * tool's redirect to the LMS's authorization, the LMS's id_token form to the tool.
 * Whoever has to wait at the classroom's door waits.
 * @returns the tool's answer to the launch: a redirect into the Space, or a page.
 */
export async function openCourseLink(
  visitor: Visitor,
  lms: StandInLms,
  person: string,
  linkId: string,
  options: { framed?: boolean } = {},
): Promise<Seen> {
  const framed = options.framed ?? false;
  visitor.addCookie(lms.url, lms.cookieFor(person));
  const start = await visitor.open(`${lms.url}${lms.launchPath(linkId, framed ? "embed" : "existing")}`, {
    framed,
  });
  const toAuthorization = await visitor.submit(start, { framed });
  if (toAuthorization.location === null) return toAuthorization;
  const idToken = await visitor.open(toAuthorization.location, { framed });
  return waitAtDoor(visitor, await visitor.submit(idToken, { framed }));
}
