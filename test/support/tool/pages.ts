import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { openCourseLink } from "../../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../../sandbox/visitor.ts";

/** A page that is open in a person's browser. */
export type Page = Seen & { visitor: Visitor };

/** Presses a button of the page, or a link, by its target. @returns the next page */
export async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

/** Goes to a page of the course by its address, whether or not the current page has a button for it. */
export function go(page: Page, path: string, fields: Record<string, string> = {}): Promise<Page> {
  const carried = { session: carriedSession(page), ...fields };
  const inputs = Object.entries(carried).map(([name, value]) => `<input name="${name}" value="${value}">`);
  return press({ ...page, text: `<form method="post" action="${path}">${inputs.join("")}</form>` }, path);
}

/** A person opens a course link in the LMS's frame. */
export async function opens(world: Pick<DemoWorld, "lms">, person: string, link: string): Promise<Page> {
  const visitor = createVisitor();
  return { ...(await openCourseLink(visitor, world.lms, person, link, { framed: true })), visitor };
}

/** What the forms of a page carry from page to page. @throws with the page's text when it is not a page of a session */
export function carriedSession({ text }: { text: string }): string {
  const [, session] = /name="session" value="([^"]+)"/.exec(text) ?? [];
  if (session === undefined) throw new Error(`This page carries no session: ${text}`);
  return session;
}

/** A person opens a course link in the LMS's frame. @returns what their pages carry from then on. */
export async function arrive(world: Pick<DemoWorld, "lms">, person: string, link: string): Promise<string> {
  return carriedSession(await opens(world, person, link));
}

/** Presses a button of a page that this person has open; the test says what the buttons carry. Redirects are returned, not followed. */
export async function post(
  world: DemoWorld,
  session: string,
  path: string,
  fields: Record<string, string> = {},
) {
  const response = await fetch(new URL(path, world.toolUrl), {
    method: "POST",
    redirect: "manual",
    headers: { accept: "text/html" },
    body: new URLSearchParams({ session, ...fields }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
