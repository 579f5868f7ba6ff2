import { beforeAll, describe, expect, test, vi } from "vitest";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { patience } from "../support/patience.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { go, type Page } from "../support/tool/pages.ts";

const hour = 3_600_000;

let users: Record<"ann" | "ben", string>;
const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  for (const [sub, name] of [
    ["ann", "Ann Adler"],
    ["ben", "Ben Bauer"],
  ] as const)
    await world.launch({ claims: claimsOf({ sub, name, roles: [learnerRole] }), framed: false });
  const [ann, ben] = await Promise.all(["ann", "ben"].map(userOf));
  users = { ann: ann ?? "", ben: ben ?? "" };
});

async function userOf(sub: string): Promise<string> {
  const { registrationId, deploymentId } = await world.courseOf("2");
  return onlyUserOf(await world.stores.people.findBySub({ registrationId, deploymentId, sub })) ?? "";
}

/** People were in the course's Space; its end is reported, and analytics are complete. */
async function held(title: string, startsAt: number): Promise<{ sessionId: string; eventId: string }> {
  const { spaceId } = await world.courseOf("2");
  const endsAt = startsAt + hour;
  const { eventId } = world.classroom.createEvent({ spaceId: spaceId ?? "", title, startsAt, endsAt });
  const { sessionId } = world.classroom.tellEarlier({
    spaceId: spaceId ?? "",
    stays: [
      { userId: users.ann, from: startsAt, to: endsAt },
      { userId: users.ben, from: startsAt, to: startsAt + hour / 2 },
      { userId: "user_stranger", from: startsAt, to: endsAt },
    ],
  });
  return { sessionId, eventId };
}

const teaches = () => world.launch({ claims: claimsOf({ sub: "ina", name: "Ina Instructor" }) });
const analytics = (page: Page, event: string) => go(page, "/course/analytics", { event });
const asked = () => world.classroom.calls().filter(({ operation }) => operation === "readSessions");

describe("After a session", () => {
  let lecture: Awaited<ReturnType<typeof held>>;

  test("its instructor sees the classroom's figures, by the classroom's names", async () => {
    lecture = await held("Photosynthesis", Date.now() - 3 * hour);
    const page = await vi.waitFor(async () => {
      const found = await analytics(await teaches(), lecture.eventId);
      expect(textOf(found)).toMatch(/Photosynthesis .*Lowest 2, highest 3\./);
      return found;
    }, patience);
    expect(asked(), "one question, when the session's end was told").toHaveLength(1);
    expect(asked()[0]?.query).toMatchObject({ sessionId: lecture.sessionId });
    const said = textOf(page);
    expect(said).toMatch(/Engagement: Timeline: Present 3 2 [0-9:]+ [0-9:]+ From 3 to 2\./);
    expect(said).toMatch(
      /Engagement: Participant count 3 Engagement: Average minutes 50 Network: Stable share 1 Participants 3/,
    );
    expect(said, "of no single person").not.toMatch(/Ann Adler|user_stranger|NO_INPUT_DETECTED/);
    expect(page.text).toMatch(/\/register/);
  });

  test.each(["somebody else's", "no-session"])("%s session is not found", async (id) => {
    expect((await analytics(await teaches(), id)).status).toBe(404);
  });

  test("another course sees none of it", async () => {
    const page = await world.launch({ claims: claimsOf({ sub: "joe", name: "Joe Other", course: "77" }) });
    expect((await analytics(page, lecture.eventId)).status).toBe(404);
  });
});
