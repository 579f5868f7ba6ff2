import { expect, test, vi } from "vitest";
import { startMailServer } from "../../sandbox/mail-server.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { patience } from "../support/patience.ts";
import { get, logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const hour = 3_600_000;

const server = await forAllTests(startMailServer());
const tool = await forAllTests(
  startConsoleTool({
    SMTP_URL: server.url,
    MAIL_FROM: "Classroom <classroom@example.edu>",
    ALARM_MAIL_TO: "ops@example.edu, night@example.edu",
  }),
);
const { stores } = await forAllTests(openEmptyStores(tool.databaseUrl));

/** Does what the operator's button does; the timetable runs it every minute. */
async function look(): Promise<void> {
  const { cookie, form } = await logIn(tool.url);
  const before = (await stores.jobs.find("tell-alarms"))?.succeededAt ?? 0;
  await send(`${tool.url}/admin/jobs/tell-alarms/run`, { form }, cookie);
  await vi.waitFor(async () => {
    expect((await stores.jobs.find("tell-alarms"))?.succeededAt ?? 0).toBeGreaterThan(before);
  }, patience);
}

const subjects = (to: string) => server.mails().flatMap((one) => (one.to === to ? [one.subject] : []));
const arrived = (to: string, wanted: string[]) =>
  vi.waitFor(() => {
    expect(subjects(to).filter((subject) => subject.includes("Evening school"))).toEqual(wanted);
  }, patience);

const begins = "Alert: Evening school: Classroom account not set up";
const ends = "Resolved: Evening school: Classroom account not set up";

test("An alarm is mailed to each operator when it begins and ends, and the log says so without addresses", async () => {
  const lms = registrationOf({
    id: "reg_1",
    clientId: "reg_1",
    name: "Evening school",
    environment: "nowhere",
  });
  await stores.registrations.insert(lms);
  await look();
  await arrived("ops@example.edu", [begins]);
  await arrived("night@example.edu", [begins]);
  await look();
  await look();
  const [mail] = server.mails().filter(({ subject }) => subject === begins);
  expect(mail?.text).toContain(`${tool.url}/admin/alarms`);
  expect(mail?.text).toMatch(/Since \w{3} \d+ \w{3,4} \d{4}, \d\d:\d\d UTC\./);
  expect(mail?.headers.has("list-unsubscribe"), "operators are named in the configuration").toBe(false);

  await stores.registrations.set("reg_1", { active: false });
  await look();
  await arrived("ops@example.edu", [begins, ends]);

  await stores.registrations.set("reg_1", { active: true });
  await look();
  tool.pass(hour);
  await look();
  await arrived("ops@example.edu", [begins, ends, begins]);

  const { cookie } = await logIn(tool.url);
  const log = await get(`${tool.url}/admin/mails`, cookie);
  expect(log.text).toContain("Alert is over");
  expect(log.text).toContain("Operators");
  expect(log.text).not.toContain("@example.edu");
  expect((await get(`${tool.url}/admin/mails?state=refused`, cookie)).text).toContain("No e-mails.");
  expect((await get(`${tool.url}/admin/mails?state=%3Cb%3E&cursor=x`, cookie)).status).toBe(200);
  expect(tool.logged()).not.toContain("ops@example.edu");
});

test("Alarm mails are in the configured language", async () => {
  await tool.restart({ ALARM_MAIL_LANGUAGE: "de" });
  await stores.registrations.insert(
    registrationOf({ id: "reg_3", clientId: "reg_3", name: "Abendschule", environment: "nowhere" }),
  );
  await look();
  await vi.waitFor(() => {
    const mail = server.mails().find(({ subject }) => subject.includes("Abendschule"));
    expect(mail?.subject).toMatch(/^Meldung: Abendschule: /);
    expect(mail?.html).toContain('<html lang="de" dir="ltr">');
    expect(mail?.text).toContain("Meldungen öffnen");
  }, patience);
});
