import { expect, vi } from "vitest";
import type { Course } from "../../../src/domain/course.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import type { Seen, Visitor } from "../../../sandbox/visitor.ts";
import { instructorRole } from "../stand-ins/signed-launch.ts";
import { claimsOf, type TinyWorld } from "./tiny-world.ts";
import { patience } from "../patience.ts";
import { carriedSession } from "./pages.ts";
import { asClients } from "../stand-ins/dialects.ts";
import { required } from "../required.ts";

/** A page of the tool, and the browser that shows it. */
export type SpacePage = Seen & { visitor: Visitor };

/** A person opens the link of a course; an instructor unless said otherwise. */
export function launchInto(
  world: TinyWorld,
  by: Registration,
  course: string,
  sub: string,
  roles: readonly string[] = [instructorRole],
): Promise<SpacePage> {
  return world.launch({
    registration: by,
    claims: claimsOf({ sub, name: `${sub} Somebody`, course, roles }),
  });
}

export async function courseOfLms(world: TinyWorld, by: Registration, context: string): Promise<Course> {
  return required((await world.stores.courses.findByContexts(by.id, [context]))[0]);
}

/** A person enters a course for the first time. @returns it with its Space */
export async function courseWithSpace(
  world: TinyWorld,
  by: Registration,
  context: string,
  sub: string,
): Promise<Course> {
  await enterSpace(world, await launchInto(world, by, context, sub));
  return vi.waitFor(async () => {
    const course = await courseOfLms(world, by, context);
    expect(course.spaceId).not.toBeNull();
    return course;
  }, patience);
}

/** Presses the button, and waits until it leads into the classroom or elsewhere. */
export async function enterSpace(world: TinyWorld, page: SpacePage): Promise<Seen> {
  let seen = await page.visitor.submit(page, { action: "/enter" });
  await vi.waitFor(async () => {
    while (seen.location?.startsWith(world.toolUrl) === true || seen.location?.startsWith("/") === true)
      seen = await page.visitor.open(new URL(seen.location, world.toolUrl).href);
    if (seen.location === null && seen.text.includes("/wait")) {
      seen = await page.visitor.open(seen.url);
      expect(seen.location).not.toBeNull();
    }
  }, patience);
  return seen;
}

/**
 * The Space that a person is let into, found by the login they are sent off with; null if they aren't. Counting logins would not show it:
 * the tool fetches some ahead, at any time.
 */
export async function spaceEntered(world: TinyWorld, page: SpacePage): Promise<string | null> {
  const { location } = await enterSpace(world, page);
  const token = location === null ? null : new URL(location).searchParams.get("token");
  return world.classroom.authorizations().find((one) => one.token === token)?.spaceId ?? null;
}

/** Posts fields to a page of the course, with the session of a page that is open. */
export async function postFrom(
  world: TinyWorld,
  page: Seen,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Seen> {
  const session = carriedSession(page);
  const body = new URLSearchParams({ session, ...fields });
  const answer = await fetch(`${world.toolUrl}${path}`, { method: "POST", body });
  return { status: answer.status, url: path, location: null, text: await answer.text() };
}

/** A person creates a Space in the classroom itself. @returns its id */
export async function spaceMadeByHand(world: TinyWorld, name: string): Promise<string> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${world.apiKey}` };
  const lists = { hosts: [], participants: [], settings: { enableWaitingRoom: false } };
  const body = JSON.stringify(
    asClients ? { title: name, visibility: "public", ...lists } : { name, access: "Public" },
  );
  // The tool's own calls may have used up this second's limit.
  await vi.waitFor(async () => {
    const made = await fetch(`${world.classroom.apiUrl}/spaces/create`, { method: "POST", headers, body });
    expect(made.ok).toBe(true);
  }, patience);
  return world.classroom.spaces().find((space) => space.name === name)?.spaceId ?? "";
}
