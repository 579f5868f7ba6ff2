import { beforeEach, describe, expect, test } from "vitest";
import type { MailConfig } from "../../../src/config-mail.ts";
import type { Course, Member } from "../../../src/domain/course.ts";
import type { ReminderMinutes, WeeklyMails } from "../../../src/domain/mails.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import {
  changeMyMails,
  myMailKinds,
  showMyMails,
  stopKeyOf,
  stopToken,
} from "../../../src/modules/mail/mail-choices.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const course = await forAllTests(openRegisterCourse());
beforeEach(async () => {
  await course.empty();
  await course.stores.registrations.insert(registrationOf({ id: course.key.registrationId, clientId: "c" }));
  await course.enrol("Ada");
});

const smtp: MailConfig = {
  server: { host: "mail.example", port: 587, secure: false, requireTls: true, login: null },
  from: { name: "", address: "tool@example.edu" },
  perMinute: 60,
  alarmTo: [],
  alarmLanguage: "en",
};
const deps = (mail: MailConfig | null = smtp) => ({ ...course.deps, config: { mail } });

async function member(change: Partial<Member> = {}): Promise<Member> {
  const { registrationId, courseId } = course.key;
  const found = required(await course.stores.members.find(registrationId, courseId, "per-Ada"));
  return { ...found, ...change };
}

async function sends(reminders: ReminderMinutes, weekly: WeeklyMails): Promise<Course> {
  await course.stores.courses.setOption(course.key.courseId, "reminders", reminders);
  await course.stores.courses.setOption(course.key.courseId, "weekly", weekly);
  return course.course();
}

describe("the e-mails that somebody can stop on their own page", () => {
  test.each<[string, Partial<Member>, string[]]>([
    ["a learner", {}, ["reminder", "low-attendance"]],
    ["an instructor", { role: "instructor" }, ["reminder", "digest"]],
    ["a mentor", { student: false }, []],
    ["a preview student", { testUser: true }, []],
  ])("are, for %s, those that they get", async (_who, change, kinds) => {
    const all = await sends(60, { digest: true, low: 75 });
    expect(await myMailKinds(deps(), all, await member(change))).toEqual(kinds);
  });

  test("are an empty list while people of the course may not enter", async () => {
    const all = await sends(60, { digest: true, low: 75 });
    const { registrationId, deploymentId } = all;
    const deployment = { registrationId, deploymentId, status: "refused", firstSeenAt: 0 } as const;
    await course.stores.deployments.record(deployment);
    expect(await myMailKinds(deps(), all, await member())).toEqual([]);
  });

  test("are an empty list if the course sends none, or the tool sends no mail", async () => {
    const none = await sends(0, { digest: false, low: 0 });
    expect(await myMailKinds(deps(), none, await member())).toEqual([]);
    const all = await sends(60, { digest: true, low: 75 });
    expect(await myMailKinds(deps(null), all, await member())).toEqual([]);
  });

  test("can be stopped and wanted again, even twice", async () => {
    const all = await sends(60, { digest: false, low: 0 });
    const ada = await member();
    const shown = () => showMyMails(deps(), all, ada);
    expect(await shown()).toEqual({ kinds: [{ kind: "reminder", isStopped: false }], hasAddress: false });
    for (const wanted of [false, false]) await changeMyMails(deps(), ada, "reminder", wanted);
    expect((await shown()).kinds).toEqual([{ kind: "reminder", isStopped: true }]);
    for (const wanted of [true, true]) await changeMyMails(deps(), ada, "reminder", wanted);
    expect((await shown()).kinds).toEqual([{ kind: "reminder", isStopped: false }]);
  });
});

describe("the link in a mail", () => {
  const sealer = createSealer("a secret key of at least thirty-two bytes", undefined);
  const token = stopToken({ sealer }, { personId: "per-Ada", kind: "reminder" });
  const stops = (given = token) => stopKeyOf({ ...course.deps, sealer }, given);

  test("concerns its reader, even after their LMS was registered again", async () => {
    const { registrationId } = course.key;
    expect(await stops()).toEqual({ registrationId, personId: "per-Ada", kind: "reminder" });
    await course.stores.personalRecords.change(
      "Person",
      { _id: "per-Ada" },
      { update: { $set: { registrationId: "earlier" } } },
      1,
    );
    expect(await stops()).toMatchObject({ registrationId: "earlier", personId: "per-Ada" });
  });

  test("concerns nobody once they were erased, or if it was changed", async () => {
    expect(await stops(`${token.slice(0, -2)}AA`)).toBeNull();
    await course.stores.personalRecords.remove("Person", { _id: "per-Ada" }, 1);
    expect(await stops()).toBeNull();
  });
});
