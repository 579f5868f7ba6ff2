import type { DemoWorld } from "../../../sandbox/demo-world.ts";
import { openCourseLink } from "../../../sandbox/open-course-link.ts";
import { createVisitor } from "../../../sandbox/visitor.ts";
import { carriedSession } from "./carried-session.ts";

/** Somebody opens a course link in the LMS's frame. @returns what their pages carry from then on. */
export async function arrive(world: DemoWorld, person: string, link: string): Promise<string> {
  const page = await openCourseLink(createVisitor(), world.lms, person, link, { framed: true });
  return carriedSession(page);
}

/** Presses a button of a page that this person has open; what the buttons carry is told by the test. Redirects are told, not followed. */
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
