import { beforeAll, describe, expect, test, vi } from "vitest";
import { attendanceColumn } from "../../src/modules/grading/rules/column.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { forAllTests } from "../support/for-all-tests.ts";

type Page = Seen & { visitor: Visitor };

let lesson: string;
const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  for (const [sub, name] of [
    ["ann", "Ann Adler"],
    ["ben", "Ben Bauer"],
    ["cem", "Cem Celik"],
  ] as const) {
    const page = await world.launch({ claims: claimsOf({ sub, name, roles: [learnerRole] }), framed: false });
    if (page.status !== 303) throw new Error(`${sub} did not get in: ${page.text}`);
  }
  const { spaceId } = await world.courseOf("2");
  const startsAt = Date.UTC(2026, 8, 14, 9);
  lesson = world.classroom.createEvent({
    spaceId: spaceId ?? "",
    title: "Photosynthesis",
    startsAt,
    endsAt: startsAt + 3_600_000,
  }).eventId;
  await marks("ann", "ABSENT");
  await marks("ben", "PRESENT");
});

async function personOf(sub: string) {
  const { registrationId, deploymentId } = await world.courseOf("2");
  const person = await world.stores.people.findBySub({ registrationId, deploymentId, sub });
  if (person === null) throw new Error(`${sub} is not known`);
  return person;
}

const recordOf = async (sub: string) => {
  const { registrationId, id: courseId } = await world.courseOf("2");
  const { id: personId } = await personOf(sub);
  return world.stores.attendance.find({ registrationId, courseId, eventId: lesson, personId });
};

/** The host marks somebody in the classroom, and the webhook has taken effect. */
async function marks(sub: string, status: "PRESENT" | "LATE" | "ABSENT"): Promise<void> {
  const userId = onlyUserOf(await personOf(sub)) ?? "";
  world.classroom.markAttendance({ eventId: lesson, userId, status });
  await vi.waitFor(async () => {
    expect((await recordOf(sub))?.history[0]?.status).toBe(status);
  }, patience);
}

async function scoreOf(sub: string): Promise<number | null | undefined> {
  const { registrationId, id: courseId } = await world.courseOf("2");
  const { id: personId } = await personOf(sub);
  const key = { registrationId, courseId, columnKey: attendanceColumn, personId };
  return (await world.stores.deliveries.find(key))?.desired?.score;
}

/** An instructor opens the course in the LMS's frame. */
function teaches(sub: string, name: string): Promise<Page> {
  return world.launch({ claims: claimsOf({ sub, name }) });
}

/** From any page of the course to the register of the lesson. */
async function registerOf(page: Page, fields: Record<string, string> = {}): Promise<Page> {
  return registers(page, { event: lesson, ...fields });
}

/** To the registers by their address, whichever way a page offers. */
async function registers(page: Page, fields: Record<string, string> = {}): Promise<Page> {
  const form = `<form method="post" action="/course/register"><input name="session" value="${hiddenField(page, "session")}"></form>`;
  const shown = await page.visitor.submit({ ...page, text: form }, { fields });
  return { ...shown, visitor: page.visitor };
}

async function press(page: Page, act: string, fields: Record<string, string> = {}): Promise<Page> {
  const shown = await page.visitor.submit(page, {
    action: "/course/register/save",
    fields: { ...asShown(page), act, ...fields },
  });
  return { ...shown, visitor: page.visitor };
}

/** What is chosen on the page: the visitor sends no radio button. */
function asShown(page: Page): Record<string, string> {
  const chosen = [...page.text.matchAll(/<input type=radio name=(s\d+) value=(\S+) [^>]*checked>/g)];
  return Object.fromEntries(chosen.map(([, name = "", value = ""]) => [name, value]));
}

function linesOf(page: Page): string[] {
  return page.text
    .split(/<li(?: class="(?:todo|unsaved|todo unsaved)")?>/)
    .filter((one) => one.includes("<fieldset"));
}

/** What is chosen for one learner, and the line as text. */
function rowOf(page: Page, name: string): string {
  const line = linesOf(page).find((one) => one.includes(name)) ?? "";
  const chosen = /aria-label=(\w+) checked/.exec(line)?.[1] ?? "nothing";
  return `${chosen}: ${textOf({ text: line.split("</section>")[0] ?? "" })}`;
}

/** The field of a learner's line on a page: their status, as its letter, or their note. */
function fieldOf(page: Page, kind: "s" | "n", name: string): string {
  return `${kind}${String(linesOf(page).findIndex((one) => one.includes(name)))}`;
}

/** Of a learner's own page. */
const statusField = async (sub: string) => `status.${(await personOf(sub)).id}`;
const noteField = async (sub: string) => `note.${(await personOf(sub)).id}`;

describe("the register of a session", () => {
  test("is chosen from the list of sessions and shows everybody, also who is not marked", async () => {
    const course = await teaches("ina", "Ina Instructor");
    const list = await registers(course);
    expect(textOf(list)).toMatch(/Photosynthesis Mon 14 Sept? 2026, 09:00/);
    expect(list.text).toContain(lesson);
    const page = await registerOf(list);
    expect(rowOf(page, "Ann Adler")).toMatch(/^Absent/);
    expect(rowOf(page, "Ben Bauer")).toMatch(/^Present/);
    expect(rowOf(page, "Cem Celik")).toMatch(/^nothing/);
    expect(page.text.indexOf("Cem Celik"), "who is not recorded comes first").toBeLessThan(
      page.text.indexOf("Ann Adler"),
    );
    expect(textOf(page)).toContain("2 of 3 recorded Mark everyone else present");
    expect(textOf(page)).toContain("1 present 1 absent 1 not recorded");
  });

  test("takes a correction with note and reason, and the grade follows", async () => {
    const page = await registerOf(await teaches("ina", "Ina Instructor"));
    expect(await scoreOf("ann")).toBe(0);
    const saved = await press(page, "save", {
      [fieldOf(page, "s", "Ann Adler")]: "L",
      [fieldOf(page, "n", "Ann Adler")]: "came at half past",
      reason: "I saw her <come>",
    });
    expect(saved.status).toBe(200);
    expect(textOf(saved)).toContain("Saved: 1 learner changed.");
    expect(rowOf(saved, "Ann Adler")).toMatch(/^Late.*Ina Instructor, .* Reason: I saw her &lt;come&gt;/);
    expect(await scoreOf("ann")).toBe(80);
    expect(textOf(await press(saved, "save"))).toContain("Nothing changed.");
  });

  test("does not let two instructors overwrite each other, and keeps what both typed", async () => {
    const mine = await registerOf(await teaches("ina", "Ina Instructor"));
    const theirs = await registerOf(await teaches("otto", "Otto Other"));
    await press(theirs, "save", { [fieldOf(theirs, "s", "Ben Bauer")]: "E", reason: "doctor's note" });
    const both = {
      [fieldOf(mine, "s", "Ben Bauer")]: "A",
      [fieldOf(mine, "n", "Ben Bauer")]: "not seen",
      [fieldOf(mine, "s", "Cem Celik")]: "P",
    };
    const told = await press(mine, "save", both);
    expect(told.status).toBe(409);
    expect(textOf(told)).toContain("Saved: 1 learner changed.");
    expect(textOf(told)).toContain("Somebody else just changed Ben Bauer.");
    expect(rowOf(told, "Ben Bauer")).toMatch(/^Absent.*Otto Other, .*Somebody else changed this/);
    expect(told.text).toContain('value="not seen"');
    expect((await recordOf("ben"))?.corrections).toMatchObject([{ status: "EXCUSED" }]);
    const again = await press(told, "save");
    expect(again.status).toBe(200);
    expect(rowOf(again, "Ben Bauer")).toMatch(/^Absent.*Ina Instructor/);
  });

  test("fills in whoever is not marked, and nobody else", async () => {
    await world.launch({
      claims: claimsOf({ sub: "dan", name: "Dan Dorn", roles: [learnerRole] }),
      framed: false,
    });
    const page = await registerOf(await teaches("ina", "Ina Instructor"));
    expect(textOf(page)).toContain("Applies to all 4 learners of this session. Not recorded: 1.");
    const filled = await press(page, "blanks", { bulk: "EXCUSED", reason: "joined later" });
    expect(textOf(filled)).toContain("Saved: 1 learner changed.");
    expect(rowOf(filled, "Dan Dorn")).toMatch(/^Excused/);
    expect(rowOf(filled, "Ben Bauer")).toMatch(/^Absent/);
    const only = await registerOf(filled, { show: "EXCUSED" });
    expect(only.text).not.toContain("Ben Bauer");
    expect(only.text).toContain("Dan Dorn");
  });
});

test("everyone else is marked present with one press, which is taken back by another", async () => {
  await world.launch({
    claims: claimsOf({ sub: "eve", name: "Eve Ems", roles: [learnerRole] }),
    framed: false,
  });
  const page = await registerOf(await teaches("ina", "Ina Instructor"));
  const marked = await press(page, "present");
  expect(textOf(marked)).toContain("Saved: 1 learner changed.");
  expect(rowOf(marked, "Eve Ems")).toMatch(/^Present/);
  expect(rowOf(marked, "Dan Dorn"), "who was recorded stays").toMatch(/^Excused/);
  const at = /name="at" value="(\d+)"/.exec(marked.text)?.[1] ?? "";
  const undone = await page.visitor.submit(marked, { action: "/course/register/undo", fields: { at } });
  expect(rowOf({ ...undone, visitor: page.visitor }, "Eve Ems")).toMatch(/^nothing/);
  expect(rowOf({ ...undone, visitor: page.visitor }, "Dan Dorn")).toMatch(/^Excused/);
});

test("one learner's page tells the whole history and corrects it; the trail tells who did what", async () => {
  const page = await registerOf(await teaches("ina", "Ina Instructor"));
  const { id } = await personOf("ben");
  const learner = await page.visitor.submit(page, { action: "/course/learner", fields: { person: id } });
  expect(textOf(learner)).toMatch(
    /Attendance of Ben Bauer .*History .*Ina Instructor ✗ Absent Note: not seen .*Otto Other – Excused Reason: doctor's note .*✓ Present/,
  );
  const corrected = await page.visitor.submit(learner, {
    action: "/course/learner/correct",
    fields: { [await statusField("ben")]: "PRESENT", [await noteField("ben")]: "", reason: "found the list" },
  });
  expect(textOf(corrected)).toContain("Saved.");
  expect(await scoreOf("ben")).toBe(100);
  const stale = await page.visitor.submit(learner, {
    action: "/course/learner/correct",
    fields: { [await statusField("ben")]: "LATE", reason: "" },
  });
  expect(stale.status).toBe(409);
  expect(await scoreOf("ben")).toBe(100);
  const trail = await page.visitor.submit(corrected, { action: "/course/audit" });
  expect(textOf(trail)).toMatch(
    /Only changes about Ben Bauer\. .*Absent → Present Reason: found the list Ben Bauer Photosynthesis, .*Otto Other/,
  );
  expect(textOf(trail)).not.toContain("Ann Adler");
  const everything = await page.visitor.submit(page, { action: "/course/audit" });
  expect(textOf(everything)).toMatch(/Unmarked learners marked Excused Reason: joined later 1 learner/);
});
