import { familyOfProduct, hasOwnAdapter } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";

/**
 * A registration after its LMS has named its product. What an operator has said stays, and so does a product that is
 * known: an LMS does not become another one, so a contradiction is for people to look at.
 * @param product What a verified launch says; null when it says nothing.
 * @returns the same registration when there is nothing new in it.
 */
export function afterProductTold(registration: Registration, product: string | null): Registration {
  if (product === null || product === registration.product) return registration;
  const learns = registration.familyFrom !== "operator" && !hasOwnAdapter(registration.family);
  return { ...registration, product, ...(learns ? { family: familyOfProduct(product) } : {}) };
}

/** What the LMS calls itself when that is not the product it is treated as; null when both agree, or it has not said. */
export function contradictingProduct({ family, product }: Registration): string | null {
  return product === undefined || familyOfProduct(product) === family ? null : product;
}
