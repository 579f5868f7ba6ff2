import type { Request } from "express";
import type { Entry } from "../../../domain/entry.ts";
import { type EntryTarget, findTarget, type FindTargetDeps, targetOf } from "../find-target.ts";
import { isInFrame } from "./closed-page.ts";
import { isMobile } from "../../launch/pages/launch-view.ts";
import type { Session } from "../../../web/session.ts";

/** How a page asks to enter: its form field "shown"; "as-set" is a launch, which does not ask. */
export type ShownWish = "as-set" | Entry["shown"];

/**
 * Where a session leads, shown as its course or link is set. A request inside a frame is embedded in any case: the
 * Space cannot replace a page in the LMS's frame, where it gets no camera. Phones and tablets get a tab (document
 * part 1.2); inside a frame the caller shows them the button for one.
 * @param known What a launch has just written; looked up when left out.
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
 * Whether the Space is shown inside the LMS's page. Frames have reliability limits on mobile devices, redirects none
 * (document part 1.2).
 */
export function embedsSpace({ settings, entry }: Pick<EntryTarget, "settings" | "entry">): boolean {
  return settings.mode === "embedded" && !entry.mobile;
}

/** The wish of a posted form; without the field it is of a page that knows tabs only. */
export function wishOf(body: unknown): ShownWish {
  const asked = typeof body === "object" && body !== null && "shown" in body ? body.shown : null;
  return asked === "embedded" ? "embedded" : "tab";
}
