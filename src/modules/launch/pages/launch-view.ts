import type { Launch } from "../../../domain/launch.ts";

/**
 * The browser's Sec-Fetch-Dest comes first: Moodle says `document_target` "frame" for its top-level "existing window"
 * (moodle: launch containers).
 */
export function isFramed(
  request: { get: (name: string) => string | undefined },
  launch: Pick<Launch, "presentation">,
): boolean {
  const destination = request.get("sec-fetch-dest");
  if (destination === "iframe" || destination === "frame") return true;
  if (destination === "document") return false;
  // Canvas says "iframe" of every launch; our own page before it knows (views/assets/keep-launch.js).
  if (/(^|;\s*)lti_top=1(;|$)/.test(request.get("cookie") ?? "")) return false;
  return launch.presentation.target === "iframe" || launch.presentation.target === "unknown";
}
