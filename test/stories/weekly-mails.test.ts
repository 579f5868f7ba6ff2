import { beforeAll, expect, test, vi } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { openStores, type Stores } from "../../src/open-stores.ts";
import { startMailServer } from "../../sandbox/mail-server.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { launchedCourse, newCourse } from "../support/builders/launched-course.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { patience } from "../support/patience.ts";
import { logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const registrationId = "reg_1";

let stores: Stores;
/** A Monday to come, 0:00 UTC, at least a day away. */
let monday: number;

const server = await forAllTests(startMailServer());
const tool = await forAllTests(
  startConsoleTool({
    SMTP_URL: server.url,
    MAIL_FROM: "Classroom <classroom@example.edu>",
  }),
);
const database = await forAllTests(openDatabase({ url: tool.databaseUrl, logger: createLogger("silent") }));
beforeAll(async () => {
  stores = await openStores(database.connection);
  await stores.registrations.insert(registrationOf({ id: registrationId, clientId: "c" }));
  monday = weekOf(Date.now() + day) + 7 * day;
  await teaches("Tokyo", "Asia/Tokyo");
  await teaches("Phoenix", "America/Phoenix");
});

/** Ina teaches a course in a time zone, which had a session on Wednesday. */
async function teaches(title: string, timeZone: string): Promise<void> {
  const id = `crs_${title}`;
  const place = { registrationId, deploymentId: "1" };
  await stores.courses.record({ ...place, contextId: title }, launchedCourse({ title }), newCourse(id));
  await stores.courses.setTimeZone(id, timeZone);
  await stores.courses.setOption(id, "weekly", { digest: true, low: 0 });
  const facts = { name: "Ina", givenName: null, familyName: null, email: "ina@example.edu" };
  const ina = { id: "per_ina", environment: "production" };
  await stores.people.record({ ...place, sub: "ina" }, facts, ina);
  const made = [
    { personId: "per_ina", id: `mem_${title}`, to: { role: "instructor", active: true } },
  ] as const;
  await stores.members.applyRoster({ registrationId, courseId: id }, Date.now(), {
    made: [...made],
    changed: [],
  });
  const startsAt = monday - 5 * day;
  await stores.events.save({
    ...{ environment: "production", eventId: `event-${title}`, spaceId: null, title: "Lecture", readAt: 1 },
    ...{ startsAt, endsAt: startsAt + hour, cancelled: false, courseId: id },
  });
}

/** As an operator presses the button; by the clock it runs each quarter of an hour. @param at By the tool's clock (ms). */
async function look(at: number): Promise<void> {
  tool.pass(at - Date.now() - tool.ahead());
  const { cookie, form } = await logIn(tool.url);
  const before = (await stores.jobs.find("send-weekly-mails"))?.succeededAt ?? 0;
  await send(`${tool.url}/admin/jobs/send-weekly-mails/run`, { form }, cookie);
  await vi.waitFor(async () => {
    expect((await stores.jobs.find("send-weekly-mails"))?.succeededAt ?? 0).toBeGreaterThan(before);
  }, patience);
}

const arrived = (...subjects: string[]) =>
  vi.waitFor(() => {
    expect(server.mails().map(({ subject }) => subject)).toEqual(subjects);
  }, patience);

test("An instructor's summaries come on Monday morning by each course's own clock, once, also when the tool starts anew", async () => {
  await look(monday - 2 * hour - 5 * minute);
  expect(server.mails()).toEqual([]);
  await look(monday - 2 * hour + minute);
  await arrived("The week in Tokyo");
  await tool.restart();
  await look(monday + 13 * hour + 50 * minute);
  await arrived("The week in Tokyo");
  await look(monday + 14 * hour + minute);
  await arrived("The week in Tokyo", "The week in Phoenix");
  await look(monday + 20 * hour);
  const [tokyo] = server.mails();
  expect(tokyo?.to).toBe("ina@example.edu");
  expect(tokyo?.text).toContain("Sessions held: 1");
  expect(server.mails()).toHaveLength(2);
});
