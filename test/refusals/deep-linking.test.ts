import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import {
  answerOf,
  changeLink,
  deepLinking,
  hiddenField,
  openDialog,
  pick,
} from "../support/browser/dialog.ts";
import { type ScriptedLms, startScriptedLms } from "../support/stand-ins/scripted-lms.ts";
import { learnerRole, post } from "../support/stand-ins/signed-launch.ts";
import { holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { approveAsked } from "../support/builders/approve-space.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const biology = { course: "2", link: "1", name: "BIO101" };
const history = { course: "3", link: "2", name: "HIS205" };
const items = `${deepLinking}/content_items`;

const world = await forAllTests(startWorld());
const lms = await forAllTests(startScriptedLms(world));

/** An open picker of the scripted LMS. */
async function dialogOf(settings?: Record<string, unknown>): Promise<string> {
  const page = await lms.selectContent(settings);
  expect(page.status).toBe(200);
  return hiddenField(page, "dialog");
}

describe("People and LMSs that may not choose are sent back with an empty answer", () => {
  const cases: [
    who: string,
    settings: Record<string, unknown>,
    claims: Record<string, unknown>,
    says: RegExp,
  ][] = [
    ["a learner", {}, { [`${lti}/roles`]: [learnerRole] }, /Only instructors/],
    ["somebody without any role", {}, { [`${lti}/roles`]: [] }, /Only instructors/],
    ["somebody the LMS does not name", {}, { sub: undefined }, /didn’t share who you are/],
    ["an instructor outside a course", {}, { [`${lti}/context`]: undefined }, /which course/],
    ["an LMS that wants a file", { accept_types: ["file", "html"] }, {}, /something other than a link/],
  ];
  test.each(cases)("%s", async (_who, settings, claims, says) => {
    const page = await lms.selectContent({ data: "d-1", ...settings }, claims);
    expect(page.text).toMatch(says);
    expect(page.text).not.toContain('name="what"');
    expect(page.text).not.toContain("send-back.js"); // it waits until somebody has read it
    const { payload } = await answerOf(world, page);
    expect(payload[items]).toEqual([]);
    expect(payload[`${deepLinking}/data`]).toBe("d-1");
    expect(payload[`${deepLinking}/errormsg`]).toMatch(says);
  });
});

describe("What the LMS sends comes back unchanged and never becomes markup", () => {
  test.each([
    ["quotes", `"double" 'single' \\back\\`],
    ["unicode", "Übung – 課題 🎓 \u202e \u00e9 e\u0301"],
    ["lines and controls", "one\ntwo\r\nthree\ttab\u0000nul"],
    ["markup", `</script><script>alert(1)</script>&amp;<!--`],
    ["only a space", " "],
    ["an empty text", ""],
    ["JSON", `{"a":[1,"2"]}`],
    ["40,000 characters", "x".repeat(40_000)],
  ])("data with %s", async (_what, data) => {
    const dialog = await dialogOf({ data });
    expect(dialog).not.toContain("x".repeat(100)); // sealed
    const chosen = await pick(world, dialog, {});
    expect((await answerOf(world, chosen)).payload[`${deepLinking}/data`]).toBe(data);
    const cancelled = await pick(world, dialog, { act: "cancel" });
    const { payload } = await answerOf(world, cancelled);
    expect(payload[`${deepLinking}/data`]).toBe(data);
    expect(payload[items]).toEqual([]);
  });

  test("no data comes back if none was sent", async () => {
    const answer = await pick(world, await dialogOf(), {});
    expect((await answerOf(world, answer)).payload).not.toHaveProperty(`${deepLinking}/data`);
  });

  test("a title and a text with markup are shown as text", async () => {
    const evil = `"><script>alert(1)</script>`;
    const page = await lms.selectContent(
      { title: evil, text: evil },
      { [`${lti}/context`]: { id: "2", title: evil, label: evil } },
    );
    expect(page.text).not.toContain("<script>alert");
    const answer = await pick(world, hiddenField(page, "dialog"), { title: evil });
    expect(answer.text).not.toContain("<script>alert");
    expect((await answerOf(world, answer)).payload[items]).toMatchObject([{ title: evil, text: evil }]);
    const wrong = await pick(world, hiddenField(page, "dialog"), { title: evil, space: evil, points: evil });
    expect(wrong.status).toBe(422);
    expect(wrong.text).not.toContain("<script>alert");
  });

  test("a return address cannot break out of its form, and keeps its query", async () => {
    const issuer = lms.platform.issuer;
    const dialog = await dialogOf({
      deep_link_return_url: `${issuer}/return?sesskey=a&next="><script>alert(1)</script>'`,
    });
    const answer = await pick(world, dialog, {});
    expect(answer.text).not.toContain("<script>alert");
    expect(answer.text).toContain(`action="${issuer}/return?sesskey=a&amp;next=%22%3E%3Cscript%3E`);
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "", "/return", "ftp://a/b"])(
    "the return address %j is refused at the launch",
    async (address) => {
      const page = await lms.selectContent({ deep_link_return_url: address });
      expect(page.status).toBe(400);
      expect(page.text).not.toContain("<form");
    },
  );
});

describe("Invalid choices are shown again with what was typed", () => {
  test.each(["12.5", "0", "101", "150", "-5", "", "ten", "1e2", "0x10", " ", "٣٠٠"])(
    "%j points are refused: not a whole number from 1 to 100",
    async (points) => {
      const answer = await pick(world, await dialogOf(), { points, title: "My own name" });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("whole number of points from 1 to 100");
      expect(answer.text).toContain(
        `name="points" type="text" inputmode="numeric" class="short" value="${points}"`,
      );
      expect(answer.text).toContain('value="My own name"');
      expect(answer.text).not.toContain('name="JWT"');
    },
  );

  test("points are ignored without a column", async () => {
    const answer = await pick(world, await dialogOf(), { points: "ten", column: false });
    expect((await answerOf(world, answer)).payload[items]).toHaveLength(1);
  });

  test("an LMS that accepts no columns gets none, whatever is posted", async () => {
    const answer = await pick(world, await dialogOf({ accept_lineitem: false }), { points: "10" });
    const { payload } = await answerOf(world, answer);
    expect(payload[items]).toHaveLength(1);
    expect(JSON.stringify(payload)).not.toContain("lineItem");
  });

  test.each([
    ["nothing chosen", { what: [] }, "Choose what the link opens"],
    ["two links where one is allowed", { what: ["course", "space"], space: "abc" }, "one link at a time"],
    ["another classroom without its address", { what: ["space"] }, "enter the classroom’s address or ID"],
    ["a name too long for gradebooks", { title: "x".repeat(256) }, "too long"],
    ["something the page does not offer", { what: ["session:nowhere"] }, "This session isn’t in your course"],
    ["an unknown kind of choice", { what: ["__proto__"] }, "This session isn’t in your course"],
    [
      "an address on another site",
      { what: ["space"], space: "https://evil.test/spaces/abc" },
      "This isn’t a classroom address",
    ],
    [
      "a script as address",
      { what: ["space"], space: "javascript:alert(1)" },
      "This isn’t a classroom address",
    ],
    ["a path out of the Spaces", { what: ["space"], space: "../admin" }, "This isn’t a classroom address"],
  ])("%s", async (_what, picked, says) => {
    const answer = await pick(world, await dialogOf(), picked);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(says);
    expect(answer.text).not.toContain('name="JWT"');
  });

  test("a session of another course", async () => {
    const user = await walkIn(world, "student1", biology.link);
    const eventId = holdSession(world, biology.name, user, "PRESENT");
    await vi.waitFor(
      async () => {
        const { page } = await openDialog(world, "teacher1", biology.course);
        expect(page.text).toContain(`session:${eventId}`);
      },
      { timeout: 20_000, interval: 100 },
    );
    const { page } = await openDialog(world, "teacher2", history.course);
    expect(page.text).not.toContain(eventId);
    const answer = await pick(world, hiddenField(page, "dialog"), { what: [`session:${eventId}`] });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("This session isn’t in your course");
  }, 30_000);

  test("the Space of a course where the person does not teach", async () => {
    await walkIn(world, "student1", biology.link);
    const spaceId = world.classroom.spaces().find((one) => one.name.startsWith(biology.name))?.spaceId;
    const { page } = await openDialog(world, "teacher2", history.course);
    expect(page.text).not.toContain(spaceId);
    for (const space of [spaceId ?? "", `${world.classroom.appUrl}/spaces/${spaceId ?? ""}`]) {
      const answer = await pick(world, hiddenField(page, "dialog"), { what: ["space"], space });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("needs approval before your course can use it");
    }
  });
});

describe("A dialog can only be answered with its own sealed token", () => {
  test.each(["", "nonsense", "v1.AAAA", "v1."])("a made-up token %j", async (token) => {
    const answer = await pick(world, token, {});
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("open too long");
  });

  test("a token with one letter changed", async () => {
    const dialog = await dialogOf();
    const last = dialog.at(-2) === "A" ? "B" : "A";
    const answer = await pick(world, `${dialog.slice(0, -2)}${last}${dialog.at(-1) ?? ""}`, {});
    expect(answer.status).toBe(401);
  });

  test("a session is not accepted as a dialog's token", async () => {
    const page = await openCourseLink(createVisitor(), world.lms, "student1", biology.link, { framed: true });
    expect((await pick(world, hiddenField(page, "session"), {})).status).toBe(401);
  });

  test("two tokens in one form", async () => {
    const dialog = await dialogOf();
    const body = new URLSearchParams([
      ["dialog", dialog],
      ["dialog", dialog],
      ["what", "course"],
    ]);
    expect((await fetch(`${world.toolUrl}/choose`, { method: "POST", body })).status).toBe(401);
  });

  test("nobody who has signed out since", async () => {
    const page = await lms.selectContent();
    await post(`${world.toolUrl}/course/sign-out`, { session: hiddenField(page, "session") });
    expect((await pick(world, hiddenField(page, "dialog"), {})).status).toBe(401);
  });

  test("a switched-off LMS gets no answer", async () => {
    const other = await startScriptedLms(world);
    const page = await other.selectContent();
    await runCli(world.variables, ["platform", "disable", other.registrationId]);
    const answer = await pick(world, hiddenField(page, "dialog"), {});
    expect(answer.status).toBe(403);
    await other.close();
  });
});

describe("A choice is valid only in its own course", () => {
  /** A learner launches a link of the scripted LMS. @returns the Space it leads to */
  async function spaceOf(from: ScriptedLms, course: string, link: string, choice?: string): Promise<string> {
    const answer = await from.launch({
      [`${lti}/message_type`]: "LtiResourceLinkRequest",
      [`${lti}/resource_link`]: { id: link, title: "Classroom" },
      [`${lti}/context`]: { id: course, title: `Course ${course}`, label: course },
      [`${lti}/launch_presentation`]: { document_target: "window" },
      [`${lti}/roles`]: [learnerRole],
      ...(choice === undefined ? {} : { [`${lti}/custom`]: { spaces_choice: choice } }),
    });
    expect(answer.status).toBe(303);
    return world.classroom.authorizations().at(-1)?.spaceId ?? "";
  }

  /** A Space created in the classroom itself. */
  async function makeSpace(): Promise<string> {
    await fetch(`${world.classroom.apiUrl}/spaces/create`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${world.variables["CLASSROOM_API_KEY"] ?? ""}`,
      },
      body: JSON.stringify({ name: "By hand", access: "Public" }),
    });
    return world.classroom.spaces().find((space) => space.name === "By hand")?.spaceId ?? "";
  }

  async function choiceOf(space: string): Promise<string> {
    const chosen = async () => pick(world, await dialogOf(), { what: ["space"], space });
    expect((await chosen()).status).toBe(422);
    await approveAsked(world.variables, space);
    const answer = await chosen();
    const { payload } = await answerOf(world, answer);
    const [item] = z
      .array(z.object({ custom: z.object({ spaces_choice: z.string() }) }))
      .parse(payload[items]);
    return item?.custom.spaces_choice ?? "";
  }

  test("an id from another course, from another LMS, or invented opens the course's own Space", async () => {
    const other = await startScriptedLms(world);
    const elsewhere = world.classroom.spaces()[0]?.spaceId ?? "";
    const separate = await makeSpace();
    const foreign = await choiceOf(separate);
    expect(await spaceOf(lms, "2", "chosen", foreign)).toBe(separate);
    for (const [from, course] of [
      [lms, "3"],
      [other, "2"],
    ] as const) {
      const own = await spaceOf(from, course, "plain");
      expect(own).not.toBe(separate);
      for (const [index, choice] of [foreign, "chc_000000000000000000000000", elsewhere, "$ne"].entries()) {
        expect(await spaceOf(from, course, `link-${index}`, choice)).toBe(own);
      }
    }
    await other.close();
  }, 60_000);
});

describe("Only instructors of its course can change what a link opens", () => {
  test("a learner is refused", async () => {
    const page = await openCourseLink(createVisitor(), world.lms, "student1", biology.link, { framed: true });
    expect(page.text).not.toMatch(/\/link["?]/);
    expect((await changeLink(world, page, { what: "course" })).status).toBe(403);
  });

  test("a request without a session is refused", async () => {
    expect((await post(`${world.toolUrl}/course/link`, { what: "course" })).status).toBe(401);
  });

  test("an address that cannot be parsed stays in the field and changes nothing", async () => {
    const page = await openCourseLink(createVisitor(), world.lms, "teacher1", biology.link, { framed: true });
    const typed = "https://example.test/spaces/1";
    const answer = await changeLink(world, page, { what: "space", space: typed });
    expect(answer.text).toContain("This isn’t a classroom address");
    expect(answer.text).toContain(`value="${typed}"`);
    expect(answer.text).toContain("Now: this course’s classroom.");
  });
});
