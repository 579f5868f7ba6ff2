/** A ticket as `enterClass` makes it, or longer; null for anything else, such as one that is given twice. */
export function ticketOf(given: unknown): string | null {
  return typeof given === "string" && /^[\w-]{20,100}$/.test(given) ? given : null;
}
