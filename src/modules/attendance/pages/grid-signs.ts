export const markSigns = { corrected: "*", note: "+", conflict: "!" } as const;

export const emptySigns = { blank: "○", elsewhere: "·", away: "·" } as const;
