import type { DemoWorld } from "./demo-world.ts";
import { enterByCourseLink, openCourseLink } from "./open-course-link.ts";
import { createVisitor } from "./visitor.ts";

const hour = 3_600_000;
const biology = { course: "2", link: "1" };
const history = { link: "2" };
const marks = [
  { status: "PRESENT", grade: 100 },
  { status: "LATE", grade: 90 },
  { status: "EXCUSED", grade: 90 },
] as const;

type Print = (line: string) => void;

/** Runs through the whole use case over HTTP. @throws at the first failed step. */
export async function playStory(world: DemoWorld, print: Print): Promise<void> {
  const { lms, classroom } = world;
  const [tool] = lms.tools();
  must(tool !== undefined, "the LMS has the tool");
  print(`1. Registered: the LMS knows the tool as client ${tool.clientId}, deployment ${tool.deploymentId}.`);

  const { spaceId, userId } = await learnerEnters(world, print);
  await teacherEntersFramed(world, print);
  await teacherLearnsElsewhere(world, print);
  for (const [index] of marks.entries())
    await attendanceBecomesGrade(world, { index, spaceId, userId }, print);

  const scores = lms.scores();
  must(
    scores.every((one) => one.status === 200),
    "every score was accepted at the first attempt",
  );
  const counts = classroom.callCounts();
  must(counts.refusedByLimit === 0, "the classroom never had to refuse a call (429)");
  print(
    `9. Done: ${scores.length} scores sent, all accepted; ${counts.accepted} classroom calls, none over the limit.`,
  );
}

async function learnerEnters(world: DemoWorld, print: Print): Promise<{ spaceId: string; userId: string }> {
  const { lms, classroom } = world;
  const learner = createVisitor();
  const entered = await openCourseLink(learner, lms, "student1", biology.link);
  must(
    entered.status === 303 && entered.location !== null,
    `the launch redirects (it answered ${entered.status})`,
  );
  const [space] = classroom.spaces();
  const [login] = classroom.authorizations();
  must(space !== undefined && login !== undefined, "the classroom has a Space and a login for it");
  const user = classroom.users().find((one) => one.userId === login.userId);
  must(user !== undefined, "the login is for an API user");
  print(`2. A learner opened the course link. The tool made Space ${space.spaceId} ("${space.name}")`);
  print(`   and API user ${user.userId} (${user.role}), and redirected to ${withoutToken(entered.location)}`);

  const inside = await learner.open(entered.location);
  must(inside.status === 200 && inside.text.includes(space.name), "the Space's page lets the learner in");
  print(`3. The Space let "${user.name}" in; parameters it was given: ${parametersOf(login.parameters)}`);
  return { spaceId: space.spaceId, userId: user.userId };
}

async function teacherEntersFramed({ lms, classroom }: DemoWorld, print: Print): Promise<void> {
  const teacher = createVisitor();
  const page = await openCourseLink(teacher, lms, "teacher1", biology.link, { framed: true });
  must(
    page.status === 200 && page.text.includes('target="_blank"'),
    "a framed launch shows the enter button",
  );
  const button = await teacher.submit(page, { action: "/enter" });
  must(button.status === 303, `the enter button redirects into the Space (it answered ${button.status})`);
  must(classroom.spaces().length === 1, "the second person came into the same Space");
  print(
    "4. The instructor opened the same link inside the LMS frame: a page with the enter button, the same Space.",
  );
}

/** An instructor of history becomes a learner of biology, and enters both. */
async function teacherLearnsElsewhere({ lms, classroom }: DemoWorld, print: Print): Promise<void> {
  const both = [...lms.world.people.values()].find(({ username }) => username === "teacher2");
  must(both !== undefined, "the LMS knows teacher2");
  lms.enrol(biology.course, { ...both, role: "student" });
  const roles: string[] = [];
  for (const link of [history.link, biology.link]) {
    const visitor = createVisitor();
    const entered = await enterByCourseLink(visitor, lms, both.username, link);
    must(entered.location !== null, `they are let in (it answered ${entered.status})`);
    const inside = await visitor.open(entered.location);
    roles.push(/id="role"\s*>(\w+)/.exec(inside.text)?.[1] ?? "nobody");
  }
  lms.unenrol(biology.course, both.id);
  must(roles.join() === "host,participant", "they are a host in the one and a participant in the other");
  const users = classroom.users().filter(({ email }) => email === both.email);
  print(
    `5. Who teaches history and learns biology entered both: as a host in the one, as a participant in the`,
  );
  print(`   other (users ${users.map(({ userId, role }) => `${userId}, ${role}`).join("; ")}).`);
}

async function attendanceBecomesGrade(
  world: DemoWorld,
  { index, spaceId, userId }: { index: number; spaceId: string; userId: string },
  print: Print,
): Promise<void> {
  const { lms, classroom } = world;
  const mark = marks[index];
  must(mark !== undefined, "there is a mark to play");
  const { status, grade } = mark;
  const now = Date.now();
  const event = classroom.createEvent({
    spaceId,
    title: `Lesson ${index + 1}`,
    startsAt: now - hour,
    endsAt: now,
  });
  classroom.markAttendance({ eventId: event.eventId, userId, status });
  await classroom.webhooksSettled();
  await until("the webhook to be processed", async () => (await unprocessedWebhooks(world)) === 0);
  await until(`grade ${grade} in the gradebook after ${status}`, () => {
    const learner = lms.gradebook(biology.course).learners.find((one) => one.username === "student1");
    return learner?.grades[0]?.value === grade;
  });
  const score = lms.scores().at(index);
  const reply =
    score === undefined
      ? "excused leaves the session out, so nothing was sent"
      : `the LMS received ${JSON.stringify(score.body)} and answered ${score.status}`;
  print(
    `${index + 6}. ${status} was marked in ${event.title}; the webhook was taken; the gradebook shows ${grade}`,
  );
  print(`   (${reply}).`);
}

/** Waits at most 30 s. */
async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** By the tool's own count. */
async function unprocessedWebhooks({ toolUrl }: DemoWorld): Promise<number> {
  const metrics = await (await fetch(`${toolUrl}/metrics`)).text();
  const counts = [...metrics.matchAll(/^spaces_lti_receipts{state="(\w+)"} (\d+)$/gm)];
  return counts.reduce(
    (sum, [, state, count]) => sum + (state === "done" || state === "kept" ? 0 : Number(count)),
    0,
  );
}

function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`the story stops here: expected that ${what}`);
}

function withoutToken(url: string): string {
  return url.replace(/([?&]token=)[^&]+/, "$1...");
}

function parametersOf(parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return given.join(" ") || "none";
}
