import type { Place } from "../rules/place.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** A place as it is stored. */
export type PlaceRow = Omit<Place, "id"> &
  LeaseFields & {
    _id: string;
    notBefore: number;
    expiresAt: Date;
    /** Set while the place is waiting or ready: a person has one such place in a course. */
    open?: true;
    /** How often it came back to the line after its login had been there. */
    returns: number;
  };
