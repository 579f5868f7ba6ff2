/** The question in a copied course. */
export const copied = {};
