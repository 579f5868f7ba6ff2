import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { pngLogo, tinyLogos } from "../support/builders/logo-files.ts";
import { findingsOnEveryScreen, openProfile, startBrowser } from "../support/browser/browser.ts";
import { watchProfiles } from "../support/browser/watch-profiles.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { logIn, rightPassword } from "../support/tool/console-tool.ts";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLookForm } from "../support/tool/forms.ts";

const profiles = watchProfiles();

const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword }));
const browser = await forAllTests(startBrowser());
beforeAll(async () => {
  const form = await openLookForm(world.toolUrl, world.registration.id);
  await form.set({
    name: "Northfield University",
    accent: "#8a1538",
    logo: tinyLogos.lossyWebp,
    logoDark: pngLogo(),
  });
});

/** A page in a browser that has these cookies. */
async function opens(url: string, cookies: string): Promise<Page> {
  const context = await openProfile(browser, world.toolUrl, null, { width: 600 });
  profiles.watch(context, world.toolUrl);
  await context.addCookies(
    cookies.split("; ").map((pair) => {
      const at = pair.indexOf("=");
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: world.toolUrl };
    }),
  );
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function learnersHome(): Promise<Page> {
  const claims = claimsOf({ sub: "lee", name: "Lee Learner", roles: [learnerRole] });
  const home = await world.launch({ claims });
  const mine = await home.visitor.submit(home, { action: "/course/my-sessions" });
  return opens(mine.url.replace("/my-sessions", "/home"), home.visitor.cookiesFor(mine.url));
}

test("a learner's home shows the institution's logo and colour, light and dark", async () => {
  const page = await learnersHome();
  const logo = page.getByRole("img", { name: "Northfield University" });
  const file = () => page.evaluate("document.querySelector('.brand-logo').currentSrc.replace(/.*[.]/, '')");
  const width = () => page.evaluate("document.querySelector('.brand-logo').naturalWidth");
  const colourOf = (what: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('button.primary')).${what}`);

  expect(await logo.boundingBox()).toMatchObject({ width: 36, height: 36 });
  expect(await file()).toBe("webp");
  expect(await width(), "the logo has loaded").toBeGreaterThan(0);
  expect(await colourOf("backgroundColor")).toBe("rgb(138, 21, 56)");
  expect(await colourOf("color")).toBe("rgb(255, 255, 255)");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(file).toBe("png");
  expect(await colourOf("backgroundColor")).toBe("rgb(138, 21, 56)");
  expect(await colourOf("color")).toBe("rgb(255, 255, 255)");
  expect(await findingsOnEveryScreen(page)).toEqual([]);
});

test("an operator sees the current branding, and corrects an unreadable colour", async () => {
  const { cookie } = await logIn(world.toolUrl);
  const page = await opens(`${world.toolUrl}/admin/registrations/${world.registration.id}/look`, cookie);
  await page.getByLabel("Accent colour", { exact: true }).fill("#ffcc00");
  await page.getByRole("button", { name: "Save" }).click();
  const field = page.getByLabel("Accent colour", { exact: true });
  await page.getByText("White text isn’t readable on this colour.").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await findingsOnEveryScreen(page)).toEqual([]);
  await field.fill("#886a00");
  await page
    .getByLabel("Logo", { exact: true })
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from(pngLogo()) });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. Pages show it within a minute.").waitFor();
  expect(await world.stores.brandings.find(world.registration.id)).toMatchObject({
    accent: "#886a00",
    logo: { kind: "png" },
    logoDark: { kind: "png" },
  });
});
