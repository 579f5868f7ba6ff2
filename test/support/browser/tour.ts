import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type BrowserContext, chromium, type Frame, type Page } from "playwright-core";
import { createLogger } from "../../../src/kernel/logger.ts";
import { holdDemoClass } from "../../../sandbox/demo-class.ts";
import { type DemoWorld, startDemoWorld } from "../../../sandbox/demo-world.ts";
import { until } from "../until.ts";
import { browsersOfRun } from "./browsers.ts";

/**
 * `npm run tour [-- folder]`: the pictures of README and docs, from the demo's class: stills (JPEG), and `class.gif`, which follows an
 * instructor from the course link to the gradebook. The GIF needs ImageMagick's `convert` on this machine.
 */
const folder = resolve(process.argv[2] ?? "docs/tour");
const patienceMs = 90_000;
const readSeconds = 2.2;
const still = { width: 760, height: 860 };
const wide = { width: 900, height: 640 };
const moving = { width: 900, height: 760 };

await mkdir(folder, { recursive: true });
const frames = await mkdtemp(join(tmpdir(), "spaces-lti-tour-"));
const world = await startDemoWorld({
  logger: createLogger("warn"),
  variables: { ADMIN_PASSWORD: "demo-password" },
});
const demoClass = holdDemoClass(world);
const { pages } = await browsersOfRun();
const browser = await chromium.launch({
  ...(pages === null ? {} : { executablePath: pages.path }),
  args: ["--no-sandbox"],
});
try {
  await until(patienceMs, "everybody has their attendance", () => {
    const { learners, of } = demoClass.progress();
    return learners === of;
  });
  await until(patienceMs, "every grade is in the gradebook", () =>
    world.lms.gradebook("2").learners.every(({ grades }) => grades[0]?.value !== null),
  );
  await takeStills(await openAs("teacher1", still), [
    ["home", "/home"],
    ["attendance", "/grid"],
    ["recordings", "/recordings"],
  ]);
  await takeStills(await openAs("student1", still), [["learner", "/home"]]);
  await takeConsole();
  await follow(await openAs("teacher1", moving));
} finally {
  demoClass.stop();
  await browser.close();
  await world.close();
  await rm(frames, { recursive: true });
}

/** A course link, framed by the LMS. */
async function openAs(person: string, viewport: { width: number; height: number }) {
  const context: BrowserContext = await browser.newContext({ viewport });
  const [name = "", value = ""] = world.lms.cookieFor(person).split("=");
  await context.addCookies([{ name, value, url: world.lms.url }]);
  const page = await context.newPage();
  await page.goto(`${world.lms.url}/link/1?container=embed`, { waitUntil: "networkidle" });
  // As wide as the frame of a real Moodle.
  await page.addStyleTag({ content: ".frame600 { max-width: none }" });
  return { page, tool: await toolFrame(page, world) };
}

async function toolFrame(page: Page, { toolUrl }: DemoWorld): Promise<Frame> {
  const find = () => page.frames().find((one) => one.url().startsWith(`${toolUrl}/c/`));
  await until(patienceMs, "the course's page is shown in the LMS", () => find() !== undefined);
  const found = find();
  if (found === undefined) throw new Error("the frame of the tool is gone");
  return found;
}

/** Pages without the LMS around them. */
async function takeStills(
  { page, tool }: { page: Page; tool: Frame },
  wanted: readonly (readonly [name: string, path: string])[],
): Promise<void> {
  const base = /^.*?\/c\/[^/]+/.exec(tool.url())?.[0] ?? "";
  for (const [name, path] of wanted) {
    await page.goto(base + path, { waitUntil: "networkidle" });
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 82 });
  }
  await page.context().close();
}

/** What operators and administrators see: the overview, an institution's set-up, and the page of an invitation. */
async function takeConsole(): Promise<void> {
  const page = await browser.newPage({ viewport: wide });
  const take = async (name: string) => {
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 82 });
  };
  await page.goto(`${world.toolUrl}/admin`);
  await page.getByLabel("Password").fill("demo-password");
  await page.getByRole("button", { name: "Log in" }).click();
  await take("console");
  await page.goto(`${world.toolUrl}/admin/registrations`);
  const registration = await page.locator("main a[href*='/registrations/reg_']").first().getAttribute("href");
  await page.goto(`${world.toolUrl}${registration ?? ""}/set-up`);
  await take("set-up");
  await page.goto(`${world.toolUrl}/admin/invitations/new`);
  await page.getByRole("button", { name: "Create invitation" }).click();
  await page.goto((await page.getByRole("link", { name: "Open the steps" }).getAttribute("href")) ?? "");
  await take("registration");
  await page.close();
}

/** The instructor inside the LMS: course page, attendance, grades, gradebook. */
async function follow({ page, tool }: { page: Page; tool: Frame }): Promise<void> {
  let count = 0;
  const take = async () => {
    count += 1;
    await page.screenshot({ path: join(frames, `${String(count).padStart(2, "0")}.png`) });
  };
  await take();
  for (const area of ["Attendance", "Grades", "Recordings"]) {
    await tool.locator("nav.areas").getByText(area, { exact: true }).first().click();
    await tool.locator("h1").waitFor();
    await page.waitForLoadState("networkidle");
    await take();
  }
  await page.goto(`${world.lms.url}/course/2/gradebook`);
  await take();
  await page.context().close();
  const made = spawnSync(
    "convert",
    [
      "-delay",
      String(readSeconds * 100),
      "-loop",
      "0",
      join(frames, "*.png"),
      "+dither",
      "-colors",
      "64",
      "-layers",
      "optimize",
      join(folder, "class.gif"),
    ],
    { stdio: "inherit" },
  );
  if (made.status !== 0) console.error("class.gif was not made: is ImageMagick's convert installed?");
}
