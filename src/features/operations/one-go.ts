/** What is done to many in one go, as long as somebody waits for it. */
export type OneGo = {
  /** About so many are looked at. */
  most?: number;
  /** Where the go before ended, as it said; null for the first one. */
  from?: string | null;
};

/** So many are looked at in one go, unless somebody says otherwise. */
export const usualMost = 10_000;
