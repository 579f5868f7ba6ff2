import type { Request } from "express";
import type { Launch } from "../../../domain/launch.ts";

/**
 * The browser's Sec-Fetch-Dest comes first: Moodle says `document_target` "frame" for its top-level "existing window"
 * (moodle: launch containers).
 */
export function isFramed(request: Request, launch: Launch): boolean {
  const destination = request.get("sec-fetch-dest");
  if (destination === "iframe" || destination === "frame") return true;
  if (destination === "document") return false;
  return launch.presentation.target === "iframe" || launch.presentation.target === "unknown";
}

/**
 * Phones and tablets, where the classroom is not reliable inside another page (document part 1.2) and cannot record
 * locally (part 4). iPadOS calls itself Macintosh: only a page's script can tell, and its form says it
 * (`views/assets/device.js`).
 */
export function isMobile(request: Request): boolean {
  if (request.get("sec-ch-ua-mobile") === "?1") return true;
  if (/Mobi|Android|iPhone|iPad/i.test(request.get("user-agent") ?? "")) return true;
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "device" in body && body.device === "tablet";
}
