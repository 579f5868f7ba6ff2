/** Scores wait for more about the same person for so long (ms) at most. */
export const gatheredFor = 15_000;
/** After so long (ms) without anything more about a person a burst is over. */
export const quietFor = 1_500;
