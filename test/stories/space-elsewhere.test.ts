import { writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { otherOriginOf } from "../support/stand-ins/dialects.ts";

const biology = "1";

let world: DemoWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** The dialect file of the story besides the two origins, which nobody has allowed yet. */
let dialect: object = {};

/** A classroom that places its Spaces, or logins, under another name than CLASSROOM_APP_URL. */
async function startElsewhere(what: "spaceIsOnAppUrl" | "loginIsOnAppUrl"): Promise<DemoWorld> {
  world = await startWorld({
    learners: 2,
    turns: { spaceIsOnAppUrl: false, loginIsOnAppUrl: false, [what]: true },
    variables: { ADMIN_PASSWORD: rightPassword },
    dialectWith: (usual) => {
      dialect = { ...usual, knownSpaceOrigins: [], loginOrigins: [] };
      return dialect;
    },
  });
  return world;
}

/** An operator adds to the dialect file, and starts the tool again. */
async function allow({ variables, tool, restartTool }: DemoWorld, more: object): Promise<void> {
  await writeFile(variables["CLASSROOM_DIALECT"] ?? "", JSON.stringify({ ...dialect, ...more }));
  await tool().end("SIGTERM");
  await restartTool();
}

/** Somebody opens the course link at top level, and waits if necessary. */
async function comes({ lms, toolUrl }: DemoWorld, person: string): Promise<Seen> {
  const visitor = createVisitor();
  let seen = await enterByCourseLink(visitor, lms, person, biology);
  await vi.waitFor(async () => {
    while (seen.location?.startsWith(toolUrl) === true || seen.location?.startsWith("/") === true)
      seen = await visitor.open(new URL(seen.location, toolUrl).href);
    if (seen.location === null && seen.url.includes("/wait")) {
      seen = await visitor.open(seen.url);
      expect(seen.location === null && seen.url.includes("/wait") && seen.status === 200).toBe(false);
    }
  }, patience);
  return seen;
}

const console_ = async ({ toolUrl }: DemoWorld, path: string): Promise<Seen> =>
  (await operatorAt(toolUrl)).open(`${toolUrl}/admin/${path}`);

const spacesOf = ({ classroom }: DemoWorld) =>
  classroom.spaces().filter(({ name }) => name.startsWith("BIO101"));

describe("A Space that the classroom places on another host", () => {
  let elsewhere: DemoWorld;
  let origin: string;
  beforeEach(async () => {
    elsewhere = await startElsewhere("spaceIsOnAppUrl");
    origin = otherOriginOf(elsewhere.classroom.appUrl);
  });

  test("lets nobody in, is created once however often people come, and is used when an operator allows the host", async () => {
    for (const person of ["student1", "teacher1", "student2"]) {
      const seen = await comes(elsewhere, person);
      expect(seen.location, `${person} is sent nowhere`).toBeNull();
      expect(textOf(seen)).toContain("nothing is lost");
    }
    expect(spacesOf(elsewhere)).toHaveLength(1);
    expect(elsewhere.classroom.authorizations()).toEqual([]);

    const visitor = createVisitor();
    const framed = await openCourseLink(visitor, elsewhere.lms, "teacher1", biology, { framed: true });
    expect(textOf(framed)).toContain(
      `Nobody can enter: the classroom is at ${origin}, where this tool sends nobody. Nothing is lost; contact your administrator.`,
    );
    expect(textOf(framed)).not.toContain("CLASSROOM_");
    const settings = await visitor.submit(framed, { action: "/course/settings" });
    expect(textOf(settings)).toContain(`at ${origin}, where this tool sends nobody`);
    const classroom = await console_(elsewhere, "classroom");
    expect(textOf(classroom)).toContain(`The service reports new Spaces at ${origin}, not`);
    expect(textOf(classroom)).toContain("CLASSROOM_APP_URL");
    expect(textOf(classroom)).toContain("knownSpaceOrigins");
    const course = /\/admin\/courses\/([\w-]+)/.exec(classroom.text)?.[1] ?? "";
    expect(textOf(await console_(elsewhere, `courses/${course}`))).toContain("knownSpaceOrigins");

    await allow(elsewhere, { knownSpaceOrigins: [origin] });
    const [kept] = spacesOf(elsewhere);
    for (const person of ["student1", "teacher1"]) {
      const seen = await comes(elsewhere, person);
      expect(seen.location).toContain(`${elsewhere.classroom.appUrl}/spaces/${kept?.spaceId ?? ""}`);
    }
    expect(spacesOf(elsewhere)).toHaveLength(1);
    expect(textOf(await console_(elsewhere, "classroom"))).not.toContain("new Spaces at");
  });
});
