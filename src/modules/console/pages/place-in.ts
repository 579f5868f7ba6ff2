import { z } from "zod";

const placeShape = z.object({ place: z.string().trim().max(400).catch("") });

/** A page cursor, from a query or a form; null at the beginning. */
export function placeIn(given: unknown): string | null {
  const { place } = placeShape.parse(typeof given === "object" && given !== null ? given : {});
  return place === "" ? null : place;
}
