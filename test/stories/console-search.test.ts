import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createVisitor, type Seen, type Visitor } from "../../src/sandbox/visitor.ts";
import { randomBytes } from "node:crypto";
import { claimsOf, startTinyWorld, textOf, type TinyWorld } from "../support/tool/tiny-world.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";

const password = randomBytes(18).toString("base64");

let world: TinyWorld;
let operator: Visitor;
let home: Seen;

beforeAll(async () => {
  world = await startTinyWorld(undefined, { ADMIN_PASSWORD: password });
  await world.launch({ claims: claimsOf({ sub: "t-1", name: "Tess Teacher" }) });
  await world.launch({ claims: claimsOf({ sub: "l-1", name: "José Learner", roles: [learnerRole] }) });
  operator = createVisitor();
  const logIn = await operator.open(`${world.toolUrl}/admin`);
  await operator.submit(logIn, { fields: { password } });
  home = await operator.open(`${world.toolUrl}/admin`);
});
afterAll(() => world.close());

const search = (q: string) => operator.submit(home, { action: "/admin/search", fields: { q } });
/** Where what was found leads to. */
const linksOf = ({ text }: Seen) =>
  [...text.slice(text.indexOf("<main")).matchAll(/<li>\s*<div class="grow">\s*<a href="([^"]+)"/g)].map(
    ([, link = ""]) => link.replaceAll("&amp;", "&"),
  );
const personId = async (name: string) => (await world.stores.people.listBeginning(name, 5))[0]?.id ?? "";

describe("An operator finds from the field in the frame", () => {
  test.each(["jose", "José Lear", "LEARNER", "learner jo", "l-1"])("a person by %j", async (typed) => {
    const page = await search(typed);
    expect(linksOf(page)).toEqual([`/admin/people/${await personId("jose")}`]);
    expect(page.url, "a name stands in no address").toBe(`${world.toolUrl}/admin/search`);
    const shown = await operator.open(world.toolUrl + (linksOf(page)[0] ?? ""));
    expect([shown.status, textOf(shown)]).toEqual([200, expect.stringContaining("José Learner")]);
  });

  test("a person by our id", async () => {
    const id = await personId("tess");
    expect(linksOf(await search(id))).toEqual([`/admin/people/${id}`]);
  });

  test("a course by its title, the LMS's id and ours", async () => {
    const { id } = await world.courseOf("2");
    for (const typed of ["course 2", "c2", "2", id])
      if (typed.length > 1)
        expect([typed, linksOf(await search(typed))]).toEqual([typed, [`/admin/courses/${id}`]]);
  });

  test("an LMS by its name or issuer, and a classroom account by its id or name", async () => {
    const link = `/admin/registrations/${world.registration.id}`;
    expect(linksOf(await search("tiny"))).toEqual([link]);
    expect(linksOf(await search(world.registration.issuer))).toEqual([link]);
    expect(linksOf(await search("production"))).toEqual(["/admin/accounts/production"]);
  });

  test("a failed launch by the reference on its page, also when another one failed for the same reason since", async () => {
    const references = [];
    for (let n = 0; n < 2; n += 1) {
      const refused = await world.launch({ claims: { aud: "somebody-else" } });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      references.push(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,}/.exec(textOf(refused))?.[0] ?? "");
    }
    for (const reference of references) {
      const page = await vi.waitFor(async () => {
        const found = await search(reference);
        expect(linksOf(found)).toEqual([`/admin/launches?lms=${world.registration.id}`]);
        return found;
      }, 10_000);
      const list = await operator.open(world.toolUrl + (linksOf(page)[0] ?? ""));
      expect(textOf(list)).toContain("Tiny LMS");
    }
  });

  test("a webhook and a score by their ids", async () => {
    const { id: courseId, registrationId } = await world.courseOf("2");
    await world.stores.receipts.insert({
      ...{ id: "rcp_searched", environment: "production", digest: "d", body: "{}", receivedAt: Date.now() },
      ...{ state: "failed", attempts: 1, nextTryAt: 0, reason: "unreadable" },
    });
    await world.stores.deliveries.want(
      { registrationId, courseId },
      [
        {
          ...{ personId: "per_1", sub: "l-1", seen: { regrade: 1, summary: 1 }, left: false },
          scores: new Map([["attendance", { score: 80, maximum: 100, comment: null }]]),
        },
      ],
      { now: Date.now() + 3_600_000, newId: () => "dlv_searched" },
    );
    expect(linksOf(await search("rcp_searched"))).toEqual(["/admin/receipts/rcp_searched"]);
    const [link = ""] = linksOf(await search("dlv_searched"));
    expect((await operator.open(world.toolUrl + link)).text).toContain("dlv_searched");
  });

  test("nothing, and reads what can be searched", async () => {
    for (const typed of ["zzz-nobody", "%", "j", "se Learner"]) {
      const page = await search(typed);
      expect([typed, textOf(page)]).toEqual([typed, expect.stringContaining("Nothing found.")]);
      expect(textOf(page)).toContain("a person: start of a name or e-mail address, or a full user ID");
    }
    expect(textOf(await operator.open(`${world.toolUrl}/admin/search`))).not.toContain("Nothing found.");
  });
});

test("somebody who was erased is found no more", async () => {
  const page = await world.launch({
    claims: claimsOf({ sub: "l-2", name: "Erin Leaver", roles: [learnerRole] }),
  });
  expect(page.status).toBe(200);
  const id = await personId("erin");
  const shown = await operator.open(`${world.toolUrl}/admin/people/${id}`);
  await operator.submit(shown, { action: "/erase", fields: { typed: "l-2" } });
  await expect.poll(() => world.stores.people.listBeginning("erin", 5)).toEqual([]);
  expect(textOf(await search("erin"))).toContain("Nothing found.");
});
