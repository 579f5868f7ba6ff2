/** A ticket as `enterClass` makes it, or longer; null for anything else, such as one that is given twice. */
export function ticketOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{20,100}$/.test(given) ? given : null;
}

/** A ticket's digest, as the address of a waiting page names its place; null for anything else. */
export function placeNameOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{43}$/.test(given) ? given : null;
}
