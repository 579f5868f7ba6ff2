/** The signs of what else is to be told of a cell. */
export const markSigns = { corrected: "*", note: "+", conflict: "!" } as const;

/** The signs of cells without a status. */
export const emptySigns = { blank: "○", elsewhere: "·", away: "·" } as const;
