import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Seen, Visitor } from "../../src/sandbox/visitor.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { patience } from "../support/patience.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { carriedSession } from "../support/tool/carried-session.ts";
import { claimsOf, startTinyWorld, textOf, type TinyWorld } from "../support/tool/tiny-world.ts";

type Page = Seen & { visitor: Visitor };
const hour = 3_600_000;

let world: TinyWorld;
let users: Record<"ann" | "ben", string>;
beforeAll(async () => {
  world = await startTinyWorld();
  for (const [sub, name] of [
    ["ann", "Ann Adler"],
    ["ben", "Ben Bauer"],
  ] as const)
    await world.launch({ claims: claimsOf({ sub, name, roles: [learnerRole] }), framed: false });
  const [ann, ben] = await Promise.all(["ann", "ben"].map(userOf));
  users = { ann: ann ?? "", ben: ben ?? "" };
});
afterAll(() => world.close());

async function userOf(sub: string): Promise<string> {
  const { registrationId, deploymentId } = await world.courseOf("2");
  return onlyUserOf(await world.stores.people.findBySub({ registrationId, deploymentId, sub })) ?? "";
}

/** People were in the course's Space; its end is told, analytics are complete. @returns the session's id */
async function held(title: string | null, startsAt: number): Promise<string> {
  const { spaceId } = await world.courseOf("2");
  const endsAt = startsAt + hour;
  if (title !== null) world.classroom.createEvent({ spaceId: spaceId ?? "", title, startsAt, endsAt });
  const { sessionId } = world.classroom.tellEarlier({
    spaceId: spaceId ?? "",
    stays: [
      { userId: users.ann, from: startsAt, to: endsAt },
      { userId: users.ben, from: startsAt, to: startsAt + hour / 2 },
      { userId: "user_stranger", from: startsAt, to: endsAt },
    ],
  });
  return sessionId;
}

const teaches = () => world.launch({ claims: claimsOf({ sub: "ina", name: "Ina Instructor" }) });
async function analytics(page: Page, of = ""): Promise<Page> {
  const fields = Object.entries({ session: carriedSession(page), of })
    .map(([name, value]) => `<input name="${name}" value="${value}">`)
    .join("");
  const text = `<form method="post" action="/course/analytics">${fields}</form>`;
  return { ...(await page.visitor.submit({ ...page, text })), visitor: page.visitor };
}
const asked = () => world.classroom.calls().filter(({ operation }) => operation === "readSessions");

describe("After a session", () => {
  let lecture: string;

  test("nothing is said before the classroom has said something", async () => {
    expect(textOf(await analytics(await teaches()))).toContain("None yet.");
  });

  test("its instructor reads what the classroom says of it, by the classroom's names", async () => {
    lecture = await held("Photosynthesis", Date.now() - 3 * hour);
    const list = await vi.waitFor(async () => {
      const page = await analytics(await teaches());
      expect(textOf(page)).toMatch(/Photosynthesis, .* 6 figures/);
      return page;
    }, patience);
    expect(asked(), "one question, when the session's end was told").toHaveLength(1);
    expect(asked()[0]?.query).toMatchObject({ sessionId: lecture });
    const page = await analytics(list, lecture);
    const said = textOf(page);
    expect(said).toMatch(
      /Photosynthesis .*Over time Engagement: Timeline: Present From 3 to 2\. Lowest 2, highest 3\./,
    );
    expect(said).toMatch(
      /Engagement: Participant count 3 Engagement: Average minutes 50 Network: Stable share 1/,
    );
    expect(said).toMatch(
      /People Ann Adler Minutes present: 60 · Connection status: Stable · Device: Camera: Good/,
    );
    expect(said).toMatch(/Ben Bauer Minutes present: 30 .* Device: Microphone: NO_INPUT_DETECTED/);
    expect(said, "whom nobody knows comes last").toMatch(
      /NO_INPUT_DETECTED Classroom user user_stranger Minutes present: 60/,
    );
    expect(page.text).toMatch(/\/register/);
  });

  test("one that nobody scheduled stands there too, with one question of its own", async () => {
    const before = asked().length;
    const another = await held(null, Date.now() - 8 * hour);
    await vi.waitFor(async () => {
      expect(textOf(await analytics(await teaches(), another))).toContain("No scheduled session");
    }, patience);
    expect(
      asked()
        .slice(before)
        .map(({ query }) => query["sessionId"]),
    ).toEqual([another]);
  });

  test.each(["somebody else's", "no-session"])("what is %s session is not found", async (id) => {
    expect((await analytics(await teaches(), id)).status).toBe(404);
  });

  test("a learner is refused, in the list and in a session", async () => {
    const own = await world.launch({
      claims: claimsOf({ sub: "ann", name: "Ann Adler", roles: [learnerRole] }),
    });
    expect(own.text).not.toContain("/analytics");
    expect((await analytics(own)).status).toBe(403);
    expect((await analytics(own, lecture)).status).toBe(403);
  });

  test("another course reads none of it", async () => {
    const page = await world.launch({ claims: claimsOf({ sub: "joe", name: "Joe Other", course: "77" }) });
    expect(textOf(await analytics(page))).toContain("None yet.");
    expect((await analytics(page, lecture)).status).toBe(404);
  });
});
