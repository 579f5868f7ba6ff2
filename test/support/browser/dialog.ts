import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { createVisitor, type Seen, type Visitor } from "../../../sandbox/visitor.ts";
import type { Link } from "../../../sandbox/stand-in-lms/lms-records.ts";
import { ownPage, post } from "../stand-ins/signed-launch.ts";

export const deepLinking = "https://purl.imsglobal.org/spec/lti-dl/claim";

/** A person's steps through "select content" of the stand-in LMS. */
export type OpenDialog = { visitor: Visitor; page: Seen; course: string };

/** A teacher opens "select content" in a course; the tool's page is the picker. */
export async function openDialog(
  world: DemoWorld,
  person: string,
  course: string,
  placement?: string,
): Promise<OpenDialog> {
  const visitor = createVisitor();
  visitor.addCookie(world.lms.url, world.lms.cookieFor(person));
  const [tool] = world.lms.tools();
  const query = placement === undefined ? "" : `?placement=${placement}`;
  const start = await visitor.open(
    `${world.lms.url}/course/${course}/select-content/${tool?.id ?? ""}/launch${query}`,
    { framed: true },
  );
  const toAuthorization = await visitor.submit(start, { framed: true });
  if (toAuthorization.location === null) return { visitor, page: toAuthorization, course };
  const idToken = await visitor.open(toAuthorization.location, { framed: true });
  return { visitor, page: await visitor.submit(idToken, { framed: true }), course };
}

/** The value of a hidden field of a page. */
export function hiddenField(page: { text: string }, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "";
}

/** Fields of the picker as a person leaves them; the others stay as the page came. */
export type Picked = {
  what?: string[];
  space?: string;
  known?: string;
  title?: string;
  column?: boolean;
  points?: string;
  act?: "choose" | "cancel";
};

/** Submits the picker's form. @returns the next page. */
export async function pick(world: DemoWorld, dialog: string, picked: Picked): Promise<Seen> {
  const { what = ["course"], column = true, act = "choose" } = picked;
  const body = new URLSearchParams({ dialog });
  for (const one of what) body.append("what", one);
  body.set("space", picked.space ?? "");
  body.set("known", picked.known ?? "");
  body.set("title", picked.title ?? "");
  body.set("points", picked.points ?? "100");
  if (column) body.set("column", "on");
  body.set("act", act);
  const url = `${world.toolUrl}/choose`;
  const response = await fetch(url, { method: "POST", body, headers: { accept: "text/html" } });
  return { status: response.status, url, location: null, text: await response.text() };
}

/** Picks, and lets the response go back to the LMS. @returns the links that the LMS created from it. */
export async function addLinks(
  world: DemoWorld,
  person: string,
  course: string,
  picked: Picked,
  placement?: string,
): Promise<Link[]> {
  const { visitor, page } = await openDialog(world, person, course, placement);
  const before = world.lms.world.courses.get(course)?.links.length ?? 0;
  const answer = await pick(world, hiddenField(page, "dialog"), picked);
  const done = await visitor.submit({ ...answer, url: world.toolUrl }, { framed: true });
  if (done.status !== 200) throw new Error(`the LMS answered ${done.status}: ${done.text}`);
  return (world.lms.world.courses.get(course)?.links ?? []).slice(before);
}

/** Verifies the JWT of a response page with the tool's key set. @returns its header and claims. */
export async function answerOf(world: DemoWorld, page: { text: string }) {
  const jwt = hiddenField(page, "JWT");
  const keys = createRemoteJWKSet(new URL(`${world.toolUrl}/lti/keys`));
  const { payload } = await jwtVerify(jwt, keys);
  return { header: decodeProtectedHeader(jwt), payload };
}

/** An instructor changes what a link opens, on the page of the launch in the frame. */
export async function changeLink(
  world: DemoWorld,
  enterPage: { text: string },
  fields: Record<string, string>,
): Promise<Seen> {
  const url = `${world.toolUrl}/course/link`;
  const form = { session: hiddenField(enterPage, "session"), ...fields };
  const response = await post(url, form, "", ownPage);
  return { status: response.status, url, location: null, text: await response.text() };
}
