import type { PlatformFamily, LmsCapabilities } from "../../domain/lms-product.ts";
import { canvas } from "./canvas.ts";
import type { LmsProduct } from "./lms-product.ts";
import { moodle } from "./moodle.ts";
import { other } from "./other.ts";

export const lmsProducts: Readonly<Record<PlatformFamily, LmsProduct>> = { moodle, canvas, other };

export function ofEachProduct<T>(of: (product: LmsProduct) => T): Record<PlatformFamily, T> {
  return { moodle: of(moodle), canvas: of(canvas), other: of(other) };
}

export function productOf({ family }: { family: PlatformFamily }): LmsProduct {
  return lmsProducts[family];
}

/** @param registration Null if unknown, which counts as "other". */
export function capabilitiesOf(registration: { family: PlatformFamily } | null): LmsCapabilities {
  return lmsProducts[registration?.family ?? "other"].capabilities;
}
