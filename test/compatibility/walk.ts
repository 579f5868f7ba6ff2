import { expect } from "vitest";
import { type Driven, home, stepsIn, windowButton, windowPage } from "../support/browser/driven.ts";
import { startChromium } from "../support/browser/driven-chromium.ts";
import { startFirefox } from "../support/browser/firefox.ts";
import { startHttpsWorld, type HttpsWorld } from "../support/browser/https-world.ts";
import { startWebkit } from "../support/browser/webkit.ts";
import { gradeOfLearner, holdSession, walkIn } from "../support/tool/start-world.ts";
import { required } from "../support/required.ts";
import { type Cell, type Keeps, type LmsName, lmsKinds, policies, seesOf, wayOf } from "./cells.ts";
import type { Found } from "./page.ts";

const biology = { course: "2", link: "1", name: "BIO101" };
/** Learners by the cookies of their browser: each has their own grade. */
const people = {
  learner: (policy: number) => `student${String(policy + 1)}`,
  instructor: () => "teacher1",
  assistant: () => "assistant",
  administrator: (_policy: number, lms: LmsName) => (lms === "strict" ? "chief" : "admin"),
};
/** The names of the areas of a person's pages. */
const areas = {
  learner: ["Home", "My attendance", "Recordings"],
  teacher: ["Home", "Sessions", "Attendance", "Grades", "Recordings", "People", "Settings"],
  arranger: ["Home", "Sessions", "Recordings", "People", "Settings"],
};
/** Its text changes when the browser opens the Space automatically. */
const enterButton = /^(Enter classroom|Join|Open again)$/;
const another = { learner: "My attendance", teacher: "Grades", arranger: "People" };

/** An LMS of a kind, whose course has already been opened once. */
export async function startLms(name: LmsName): Promise<HttpsWorld> {
  const { manners, quirks } = lmsKinds[name];
  const world = await startHttpsWorld(manners, { classroom: "https", quirks });
  world.lms.enrol(biology.course, { id: "90", username: "assistant", role: "non-editing-teacher" });
  world.lms.enrol(biology.course, { id: "91", username: "chief", role: "manager" });
  await walkIn(world, "teacher1", biology.link);
  return world;
}

/** A browser with a new profile. */
export function startEngine({ engine, policy }: Cell, { toolUrl, lms }: HttpsWorld): Promise<Driven> {
  const at = policies.indexOf(policy);
  if (engine === "firefox") return startFirefox((["all", "partitioned", "blocked"] as const)[at] ?? "all");
  if (engine === "webkit") return startWebkit((["all", "ofTabs", "none"] as const)[at] ?? "all");
  const sites = [{ tool: toolUrl, framing: lms.url }];
  return startChromium((["all", "partitioned", "none"] as const)[at] ?? "all", sites);
}

/** Opens the course link in the LMS's frame, uses the pages of the role, then opens the link in a separate window. */
export async function walk(cell: Cell, browser: Driven, world: HttpsWorld): Promise<Found> {
  const person = people[cell.role](policies.indexOf(cell.policy), cell.lms);
  const steps = (way: "a" | "button") =>
    stepsIn(
      () => browser,
      () => world,
      way,
    );
  const { launches, shows, says, opensTab, keeps: keepsOne } = steps("a");
  const inSpace = async (tab: string): Promise<string> => {
    await expect
      .poll(() => says(tab, "location.href"), { message: "the Space" })
      .toContain(world.classroom.appUrl);
    return says(tab, "location.href");
  };

  const frame = await launches(person);
  // On the way there the frame shows pages of both sites.
  const page = `document.readyState + location.origin + (location.pathname.endsWith("/home") || document.querySelector("h1")?.textContent.trim() === "${windowPage}")`;
  await expect
    .poll(() => says(frame, page), { message: "the launch leads to a page of the tool" })
    .toBe(`complete${world.toolUrl}true`);
  const partitioned = await keepsOne(frame, "; Partitioned");
  const keeps: Keeps =
    (await keepsOne(frame, "")) === "true"
      ? "plain and partitioned"
      : partitioned === "true"
        ? "partitioned"
        : "nothing";
  const way = wayOf(keeps, cell.lms);
  const sees = seesOf(cell);
  let place = frame;
  if (way === "window") {
    await shows(frame, windowPage, "the page where nothing is kept");
    place = await opensTab(frame, "button", windowButton);
  }
  if (sees === "learner" && way === "window") await getsGrade(cell, world, person, await inSpace(place));
  else {
    const isLinked = way !== "values";
    await usesPages(sees, place, steps(isLinked ? "a" : "button"), browser, world);
    if (sees === "learner") {
      await getsGrade(cell, world, person, await inSpace(await opensTab(place, "main button", enterButton)));
    }
  }
  const own = await browser.openTab(`${world.lms.url}/link/${biology.link}?container=window`);
  if (sees === "learner") await inSpace(own);
  else await shows(own, home, "the link in a separate window");
  return { keeps, way, version: browser.version };
}

/** Home, another area, F5, Back; staff change a setting, which is sent only once. */
async function usesPages(
  sees: ReturnType<typeof seesOf>,
  place: string,
  { shows, says, area, reloads, moves, presses, news }: ReturnType<typeof stepsIn>,
  browser: Driven,
  world: HttpsWorld,
): Promise<void> {
  await shows(place, home, "the launch");
  const named = `[...document.querySelectorAll("nav.areas > ul > li:not(.more)")].map((one) => one.textContent.trim()).join("|")`;
  await expect
    .poll(() => says(place, named), { message: "the areas of the role" })
    .toBe(areas[sees].join("|"));
  await area(place, another[sees]);
  await shows(place, another[sees], "an area");
  await reloads(place);
  await shows(place, another[sees], "F5");
  await moves(place, -1);
  await shows(place, home, "Back");
  if (sees === "learner") return;
  await area(place, "Settings");
  await shows(place, "Settings", "another area");
  const view = `document.querySelector("select[name=galleryView]")`;
  const wanted = (await says(place, `${view}.value`)) === "yes" ? "no" : "yes";
  await browser.textIn(place, `${view}.value = "${wanted}"`);
  await presses(place, "button", "Save");
  await expect.poll(() => news(place), { message: "the setting is saved" }).toMatch(/^Saved/);
  await shows(place, "Settings", "the page after saving");
  const forms = world.forms();
  await reloads(place);
  await shows(place, "Settings", "F5 after a change");
  expect(await says(place, `${view}.value`), "the saved setting").toBe(wanted);
  expect(world.forms(), "forms that F5 sends again").toBe(forms);
}

/** Marks a learner who is in the Space and waits for the grade. An administrator who sees a learner's pages isn't in the gradebook. */
async function getsGrade({ role }: Cell, world: HttpsWorld, person: string, space: string): Promise<void> {
  if (role !== "learner") return;
  const token = new URL(space).searchParams.get("token");
  const login = required(world.classroom.authorizations().find((one) => one.token === token));
  holdSession(world, biology.name, login.userId, "PRESENT");
  await expect
    .poll(() => gradeOfLearner(world, biology.course, person), { message: "the grade in the LMS" })
    .toBe(100);
}
