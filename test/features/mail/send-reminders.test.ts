import { beforeEach, describe, expect, test } from "vitest";
import { nothingSet } from "../../../src/settings/in-effect.ts";
import type { ReminderMinutes } from "../../../src/domain/mails.ts";
import { reminderFacts, sendReminders } from "../../../src/modules/mail/reminders.ts";
import { reminderWords } from "../../../src/modules/mail/pages/write-mail.ts";
import type { MailWords } from "../../../src/modules/mail/rules/sending.ts";
import type { Mail } from "../../../src/modules/mail/rules/records.ts";
import { saveReminders } from "../../../src/modules/mail/mail-choices.ts";
import { sendMails } from "../../../src/modules/mail/mails.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";
import { eventOf, foundPlanOf } from "../../support/builders/event.ts";

const minute = 60_000;

let revision = 0;
const course = await forAllTests(openRecordedCourse());
beforeEach(async () => {
  await course.restart();
  await course.stores.registrations.insert(registrationOf({ id: course.key.registrationId, clientId: "c" }));
  for (const name of ["Ada", "Ben"]) await course.mailable(name);
  await course.mailable("Ina", "instructor");
});

const deps = () => course.deps;

async function lecture(
  inMinutes: number,
  facts: { cancelled?: boolean; sectionIds?: string[]; title?: string } = {},
) {
  const startsAt = Math.round(course.clock.now() / minute + inMinutes) * minute;
  revision += 1;
  await course.stores.events.save(
    eventOf({
      eventId: "lecture",
      title: "Lecture",
      startsAt,
      endsAt: startsAt + 60 * minute,
      courseId: course.key.courseId,
      readAt: 1,
      revision,
      ...facts,
    }),
  );
  return startsAt;
}

const set = (minutes: ReminderMinutes) =>
  course.stores.courses.setOption(course.key.courseId, "reminders", minutes);
/** @param locked Whether courses can't change it. */
const institution = async (reminders: ReminderMinutes, locked: boolean) => {
  const { registrationId } = course.key;
  const seen = await course.stores.institutionDefaults.find(registrationId);
  const defaults = {
    ...nothingSet(registrationId),
    revision: seen.revision,
    values: { reminders },
    locked: locked ? (["reminders"] as const) : [],
  };
  await course.stores.institutionDefaults.change(defaults, { regrades: false });
};

async function mails(): Promise<Mail[]> {
  await sendReminders(deps());
  return course.stores.mails.list({ registrationId: null, state: null }, null, 100);
}
const mailed = async () => (await mails()).map(({ personId }) => personId).toSorted();
const everybody = ["per-Ada", "per-Ben", "per-Ina"];

/** The outcome of a mail that waits. */
async function fate(personId = "per-Ada") {
  const mail = required((await mails()).find((one) => one.personId === personId));
  return reminderFacts(deps(), mail);
}

const app = { translatorOf: createTranslator(), publicUrl: "https://tool.example" };
const written = async (mail: Mail) => {
  const facts = await reminderFacts(deps(), mail);
  if (typeof facts === "string") return facts;
  return { to: facts.to, words: reminderWords(app, facts, "https://tool.example/mail/x") };
};

/** The mails that people get after a look at the sessions. @param kill Whether the process dies while the first mail is sent. */
async function read({ kill = false } = {}): Promise<string[]> {
  const mails: string[] = [];
  await sendReminders(deps());
  const send = async (mail: { to: string; words: MailWords }, begin: () => Promise<boolean>) => {
    if (!(await begin())) return null;
    if (kill) throw new Error("killed");
    mails.push([mail.to.split("@")[0], mail.words.subject, ...mail.words.paragraphs.slice(1)].join(" | "));
    return { outcome: "sent", reply: "250" } as const;
  };
  const mailer = { open: () => ({ send, close: () => undefined }) };
  const sending = sendMails(
    { ...deps(), mailer, perMinute: 1_000, write: written },
    course.key.registrationId,
    new AbortController().signal,
  );
  if (kill) await expect(sending).rejects.toThrow("killed");
  else await sending;
  course.pass(minute);
  return mails.toSorted();
}
/** Somebody stops reminders. */
const stops = (name: string) => {
  const { registrationId } = course.key;
  const stop = { id: "stop_1", registrationId, personId: `per-${name}`, kind: "reminder", at: 1 } as const;
  return course.stores.mailStops.stop(stop);
};
const to = (name: string, mails: readonly string[]) => mails.filter((mail) => mail.startsWith(name));

describe("reminders", () => {
  test("are created once, when their time has come", async () => {
    await set(30);
    await lecture(45);
    expect(await mailed()).toEqual([]);
    course.pass(16 * minute);
    expect(await mailed()).toEqual(everybody);
    expect(await mailed()).toEqual(everybody);
  });

  test("are checked again no sooner than announced, even the second time", async () => {
    await lecture(300);
    const looks = async () =>
      (await course.stores.events.listToRemind(course.clock.now(), course.clock.now(), 10)).length;
    for (const _round of [1, 2]) {
      expect(await looks()).toBe(1);
      await sendReminders(deps());
      expect(await looks()).toBe(0);
      course.pass(16 * minute);
    }
  });

  test("are created if a course switches them on while its session is being processed", async () => {
    await lecture(20);
    const { events } = course.stores;
    const switchedOn = async (...asked: Parameters<typeof events.remindNextAt>) => {
      await saveReminders(deps(), await course.course(), "per-Ina", 30, String);
      await events.remindNextAt(...asked);
    };
    await sendReminders({ ...deps(), events: { ...events, remindNextAt: switchedOn } });
    expect(await mailed()).toEqual(everybody);
  });

  test.each<[string, ReminderMinutes | null, [ReminderMinutes, boolean] | null, number]>([
    ["go to nobody by default", null, null, 0],
    ["follow the institution if the course says nothing", null, [60, false], 3],
    ["follow the course rather than its institution", 0, [60, false], 0],
    ["follow the institution if it is locked", 0, [60, true], 3],
    ["go to nobody if that is locked", 60, [0, true], 0],
  ])("%s", async (_whose, own, theirs, count) => {
    if (own !== null) await set(own);
    if (theirs !== null) await institution(...theirs);
    await lecture(20);
    expect(await mailed()).toHaveLength(count);
  });

  test("skip people without an address, who left, are preview students, stopped them, or are in another section", async () => {
    await set(60);
    await course.mailable("Cem", "learner", null);
    await course.mailable("Dan", "learner", "dan@example.edu\r\nBcc: eve@example.edu");
    await course.mailable("Eve");
    await course.mailable("Fay");
    await course.mailable("Gil");
    await course.mailable("Hal");
    for (const name of ["Ada", "Cem", "Dan", "Eve", "Fay", "Hal"])
      await course.changed(name, { sectionIds: ["s1"] });
    await course.changed("Eve", { active: false });
    await course.changed("Fay", { testUser: true });
    await course.changed("Gil", { sectionIds: ["s2"] });
    await stops("Hal");
    await lecture(20, { sectionIds: ["s1"] });
    // Ben is known to be in no section.
    expect(await mailed()).toEqual(["per-Ada", "per-Ina"]);
  });

  test("go to all sections if an instructor opened a section's session to the whole course", async () => {
    await set(60);
    await course.changed("Ben", { sectionIds: ["s2"] });
    await lecture(20, { sectionIds: ["s1"] });
    await course.stores.sessionPlans.adopt(foundPlanOf({ ...course.key, eventId: "lecture" }));
    expect(await mailed()).toEqual(everybody);
  });

  test("go to nobody in an LMS that is switched off", async () => {
    await set(60);
    await course.stores.registrations.set(course.key.registrationId, { active: false });
    await lecture(20);
    expect(await mailed()).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ["over", "the session is cancelled", () => lecture(20, { cancelled: true })],
    ["over", "it was moved", () => lecture(200)],
    ["gone", "the person left", () => course.changed("Ada", { active: false })],
    ["off", "the course stopped reminders", () => set(0)],
    ["stopped", "the person stopped reminders", () => stops("Ada")],
  ])("that wait are not sent (%s) when %s", async (outcome, _why, happens) => {
    await set(60);
    await lecture(20);
    expect(await fate()).toMatchObject({ to: "Ada@example.edu" });
    await happens();
    expect(await fate()).toBe(outcome);
  });

  test("of a session that moved are sent again, with the new time", async () => {
    await set(60);
    await lecture(20);
    expect(await mails()).toHaveLength(3);
    await lecture(50);
    expect(await mails()).toHaveLength(6);
  });

  test("are written in the person's language, or else the course's", async () => {
    await set(60);
    await lecture(20, { title: "Lecture <1>\r\n" });
    const facts = await fate();
    if (typeof facts === "string") throw new Error(facts);
    const inTheirs = (language: string | null) =>
      reminderWords(
        app,
        {
          ...facts,
          member: { ...facts.member, language },
          course: { ...facts.course, language: "fr", timeZone: "Europe/Paris" },
        },
        "https://tool.example/mail/x",
      );
    expect(inTheirs("de")).toMatchObject({ language: "de", stop: { text: "Diese E-Mails abbestellen" } });
    expect(inTheirs(null)).toMatchObject({ language: "fr" });
    expect(inTheirs("ar")).toMatchObject({ direction: "rtl" });
    expect(inTheirs("xx").language).toBe("en");
    expect(inTheirs("de").paragraphs.join(" ")).toContain("Paris");
    const elsewhere = { ...facts, course: { ...facts.course, courseUrl: "javascript:alert(1)" } };
    expect(reminderWords(app, elsewhere, "https://tool.example/mail/x").links).toEqual([]);
    const member = { ...facts.member, role: "learner" as const, language: "en" };
    const course = { ...facts.course, courseUrl: "https://lms.example/course/2" };
    expect(reminderWords(app, { ...facts, member, course }, "https://tool.example/mail/x").links).toEqual([
      { text: "Open the course", url: course.courseUrl },
      { text: "My attendance and recordings", url: `https://tool.example/mine/${course.id}` },
    ]);
  });
});

describe("a reminder that is no longer true", () => {
  const clockOf = (at: number) => new Date(at).toISOString().slice(11, 16);
  beforeEach(async () => {
    await set(60);
  });

  /** Everybody got a mail that it begins in that many minutes. */
  async function reminded(inMinutes = 40): Promise<number> {
    const startsAt = await lecture(inMinutes);
    expect(await read()).toHaveLength(3);
    return startsAt;
  }

  test("is followed by one mail with both times when the session moves by 45 minutes, without a second reminder", async () => {
    const from = await reminded();
    const to = await lecture(39 + 45);
    const mails = await read();
    expect(mails).toHaveLength(3);
    for (const mail of mails) {
      expect(mail).toContain(`Lecture: moved to `);
      expect(mail).toMatch(new RegExp(`moved from .*${clockOf(from)} to .*${clockOf(to)}`));
    }
    for (let passed = 0; passed < 80; passed += 20) {
      course.pass(20 * minute);
      expect(await read()).toEqual([]);
    }
  });

  test("is corrected now and repeated before the new time when the session moves by three days", async () => {
    await reminded();
    const days = 3 * 24 * 60;
    const startsAt = await lecture(39 + days);
    expect(to("Ada", await read())).toEqual([expect.stringContaining("moved to")]);
    expect(await read()).toEqual([]);
    for (const before of [24 * 60, 61, 59]) {
      course.pass(startsAt - course.clock.now() - before * minute);
      expect(to("Ada", await read())).toEqual(
        before === 59 ? [expect.stringMatching(/^Ada \| Lecture: [^|]* \| It begins /)] : [],
      );
    }
  });

  test.each<[string, object]>([
    ["cancelled", { cancelled: true }],
    ["deleted", { cancelled: true, deleted: true }],
  ])("is withdrawn once when the session is %s, and sent again when it is restored", async (_how, facts) => {
    const startsAt = await reminded();
    await lecture(39, facts);
    const cancelled = `Lecture: cancelled | The session on `;
    expect(await read()).toEqual(
      ["Ada", "Ben", "Ina"].map((name): unknown => expect.stringContaining(`${name} | ${cancelled}`)),
    );
    await lecture(38, facts);
    expect(await read()).toEqual([]);
    await lecture((startsAt - course.clock.now()) / minute);
    expect(to("Ada", await read())).toEqual([expect.stringContaining("It takes place after all")]);
  });

  test("is compared with the time in the last mail, so that moving back and forth is mailed each time", async () => {
    await reminded();
    for (const inMinutes of [80, 39, 80]) {
      await lecture(inMinutes);
      expect(to("Ben", await read())).toHaveLength(1);
    }
  });

  test("needs no mail when the session moves back before one was sent", async () => {
    const startsAt = await reminded();
    await lecture(80);
    await sendReminders(deps());
    await lecture((startsAt - course.clock.now()) / minute);
    expect(await read()).toEqual([]);
  });

  test("that waits is dropped, and the new time has a plain reminder", async () => {
    await lecture(40);
    await sendReminders(deps());
    await lecture(50);
    expect(to("Ada", await read())).toEqual([expect.stringContaining("It begins")]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["who left the course", () => course.changed("Ada", { active: false })],
    ["in another section by now", () => course.changed("Ada", { sectionIds: ["s2"] })],
    ["who stopped reminders", () => stops("Ada")],
  ])("is not withdrawn for somebody %s", async (_who, happens) => {
    await course.changed("Ben", { sectionIds: ["s1"] });
    await lecture(40, { sectionIds: ["s1"] });
    await course.changed("Ada", { sectionIds: ["s1"] });
    expect(to("Ada", await read())).toHaveLength(1);
    await lecture(20, { sectionIds: ["s1"], cancelled: true });
    await happens();
    const mails = await read();
    expect(to("Ada", mails)).toEqual([]);
    expect(to("Ben", mails)).toHaveLength(1);
  });

  test("is not corrected when the session's announced time is over", async () => {
    const startsAt = await reminded();
    course.pass(101 * minute);
    await lecture(3 * 24 * 60);
    expect(await read()).toEqual([]);
    expect(startsAt).toBeLessThan(course.clock.now());
  });

  test("is withdrawn once even if processes die before and during the mail", async () => {
    await reminded();
    const startsAt = await lecture(20, { cancelled: true });
    const { events } = course.stores;
    const ends = () => Promise.reject(new Error("killed"));
    await expect(sendReminders({ ...deps(), events: { ...events, remindNextAt: ends } })).rejects.toThrow(
      "killed",
    );
    expect(await read({ kill: true })).toEqual([]);
    // For one mail, it is unknown whether it arrived.
    expect(await read()).toHaveLength(2);
    await lecture((startsAt - course.clock.now()) / minute, { cancelled: true, title: "Renamed" });
    expect(await read()).toEqual([]);
  });
});
