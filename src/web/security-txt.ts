import { Router } from "express";
import type { Clock } from "../kernel/clock.ts";

export type SecurityTxtDeps = {
  clock: Pick<Clock, "now">;
  publicUrl: string;
  config: { securityContact?: string | undefined; securityPolicy?: string | undefined };
};

/** RFC 9116 asks for less than a year; whoever runs the tool is asked anew each time it is read. */
const validMs = 180 * 24 * 3_600_000;

/** Says where to report a security problem (RFC 9116), when whoever runs the tool has named a place. */
export function securityTxtRoutes({ clock, publicUrl, config }: SecurityTxtDeps): Router {
  const router = Router();
  router.get("/.well-known/security.txt", (_request, response, next) => {
    const { securityContact, securityPolicy } = config;
    if (securityContact === undefined) {
      next();
      return;
    }
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(clock.now() + validMs).toISOString()}`,
      "Preferred-Languages: en",
      // At the host's root, also where the tool itself lies below a path.
      `Canonical: ${new URL("/.well-known/security.txt", publicUrl).href}`,
      ...(securityPolicy === undefined ? [] : [`Policy: ${securityPolicy}`]),
    ];
    response.type("text/plain").send(`${lines.join("\n")}\n`);
  });
  return router;
}
