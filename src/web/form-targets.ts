import type { Response } from "express";

type Answer = Pick<Response, "get" | "set" | "headersSent">;

/**
 * Lets the forms of one page lead elsewhere than every page's may (`form-action`). Browsers apply it to the redirects that follow
 * as well, so whoever is posted to must not lead on to another place than these.
 * @param sources Origins, or schemes such as "https:" where the places cannot be known.
 */
export function allowFormsTo(response: Answer, sources: readonly string[]): void {
  change(response, (now) => [now, ...sources.filter((source) => !now.split(" ").includes(source))].join(" "));
}

/** Keeps the forms of a page with us. */
export function keepFormsHere(response: Answer): void {
  change(response, () => "form-action 'self'");
}

function change(response: Answer, changed: (now: string) => string): void {
  const policy = response.get("Content-Security-Policy");
  if (policy === undefined || response.headersSent) return;
  response.set("Content-Security-Policy", policy.replace(/form-action [^;]*/, changed));
}
