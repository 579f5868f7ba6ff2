import type { LmsCapabilities, PlatformFamily } from "../../domain/lms-product.ts";
import { lmsProducts } from "./products.ts";

/** @param registration Null, where it is not known, counts as "other". */
export function capabilitiesOf(registration: { family: PlatformFamily } | null): LmsCapabilities {
  return lmsProducts[registration?.family ?? "other"].capabilities;
}
