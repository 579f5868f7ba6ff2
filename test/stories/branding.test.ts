import { beforeAll, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import { isWaitingPage } from "../../sandbox/wait-in-queue.ts";
import { pngLogo, tinyLogos } from "../support/builders/logo-files.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { get, rightPassword } from "../support/tool/console-tool.ts";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLookForm } from "../support/tool/forms.ts";

/** Another institution in the same tool, without branding. */
let college: Registration;
const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword }));
beforeAll(async () => {
  college = await world.register({ clientId: "client-2", name: "College" });
});

const northfield = "Northfield & Sons University";

function comes(sub: string, registration = world.registration) {
  const claims = claimsOf({ sub, name: "Lee Learner", course: "5", roles: [learnerRole] });
  return world.launch({ registration, claims });
}

/** The style sheet, the logos and the name on a page; null for what it does not show. */
function lookOf({ text }: { text: string }) {
  const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null;
  return {
    sheet: found(/<link rel="stylesheet" href="(\/brand\/[^"]+)"/),
    logo: found(/<img class="brand-logo" src="([^"]+)"/),
    dark: found(/<source srcset="([^"]+)" media="\(prefers-color-scheme: dark\)"/),
    name: found(/<img class="brand-logo"[^>]* alt="([^"]+)"/),
  };
}

const named = "Northfield &amp; Sons University";
const plain = { sheet: null, logo: null, dark: null, name: null };

test("learners of an institution see its logo and colour on every page, but another's learners do not", async () => {
  expect(lookOf(await comes("early"))).toEqual(plain);
  const form = await openLookForm(world.toolUrl, world.registration.id);
  await form.set({ name: northfield, accent: "#8a1538", logo: tinyLogos.jpeg, logoDark: pngLogo() });

  const home = await comes("lee");
  const shown = lookOf(home);
  expect(shown.sheet).toBe("/brand/8a1538.css");
  expect(shown.logo).toMatch(/^\/brand\/[\w-]{16}\.jpg$/);
  expect(shown.dark).toMatch(/^\/brand\/[\w-]{16}\.png$/);
  expect(shown.name).toBe(named);
  for (const address of [shown.sheet, shown.logo, shown.dark])
    expect((await get(`${world.toolUrl}${address}`)).status).toBe(200);
  expect(home.text, "no style of its own").not.toMatch(/<style|style="/);

  const mine = await home.visitor.submit(home, { action: "/course/my-sessions" });
  expect(lookOf(mine)).toEqual(shown);
  const refused = await home.visitor.open(mine.url.replace("/my-sessions", "/grades"));
  expect([refused.status, lookOf(refused)]).toEqual([403, shown]);

  const abroad = await comes("carla", college);
  expect([abroad.status, lookOf(abroad)]).toEqual([200, plain]);
  const theirs = await abroad.visitor.submit(abroad, { action: "/course/my-sessions" });
  expect([theirs.status, lookOf(theirs)]).toEqual([200, plain]);
  expect(theirs.text).not.toContain("Northfield");
});

test("the waiting queue is branded, too", async () => {
  const form = await openLookForm(world.toolUrl, world.registration.id);
  await form.set({ name: northfield, accent: "#8a1538", logo: tinyLogos.jpeg });
  // No login exists before they press the button.
  world.classroom.addFault({ operation: "authorize", kind: "500", times: 1_000 });
  const wim = await comes("wim");
  const line = await wim.visitor.submit(wim, { action: "/enter" });
  const looked = await wim.visitor.submit(line, { action: "/waiting" });
  const later = await wim.visitor.open(looked.location ?? "");
  for (const page of [line, later])
    expect([isWaitingPage(page), lookOf(page).name], page.text).toEqual([true, named]);
  world.classroom.clearFaults();
});
