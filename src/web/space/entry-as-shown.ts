import type { Request } from "express";
import type { Entry } from "../../domain/entry.ts";
import { findTarget, type FindTargetDeps } from "../../features/joining/find-target.ts";
import { isInFrame } from "../door/closed-page.ts";
import { isMobile } from "../launch/launch-view.ts";
import type { Session } from "../session.ts";

/** How a page of ours asks to be let in: its form field "shown"; "as-set" is a launch, which asks for nothing. */
export type ShownWish = "as-set" | Entry["shown"];

/**
 * The entry of a session, shown as its course (or its link) is set: embedded when that is set and the page asks for
 * it. A request that loads inside a frame is embedded in any case, since the Space itself cannot be sent into the
 * LMS's frame: nothing there gives it a camera.
 * @throws as `findTarget`
 */
export async function entryAsShown(
  deps: FindTargetDeps,
  session: Session,
  request: Request,
  wish: ShownWish,
): Promise<Entry> {
  const embedded = (wish !== "tab" || isInFrame(request)) && (await embedsSpace(deps, session));
  const { courseId, personId, courseLinkId, role, locale } = session;
  const shown = embedded ? "embedded" : "tab";
  return { courseId, personId, courseLinkId, role, locale, mobile: isMobile(request), shown };
}

/** Whether the course, or the link that was opened, shows its Space inside the LMS's page. */
export async function embedsSpace(deps: FindTargetDeps, session: Session): Promise<boolean> {
  const { settings } = await findTarget(deps, { ...session, mobile: false, shown: "tab" });
  return settings.mode === "embedded";
}

/** The wish of a posted form; a form without one is of a page that knows of tabs only. */
export function wishOf(body: unknown): ShownWish {
  const asked = typeof body === "object" && body !== null && "shown" in body ? body.shown : null;
  return asked === "embedded" ? "embedded" : "tab";
}
