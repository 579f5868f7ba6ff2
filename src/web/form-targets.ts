import type { Response } from "express";

type Answer = Pick<Response, "get" | "set" | "headersSent">;

/**
 * Allows the forms of one page other targets (`form-action`). Browsers apply it to redirects that follow as well, so
 * the target must not lead on elsewhere.
 * @param sources Origins, or schemes such as "https:" where the places cannot be known.
 */
export function allowFormsTo(response: Answer, sources: readonly string[]): void {
  change(response, (now) => [now, ...sources.filter((source) => !now.split(" ").includes(source))].join(" "));
}

export function keepFormsHere(response: Answer): void {
  change(response, () => "form-action 'self'");
}

function change(response: Answer, changed: (now: string) => string): void {
  const policy = response.get("Content-Security-Policy");
  if (policy === undefined || response.headersSent) return;
  response.set("Content-Security-Policy", policy.replace(/form-action [^;]*/, changed));
}

/** For forms whose way on is known to nobody here: through an LMS and wherever people log in, or into any classroom. */
export function allowFormsAnywhere(response: Answer, publicUrl: string): void {
  allowFormsTo(response, publicUrl.startsWith("http://") ? ["https:", "http:"] : ["https:"]);
}
