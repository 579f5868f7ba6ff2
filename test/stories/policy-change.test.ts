import { expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { gradeOfLearner, holdSession, startWorld, walkIn } from "../support/tool/start-world.ts";
import { type GradingChange, usualGrading } from "../support/tool/usual-grading.ts";
import { textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1", name: "BIO101" };

const world = await forAllTests(startWorld({ learners: 3 }));

type Page = Seen & { visitor: Visitor };

async function opens(person: string): Promise<Page> {
  const visitor = createVisitor();
  return { ...(await openCourseLink(visitor, world.lms, person, biology.link, { framed: true })), visitor };
}

async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

const openGrading = async () => press(await opens("teacher1"), "/course/grading");

const preview = (page: Page, change: GradingChange) =>
  press(page, "/course/grading/preview", { ...usualGrading, ...change });
const confirm = (page: Page) => press(page, "/course/grading/save", { act: "save" });

const have = (grades: Record<string, number | null>) =>
  vi.waitFor(() => {
    const now = Object.keys(grades).map((person) => [person, gradeOfLearner(world, biology.course, person)]);
    expect(Object.fromEntries(now)).toEqual(grades);
  }, patience);

/** What a learner's row of the difference says. */
function rowOf(page: Page, person: string): string {
  const { given = "", family = "" } =
    [...world.lms.world.people.values()].find(({ username }) => username === person) ?? {};
  const row = page.text
    .split("<tr")
    .slice(1)
    .find((one) => one.includes(`${given} ${family}`));
  return row === undefined ? "" : textOf({ text: `<tr${row}` });
}

test("an instructor sees what another rule would change, then saves it, and every grade follows", async () => {
  const empty = await openGrading();
  expect(textOf(empty)).toContain("A made-up learner:");

  const ada = await walkIn(world, "student1", biology.link);
  const bob = await walkIn(world, "student2", biology.link);
  for (const status of ["PRESENT", "PRESENT", "LATE"] as const) holdSession(world, biology.name, ada, status);
  for (const status of ["PRESENT", "PRESENT"] as const) holdSession(world, biology.name, bob, status);
  await have({ student1: 93.33, student2: 100 });

  // Teacher and learner read the same number, each page written as their language writes it.
  world.lms.setQuirks({ locale: "de" });
  expect(rowOf(await press(await opens("teacher1"), "/course/grades"), "student1")).toContain("93,33 / 100");
  expect(textOf(await openGrading())).toMatch(/Die Rechnung: .* = 93,33/);
  expect(textOf(await opens("student1"))).toMatch(/93,33 von 100 Punkten/);
  world.lms.setQuirks({ locale: "en" });

  const page = await openGrading();
  expect(textOf(page)).toContain("What counts: 2 present (100 points each), 1 late (80 points).");
  const difference = await preview(page, { LATE: "50", minimumSessions: "3" });
  expect(difference.status).toBe(200);
  expect(textOf(difference)).toContain("2 of 2 learners change.");
  expect(textOf(difference)).toContain("1 loses their grade: it is cleared in the gradebook.");
  expect(rowOf(difference, "student1")).toContain("93.33 83.33 lower");
  expect(rowOf(difference, "student2")).toContain("100 no grade cleared");
  expect(textOf(difference)).toContain("1 grade is sent.");
  // Looking changes nothing, and going back keeps what was typed.
  const back = await press(difference, "/course/grading/save", { act: "back" });
  expect(back.text).toMatch(/id="LATE"[^>]*value="50"/);
  await have({ student1: 93.33, student2: 100 });

  const saved = await confirm(difference);
  expect(textOf(saved)).toContain("Saved. Grades are updated and sent.");
  await have({ student1: 83.33, student2: null });
  await vi.waitFor(async () => {
    expect(textOf(await openGrading())).not.toContain("Sending grades");
  }, patience);

  // The trail says what it was and what it is.
  const trail = await press(
    { ...saved, text: saved.text.replace("/course/grading/preview", "/course/audit") },
    "/audit",
  );
  expect(textOf(trail)).toContain("Grading changed");
  expect(textOf(trail)).toMatch(/Late 80 %.*Late 50 %/);

  // Who looked at the page before that does not undo it unseen.
  const stale = await preview(page, { dropLowest: "1" });
  expect(stale.status).toBe(409);
  expect(textOf(stale)).toContain("They changed: Late in percent, Minimum sessions before a grade.");
  expect(stale.text).toMatch(/id="LATE"[^>]*value="50"/);
  expect(stale.text).toMatch(/id="dropLowest"[^>]*value="1"/);
  // A second press changes nothing and frightens nobody.
  expect(textOf(await confirm(difference))).toContain("Saved.");
  const again = await preview(stale, { LATE: "50", dropLowest: "1" });
  const other = await preview(await openGrading(), { LATE: "60" });
  await confirm(again);
  const late = await confirm(other);
  expect(late.status).toBe(409);
  expect(textOf(late)).toContain("They changed: Drop lowest");
  expect(late.text).toMatch(/id="LATE"[^>]*value="60"/);
  await have({ student1: 100, student2: 100 });
}, 90_000);

test("a course that gives no grades any more leaves those in the gradebook alone, and says so", async () => {
  const difference = await preview(await openGrading(), { kind: "no-grades" });
  expect(textOf(difference)).toContain("Grades in the gradebook stay");
  const saved = await confirm(difference);
  expect(textOf(saved)).toContain("grades in the gradebook stay");
  await have({ student1: 100, student2: 100 });
}, 60_000);
