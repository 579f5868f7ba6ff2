import type { Seen, Visitor } from "./visitor.ts";

const looksEvery = 150;
const givesUpAfter = 120_000;

/**
 * What somebody does whom the tool sent to its waiting page: looks at it again and again, until they are let in or told
 * that they are not. Anything else than the way to a waiting page comes back as it is.
 */
export async function waitAtDoor(visitor: Visitor, seen: Seen): Promise<Seen> {
  const { location } = seen;
  if (seen.status !== 303 || location === null || new URL(location).pathname !== "/waiting") return seen;
  const deadline = Date.now() + givesUpAfter;
  for (;;) {
    const page = await visitor.open(location);
    if (page.status !== 200 || Date.now() > deadline) return page;
    await new Promise((resolve) => setTimeout(resolve, looksEvery));
  }
}
