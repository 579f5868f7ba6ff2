import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { instructorRole, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lis = "http://purl.imsglobal.org/vocab/lis/v2";
const testUser = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  await enter("learner-1", "Zoë Åkesson");
  await enter("learner-2", "Ben Carter");
  await enter("preview", "Test Student", [learnerRole, testUser]);
  await enter("nameless");
  await mark("learner-1", "Photosynthesis", "PRESENT", 3);
  await mark("learner-1", "Respiration", "LATE", 2);
  await mark("learner-1", "Genetics", "EXCUSED", 1);
  await mark("preview", "Photosynthesis", "PRESENT", 3);
});

async function enter(sub: string, name?: string, roles: readonly string[] = [learnerRole]): Promise<void> {
  const page = await world.launch({ claims: claimsOf({ sub, name, roles }), framed: false });
  if (page.status !== 303) throw new Error(`${sub} did not get in: ${page.text}`);
}

async function personOf(sub: string) {
  const { registrationId, deploymentId, id, spaceId } = await world.courseOf("2");
  // A course has one preview student, whatever id the LMS gave to the one that came.
  const known = sub === "preview" ? `preview-student-of-${id}` : sub;
  const person = await world.stores.people.findBySub({ registrationId, deploymentId, sub: known });
  const userId = onlyUserOf(person);
  if (person === null || userId === null || spaceId === null) throw new Error(`${sub} has not been inside`);
  return { registrationId, courseId: id, personId: person.id, userId, spaceId };
}

/** A past session in which somebody was marked. */
async function mark(sub: string, title: string, status: "PRESENT" | "LATE" | "EXCUSED", daysAgo: number) {
  const { registrationId, courseId, personId, userId, spaceId } = await personOf(sub);
  const startsAt = Date.UTC(2026, 8, 20 - daysAgo, 9);
  const { eventId } = world.classroom.createEvent({ spaceId, title, startsAt, endsAt: startsAt + 3_600_000 });
  world.classroom.markAttendance({ eventId, userId, status });
  await vi.waitFor(async () => {
    const records = await world.stores.attendance.listOfPeople(registrationId, courseId, [personId]);
    expect(records.map((record) => record.eventId)).toContain(eventId);
  }, patience);
}

/** The LMS opens a review of `forUser`; without a link, as for a column without one. */
function review(
  viewer: { sub?: string; roles?: readonly string[] },
  forUser: string,
  change: Record<string, unknown> = {},
) {
  return world.launch({
    claims: {
      ...claimsOf(viewer),
      message_type: "LtiSubmissionReviewRequest",
      for_user: { user_id: forUser },
      resource_link: undefined,
      target_link_uri: undefined,
      ...change,
    },
  });
}

const teacher = { sub: "t1", roles: [instructorRole] };

describe("an instructor who opens a learner's grade", () => {
  test("sees each session with its date and status, how the grade is computed, and where it is", async () => {
    await vi.waitFor(async () => {
      expect(textOf(await review(teacher, "learner-1"))).toContain("On its way to the gradebook");
    }, patience);
    const page = await review(teacher, "learner-1");
    expect(page.status).toBe(200);
    const text = textOf(page);
    expect(text).toContain("Attendance of Zoë Åkesson");
    expect(text).toContain("Attended 2 of 2 sessions ◔ 1 late – 1 excused");
    expect(text).toContain("(1 × 100 + 1 × 80) ÷ 2 = 90");
    const order = ["Genetics", "Respiration", "Photosynthesis"].map((title) => text.indexOf(title));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(text).toMatch(/Genetics not counted – Excused Sat.* 2026, 09:00/);
    expect(text).toMatch(/Respiration 80 ◔ Late/);
    expect(text).toMatch(/Photosynthesis 100 ✓ Present/);
    await vi.waitFor(async () => {
      expect(textOf(await review(teacher, "learner-1"))).toContain("doesn’t let us write grades");
    }, patience);
  });

  test("sees an empty page for somebody without attendance, and for somebody who never came", async () => {
    const without = textOf(await review(teacher, "learner-2"));
    expect(without).toContain("Attendance of Ben Carter");
    expect(without).toContain("No attendance yet. It appears here once it’s marked");
    const never = await review(teacher, "never-came");
    expect(never.status).toBe(200);
    expect(textOf(never)).toContain("after this person’s first session");
  });

  test("as a preview student, reads that it is never graded", async () => {
    const text = textOf(await review({ sub: "preview", roles: [learnerRole, testUser] }, "preview"));
    expect(text).toContain("You’re a preview learner, who is never graded");
    expect(text).toContain("Photosynthesis");
    expect(text).not.toContain("of 100 points");
  });

  test("of a preview student, reads that it is never graded", async () => {
    const text = textOf(await review(teacher, "preview"));
    expect(text).toContain("Previews are never graded");
    expect(text).toContain("Photosynthesis");
  });

  test("sees a pseudonym if the LMS withholds names", async () => {
    expect(textOf(await review(teacher, "nameless"))).toContain("Attendance of Learner nameless");
  });

  test("gets to the page of the course from there, but a learner does not", async () => {
    expect((await review(teacher, "learner-1")).text).toMatch(/action="[^"]*\/tab"/);
    const own = await review({ sub: "learner-1", roles: [learnerRole] }, "learner-1");
    expect(own.status).toBe(200);
    expect(own.text).not.toContain('name="session"');
  });

  test("sees nobody in a course that is not theirs", async () => {
    const page = await review(teacher, "learner-1", { context: { id: "other-course" } });
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("after this person’s first session");
    expect(page.text).not.toContain("Åkesson");
  });
});

test("a learner who opens their own grade sees it, without the reasons for instructors", async () => {
  const page = await review({ sub: "learner-1", roles: [learnerRole] }, "learner-1");
  expect(page.status).toBe(200);
  const text = textOf(page);
  expect(text).toContain("My attendance");
  expect(text).toContain("90 of 100 points");
  expect(text).toContain("On its way to the gradebook");
  expect(text).not.toContain("doesn’t let us write grades");
});

describe("refused", () => {
  test.each([
    ["a learner who asks for somebody else", { sub: "learner-2", roles: [learnerRole] }],
    ["a mentor", { sub: "mentor", roles: [`${lis}/membership#Mentor`] }],
    [
      "an administrator without a role in the course",
      { sub: "admin", roles: [`${lis}/system/person#Administrator`] },
    ],
    ["somebody without a role", { sub: "nobody", roles: [] }],
  ])("%s", async (_who, viewer) => {
    const page = await review(viewer, "learner-1");
    expect(page.status).toBe(403);
    expect(textOf(page)).toContain("You can only see your own attendance");
    expect(page.text).not.toContain("Åkesson");
  });

  test("a mentor of somebody else, and a learner whom the list names as a mentor", async () => {
    const mentorOf = (...subs: unknown[]) => ({ role_scope_mentor: subs });
    const mentor = { sub: "mentor", roles: [`${lis}/membership#Mentor`] };
    const learner = { sub: "learner-2", roles: [learnerRole] };
    expect((await review(mentor, "learner-1", mentorOf("learner-2"))).status).toBe(403);
    expect((await review(learner, "learner-1", mentorOf("learner-1"))).status).toBe(403);
    const mentee = await review(mentor, "learner-1", mentorOf(7, "learner-1")); // to prove the two above
    expect(mentee.status).toBe(200);
    expect(textOf(mentee)).toContain("Attendance of Zoë Åkesson");
    expect(mentee.text).not.toContain('name="session"');
  });

  test("a person the LMS does not name", async () => {
    const page = await review({ roles: [instructorRole] }, "learner-1");
    expect(page.status).toBe(403);
    expect(textOf(page)).toContain("Your LMS didn’t share who you are");
    expect(page.text).not.toContain("Åkesson");
  });

  test("a review from outside a course", async () => {
    const page = await review(teacher, "learner-1", { context: undefined });
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("Open this link from a course page");
  });

  test("a review that does not name its learner", async () => {
    const page = await review(teacher, "", { for_user: undefined });
    expect(page.status).toBe(400);
    expect(textOf(page)).toContain("Your LMS left something out");
  });
});

// Last, because it shows the tool a gradebook: from then on the scores of this course are handled differently.
describe("an instructor whose review comes with the link's own claims", () => {
  test("sees the same, and the column of the link stays unchanged", async () => {
    const page = await review(teacher, "learner-1", {
      resource_link: { id: "link-9", title: "Reviewed" },
      "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
        scope: [],
        lineitems: "https://lms.test/items",
        lineitem: "https://lms.test/items/9",
      },
    });
    expect(textOf(page)).toContain("Attendance of Zoë Åkesson");
    const { registrationId, id } = await world.courseOf("2");
    const columns = await world.stores.columns.listOfCourse(registrationId, id);
    expect(columns.map(({ lineItemUrl }) => lineItemUrl)).not.toContain("https://lms.test/items/9");
  });
});
