import { describe, expect, test } from "vitest";
import { nothingSet } from "../../src/settings/in-effect.ts";
import type { JoinSettings } from "../../src/settings/options.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { waitInQueue } from "../../sandbox/wait-in-queue.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { pressEnter } from "../support/tool/in-queue.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
const roles = {
  teacher: [`${membership}#Instructor`],
  designer: [`${membership}#ContentDeveloper`],
  manager: [`${membership}#Manager`],
  learner: [learnerRole],
  observer: [`${membership}#Mentor`],
};
type Role = keyof typeof roles;

const world = await forAllTests(startTinyWorld());

type Page = Seen & { visitor: Visitor };
type Coming = { course: string; framed?: boolean; custom?: Record<string, string> };

/** Somebody opens the course link, at top level unless it is framed. */
function opens(role: Role, { course, framed = false, custom }: Coming): Promise<Page> {
  const claims = claimsOf({ sub: role, roles: roles[role], course });
  return world.launch({
    claims: custom === undefined ? claims : { ...claims, [`${lti}/custom`]: custom },
    framed,
  });
}

/** Whether the launch led into the Space: at once, or by the waiting page. */
async function isInside({ visitor, ...seen }: Page): Promise<boolean> {
  const inside = await waitInQueue(visitor, seen);
  return inside.location?.startsWith(`${world.classroom.appUrl}/spaces/`) === true;
}

function isHome({ status, url, text }: Seen): boolean {
  return (
    status === 200 && /\/c\/[\w-]{16}\/home(\?launched=1)?$/.test(url) && /<form\s+id="enter"/.test(text)
  );
}

const opensItself = ({ text }: Seen) => /<form\s[^>]*data-itself/.test(text);

/** As the classroom knows somebody. */
function roleOf(userId: string | undefined): string | undefined {
  return world.classroom.users().find((one) => one.userId === userId)?.role ?? undefined;
}

/** An instructor saves the settings page with this answer. */
async function chooses(course: string, instructors: JoinSettings["instructors"]): Promise<void> {
  const home = await opens("teacher", { course, framed: true });
  const page = await home.visitor.submit(home, { action: "/course/settings", fields: { scope: "course" } });
  const { settings } = await world.courseOf(course);
  expect(settings.instructors, "the page asks for what holds now").toBe(
    /<select\s+id="instructors"[\s\S]*?value="(\w+)"\s+selected/.exec(page.text)?.[1],
  );
  const usual = {
    ...{
      mode: "tab",
      call: "host",
      skipDeviceSetup: "no",
      galleryView: "no",
      standalone: "yes",
      guests: "enter",
    },
    ...{ language: "lms", startLocalRecording: "no", opens: "always", minutesBefore: "15" },
    ...{ minutesAfter: "15", who: "all", access: "unknown" },
  };
  const fields = { ...usual, instructors };
  const saved = await home.visitor.submit(page, { action: "/course/settings/save", fields });
  expect(textOf(saved)).toContain("Saved. It applies from the next time someone joins.");
}

describe("A link that the LMS opens in its own tab or window", () => {
  test("shows an instructor the course page with the button, and a learner is in the Space", async () => {
    const home = await opens("teacher", { course: "1" });
    expect(isHome(home)).toBe(true);
    expect(textOf(home)).toContain("Needs your attention");
    expect(opensItself(home)).toBe(false);
    const { userId, parameters } = await pressEnter(world.classroom, home.visitor, home);
    expect([roleOf(userId), parameters["startCall"]]).toEqual(["host", "true"]);
    expect(await isInside(await opens("learner", { course: "1" }))).toBe(true);
  });

  test("leads a teacher straight into the Space where the course says so, and no longer when it says otherwise", async () => {
    const course = "3";
    await chooses(course, "space");
    expect(await isInside(await opens("teacher", { course }))).toBe(true);
    await chooses(course, "page");
    expect(isHome(await opens("teacher", { course }))).toBe(true);
  });

  test("follows what the institution has set, over course and link", async () => {
    const { id } = world.registration;
    const sets = async (instructors: JoinSettings["instructors"], locked: boolean) => {
      const { revision } = await world.stores.institutionDefaults.find(id);
      const rules = {
        ...nothingSet(id),
        ...{ revision, values: { instructors } },
        locked: locked ? (["instructors"] as const) : [],
      };
      expect(await world.stores.institutionDefaults.change(rules, { regrades: false })).toBe(true);
    };
    await sets("space", false);
    expect(await isInside(await opens("teacher", { course: "7" }))).toBe(true);
    await sets("page", true);
    expect(isHome(await opens("teacher", { course: "7" }))).toBe(true);
    const straight = { course: "7", custom: { space_instructors: "space" } };
    expect(isHome(await opens("teacher", straight))).toBe(true);
    const home = await opens("teacher", { course: "7" });
    const settings = await home.visitor.submit(home, { action: "/course/settings" });
    expect(settings.text).not.toContain('<select id="instructors"');
    expect(textOf(settings)).toContain("When instructors open the link: Course page first");
    await sets("page", false);
  });
});

describe("A link in the LMS's frame", () => {
  test("shows everybody their page; it is told to open by itself for learners only", async () => {
    const learner = await opens("learner", { course: "8", framed: true });
    expect(opensItself(learner)).toBe(true);
    for (const role of ["teacher", "designer"] as const) {
      const page = await opens(role, { course: "8", framed: true });
      expect(isHome(page), role).toBe(true);
      expect(opensItself(page), role).toBe(false);
    }
  });
});
