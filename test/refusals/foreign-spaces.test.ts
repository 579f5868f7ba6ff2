import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Course } from "../../src/domain/course.ts";
import type { Registration } from "../../src/domain/registration.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { instructorRole, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import {
  courseOfLms,
  courseWithSpace,
  enterSpace,
  launchInto,
  postFrom,
  spaceEntered,
  type SpacePage,
  spaceMadeByHand,
} from "../support/tool/space-visits.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { required } from "../support/required.ts";

const admin = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator";

let other: Registration;
/** Biology of Tess, with the Space that the tool made for it. */
let biology: Course;
/** The operator in the console. */
let operator: Visitor;

const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword }));
beforeAll(async () => {
  other = await world.register({ clientId: "client-2", name: "Another LMS" });
  await world.stores.registrations.set(world.registration.id, { administratorsEnter: true });
  biology = await courseWithSpace(world, world.registration, "bio", "tess");
  operator = await operatorAt(world.toolUrl);
}, 60_000);

const launch = (by: Registration, course: string, sub: string, roles?: readonly string[]) =>
  launchInto(world, by, course, sub, roles);
const courseOf = (by: Registration, context: string) => courseOfLms(world, by, context);
const withSpace = (by: Registration, context: string, sub: string) =>
  courseWithSpace(world, by, context, sub);
const enter = (page: SpacePage) => enterSpace(world, page);
const posts = (page: Seen, path: string, fields: Readonly<Record<string, string>>) =>
  postFrom(world, page, path, fields);
const madeByHand = (name: string) => spaceMadeByHand(world, name);

const spaceOf = (course: Course) => course.spaceId ?? "";
const wholeCourse = (page: Seen, space: string, act: "look" | "link") =>
  posts(page, "/course/settings/space", { act, space, share: "yes" });
const theLink = (page: Seen, space: string) => posts(page, "/course/link", { what: "space", space });
const requestsOf = async (course: Course) =>
  (await world.stores.spaceRequests.listOfCourse(course.registrationId, course.id, 50)).map(
    ({ spaceId, state }) => `${spaceId} ${state}`,
  );
/** The operator types the name into a form that deletes something. */
async function typeName(page: string, action: string, typed: string): Promise<void> {
  const shown = await operator.open(`${world.toolUrl}/admin/${page}`);
  const begun = await operator.submit(shown, { action, fields: { typed } });
  expect(begun.status, begun.text.slice(0, 2_000)).toBeLessThan(400);
}
const needsApproval = "This classroom needs approval before your course can use it";

/** Those of these people of the other LMS who got a login to the Space of a course. */
async function othersWithLogin(course: Course, subs: readonly string[]): Promise<string[]> {
  const logins = world.classroom.authorizations().filter(({ spaceId }) => spaceId === spaceOf(course));
  const found: string[] = [];
  for (const sub of subs) {
    const key = { registrationId: other.id, deploymentId: "1", sub };
    const person = required(await world.stores.people.findBySub(key));
    const { host, participant } = person.apiUsers;
    if (logins.some(({ userId }) => userId === host?.id || userId === participant?.id)) found.push(sub);
  }
  return found;
}

/** Launching a page takes a queue position: its login is fetched whether or not somebody presses the button. */
async function loginsAreFetched(): Promise<void> {
  await vi.waitFor(async () => {
    const waiting = await world.stores.queuePositions.countWaitingByAccount(["production"], Date.now());
    expect(waiting.size).toBe(0);
  }, patience);
}

describe("A Space that the tool made for a course", () => {
  test.each([
    ["another LMS", () => other, "chem-1", "stranger"],
    ["another course of the same LMS", () => world.registration, "chem-2", "carl"],
  ])("is refused to %s, for the course and for a link", async (_who, by, context, sub) => {
    const page = await launch(by(), context, sub);
    const address = `${world.classroom.appUrl}/spaces/${spaceOf(biology)}`;
    for (const refused of [
      await wholeCourse(page, address, "look"),
      await wholeCourse(page, spaceOf(biology), "link"),
      await theLink(page, address),
    ]) {
      expect(textOf(refused)).toContain(needsApproval);
      expect(textOf(refused)).not.toContain("Course bio");
    }
    const course = await courseOf(by(), context);
    expect(course.spaceId).not.toBe(biology.spaceId);
    const links = await world.stores.courseLinks.listOfCourse(by().id, course.id);
    expect(links.map(({ choice }) => choice)).toEqual([{ kind: "course-space" }]);
    // Asked three times, it is one request.
    expect(await requestsOf(course)).toEqual([`${spaceOf(biology)} open`]);
  });

  test("is refused in the same words as a missing one, so that nobody learns which exist", async () => {
    await withSpace(other, "chem-3", "stranger");
    const page = await launch(other, "chem-3", "stranger");
    const words = async (space: string) =>
      textOf(await wholeCourse(page, space, "look")).replaceAll(space, "…");
    const real = await words(spaceOf(biology));
    const madeUp = await words("a-space-that-nobody-has");
    expect(madeUp.split("Requested classrooms")[0]).toBe(real.split("Requested classrooms")[0]);
  });

  test("may be used in another course of its instructor, but not of somebody who is only a learner there", async () => {
    const mine = await launch(world.registration, "bio-lab", "tess");
    expect((await theLink(mine, spaceOf(biology))).status).toBe(200);
    const lab = await courseOf(world.registration, "bio-lab");
    expect(await world.stores.courses.mayUse(lab, spaceOf(biology))).toBe(true);
    await launch(world.registration, "bio", "lea", [learnerRole]);
    const theirs = await launch(world.registration, "lea-teaches", "lea");
    expect(textOf(await theLink(theirs, spaceOf(biology)))).toContain(needsApproval);
  });

  test("is not shown with its recordings in a course that has its id without a right to it", async () => {
    const page = await launch(other, "chem-4", "stranger");
    const course = await courseOf(other, "chem-4");
    await world.stores.courses.replaceSpace(course, course.spaceId, spaceOf(biology));
    const secret = {
      environment: "production",
      recordingId: "the-secret-one",
      spaceId: spaceOf(biology),
    } as const;
    await world.stores.recordings.note(secret, { availableAt: Date.now() }, Date.now());
    const ours = await posts(await launch(world.registration, "bio", "tess"), "/course/recordings", {});
    expect(ours.text).toContain("the-secret-one");
    expect((await posts(page, "/course/recordings", {})).text).not.toContain("the-secret-one");
    const home = await enter(await launch(other, "chem-4", "stranger"));
    expect(textOf(home)).toContain("Nobody can enter: the classroom is closed or isn’t approved.");
    const learner = await launch(other, "chem-4", "lou", [learnerRole]);
    expect([learner.status, textOf(learner)]).toEqual([
      403,
      expect.stringContaining("isn’t approved for the course"),
    ]);
    const theirs = await withSpace(other, "chem-5", "stranger");
    await vi.waitFor(async () => {
      expect(await othersWithLogin(theirs, ["stranger"])).toEqual(["stranger"]);
    }, patience);
    // By now, anybody entitled to a login for the earlier pages has one.
    expect(await othersWithLogin(biology, ["stranger", "lou"])).toEqual([]);
  });

  test("is not taken along by a copy of the course or of a link", async () => {
    const claims = claimsOf({ sub: "tess", name: "Tess T", course: "bio-copy", history: "bio" });
    const page = await world.launch({ registration: world.registration, claims });
    await posts(page, "/course/copied", { answer: "take" });
    await enter(await launch(world.registration, "bio-copy", "tess"));
    const copy = await courseOf(world.registration, "bio-copy");
    expect(copy.spaceId).not.toBeNull();
    expect(copy.spaceId).not.toBe(biology.spaceId);
    expect(await world.stores.courses.mayUse(copy, spaceOf(biology))).toBe(false);
  });
});

describe("A request for a Space", () => {
  const form = async (visitor: Visitor) => visitor.open(`${world.toolUrl}/admin/spaces`);

  test("is answered by an administrator of the LMS, and then the course can use the Space", async () => {
    // Otherwise its own Space may be created between the pages, which the second one would notice.
    await withSpace(world.registration, "physics", "phil");
    const page = await launch(world.registration, "physics", "phil");
    const typed = await madeByHand("Physics by hand");
    expect(textOf(await wholeCourse(page, typed, "link"))).toContain(needsApproval);
    const physics = await courseOf(world.registration, "physics");
    const console_ = await launch(world.registration, "physics", "ada", [instructorRole, admin]);
    await console_.visitor.submit(console_, { action: "/admin/lms" });
    const listed = await form(console_.visitor);
    expect(textOf(listed)).toContain(typed);
    expect(textOf(listed)).not.toContain("Another LMS");
    const request = await world.stores.spaceRequests.findOf(physics.id, {
      environment: "production",
      spaceId: typed,
    });
    const answered = await console_.visitor.submit(listed, {
      action: `/admin/spaces/requests/${request?.id ?? ""}`,
      fields: { answer: "approve" },
    });
    expect(answered.location).toContain("note=approved");
    expect(textOf(await posts(page, "/course/settings/space", { act: "show" }))).toContain("Approved");
    const seen = spaceOf(await courseOf(world.registration, "physics"));
    const linked = { act: "link", space: typed, seen };
    expect((await posts(page, "/course/settings/space", linked)).status).toBe(200);
    const now = await courseOf(world.registration, "physics");
    expect(now.spaceId).toBe(typed);
    expect(await spaceEntered(world, await launch(world.registration, "physics", "phil"))).toBe(typed);
    const trail = await world.stores.courseAudit.list(
      { registrationId: world.registration.id, courseId: physics.id, personId: null },
      null,
      10,
    );
    expect(trail.map(({ what }) => what)).toEqual(["space-changed", "space-approved", "space-asked"]);
  });

  test("for another LMS's Space goes to the operator, and an administrator learns no more", async () => {
    const theirs = await withSpace(other, "theirs", "stranger");
    const page = await launch(world.registration, "maths", "max");
    await wholeCourse(page, spaceOf(theirs), "look");
    const maths = await courseOf(world.registration, "maths");
    const console_ = await launch(world.registration, "maths", "ada", [instructorRole, admin]);
    await console_.visitor.submit(console_, { action: "/admin/lms" });
    const where = { environment: "production", spaceId: spaceOf(theirs) } as const;
    const request = await world.stores.spaceRequests.findOf(maths.id, where);
    const answer = { action: `/admin/spaces/requests/${request?.id ?? ""}`, fields: { answer: "approve" } };
    const tried = await console_.visitor.submit(await form(console_.visitor), answer);
    expect(tried.location).toContain("note=operator");
    expect(await world.stores.courses.mayUse(maths, spaceOf(theirs))).toBe(false);
    expect(await requestsOf(maths)).toEqual([`${spaceOf(theirs)} open`]);
    const done = await operator.submit(await form(operator), answer);
    expect(done.location).toContain("note=approved");
    expect(await world.stores.courses.mayUse(maths, spaceOf(theirs))).toBe(true);
    expect(textOf(await form(operator))).toContain("Also used by Another LMS");
  });

  test("that is refused stays refused, however often it is made, and the instructor sees it", async () => {
    const page = await launch(world.registration, "history", "hal");
    await wholeCourse(page, "somebody-elses", "look");
    const history = await courseOf(world.registration, "history");
    const [request] = await world.stores.spaceRequests.listOfCourse(history.registrationId, history.id, 1);
    const refuse = { action: `/admin/spaces/requests/${request?.id ?? ""}`, fields: { answer: "refuse" } };
    await operator.submit(await form(operator), refuse);
    await wholeCourse(page, "somebody-elses", "look");
    expect(await requestsOf(history)).toEqual(["somebody-elses refused"]);
    expect(textOf(await posts(page, "/course/settings/space", { act: "show" }))).toContain("Refused");
  });

  test("is refused while twenty of the course are waiting", async () => {
    const page = await launch(world.registration, "guesses", "gus");
    for (let at = 0; at < 20; at += 1) await wholeCourse(page, `guess-${at}`, "look");
    expect(textOf(await wholeCourse(page, "guess-20", "look"))).toContain(
      "Too many requests from this course are waiting",
    );
    expect(await requestsOf(await courseOf(world.registration, "guesses"))).toHaveLength(20);
  });
});

describe("A closed Space", () => {
  test("lets nobody in, not even with a prepared login, until an operator approves it again", async () => {
    const course = await withSpace(world.registration, "closing", "tess");
    const page = await launch(world.registration, "closing", "tess");
    await loginsAreFetched();
    const listed = await operator.open(`${world.toolUrl}/admin/spaces`);
    const fields = { environment: "production", space: spaceOf(course) };
    const closed = await operator.submit(listed, { action: "/admin/spaces/close", fields });
    expect(closed.location).toContain("note=closedNow");
    expect(textOf(await enter(page))).toContain("is closed or isn’t approved");
    expect(textOf(await wholeCourse(page, spaceOf(course), "link"))).toContain(needsApproval);
  });

  test.each([
    [
      "of a course that was erased",
      async ({ id, title }: Course) => {
        await typeName(`courses/${id}`, "/erase", title);
        await vi.waitFor(async () => expect(await world.stores.courses.find(id)).toBeNull(), patience);
      },
    ],
    [
      "of an LMS that was uninstalled",
      async ({ registrationId }: Course) => {
        await typeName(`registrations/${registrationId}?tab=off`, "/uninstall", "Third");
        await vi.waitFor(async () => {
          expect(await world.stores.registrations.find(registrationId)).toBeNull();
        }, patience);
      },
    ],
  ])("%s stays closed for everybody, even for an operator", async (_what, close) => {
    const third = await world.register({
      clientId: `client-${randomBytes(4).toString("hex")}`,
      name: "Third",
    });
    const gone = await withSpace(third, "gone", "tom");
    await close(gone);
    const page = await launch(world.registration, "heirs", "tess");
    expect(textOf(await theLink(page, spaceOf(gone)))).toContain(needsApproval);
    const heirs = await courseOf(world.registration, "heirs");
    const where = { environment: "production", spaceId: spaceOf(gone) } as const;
    const request = await world.stores.spaceRequests.findOf(heirs.id, where);
    const tried = await operator.submit(await operator.open(`${world.toolUrl}/admin/spaces`), {
      action: `/admin/spaces/requests/${request?.id ?? ""}`,
      fields: { answer: "approve" },
    });
    expect(tried.location).toContain("note=closed");
    expect(await world.stores.courses.mayUse(heirs, spaceOf(gone))).toBe(false);
  });
});
