import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { startWorld } from "../support/tool/start-world.ts";

const biology = "1";
const lineSchema = z.looseObject({
  msg: z.string(),
  path: z.string().optional(),
  client: z.string().optional(),
  actor: z
    .looseObject({ kind: z.string(), personId: z.string().optional(), registrationId: z.string().optional() })
    .optional(),
});

/** The lines that a tool has logged so far. */
function linesOf(world: DemoWorld) {
  return world
    .output()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [lineSchema.parse(JSON.parse(line))] : []));
}

/** The lines about answered requests to an address, once there is one. */
async function requestsTo(world: DemoWorld, path: RegExp) {
  return vi.waitFor(() => {
    const found = linesOf(world).filter((line) => line.msg === "request" && path.test(line.path ?? ""));
    expect(found).not.toEqual([]);
    return found;
  });
}

/** A teacher looks at the grades, somebody guesses the console's password, and an operator uses the console. */
async function peopleCome(world: DemoWorld): Promise<void> {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, "teacher1", biology, { framed: true });
  await visitor.submit(home, { action: "/course/grades" });
  await send(`${world.toolUrl}/admin`, { password: "a guess" });
  await logIn(world.toolUrl);
}

describe("With LOG_ACTORS=on", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    const variables = { ADMIN_PASSWORD: rightPassword, LOG_ACTORS: "on" };
    world = await startWorld({ learners: 1, logLevel: "debug", variables });
    await peopleCome(world);
  });
  afterAll(() => world.close());

  test("lines have a request's address and its author, by id and never by name", async () => {
    const person = { kind: "person", role: "instructor" };
    const [launched] = await requestsTo(world, /^\/lti\/launch$/);
    expect(launched).toMatchObject({ client: "127.0.0.1", actor: person });
    const [looked] = await requestsTo(world, /^\/c\/[\w-]{16}\/grades$/);
    expect(looked).toMatchObject({ client: "127.0.0.1", actor: launched?.actor });
    expect(looked?.actor?.personId).toMatch(/^\w+_/);
    expect(looked?.actor?.registrationId).toMatch(/^reg_/);
    const [guess, right] = await requestsTo(world, /^\/admin$/);
    expect([guess?.client, right?.client]).toEqual(["127.0.0.1", "127.0.0.1"]);
    expect(guess?.actor, "somebody who knows no password").toBeUndefined();
    const [console] = await requestsTo(world, /^\/admin\/registrations$/);
    expect(console).toMatchObject({ client: "127.0.0.1", actor: { kind: "operator" } });
    for (const name of ["teacher1", "Lindqvist"]) expect(world.output()).not.toContain(name);
  });
});
