import type { Prepared } from "./walk-in.ts";

/**
 * A signed launch in a frame, to the page that it shows: the answer itself, or the address to which it leads.
 * @returns the page; its body is not read yet.
 */
export async function openFramed(url: string, launch: Omit<Prepared, "tool">): Promise<Response> {
  const { idToken, state, cookie } = launch;
  const response = await fetch(`${url}/lti/launch`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, "content-type": "application/x-www-form-urlencoded", "sec-fetch-dest": "iframe" },
    body: new URLSearchParams({ id_token: idToken, state }).toString(),
  });
  const location = response.headers.get("location");
  if (response.status !== 303 || location === null) return response;
  await response.arrayBuffer();
  const kept = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return fetch(new URL(location, url), {
    headers: { cookie: kept.join("; "), "sec-fetch-dest": "iframe" },
  });
}
