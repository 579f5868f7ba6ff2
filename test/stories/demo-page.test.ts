import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoClass, holdDemoClass } from "../../sandbox/demo-class.ts";
import { startDemoPage } from "../../sandbox/demo-page.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { until } from "../support/until.ts";

const patienceMs = 60_000;
const password = "password of the demo";

let world: DemoWorld;
let demoClass: DemoClass;
let address: string;
let close: () => void;

beforeAll(async () => {
  world = await startWorld({ learners: 4, variables: { ADMIN_PASSWORD: password } });
  demoClass = holdDemoClass(world);
  const port = await freePort(0);
  const page = await startDemoPage(world, { port, password, progress: demoClass.progress });
  address = `http://127.0.0.1:${port}`;
  close = () => {
    page.close();
    page.closeAllConnections();
  };
}, 90_000);
afterAll(async () => {
  demoClass.stop();
  close();
  await world.close();
});

test("pressing Learner or Instructor logs in at the LMS and shows the course link", async () => {
  const page = await createVisitor().open(address);
  const people = [...page.text.matchAll(/name="user" value="(\w+)"/g)].map(([, user = ""]) => user);
  expect(people).toEqual(["student1", "teacher1"]);
  for (const user of people) {
    const visitor = createVisitor();
    const loggedIn = await visitor.submit(page, { action: "/login", fields: { user } });
    const link = await visitor.open(new URL(loggedIn.location ?? "", world.lms.url).href);
    expect({ user, status: link.status }).toEqual({ user, status: 200 });
    expect(link.text).toContain("/link/1/launch");
  }
});

test("pressing Operator opens the console", async () => {
  const pressed = await fetch(`${address}/operator?`, { redirect: "manual" });
  expect(pressed.headers.get("location")).toBe(`${world.toolUrl}/admin`);
  const cookie = pressed.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const console = await fetch(`${world.toolUrl}/admin/registrations`, { headers: { cookie } });
  expect(console.status).toBe(200);
});

test(
  "the page shows attendance coming in for the class, and the instructor finds grades",
  { timeout: 2 * patienceMs },
  async () => {
    await until(patienceMs, "everybody has their attendance", () => {
      const { learners, of } = demoClass.progress();
      return of > 0 && learners === of;
    });
    expect((await createVisitor().open(address)).text).toContain(
      `marked for all ${demoClass.progress().of} learners`,
    );
    await until(patienceMs, "every grade is in the gradebook", () => {
      const { learners } = world.lms.gradebook("2");
      return learners.length > 0 && learners.every(({ grades }) => grades[0]?.value !== null);
    });
    const teacher = createVisitor();
    const openHome = () => openCourseLink(teacher, world.lms, "teacher1", "1", { framed: true });
    // Its webhook may come before the tool knows the Space's course, and is retried after five seconds.
    await until(patienceMs, "the next session is known", async () =>
      (await openHome()).text.includes("Lecture 5: Inheritance"),
    );
    const home = await openHome();
    const recordings = await teacher.submit(home, { action: "/course/recordings" });
    expect(recordings.text).toContain("Lecture 4: Photosynthesis");
  },
);
