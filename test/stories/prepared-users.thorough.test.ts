import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { openCourseLink } from "../../src/sandbox/open-course-link.ts";
import { freePort, startToolProcess, type ToolProcess } from "../../src/sandbox/tool-process.ts";
import { createVisitor, type Seen } from "../../src/sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { closed, listening } from "../support/stand-ins/local-server.ts";

const biology = { course: "2", link: "1" };
const visitor = createVisitor();

async function peoplePage(world: DemoWorld): Promise<Seen> {
  const enter = await openCourseLink(visitor, world.lms, "teacher1", biology.link, { framed: true });
  return visitor.submit(enter, { action: "/course/people" });
}

function textOf(page: Seen): string {
  return page.text
    .slice(page.text.search(/<main\b/))
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

/** The list is read again, as the instructor asks. */
async function readAgain(world: DemoWorld): Promise<void> {
  const page = await vi.waitFor(async () => {
    const shown = await peoplePage(world);
    expect(shown.text).toMatch(/\/people\/read["?]/);
    return shown;
  }, patience);
  await visitor.submit(page, { action: "/course/people/read" });
}

/** What the page says, once it says that. */
function whenPageSays(world: DemoWorld, says: RegExp): Promise<string> {
  return vi.waitFor(async () => {
    const text = textOf(await peoplePage(world));
    expect(text).toMatch(says);
    return text;
  }, patience);
}

const references = (world: DemoWorld) => world.classroom.users().map((user) => user.externalId);

describe("a class of thirty whose teacher opens the course", () => {
  let world: DemoWorld;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  test("has its API users without anybody coming; who comes meanwhile is let in and has only one", async () => {
    const text = textOf(await peoplePage(world));
    expect(text).not.toContain("All 31 people");
    await whenPageSays(world, /\d+ people are being prepared, but can enter/);
    for (const person of ["student29", "student30", "student17"]) {
      const before = Date.now();
      await walkIn(world, person, biology.link);
      expect(Date.now() - before, `${person} did not wait behind the class`).toBeLessThan(5_000);
    }
    await whenPageSays(world, /All 31 people can enter right away/);
    expect(references(world)).toHaveLength(31);
    expect(new Set(references(world)).size).toBe(31);
    expect(world.classroom.users().filter(({ role }) => role === "host")).toHaveLength(1);
    const { refusedByLimit, mostInOneSecond } = world.classroom.callCounts();
    expect({ refusedByLimit, mostInOneSecond }).toEqual({ refusedByLimit: 0, mostInOneSecond: 4 });
  }, 90_000);

  test("nothing more is asked of the classroom when the list is read again", async () => {
    const users = references(world).length;
    await readAgain(world);
    await whenPageSays(world, /31 people in your LMS/);
    await whenPageSays(world, /All 31 people/);
    expect(references(world)).toHaveLength(users);
  });

  test("a learner who joins the course later is made, too", async () => {
    world.lms.enrol(biology.course, { id: "3999", role: "student", given: "Late", family: "Comer" });
    await readAgain(world);
    await whenPageSays(world, /All 32 people/);
    expect(world.classroom.users().at(-1)?.name).toBe("Late Comer");
  });

  test("a name that changed stands beside the one the classroom knows, since it cannot be told", async () => {
    world.lms.rename("3999", { given: "Abe", family: "Aaron" });
    await readAgain(world);
    const text = await whenPageSays(world, /Abe Aaron/);
    expect(text).toMatch(/Abe Aaron Named “Late Comer” in the classroom\./);
    expect(references(world)).toHaveLength(32);
  });

  test("while the classroom refuses, the page says so and everybody else goes on", async () => {
    world.classroom.addFault({ operation: "createApiUser", kind: "500", takesEffect: false, times: 1 });
    world.lms.enrol(biology.course, { id: "4000", role: "student", given: "Un", family: "Lucky" });
    await readAgain(world);
    await whenPageSays(
      world,
      // It is not known whether the classroom made one, so nobody makes another by themselves.
      /32 of 33 people.*The classroom refused 1 person\. We try again tomorrow\./,
    );
    await walkIn(world, "user4000", biology.link);
    await whenPageSays(world, /All 33 people/);
  }, 60_000);

  test("three processes of which one is killed in the middle prepare everybody, at the limit and not above", async () => {
    const others: ToolProcess[] = [];
    try {
      const before = references(world).length;
      const coming = 26;
      const made = () => references(world).slice(before);
      const newcomers = Array.from({ length: coming }, (_none, n) => ({
        id: String(5_000 + n),
        role: "student" as const,
      }));
      world.lms.enrolMany(biology.course, newcomers);
      for (let n = 0; n < 2; n += 1)
        others.push(await startToolProcess({ ...world.variables, PORT: String(await freePort()) }));
      const began = Date.now();
      await readAgain(world);
      await vi.waitFor(() => expect(made().length).toBeGreaterThan(8), patience);
      await world.tool().end("SIGKILL");
      const atKill = made().length;
      await world.restartTool();
      await vi.waitFor(() => expect(new Set(made()).size).toBe(coming), patience);
      await whenPageSays(world, /All 59 people/);
      expect(new Set(made()).size).toBe(coming);
      expect(atKill).toBeLessThan(coming);
      // What was being asked for when the process died may have been made without anybody hearing of it.
      expect(made().length - coming).toBeLessThanOrEqual(4);
      const { refusedByLimit, mostInOneSecond } = world.classroom.callCounts();
      // A machine that runs all tests at once may hold a process up between its permit and its call.
      expect(refusedByLimit).toBeLessThanOrEqual(1);
      expect(mostInOneSecond).toBeLessThanOrEqual(4);
      expect(Date.now() - began).toBeLessThan(75_000);
    } finally {
      for (const other of others) await other.end("SIGTERM");
    }
  }, 120_000);
});

describe("where the classroom can be told a new name", () => {
  let world: DemoWorld;
  let folder: string;
  let front: Server;
  const renames: unknown[] = [];

  beforeAll(async () => {
    // The document shows no such operation, so the stand-in has none: a front before it plays one.
    let target = "";
    front = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
        const body = Buffer.concat(chunks);
        if (request.method === "PATCH") {
          renames.push({ url: request.url, ...Object(JSON.parse(body.toString())) });
          response.end("{}");
          return;
        }
        const answer = await fetch(`${target}${request.url ?? ""}`, {
          method: request.method ?? "GET",
          headers: {
            authorization: request.headers.authorization ?? "",
            "content-type": request.headers["content-type"] ?? "application/json",
          },
          ...(body.length === 0 ? {} : { body }),
        });
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(await answer.text());
      })();
    });
    const frontUrl = await listening(front);
    folder = await mkdtemp(join(tmpdir(), "spaces-lti-dialect-"));
    const dialect = join(folder, "dialect.json");
    const route = {
      method: "PATCH",
      path: "/users/{userId}",
      body: { name: "{name}", last: "{familyName}" },
    };
    await writeFile(dialect, JSON.stringify({ operations: { updateApiUser: { routes: [route] } } }));
    world = await startWorld({
      learners: 8,
      variables: { CLASSROOM_BASE_URL: frontUrl, CLASSROOM_DIALECT: dialect },
    });
    target = world.classroom.apiUrl;
    world.lms.setSharing({ names: false, email: false });
  });
  afterAll(async () => {
    await world.close();
    await closed(front);
    await rm(folder, { recursive: true });
  });

  test("names that were withheld are told when they become known: each once", async () => {
    await peoplePage(world);
    await whenPageSays(world, /All 9 people/);
    expect(world.classroom.users().map(({ name }) => name)).toContain("Learner 11");
    expect(world.classroom.users().every(({ email }) => email === null)).toBe(true);
    world.lms.setSharing({ names: true, email: true });
    await readAgain(world);
    await vi.waitFor(() => expect(renames).toHaveLength(9), patience);
    const zoe = world.classroom.users().find(({ name }) => name === "Learner 11");
    expect(renames).toContainEqual({
      url: `/users/${zoe?.userId ?? ""}`,
      name: "Zoë Åkesson",
      last: "Åkesson",
    });
    const text = await whenPageSays(world, /Zoë Åkesson/);
    await vi.waitFor(async () => {
      expect(textOf(await peoplePage(world))).not.toContain("Named “");
    }, patience);
    expect(text).toContain("All 9 people");
    expect(new Set(references(world)).size).toBe(9);
  }, 90_000);

  test("a name that changes twice is told once, as it is then", async () => {
    const before = renames.length;
    world.lms.rename("11", { given: "Zoë", family: "First" });
    world.lms.rename("11", { given: "Zoë", family: "Second" });
    await openCourseLink(createVisitor(), world.lms, "student1", biology.link); // a launch tells names, too
    await readAgain(world);
    await vi.waitFor(() => expect(renames.length).toBeGreaterThan(before), patience);
    await whenPageSays(world, /Zoë Second/);
    expect(renames.slice(before)).toMatchObject([{ name: "Zoë Second" }]);
  }, 60_000);
});
