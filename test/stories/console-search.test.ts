import { beforeAll, describe, expect, test, vi } from "vitest";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { randomBytes } from "node:crypto";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const password = randomBytes(18).toString("base64");

let operator: Visitor;
let home: Seen;

const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: password }));
beforeAll(async () => {
  await world.launch({ claims: claimsOf({ sub: "t-1", name: "Tess Teacher" }) });
  await world.launch({ claims: claimsOf({ sub: "l-1", name: "José Learner", roles: [learnerRole] }) });
  operator = createVisitor();
  const logIn = await operator.open(`${world.toolUrl}/admin`);
  await operator.submit(logIn, { fields: { password } });
  home = await operator.open(`${world.toolUrl}/admin`);
});

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

  test("a course by its title, the LMS's id and ours", async () => {
    const { id } = await world.courseOf("2");
    for (const typed of ["course 2", "c2", "2", id])
      if (typed.length > 1)
        expect([typed, linksOf(await search(typed))]).toEqual([typed, [`/admin/courses/${id}`]]);
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
});
