import { describe, expect, test } from "vitest";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

/** Canvas's role of a designer, who arranges a course and sees no grades. */
const designerRole = "http://purl.imsglobal.org/vocab/lis/v2/membership#ContentDeveloper";

/** Each area of instructors, with its guide and the guide's title there. */
const teaching = [
  { area: "/home", guide: "home", label: "Help: Home" },
  { area: "/sessions", guide: "sessions", label: "Help: Sessions" },
  { area: "/grid", guide: "attendance", label: "Help: Attendance" },
  { area: "/register", guide: "attendance", label: "Help: Attendance" },
  { area: "/grades", guide: "grades", label: "Help: Grades" },
  { area: "/grading", guide: "grading", label: "Help: Attendance grading" },
  { area: "/recordings", guide: "recordings", label: "Help: Recordings" },
  { area: "/people", guide: "people", label: "Help: People" },
  { area: "/settings", guide: "settings", label: "Help: Settings" },
];
const learning = [
  { area: "/home", guide: "learner", label: "Help: Home" },
  { area: "/my-sessions", guide: "learner", label: "Help: My attendance" },
  { area: "/recordings", guide: "learner", label: "Help: Recordings" },
];
const instructors = [...new Set(teaching.map(({ guide }) => guide))];

const world = await forAllTests(startTinyWorld());

type Reader = {
  open: (path: string, options?: { framed?: boolean }) => Promise<Seen>;
  /** The address of a page in the reader's session. */
  address: (path: string) => string;
  session: string;
  visitor: Visitor;
};

async function opens(roles?: readonly string[]): Promise<Reader> {
  const sub = roles?.[0] ?? "ina";
  const page = await world.launch({ claims: claimsOf({ sub, name: "Ina Reader", ...(roles && { roles }) }) });
  expect(page.status).toBe(200);
  const session = hiddenField(page, "session");
  const address = (path: string) => `/c/${session.split(".")[0] ?? ""}${path}`;
  const { visitor } = page;
  return {
    open: (path, options) => visitor.open(world.toolUrl + address(path), options),
    address,
    session,
    visitor,
  };
}

/** The page's link to a guide: its tag, and where it leads. */
function helpOn(page: Seen): { tag: string; to: string } {
  const tags = [...page.text.matchAll(/<a\b[^>]*aria-label="Help: [^>]*>/g)].map(([tag]) => tag);
  expect(tags).toHaveLength(1);
  const [tag = ""] = tags;
  return { tag, to: /href="([^"]+)"/.exec(tag)?.[1] ?? "" };
}

/** Where a page's links lead, except for its navigation. */
const linksOf = (page: Seen) =>
  [...page.text.replace(/<nav class="areas[\s\S]*?<\/nav>/, "").matchAll(/<a\b[^>]*href="([^"]+)"/g)].map(
    ([, to]) => to,
  );

describe.each([
  ["An instructor", undefined, teaching],
  ["A learner", [learnerRole], learning],
] as const)("%s", (_who, roles, areas) => {
  test.each(areas)(
    "finds “$label” at $area, and the way back in the guide",
    async ({ area, guide, label }) => {
      const reader = await opens(roles);
      const { tag, to } = helpOn(await reader.open(area));
      expect([tag, to]).toEqual([
        expect.stringContaining(`aria-label="${label}"`),
        reader.address(`/guide/${guide}`),
      ]);
      const shown = await reader.visitor.open(world.toolUrl + to);
      expect(shown.status).toBe(200);
      expect(shown.text).toMatch(/<figure class="shot" role="img" aria-label="[^"]{20,}"/);
      expect(shown.text, "a value that a step is not given").not.toContain("{{");
      const steps = ["sessions", "attendance", "learner"].includes(guide) ? 5 : 4;
      expect(shown.text.match(/<span class="badge n" aria-hidden="true">/g)).toHaveLength(steps);
      expect(linksOf(shown)).toContain(reader.address(area));
      expect((await reader.open(area)).status).toBe(200);
    },
  );
});

describe("A guide", () => {
  test("for instructors links to all their other guides, one for learners to none", async () => {
    const guidesOn = (page: Seen) =>
      linksOf(page).flatMap((to) => /\/guide\/(\w+)$/.exec(to ?? "")?.[1] ?? []);
    const reader = await opens();
    for (const guide of instructors)
      expect(guidesOn(await reader.open(`/guide/${guide}`)).toSorted()).toEqual(
        instructors.filter((other) => other !== guide).toSorted(),
      );
    expect(guidesOn(await (await opens([learnerRole])).open("/guide/learner"))).toEqual([]);
  });

  test("about grades is refused to a course designer, whose guides do not mention grades", async () => {
    const reader = await opens([designerRole]);
    for (const guide of ["attendance", "grades", "grading"])
      expect([guide, (await reader.open(`/guide/${guide}`)).status]).toEqual([guide, 403]);
    for (const guide of ["home", "sessions", "recordings", "people", "settings"]) {
      const shown = await reader.open(`/guide/${guide}`);
      expect([guide, shown.status]).toEqual([guide, 200]);
      expect(textOf(shown)).not.toMatch(/grade/i);
      expect(linksOf(shown).join(" ")).not.toMatch(/\/guide\/(?:attendance|grades|grading)\b/);
    }
  });

  test("opens in a new tab from a page at top level, and in the same frame from a framed page", async () => {
    const reader = await opens();
    expect(helpOn(await reader.open("/settings")).tag).toContain('target="_blank" rel="noopener"');
    expect(helpOn(await reader.open("/settings", { framed: true })).tag).not.toContain("target");
  });

  test("is requested by a form, in the same place, if the browser keeps no cookie", async () => {
    const { session } = await opens();
    const body = new URLSearchParams({ session });
    const settings = await fetch(`${world.toolUrl}/course/settings`, { method: "POST", body });
    const form = /<form method="post" action="([^"]+\/guide\/settings)" target="_blank"/.exec(
      await settings.text(),
    );
    const shown = await fetch(world.toolUrl + (form?.[1] ?? "/none"), { method: "POST", body });
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('class="shot"')]);
  });
});
