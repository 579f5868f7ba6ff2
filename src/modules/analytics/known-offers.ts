import type { AccountId } from "../../domain/account.ts";
import { offerKnownMs } from "./rules/limits.ts";

/** What this process knows of an account: it has analytics, or answered 404 for a session and is asked again for that one alone. */
type Offer = { sessionId: string | null; until: number };

export type KnownOffers = ReturnType<typeof createKnownOffers>;

/**
 * A 404 may say "no analytics here" or "not of this session yet". One session a day finds out, by all its looks; others are asked for once,
 * until an account has had analytics of any.
 */
export function createKnownOffers() {
  const offers = new Map<AccountId, Offer>();
  const known = (account: AccountId, now: number) => {
    const offer = offers.get(account);
    return offer === undefined || offer.until <= now ? null : offer;
  };

  return {
    has: (account: AccountId, now: number): void => {
      offers.set(account, { sessionId: null, until: now + offerKnownMs });
    },
    /** @returns whether the session is to be asked for again. */
    missing: (account: AccountId, sessionId: string, now: number): boolean => {
      const offer = known(account, now);
      if (offer !== null) return offer.sessionId === null || offer.sessionId === sessionId;
      offers.set(account, { sessionId, until: now + offerKnownMs });
      return true;
    },
  };
}
