import type { Registration } from "../domain/registration.ts";
import type { Cloud } from "./products/lms-product.ts";
import { lmsProducts } from "./products/products.ts";

/** Origins besides its own whose configuration may speak for an issuer. */
export function configurationHostsOf(issuer: string): readonly string[] {
  return cloudOf(issuer)?.configurationHosts ?? [];
}

/**
 * What becomes of launches from deployments nobody has seen when nobody has said. Where one client id serves every
 * institution, a stranger's launch is as well signed as anybody's: there each is accepted by hand.
 */
export function usualNewDeployments(issuer: string): Registration["newDeployments"] {
  return cloudOf(issuer)?.sharedClientId === true ? "refuse" : "accept";
}

function cloudOf(issuer: string): Cloud | null {
  const clouds = Object.values(lmsProducts).flatMap(({ registration }) => registration.clouds);
  return clouds.find((cloud) => cloud.issuer === issuer.replace(/\/+$/, "")) ?? null;
}
