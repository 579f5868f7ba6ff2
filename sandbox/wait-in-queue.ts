import type { Seen, Visitor } from "./visitor.ts";

const timeoutMs = 120_000;

/** Reloads the waiting page every `pollMs` until the person is let in or refused. Any other page is returned unchanged. */
export async function waitInQueue(visitor: Visitor, seen: Seen, pollMs = 150): Promise<Seen> {
  const isPlace = (address: string | null): address is string =>
    address?.startsWith(new URL("/waiting?", seen.url).href) === true;
  const shown = async (next: Seen) =>
    next.status === 303 && isPlace(next.location) ? await visitor.open(next.location) : next;
  const deadline = Date.now() + timeoutMs;
  let page = await shown(seen);
  while (isWaitingPage(page) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    // The answer to a form has no address.
    const look = isPlace(page.url) ? visitor.open(page.url) : visitor.submit(page, { action: "/waiting" });
    page = await shown(await look);
  }
  return page;
}

export function isWaitingPage({ status, text }: Seen): boolean {
  return status === 200 && text.includes('action="/waiting"');
}
