import { familyOfProduct, hasOwnAdapter } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";

/**
 * A registration after its LMS has named its product. An operator's choice stays, and so does a known product: an LMS
 * does not become another one, so people look at a contradiction.
 * @param product What a verified launch says; null for nothing.
 * @returns the same object when nothing is new.
 */
export function withReportedProduct(registration: Registration, product: string | null): Registration {
  if (product === null || product === registration.product) return registration;
  const learns = registration.familyFrom !== "operator" && !hasOwnAdapter(registration.family);
  return { ...registration, product, ...(learns ? { family: familyOfProduct(product) } : {}) };
}

/** The product that the LMS names, when it is treated as another one; else null. */
export function contradictingProduct({ family, product }: Registration): string | null {
  return product === undefined || familyOfProduct(product) === family ? null : product;
}
