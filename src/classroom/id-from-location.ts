/** Only of a 201, whose Location names what was created (RFC 9110, 15.3.2). */
export function idFromLocation(answer: { status: number; location: string | null }): string | null {
  if (answer.status !== 201 || answer.location === null) return null;
  const last = answer.location
    .split(/[?#]/)[0]
    ?.split("/")
    .findLast((part) => part !== "");
  try {
    return last === undefined ? null : decodeURIComponent(last);
  } catch {
    return null;
  }
}
