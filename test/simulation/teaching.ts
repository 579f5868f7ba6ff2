import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import type { CoursePlan, World } from "./world.ts";
import { usualGrading } from "../support/tool/forms.ts";

/** What a teacher does on the tool's pages. When an answer is lost they look again, and repeat what was not done. */

type Page = Seen & { visitor: Visitor };

async function home({ lms }: World, { teacher, link }: CoursePlan): Promise<Page> {
  const visitor = createVisitor();
  return { ...(await openCourseLink(visitor, lms, teacher, link, { framed: true })), visitor };
}

async function press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
  return { ...(await page.visitor.submit(page, { action, fields })), visitor: page.visitor };
}

/** Changes the credit for late from now on. */
export async function changeLate(world: World, course: CoursePlan, percent: number): Promise<Seen> {
  const grading = await press(await home(world, course), "/course/grading");
  if (/name="LATE"\s+value="(\d+)"/.exec(grading.text)?.[1] === String(percent)) return grading;
  const change = { ...usualGrading, LATE: String(percent) };
  const difference = await press(grading, "/course/grading/preview", change);
  if (difference.status !== 200) return difference;
  return await press(difference, "/course/grading/save", { act: "save" });
}

/** Creates a column again that somebody removed in the LMS, once the tool has noticed. */
export async function makeColumnAgain(world: World, course: CoursePlan): Promise<Seen> {
  const grades = await press(await home(world, course), "/course/grades");
  const [, column] = /name="column" value="(make:[^"]+)"/.exec(grades.text) ?? [];
  return column === undefined
    ? { ...grades, status: 404 }
    : await press(grades, "/course/grades/column", { column });
}

/** Whether new grades go to the gradebook automatically. */
export async function changeSending(world: World, course: CoursePlan, gradesRelease: "self" | "hand") {
  const grading = await press(await home(world, course), "/course/grading");
  return await press(grading, "/course/grading/sending", { gradesRelease, gradesUntil: "" });
}

/** Sends every grade that waits for an instructor. */
export async function release(world: World, course: CoursePlan): Promise<Seen> {
  const grades = await press(await home(world, course), "/course/grades");
  const waits = grades.text.includes("/grades/release");
  return waits ? await press(grades, "/course/grades/release", { delivery: "" }) : grades;
}

/** An instructor's mark, which counts whatever the classroom reports. */
export async function correct(
  world: World,
  course: CoursePlan,
  mark: { personId: string; eventId: string; status: string },
): Promise<Seen> {
  const { personId, eventId, status } = mark;
  const page = await home(world, course);
  const people = await press(page, "/course/grid");
  const session = /name="?session"?\s+value="([^"]+)"/.exec(people.text)?.[1] ?? "";
  const asked = `<form method="post" action="/course/learner"><input name="session" value="${session}"></form>`;
  const learner = await press({ ...people, text: asked }, "/course/learner", { person: personId });
  const form = learner.text
    .split(/(?=<form)/)
    .find((one) => one.includes(`"${eventId}"`) && one.includes("learner/correct"));
  if (form === undefined) return { ...learner, status: 404 };
  return await press({ ...learner, text: form }, "/course/learner/correct", {
    [`status.${personId}`]: status,
    reason: "seen",
  });
}
