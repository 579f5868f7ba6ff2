import { beforeAll, describe, expect, test, vi } from "vitest";
import type { MailServer, ReceivedMail } from "../../sandbox/mail-server.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { carriedSession } from "../support/tool/pages.ts";
import { get, logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";
const minute = 60_000;

let mailbox: MailServer;
let teacher: string;
let spaceId: string;

const world = await forAllTests(
  startWorld({ learners: 3, mail: true, variables: { ADMIN_PASSWORD: rightPassword } }),
);
beforeAll(async () => {
  if (world.mailbox === null) throw new Error("the world sends no mail");
  mailbox = world.mailbox;
  await walkIn(world, "teacher1", biology);
  for (const name of ["student1", "student2", "student3"]) await walkIn(world, name, biology);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await sessionOf("teacher1");
}, 120_000);

async function sessionOf(person: string): Promise<string> {
  return carriedSession(await openCourseLink(createVisitor(), world.lms, person, biology, { framed: true }));
}

async function post(session: string, path: string, fields: Record<string, string> = {}) {
  const response = await fetch(new URL(path, world.toolUrl), {
    method: "POST",
    headers: { accept: "text/html" },
    body: new URLSearchParams({ session, ...fields }),
  });
  return { status: response.status, text: await response.text() };
}

/** A session of an hour in the course's Space, that many minutes from now. */
function session(title: string, inMinutes: number) {
  const startsAt = Math.ceil((Date.now() + inMinutes * minute) / minute) * minute;
  return world.classroom.createEvent({ spaceId, title, startsAt, endsAt: startsAt + 60 * minute });
}

/** Waits until the course knows it. */
const isListed = (title: string) =>
  vi.waitFor(async () => {
    expect((await post(teacher, "/course/sessions")).text).toContain(title);
  }, patience);

/** Runs now what the timetable runs every minute. */
async function look(): Promise<void> {
  const { cookie, form } = await logIn(world.toolUrl);
  await send(`${world.toolUrl}/admin/jobs/send-reminders/run`, { form }, cookie);
}

const mailsAbout = (title: string): ReceivedMail[] =>
  mailbox.mails().filter(({ subject }) => subject.startsWith(title));
const receivers = (title: string) =>
  mailsAbout(title)
    .map(({ to }) => to)
    .toSorted();
const arrived = (title: string, to: readonly string[]) =>
  vi.waitFor(() => {
    expect(receivers(title)).toEqual(to);
  }, patience);

const everybody = ["student1", "student2", "student3", "teacher1"].map((name) => `${name}@example.test`);

describe("reminders before sessions", () => {
  test("are off until somebody who may change settings switches them on", async () => {
    const learner = await sessionOf("student1");
    const path = "/course/mails/save";
    expect((await post(learner, "/course/mails")).status).toBe(403);
    expect((await post(learner, path, { minutes: "120" })).status).toBe(403);
    expect((await post(learner, "/course/my-sessions")).text).not.toContain("Your e-mails");
    expect((await post(learner, "/course/my-mails")).text).toContain("This course sends you no e-mails.");
    for (const minutes of ["1", "-15", "many", ""])
      expect((await post(teacher, path, { minutes, digest: "yes", low: "0" })).status).toBe(400);
    expect((await post(teacher, "/course/mails")).text).toMatch(/<option value="0"\s+selected>/);
    session("Quiet lecture", 40);
    await isListed("Quiet lecture");
    await look();
    expect((await post(teacher, path, { minutes: "120" })).text).toMatch(/<p>Saved\.<\/p>/);
    expect((await post(teacher, "/course/audit")).text).toContain("2 hours before");
    expect(mailbox.mails()).toEqual([]);
  });

  test("arrive once, and the log says so without addresses", async () => {
    await look();
    await arrived("Quiet lecture", everybody);
    await look();
    session("Second lecture", 50);
    await isListed("Second lecture");
    await look();
    await arrived("Second lecture", everybody);
    expect(receivers("Quiet lecture")).toEqual(everybody);
    const { cookie } = await logIn(world.toolUrl);
    const log = await get(`${world.toolUrl}/admin/mails`, cookie);
    expect(log.text).toContain("Reminder");
    expect(log.text).not.toContain("@example.test");
  });

  test("can be stopped with one click, without a login, and started again", async () => {
    const mail = mailsAbout("Second lecture").find(({ to }) => to === everybody[1]);
    const address = mail?.headers.get("list-unsubscribe")?.slice(1, -1) ?? "";
    expect(mail?.text).toContain(address);
    const seen = async () => (await fetch(address)).text();
    expect(await seen(), "looking changes nothing").toContain("You get an e-mail before each session");
    expect(await seen()).toContain("You get an e-mail before each session");
    const start = () => fetch(address, { method: "POST", body: new URLSearchParams({ want: "start" }) });
    const multipart = new FormData();
    multipart.set("List-Unsubscribe", "One-Click");
    for (const body of [new URLSearchParams({ "List-Unsubscribe": "One-Click" }), multipart]) {
      await start();
      expect((await fetch(address, { method: "POST", body })).status).toBe(200);
      expect(await seen()).toContain("You get no more e-mails before sessions.");
    }
    session("Third lecture", 55);
    await isListed("Third lecture");
    await look();
    await arrived(
      "Third lecture",
      everybody.filter((_to, number) => number !== 1),
    );
    await start();
    expect(await seen()).toContain("You get an e-mail before each session");
    session("Fourth lecture", 56);
    await isListed("Fourth lecture");
    await look();
    await arrived("Fourth lecture", everybody);
  });

  test("are not stopped by a visitor who guesses an address", async () => {
    const [, token = ""] = /\/mail\/(\S+)/.exec(mailsAbout("Fourth lecture")[0]?.text ?? "") ?? [];
    const wrong = [
      `${token.slice(0, -4)}AAAA`,
      "v1.x",
      "token",
      `v1.${"A".repeat(300)}`,
      "%00",
      "..%2fadmin",
    ];
    for (const one of wrong) {
      const address = `${world.toolUrl}/mail/${one}`;
      expect({ one, status: (await fetch(address)).status }).toEqual({ one, status: 404 });
      const posted = await fetch(address, { method: "POST", body: new URLSearchParams({ want: "stop" }) });
      expect({ one, status: posted.status }).toEqual({ one, status: 404 });
    }
    const elsewhere = await fetch(`${world.toolUrl}/mail/${token}`, {
      method: "POST",
      headers: { origin: "https://evil.example" },
      body: new URLSearchParams({ want: "stop" }),
    });
    expect(elsewhere.status).toBe(403);
    expect(world.output()).not.toContain(token.slice(0, 40));
  });
});
