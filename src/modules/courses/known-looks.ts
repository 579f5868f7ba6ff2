import type { Clock } from "../../kernel/clock.ts";
import { type Brand, brandOf } from "./rules/institution-look.ts";
import type { InstitutionLookStore } from "./store/institution-look-store.ts";

/** How long a page may show an earlier look, where another instance of the tool has changed it. */
const lifeMs = 30_000;

/** Looks that are remembered at once; each is some hundred bytes. */
const maxKnown = 2_000;

export type KnownLooks = ReturnType<typeof createKnownLooks>;

/** What pages of an LMS's courses show of their institution, from memory: every page asks. */
export function createKnownLooks(deps: {
  institutionLooks: Pick<InstitutionLookStore, "find">;
  clock: Pick<Clock, "now">;
}) {
  const known = new Map<string, { brand: Promise<Brand | null>; until: number }>();
  const read = async (registrationId: string) => brandOf(await deps.institutionLooks.find(registrationId));
  const forget = (registrationId: string): void => {
    known.delete(registrationId);
  };
  return {
    /** Null where nothing is set. */
    of: async (registrationId: string): Promise<Brand | null> => {
      const now = deps.clock.now();
      const held = known.get(registrationId);
      if (held !== undefined && now < held.until) return held.brand;
      if (known.size >= maxKnown) known.clear();
      const brand = read(registrationId);
      known.set(registrationId, { brand, until: now + lifeMs });
      try {
        return await brand;
      } catch (thrown) {
        forget(registrationId);
        throw thrown;
      }
    },
    /** It was changed here. */
    forget,
  };
}
