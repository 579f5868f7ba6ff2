import { beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { alwaysOpen } from "../../src/domain/entry.ts";
import { nothingSet } from "../../src/settings/in-effect.ts";
import type { JoinSettings } from "../../src/settings/options.ts";
import { eventOf } from "../support/builders/event.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { patience } from "../support/patience.ts";
import { required } from "../support/required.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const minute = 60_000;

const [world, canvas] = await Promise.all([
  forAllTests(startTinyWorld()),
  forAllTests(startWorld({ manners: "canvas" })),
]);

/** A learner opens a link of the course in a tab. @param custom The link's parameters in the LMS. */
const opens = (custom: Record<string, string> = {}, course = "2") =>
  world.launch({
    framed: false,
    claims: {
      ...claimsOf({ sub: "ana", name: "Ana Example", roles: [learnerRole], course }),
      [`${lti}/custom`]: custom,
    },
  });

const ledTo = ({ url }: Seen) => (new URL(url).pathname.endsWith("/home") ? "page" : "classroom");

/** From now on the course sends its learners there. */
async function sends(learners: JoinSettings["learners"]): Promise<void> {
  const { id, settings, settingsRevision, spaceAccess } = await world.courseOf("2");
  const to = { settings: { ...settings, learners }, door: alwaysOpen, spaceAccess };
  expect(await world.stores.courses.changeSettings(id, settingsRevision, to)).toBe(true);
}

beforeAll(async () => {
  await opens();
});

describe("A learner who opens the link in a tab", () => {
  test.each([
    ["space", {}, "classroom"],
    ["page", {}, "page"],
    ["near", {}, "page"],
    ["space", { space_learners: "page" }, "page"],
    ["page", { space_learners: "space" }, "classroom"],
  ] as const)("in a course set to %s, by a link with %o, gets to the %s", async (set, custom, where) => {
    await sends(set);
    expect(ledTo(await opens(custom))).toBe(where);
  });

  test("gets to the place that their institution locked, whatever course and link say", async () => {
    await sends("space");
    const rules = {
      ...nothingSet(world.registration.id),
      values: { learners: "page" },
      locked: ["learners"],
    } as const;
    await world.stores.institutionDefaults.change({ ...rules, revision: 0 }, { regrades: false });
    expect(ledTo(await opens({ space_learners: "space" }))).toBe("page");
    await world.stores.institutionDefaults.change({ ...rules, revision: 1, locked: [] }, { regrades: false });
    expect(ledTo(await opens())).toBe("classroom");
  });

  test.each([
    ["10 minutes before a session", 10, "classroom"],
    ["while it is on", -30, "classroom"],
    ["an hour before", 60, "page"],
    ["an hour after", -120, "page"],
  ] as const)("gets into the classroom only around a session: %s", async (_when, startsIn, where) => {
    await sends("near");
    const { id: courseId } = await world.courseOf("2");
    const startsAt = Date.now() + startsIn * minute;
    await world.stores.events.save(eventOf({ eventId: "near", courseId, startsAt, readAt: Date.now() }));
    expect(ledTo(await opens())).toBe(where);
  });
});

describe("In Canvas's apps, which open each launch as a full page", () => {
  const visitor = createVisitor();
  const launches = (path?: string) =>
    openCourseLink(visitor, canvas.lms, "student1", "1", path === undefined ? {} : { path });
  const isInside = ({ location }: Seen) => location?.startsWith(canvas.classroom.appUrl) === true;

  test("the course's menu shows their page, an activity the classroom, and both the classroom during a session", async () => {
    const [tool] = canvas.lms.world.tools.values();
    const menu = `/course/2/external_tools/${required(tool).id}/launch`;
    expect(isInside(await launches())).toBe(true);
    const page = await launches(menu);
    expect(textOf(page)).toMatch(/Join .* My attendance/);
    const { spaceId } = required(canvas.classroom.spaces()[0]);
    const startsAt = Date.now() - minute;
    canvas.classroom.createEvent({ spaceId, title: "Cells", startsAt, endsAt: startsAt + 30 * minute });
    await vi.waitFor(async () => {
      expect(isInside(await launches(menu))).toBe(true);
    }, patience);
  });

  test("the page after class, and mails, lead to their pages, after a new launch if this browser has no session", async () => {
    const space = await launches();
    const token = new URL(space.location ?? "").searchParams.get("token");
    const { userId } = required(canvas.classroom.authorizations().find((one) => one.token === token));
    const { spaceId } = required(canvas.classroom.spaces()[0]);
    const ended = await visitor.open(`${canvas.toolUrl}/ended?spaceId=${spaceId}&userId=${userId}`);
    const [, mine = ""] =
      /href="(\/mine\/[\w-]+\?to=home)"[^>]*>My attendance and recordings/.exec(ended.text) ?? [];
    expect(textOf(await visitor.open(canvas.toolUrl + mine))).toMatch(/Join .* My attendance/);

    const phone = createVisitor();
    const led = await phone.open(canvas.toolUrl + mine);
    expect(led.location).toBe(`${canvas.lms.url}/course/2`);
    expect(phone.cookiesFor(`${canvas.toolUrl}/lti/launch`)).toMatch(/^page=crs_/);
    for (const where of ["page", "classroom"]) {
      const seen = await openCourseLink(phone, canvas.lms, "student1", "1");
      expect([where, isInside(seen)]).toEqual([where, where === "classroom"]);
    }
  });

  test.each(["/mine/unknown", "/mine/unknown?to=grades&event=x", "/mine/%00"])(
    "%s leads nowhere, and says what to do",
    async (path) => {
      const answer = await createVisitor().open(canvas.toolUrl + path);
      expect([answer.status, textOf(answer)]).toEqual([
        404,
        expect.stringContaining("Open the classroom from the link in your course."),
      ]);
    },
  );
});
