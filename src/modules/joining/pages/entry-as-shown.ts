import type { Request } from "express";
import type { Entry } from "../../../domain/entry.ts";
import { type EntryTarget, findTarget, type FindTargetDeps, targetOf } from "../find-target.ts";
import { isInFrame } from "./closed-page.ts";
import { isMobile } from "../../launch/pages/launch-view.ts";
import type { Session } from "../../../web/session.ts";

/** How a page of ours asks to be let in: its form field "shown"; "as-set" is a launch, which asks for nothing. */
export type ShownWish = "as-set" | Entry["shown"];

/**
 * Where a session leads, shown as its course (or its link) is set: embedded when that is set and the page asks for
 * it. A request that loads inside a frame is embedded in any case, since the Space itself cannot be sent into the
 * LMS's frame: nothing there gives it a camera. Phones and tablets get a tab (document part 1.2); what they ask for inside
 * a frame is left to the caller, who shows the button for one.
 * @param known What a launch has just written down; looked up when left out.
 * @throws as `findTarget`
 */
export async function targetAsShown(
  deps: FindTargetDeps,
  session: Session,
  request: Request,
  wish: ShownWish,
  known?: Parameters<typeof targetOf>[0],
): Promise<EntryTarget> {
  const { courseId, personId, courseLinkId, role, locale } = session;
  const mobile = isMobile(request);
  const entry: Entry = { courseId, personId, courseLinkId, role, locale, mobile, shown: "tab" };
  const target = known === undefined ? await findTarget(deps, entry) : targetOf(known, entry);
  const embedded = (wish !== "tab" || isInFrame(request)) && embedsSpace(target);
  return embedded ? { ...target, entry: { ...target.entry, shown: "embedded" } } : target;
}

/**
 * Whether the course, or the link that was opened, shows its Space inside the LMS's page to whoever enters. On mobile
 * devices a frame has reliability limits, a redirect has none (document part 1.2).
 */
export function embedsSpace({ settings, entry }: Pick<EntryTarget, "settings" | "entry">): boolean {
  return settings.mode === "embedded" && !entry.mobile;
}

/** The wish of a posted form; a form without one is of a page that knows of tabs only. */
export function wishOf(body: unknown): ShownWish {
  const asked = typeof body === "object" && body !== null && "shown" in body ? body.shown : null;
  return asked === "embedded" ? "embedded" : "tab";
}
