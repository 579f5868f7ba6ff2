import type { Registration } from "../domain/registration.ts";
import type { Cloud } from "./products/lms-product.ts";
import { lmsProducts } from "./products/products.ts";
import { withoutTrailingSlashes } from "../kernel/text.ts";

/** Further origins whose configuration may speak for an issuer. */
export function configurationHostsOf(issuer: string): readonly string[] {
  return cloudOf(issuer)?.configurationHosts ?? [];
}

/** Unseen deployments are accepted by hand where one client id serves all institutions: strangers sign there, too. */
export function usualNewDeployments(issuer: string): Registration["newDeployments"] {
  return cloudOf(issuer)?.sharedClientId === true ? "refuse" : "accept";
}

function cloudOf(issuer: string): Cloud | null {
  const clouds = Object.values(lmsProducts).flatMap(({ registration }) => registration.clouds);
  return clouds.find((cloud) => cloud.issuer === withoutTrailingSlashes(issuer)) ?? null;
}
