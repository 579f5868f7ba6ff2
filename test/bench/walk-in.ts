import { SignJWT } from "jose";
import type { Registration } from "../../src/domain/registration.ts";
import { launchClaimsOf, type TinyPlatform } from "../support/stand-ins/signed-launch.ts";

/** The instance of the tool that a person is sent to. */
type Tool = { url: string };

/** A person whose LMS has signed their launch; they only have to arrive. */
export type Prepared = { tool: Tool; idToken: string; state: string; cookie: string };

/** How a person got in: times by performance.now(). */
export type WalkIn = { launchedAt: number; insideAt: number; waited: boolean; token: string };

/** Logs in and signs in advance, so that only the launch itself is left. */
export async function prepareLaunch(
  { platform, registration }: { platform: TinyPlatform; registration: Registration },
  tool: Tool,
  claims: Record<string, unknown>,
): Promise<Prepared> {
  const { issuer, clientId } = registration;
  const query = new URLSearchParams({
    iss: issuer,
    client_id: clientId,
    login_hint: "hint",
    target_link_uri: `${tool.url}/lti/launch`,
  });
  const response = await fetch(`${tool.url}/lti/login?${query.toString()}`, {
    redirect: "manual",
    headers: { "sec-fetch-dest": "document" },
  });
  await response.arrayBuffer();
  const asked = new URL(response.headers.get("location") ?? "").searchParams;
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const [key] = platform.keys;
  if (key === undefined) throw new Error("the LMS has no key");
  const now = Math.floor(Date.now() / 1_000);
  const all: Record<string, unknown> = {
    ...launchClaimsOf(tool.url, registration, asked.get("nonce") ?? ""),
    ...claims,
    iat: now,
    exp: now + 600,
  };
  const present = Object.entries(all).filter(([, value]) => value !== undefined);
  const idToken = await new SignJWT(Object.fromEntries(present))
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: key.kid })
    .sign(key.privateKey);
  return { tool, idToken, state: asked.get("state") ?? "", cookie };
}

/** Where a person is sent, and what their browser stores for the waiting page. */
export type Sent = { to: URL; cookie: string };

/** Arrives to enter in a new tab. @returns where that leads: into the classroom, or to the waiting page. */
export async function joinQueue({ tool, idToken, state, cookie }: Prepared): Promise<Sent> {
  const response = await fetch(`${tool.url}/lti/launch`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, "content-type": "application/x-www-form-urlencoded", "sec-fetch-dest": "document" },
    body: new URLSearchParams({ id_token: idToken, state }).toString(),
  });
  const kept = response.headers
    .getSetCookie()
    .flatMap((line) => (/^(?:__Secure-)?place_/.test(line) ? [line.split(";")[0]] : []));
  return { to: await leadsTo(response, tool), cookie: kept.join("; ") };
}

/** Arrives to enter and waits as the waiting page does, until the classroom's address is there. */
export async function walkIn(prepared: Prepared): Promise<WalkIn> {
  const launchedAt = performance.now();
  const { tool } = prepared;
  const sent = await joinQueue(prepared);
  const { cookie } = sent;
  let { to } = sent;
  const waited = isWaitingPage(to);
  while (isWaitingPage(to)) {
    const stream = await listenAt({ to, cookie });
    await stream.settled;
    to = await leadsTo(await fetch(to, { redirect: "manual", headers: { cookie } }), tool, to);
  }
  return { launchedAt, insideAt: performance.now(), waited, token: to.searchParams.get("token") ?? "" };
}

/** Whether an address is that of a waiting page. */
export function isWaitingPage({ pathname }: URL): boolean {
  return pathname === "/waiting";
}

/** Opens the stream of a waiting page; settles when it says anything other than "waiting", or ends. */
export async function listenAt({ to, cookie }: Sent): Promise<{ settled: Promise<void>; leave: () => void }> {
  const leaving = new AbortController();
  const response = await fetch(new URL("/waiting/events", to), {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({ place: to.searchParams.get("place") ?? "" }),
    signal: leaving.signal,
  });
  const leave = () => {
    leaving.abort();
  };
  const settled = untilSettled(response)
    .catch(() => undefined) // cut off: the page checks again
    .finally(leave);
  return { settled, leave };
}

async function leadsTo(response: Response, tool: Tool, here?: URL): Promise<URL> {
  const text = await response.text();
  const location = response.headers.get("location");
  if (response.status === 303 && location !== null) return new URL(location, tool.url);
  // The page of a person who still has to wait.
  if (response.status === 200 && here !== undefined && text.includes("/assets/waiting")) return here;
  throw new Error(`the entry page answered ${response.status}: ${text.slice(0, 500)}`);
}

async function untilSettled(response: Response): Promise<void> {
  if (response.body === null) return;
  const words: AsyncIterable<string> = response.body.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const part of words) {
    text = (text + part).slice(-4_000);
    if (/"state":"(?!waiting)/.test(text)) return;
  }
}

/** Where a launch leads, with the cookies that it set; or the page, if the response is one. */
export type Framed = { leadsTo: { address: URL; cookie: string } } | { page: Response };

/** A signed launch in a frame. @returns the response; the body of a page is not read yet. */
export async function launchFramed(
  url: string,
  { idToken, state, cookie }: Omit<Prepared, "tool">,
): Promise<Framed> {
  const response = await fetch(`${url}/lti/launch`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, "content-type": "application/x-www-form-urlencoded", "sec-fetch-dest": "iframe" },
    body: new URLSearchParams({ id_token: idToken, state }).toString(),
  });
  const location = response.headers.get("location");
  if (response.status !== 303 || location === null) return { page: response };
  await response.arrayBuffer();
  const kept = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { leadsTo: { address: new URL(location, url), cookie: kept.join("; ") } };
}

/** The page that a launch in a frame shows; its body is not read yet. */
export async function pageOf(framed: Framed): Promise<Response> {
  if ("page" in framed) return framed.page;
  const { address, cookie } = framed.leadsTo;
  return fetch(address, { headers: { cookie, "sec-fetch-dest": "iframe" } });
}

/** A signed launch in a frame, up to the page that it shows. */
export async function openFramed(url: string, launch: Omit<Prepared, "tool">): Promise<Response> {
  return pageOf(await launchFramed(url, launch));
}
