import { expect, test } from "vitest";
import type { HttpsWorld } from "./https-world.ts";

/** A browser that is driven by its own protocol. A place is a tab, or a frame within one, by its id. */
export type Driven = {
  version: string;
  /** PNG of the tab that was opened last. */
  picture: () => Promise<Buffer>;
  logIn: (site: string, cookie: string) => Promise<void>;
  openTab: (address: string) => Promise<string>;
  tabs: () => Promise<string[]>;
  /** The frame in a place that shows a site; null until there is one. */
  frameOf: (place: string, site: string) => Promise<string | null>;
  /** The value of an expression there, as text. @throws when the page is unloading. */
  textIn: (place: string, expression: string) => Promise<string>;
  /** Presses, as a person does, the element that an expression finds, which leaves its page: it may open a tab. */
  press: (place: string, element: string) => Promise<void>;
  close: () => Promise<void>;
};

/** What leads to a page's areas: links if the browser keeps cookies, otherwise buttons. */
export type Way = "a" | "button";

export const home = "Your online classroom";
/** Offered if neither the browser nor the LMS stores anything for the tool. */
export const windowPage = "Open the classroom in a new window";
export const windowButton = "Open in a new window";

/** What people do in a browser, and what it shows them. Both parameters are called whenever something is done. */
export function stepsIn(browser: () => Driven, world: () => HttpsWorld, way: Way) {
  /** Whether the browser keeps a cookie with these attributes that the tool's page sets in the frame: "true" or "false". */
  const keeps = (place: string, attributes: string) => {
    const cookie = `tried${String(attributes.length)}=1`;
    return browser().textIn(
      place,
      `(document.cookie = "${cookie}; Path=/; Secure; SameSite=None${attributes}", document.cookie.includes("${cookie}"))`,
    );
  };
  const says = (place: string, expression: string) =>
    browser()
      .textIn(place, expression)
      .catch(() => "");
  /** Waits until the page with this title is there, with its scripts. */
  const shows = (place: string, title: string, how: string) =>
    expect
      .poll(
        () => says(place, `document.readyState + " " + document.querySelector("h1")?.textContent.trim()`),
        { message: how },
      )
      .toBe(`complete ${title}`);
  const frameIn = async (place: string, site: string): Promise<string> => {
    const found: string[] = [];
    const find = async (): Promise<number> => {
      const frame = await browser()
        .frameOf(place, site)
        .catch(() => null);
      return frame === null ? 0 : found.push(frame);
    };
    await expect.poll(find, { message: `a frame of ${site}` }).toBeGreaterThan(0);
    return found.at(-1) ?? "";
  };
  /** A person opens the course link on the LMS's page. @returns the tool's frame. */
  const launches = async (person: string, open = browser().openTab): Promise<string> => {
    const { lms, toolUrl } = world();
    await browser().logIn(lms.url, lms.cookieFor(person));
    return frameIn(await open(`${lms.url}/link/1?container=embed`), toolUrl);
  };
  const named = (kind: string, name: string | RegExp) => {
    const text = "one.textContent.trim()";
    const fits =
      name instanceof RegExp ? `${String(name)}.test(${text})` : `${text} === ${JSON.stringify(name)}`;
    return `[...document.querySelectorAll(${JSON.stringify(kind)})].find((one) => ${fits})`;
  };
  const presses = async (place: string, kind: string, name: string): Promise<void> => {
    await browser().textIn(place, `${named(kind, name)}.click()`);
  };
  return {
    world,
    keeps,
    says,
    shows,
    frameIn,
    launches,
    presses,
    /** Like `launches`, up to the course's home. */
    opens: async (person: string, open?: Driven["openTab"]): Promise<string> => {
      const frame = await launches(person, open);
      await shows(frame, home, "the launch");
      await expect.poll(() => says(frame, "location.pathname")).toMatch(/^\/c\/[\w-]{16}\/home$/);
      return frame;
    },
    area: (frame: string, name: string) => presses(frame, `nav.areas ${way}`, name),
    news: (frame: string) => says(frame, `document.querySelector('[role="status"]')?.textContent.trim()`),
    moves: (frame: string, by: number) =>
      browser().textIn(frame, `setTimeout(() => history.go(${String(by)}))`),
    /** Marks the document, to distinguish the next page from this one. */
    reloads: async (place: string): Promise<void> => {
      await browser().textIn(
        place,
        `(document.documentElement.dataset.before = "yes", setTimeout(() => location.reload()))`,
      );
      await expect
        .poll(() => says(place, `document.documentElement.dataset.before ?? document.readyState`))
        .toBe("complete");
    },
    /** @returns the tab that a press opens. */
    opensTab: async (place: string, kind: string, name: string | RegExp): Promise<string> => {
      const before = await browser().tabs();
      const opened = async () => (await browser().tabs()).find((one) => !before.includes(one)) ?? "";
      await browser().press(place, named(kind, name));
      await expect.poll(opened, { message: `a tab by ${String(name)}` }).not.toBe("");
      return opened();
    },
  };
}

/** What must hold in an LMS's frame in every browser. */
export function testFrame(steps: ReturnType<typeof stepsIn>): void {
  const { opens, area, shows, reloads, moves, presses, news, says, opensTab, world } = steps;

  test("loads pages again after Back, Forward and F5, and sends a change only once", async () => {
    const frame = await opens("teacher1");
    await area(frame, "Grades");
    await shows(frame, "Grades", "an area");
    await reloads(frame);
    await shows(frame, "Grades", "F5");
    await area(frame, "Settings");
    await shows(frame, "Settings", "another area");
    await moves(frame, -1);
    await shows(frame, "Grades", "Back");
    await moves(frame, -1);
    await shows(frame, home, "Back to the first page");
    await moves(frame, 2);
    await shows(frame, "Settings", "Forward");
    const before = world().forms();
    await presses(frame, "button", "Save");
    await expect.poll(() => news(frame)).toMatch(/^Saved/);
    const forms = world().forms();
    expect(forms).toBeGreaterThan(before);
    await reloads(frame);
    await shows(frame, "Settings", "F5 after a change");
    expect(await news(frame)).not.toMatch(/^Saved/);
    await moves(frame, -1);
    await shows(frame, "Settings", "Back to the form");
    expect(world().forms(), "no form is sent again").toBe(forms);
  });

  test("opens a page in a new tab", async () => {
    const frame = await opens("teacher1");
    await area(frame, "Grades");
    await shows(frame, "Grades", "an area");
    const tab = await opensTab(frame, "#own-tab button", "Open in new tab");
    await shows(tab, "Grades", "its own tab");
    await reloads(tab);
    await shows(tab, "Grades", "F5 in the tab");
  });

  test("shows nothing after Back once the person has signed out", async () => {
    const frame = await opens("student1");
    await area(frame, "Recordings");
    await shows(frame, "Recordings", "an area");
    await presses(frame, "button", "Sign out");
    await shows(frame, "You have signed out", "signing out");
    await moves(frame, -1);
    await shows(frame, "Open the link in your course again", "Back");
    expect(await says(frame, `document.querySelectorAll("nav.areas").length`)).toBe("0");
  });
}
