import { decodeJwt } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Course } from "../../src/domain/course.ts";
import { customParameter } from "../../src/domain/launch.ts";
import type { Registration } from "../../src/domain/registration.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { approveSpaceFor } from "../support/builders/approve-space.ts";
import { deepLinking, hiddenField } from "../support/browser/dialog.ts";
import { instructorRole, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import {
  courseOfLms,
  courseWithSpace,
  launchInto,
  postFrom,
  spaceEntered,
  type SpacePage,
  spaceMadeByHand,
} from "../support/tool/space-visits.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const rule = "Your institution allows only classrooms created for its courses";

/** An LMS whose administrators have set nothing. */
let other: Registration;
let operator: Visitor;
/** Created in the classroom itself, for no course. */
let byHand: string;

const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword }));
beforeAll(async () => {
  other = await world.register({ clientId: "client-2", name: "Another LMS" });
  operator = await operatorAt(world.toolUrl);
  byHand = await spaceMadeByHand(world, "By hand");
});
beforeEach(() => allow("own"));

/** An administrator of the institution sets on the page of defaults which Spaces its courses may use. */
async function allow(spaces: "own" | "approved"): Promise<void> {
  const page = await operator.open(`${world.toolUrl}/admin/registrations/${world.registration.id}/defaults`);
  const saved = await operator.submit(page, { action: "/defaults", fields: { spaces } });
  expect(saved.location).toContain("note=saved");
}

const launch = (course: string, sub: string, roles?: readonly string[]) =>
  launchInto(world, world.registration, course, sub, roles);
const entered = (page: SpacePage) => spaceEntered(world, page);
const courseOf = (context: string) => courseOfLms(world, world.registration, context);
const posts = (page: Seen, path: string, fields: Readonly<Record<string, string>>) =>
  postFrom(world, page, path, fields);
const wholeCourse = (page: Seen, act: "look" | "link", space: string, seen = "") =>
  posts(page, "/course/settings/space", { act, space, seen, share: "yes" });
const requestsOf = async (course: Course) =>
  world.stores.spaceRequests.listOfCourse(course.registrationId, course.id, 10);
const choicesOf = async (course: Course) =>
  (await world.stores.courseLinks.listOfCourse(course.registrationId, course.id)).map(({ choice }) => choice);

/** A course that an operator gave the Space created by hand, and whose instructor uses it for the whole course. */
async function courseInForeignSpace(context: string): Promise<{ course: Course; own: string }> {
  await allow("approved");
  const before = await courseWithSpace(world, world.registration, context, "tess");
  await approveSpaceFor(world.stores, before, byHand);
  const own = before.spaceId ?? "";
  const linked = await wholeCourse(await launch(context, "tess"), "link", byHand, own);
  expect(linked.status).toBe(200);
  const course = await courseOf(context);
  expect(course.spaceId).toBe(byHand);
  return { course, own };
}

describe("If an institution allows only Spaces created for its courses, another one is refused", () => {
  test("for a whole course and for a link, naming the rule, without a request for approval", async () => {
    const page = await launch("bio", "tess");
    for (const refused of [
      await wholeCourse(page, "look", byHand),
      await wholeCourse(page, "link", `${world.classroom.appUrl}/spaces/${byHand}`),
      await posts(page, "/course/link", { what: "space", space: byHand }),
    ])
      expect(textOf(refused)).toContain(`${rule}. If you need another, ask your administrator`);
    const course = await courseOf("bio");
    expect(await requestsOf(course)).toEqual([]);
    expect(textOf(await operator.open(`${world.toolUrl}/admin/spaces`))).not.toContain(byHand);
    expect(course.spaceId).toBeNull();
    expect(await choicesOf(course)).toEqual([{ kind: "course-space" }]);
  });

  test("in a dialog of the LMS, which offers only the other choices", async () => {
    const page = await dialog("dialogs", "dana");
    expect(textOf(page)).toContain("Your institution allows only classrooms created for its courses.");
    expect(page.text).not.toContain('name="space" type="text"');
    const refused = await pick(page, byHand);
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain(rule);
    expect(await requestsOf(await courseOf("dialogs"))).toEqual([]);
  });

  test("when a link brings one that was chosen before the rule", async () => {
    await allow("approved");
    await launch("brought", "tess");
    const course = await courseOf("brought");
    await approveSpaceFor(world.stores, course, byHand);
    const answer = await pick(await dialog("brought", "tess"), byHand);
    expect(answer.status).toBe(200);
    await allow("own");
    const custom = customOf(answer);
    const open = (sub: string, roles = [instructorRole]) => {
      const claims = claimsOf({ sub, name: `${sub} S`, course: "brought", roles });
      return world.launch({ registration: world.registration, claims: { ...claims, custom: custom } });
    };
    const learner = await open("lea", [learnerRole]);
    expect([learner.status, textOf(learner)]).toEqual([403, expect.stringContaining(rule)]);
    const teacher = await open("tess");
    expect(await choicesOf(course)).toEqual([{ kind: "space", spaceId: byHand }]);
    expect(textOf(teacher)).toContain(
      "Nobody can enter it now. Your institution allows only classrooms created for its courses.",
    );
    expect(await entered(teacher)).toBeNull();
    // The course's own Space is offered instead.
    await posts(teacher, "/course/link", { what: "course" });
    const own = await entered(await open("tess"));
    expect([null, byHand]).not.toContain(own);
    expect((await courseOf("brought")).spaceId).toBe(own);
  });

  test("for a copied course, which gets its own Space", async () => {
    await courseInForeignSpace("source");
    await allow("own");
    const claims = claimsOf({ sub: "tess", name: "Tess T", course: "copy", history: "source" });
    const page = await world.launch({ registration: world.registration, claims });
    await posts(page, "/course/copied", { answer: "take" });
    expect(textOf(await wholeCourse(page, "link", byHand))).toContain(rule);
    expect([null, byHand]).not.toContain(await entered(await launch("copy", "tess")));
  });

  test("even if an operator would approve it, on the page and on the way there", async () => {
    await allow("approved");
    const page = await launch("asked", "ian");
    await wholeCourse(page, "look", byHand);
    const course = await courseOf("asked");
    const [request] = await requestsOf(course);
    await allow("own");
    const listed = await operator.open(`${world.toolUrl}/admin/spaces`);
    expect(textOf(listed)).toContain("This LMS allows only its own");
    const approved = await operator.submit(listed, {
      action: `/admin/spaces/requests/${request?.id ?? ""}`,
      fields: { answer: "approve" },
    });
    expect(approved.location).toContain("note=ownOnly");
    expect(
      await world.stores.spaceRegister.rightsTo([{ environment: "production", spaceId: byHand }]),
    ).not.toContainEqual(expect.objectContaining({ courseId: course.id }));
    expect((await requestsOf(course)).map(({ state }) => state)).toEqual(["open"]);
  });
});

describe("A course whose Space was approved before the rule", () => {
  test("lets nobody in, is offered its own Space, and gets the other one back when the rule is removed", async () => {
    const { course, own } = await courseInForeignSpace("approved-before");
    await allow("own");
    const learner = await launch("approved-before", "lea", [learnerRole]);
    expect([learner.status, textOf(learner)]).toEqual([403, expect.stringContaining(rule)]);
    const home = await launch("approved-before", "tess");
    expect(textOf(home)).toContain(
      "Nobody can enter: your institution requires a classroom created for this course.",
    );
    expect(textOf(await posts(home, "/course/settings", {}))).toContain("Nobody can enter it now.");
    expect(await entered(home)).toBeNull();
    expect(textOf(await operator.open(`${world.toolUrl}/admin/spaces`))).toContain(
      "Can’t be entered: this LMS allows only its own",
    );

    await allow("approved");
    expect(await entered(await launch("approved-before", "tess"))).toBe(byHand);

    await allow("own");
    const choice = await posts(await launch("approved-before", "tess"), "/course/settings/space", {
      act: "show",
    });
    expect(choice.text).toContain(`<option value="${own}">`);
    expect(choice.text).toContain('value="look-new"');
    expect((await wholeCourse(home, "link", own, byHand)).status).toBe(200);
    expect((await courseOf("approved-before")).spaceId).toBe(own);
    expect(await entered(await launch("approved-before", "tess"))).toBe(own);
    expect(await world.stores.courses.mayUse({ ...course, ownSpacesOnly: false }, byHand)).toBe(true);
  });
});

describe("The rule of one institution", () => {
  test("does not affect another LMS, whose instructors ask as before", async () => {
    const page = await launchInto(world, other, "asking", "sam");
    expect(textOf(await wholeCourse(page, "look", byHand))).toContain("We’ve passed on your request");
    expect(await requestsOf(await courseOfLms(world, other, "asking"))).toHaveLength(1);
  });
});

function dialog(course: string, sub: string): Promise<SpacePage> {
  const claims = {
    ...claimsOf({ sub, name: `${sub} Somebody`, course }),
    message_type: "LtiDeepLinkingRequest",
    resource_link: undefined,
    [`${deepLinking}/deep_linking_settings`]: {
      deep_link_return_url: `${world.platform.issuer}/chosen`,
      accept_types: ["ltiResourceLink"],
      accept_presentation_document_targets: ["window"],
    },
  };
  return world.launch({ registration: world.registration, claims });
}

async function pick(page: Seen, space: string): Promise<Seen> {
  const fields = { dialog: hiddenField(page, "dialog"), what: "space", space, title: "Link", act: "choose" };
  const answer = await fetch(`${world.toolUrl}/choose`, {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, url: "/choose", location: null, text: await answer.text() };
}

const answerShape = z.object({
  [`${deepLinking}/content_items`]: z.array(
    z.object({ custom: z.object({ [customParameter.choice]: z.string() }) }),
  ),
});

/** The custom parameters of the link that an answer adds to the course. */
function customOf(answer: Seen): Record<string, string> {
  const items = answerShape.parse(decodeJwt(hiddenField(answer, "JWT")))[`${deepLinking}/content_items`];
  return items[0]?.custom ?? {};
}
