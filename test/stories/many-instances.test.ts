import { expect, test } from "vitest";
import { get, logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen } from "../../sandbox/visitor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { startToolCluster, type ToolCluster } from "../support/tool/tool-cluster.ts";
import { usualSettings } from "../support/tool/forms.ts";

const biology = "1";

let cluster: ToolCluster;
const world = await forAllTests(
  startWorld({
    learners: 6,
    variables: { ADMIN_PASSWORD: rightPassword },
    startTool: async (variables) => {
      cluster = await startToolCluster(variables, 3);
      return cluster;
    },
  }),
);

/** The settings page filled in: the classroom in Spanish. */
const asChosen = { ...usualSettings, language: "es" };

/** One of the three, without the balancer. */
function instance(number: number): string {
  return cluster.instances[number]?.url ?? "";
}

/** The page with its forms sent to one instance. */
function at(number: number, page: Seen): Seen {
  return { ...page, url: page.url.replace(world.toolUrl, instance(number)) };
}

test("what is set at one instance is immediately visible at the next", async () => {
  const visitor = createVisitor();
  const home = await openCourseLink(visitor, world.lms, "teacher1", biology, { framed: true });
  const settings = await visitor.submit(home, { action: "/course/settings" });
  expect(settings.status).toBe(200);
  const saved = await visitor.submit(at(0, settings), { action: "/course/settings/save", fields: asChosen });
  expect(saved.status).toBe(200);
  for (const number of [1, 2]) {
    visitor.addCookie(instance(number), `${visitor.cookiesFor(settings.url)}; Path=/c`);
    const again = await visitor.submit(at(number, home), { action: "/course/settings" });
    const language = /<select[^>]*name="language"[\s\S]*?<\/select>/.exec(again.text)?.[0] ?? "";
    expect(/<option value="es"[^>]*>/.exec(language)?.[0]).toContain("selected");
  }
});

test("wrong passwords are counted over all instances, and a session works at each of them", async () => {
  const { cookie } = await logIn(world.toolUrl);
  for (const number of [0, 1, 2]) {
    expect((await get(`${instance(number)}/admin/registrations`, cookie)).status).toBe(200);
  }
  const guesses = [];
  for (let number = 0; number < 30; number += 1) {
    // From the same address, as the balancer says.
    const url = instance(number % 3);
    guesses.push((await send(`${url}/admin`, { password: `wrong ${number}` })).status);
    if (guesses.at(-1) === 429) break;
  }
  expect(guesses.at(-1)).toBe(429);
  const [one, two, three] = await Promise.all(
    [0, 1, 2].map((number) => send(`${instance(number)}/admin`, { password: rightPassword })),
  );
  expect([one?.status, two?.status, three?.status]).toEqual([429, 429, 429]);
});

test("nobody notices when an instance is killed", async () => {
  await cluster.instances[1]?.tool().end("SIGKILL");
  const visitors = Array.from({ length: 6 }, () => createVisitor());
  const pages = await Promise.all(
    visitors.map((visitor, number) =>
      openCourseLink(visitor, world.lms, `student${number + 1}`, biology, { framed: true }),
    ),
  );
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
  await walkIn(world, "student6", biology);
});
