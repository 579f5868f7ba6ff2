import type { Prepared } from "./walk-in.ts";

/** Where a launch leads, with the cookies that it set; or the page, where the answer is one. */
export type Framed = { leadsTo: { address: URL; cookie: string } } | { page: Response };

/** A signed launch in a frame. @returns the answer; the body of a page is not read yet. */
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

/** A signed launch in a frame, to the page that it shows. */
export async function openFramed(url: string, launch: Omit<Prepared, "tool">): Promise<Response> {
  return pageOf(await launchFramed(url, launch));
}
