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
