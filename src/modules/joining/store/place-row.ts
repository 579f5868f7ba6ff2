import type { RowOf } from "../../../domain/record.ts";
import type { placeRecord } from "../rules/place.ts";

/** A place as it is stored. */
export type PlaceRow = RowOf<typeof placeRecord>;
