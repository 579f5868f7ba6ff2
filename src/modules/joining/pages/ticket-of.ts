/** A ticket as `enterClass` makes it, or longer; null for anything else, such as a repeated parameter. */
export function ticketOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{20,100}$/.test(given) ? given : null;
}

/** A ticket's digest, as the waiting page's address carries it; null for anything else. */
export function placeNameOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{43}$/.test(given) ? given : null;
}
