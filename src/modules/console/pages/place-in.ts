import { z } from "zod";

const placeShape = z.object({ place: z.string().trim().max(400).catch("") });

/** Where something that is done in several goes goes on, as a query or a posted form says it; null at the beginning. */
export function placeIn(given: unknown): string | null {
  const { place } = placeShape.parse(typeof given === "object" && given !== null ? given : {});
  return place === "" ? null : place;
}
