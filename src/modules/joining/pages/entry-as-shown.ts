import type { Entry } from "../../../domain/entry.ts";
import {
  type EntryTarget,
  findTarget,
  type FindTargetDeps,
  findTargetToShow,
  targetOf,
} from "../find-target.ts";
import type { Browser } from "../../../web/browser-of.ts";
import type { Session } from "../../../web/session.ts";

/** A page's form field "shown"; "as-set" is a launch, which does not ask, or a page, which is seen while the account is paused, too. */
export type ShownWish = "as-set" | Entry["shown"];

/**
 * Where a session leads. A request inside a frame is embedded in any case: there the Space cannot replace a page and
 * would get no camera. Phones and tablets get a tab (document part 1.2); inside a frame the caller shows them its
 * button.
 * @param known What a launch has just written; looked up when left out.
 * @throws as `findTarget`
 */
export async function targetAsShown(
  deps: FindTargetDeps,
  session: Session,
  { mobile, maybeTablet, framed }: Browser,
  wish: ShownWish,
  known?: Parameters<typeof targetOf>[0],
): Promise<EntryTarget> {
  const { courseId, personId, courseLinkId, role, locale } = session;
  const entry: Entry = { courseId, personId, courseLinkId, role, locale, mobile, shown: "tab" };
  const find = wish === "as-set" ? findTargetToShow : findTarget;
  const target = known === undefined ? await find(deps, entry) : targetOf(known, entry);
  const embedded = (wish !== "tab" || framed) && embedsSpace(target);
  if (embedded) return { ...target, entry: { ...target.entry, shown: "embedded" } };
  // A launch that meets no page of ours first: better no recording for a Mac than a recording that a tablet cannot make.
  const isInDoubt = wish === "as-set" && !framed && maybeTablet && target.settings.startLocalRecording;
  return isInDoubt ? { ...target, entry: { ...target.entry, mobile: true } } : target;
}

/** Frames have reliability limits on mobile devices, redirects none (document part 1.2). */
export function embedsSpace({ settings, entry }: Pick<EntryTarget, "settings" | "entry">): boolean {
  return settings.mode === "embedded" && !entry.mobile;
}

/** Without the field the page knows tabs only. */
export function wishOf(body: unknown): ShownWish {
  const asked = typeof body === "object" && body !== null && "shown" in body ? body.shown : null;
  return asked === "embedded" ? "embedded" : "tab";
}
