/** A correction has no sign beside the letter, but a corner. */
export const markSigns = { corrected: "", note: "+", conflict: "!" } as const;

export const emptySigns = { blank: "–", elsewhere: "·", away: "·" } as const;
