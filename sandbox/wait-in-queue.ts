import type { Seen, Visitor } from "./visitor.ts";

const timeoutMs = 120_000;

/** Reloads the waiting page every `pollMs` until the person is let in or refused. Any other page comes back as it is. */
export async function waitInQueue(visitor: Visitor, seen: Seen, pollMs = 150): Promise<Seen> {
  const { location } = seen;
  const isSent = seen.status === 303 && location !== null && new URL(location).pathname === "/waiting";
  const deadline = Date.now() + timeoutMs;
  let page = isSent ? await visitor.open(location) : seen;
  while (isWaitingPage(page) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const looked = await visitor.submit(page, { action: "/waiting" });
    page =
      looked.status === 303 && looked.location?.startsWith(ofTool(page)) === true
        ? await visitor.open(looked.location)
        : looked;
  }
  return page;
}

export function isWaitingPage({ status, text }: Seen): boolean {
  return status === 200 && text.includes('action="/waiting"');
}

const ofTool = ({ url }: Seen) => new URL("/waiting?", url).href;
