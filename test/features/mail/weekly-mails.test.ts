import { beforeEach, describe, expect, test } from "vitest";
import { nothingSet } from "../../../src/settings/in-effect.ts";
import type { WeeklyMails } from "../../../src/domain/mails.ts";
import { reachedInCourse } from "../../../src/modules/attendance/limits.ts";
import {
  digestFacts,
  isAboutLimit,
  limitMailFacts,
  lowLearners,
  sendWeeklyMails,
  warningFacts,
} from "../../../src/modules/mail/weekly-mails.ts";
import { digestWords, limitWords, warningWords } from "../../../src/modules/mail/pages/write-mail.ts";
import type { Mail } from "../../../src/modules/mail/rules/records.ts";
import { weekOf } from "../../../src/modules/usage/rules/usage.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const course = await forAllTests(openRecordedCourse());
beforeEach(async () => {
  await course.restart();
  await course.stores.registrations.insert(registrationOf({ id: course.key.registrationId, clientId: "c" }));
  for (const name of ["Ada", "Ben", "Cem"]) await course.mailable(name);
  await course.mailable("Ina", "instructor");
  await attended("Ada", "PRESENT", "LATE", "PRESENT", "ABSENT");
  await attended("Ben", "PRESENT", "ABSENT", "ABSENT", "EXCUSED");
  await attended("Cem", "ABSENT", "ABSENT");
  passTo(7 * hour);
  await lastWeek();
});

const deps = () => ({ ...course.deps, unsentAlarmAfter: day });

/** Moves the clock to a time after the next Monday, 0:00 UTC (ms). */
function passTo(afterMonday: number): void {
  const now = course.clock.now();
  course.pass(weekOf(now) + 7 * day + afterMonday - now);
}

async function attended(name: string, ...statuses: string[]): Promise<void> {
  const sessions = statuses.map((status, number) => ({ eventId: `event-${number}`, status }));
  const summary = { personId: `per-${name}`, sub: `sub-per-${name}`, sessions, seen: 0 };
  await course.stores.attendanceSummaries.publish(course.key, [summary], () => `sum-${name}`);
}

/** A session in the middle of the past week. */
function lastWeek(): Promise<void> {
  return sessionAt(weekOf(course.clock.now()) - 4 * day);
}

async function sessionAt(startsAt: number): Promise<void> {
  await course.stores.events.save(
    eventOf({ eventId: "last", title: "Last", startsAt, courseId: course.key.courseId }),
  );
}

const set = (weekly: WeeklyMails) => course.stores.courses.setOption(course.key.courseId, "weekly", weekly);
/** @param locked Whether courses can't change it. */
const institution = async (weekly: WeeklyMails, locked: boolean) => {
  const { registrationId } = course.key;
  const { revision } = await course.stores.institutionDefaults.find(registrationId);
  const defaults = {
    ...nothingSet(registrationId),
    revision,
    values: { weekly },
    locked: locked ? (["weekly"] as const) : [],
  };
  await course.stores.institutionDefaults.change(defaults, { regrades: false });
};
async function mails(): Promise<Mail[]> {
  await sendWeeklyMails(deps());
  return course.stores.mails.list({ registrationId: null, state: null }, null, 100);
}
const mailed = async () =>
  (await mails()).map(({ kind, personId }) => `${kind} ${personId ?? ""}`).toSorted();
const both = ["digest per-Ina", "low-attendance per-Ben"];

describe("weekly mails", () => {
  test("go once to instructors, and to learners below the share with enough sessions", async () => {
    await set({ digest: true, low: 75 });
    expect(await mailed()).toEqual(both);
    expect(await mailed()).toEqual(both);
  });

  test.each<[string, WeeklyMails | null, [WeeklyMails, boolean] | null, string[]]>([
    ["nobody by default", null, null, []],
    ["those the institution chose", null, [{ digest: true, low: 75 }, false], both],
    [
      "those the course chose, rather than its institution",
      { digest: false, low: 0 },
      [{ digest: true, low: 75 }, false],
      [],
    ],
    [
      "those the institution chose if it is locked",
      { digest: false, low: 0 },
      [{ digest: true, low: 0 }, true],
      ["digest per-Ina"],
    ],
  ])("go to %s", async (_whom, own, theirs, expected) => {
    if (own !== null) await set(own);
    if (theirs !== null) await institution(...theirs);
    expect(await mailed()).toEqual(expected);
  });

  test.each<[string | null, number]>([
    ["Pacific/Kiritimati", -7],
    ["Asia/Kathmandu", 1.25],
    [null, 7],
    ["America/Phoenix", 14],
    ["Pacific/Pago_Pago", 18],
  ])("come at 7 on Monday in %s", async (zone, hours) => {
    await set({ digest: true, low: 75 });
    if (zone !== null) await course.stores.courses.setTimeZone(course.key.courseId, zone);
    passTo(hours * hour - minute);
    // The last minutes of Sunday in that zone.
    await sessionAt(course.clock.now() - 7 * hour);
    expect(await mailed()).toEqual([]);
    course.pass(minute);
    expect(await mailed()).toEqual(both);
  });

  test("come once even if the course's time zone changes after them", async () => {
    await set({ digest: true, low: 75 });
    expect(await mailed()).toEqual(both);
    await attended("Ada", "ABSENT", "ABSENT", "ABSENT");
    await course.stores.courses.setTimeZone(course.key.courseId, "America/Phoenix");
    course.pass(7 * hour);
    expect(await mailed()).toEqual(both);
  });

  test("come late when nothing ran on Monday, and not at all without news", async () => {
    await set({ digest: true, low: 75 });
    course.pass(2 * day);
    expect(await mailed()).toEqual(both);
    passTo(3 * day);
    await sessionAt(course.clock.now() - 7 * day);
    expect(await mailed()).toEqual(both);
  });

  test("that a course switches on after Monday noon come on the next Monday", async () => {
    await mailed();
    await set({ digest: true, low: 75 });
    course.pass(5 * hour);
    expect(await mailed()).toEqual([]);
    passTo(7 * hour);
    await lastWeek();
    expect(await mailed()).toEqual(both);
  });

  test("come once from several instances at the same time, and after an interrupted run", async () => {
    await set({ digest: true, low: 75 });
    await Promise.all([sendWeeklyMails(deps()), sendWeeklyMails(deps())]);
    expect(await mailed()).toEqual(both);
    const killed = { ...course.stores.courses, markMailed: () => Promise.reject(new Error("killed")) };
    passTo(7 * hour);
    await lastWeek();
    await expect(sendWeeklyMails({ ...deps(), courses: killed })).rejects.toThrow("killed");
    expect(await mailed()).toEqual(["digest per-Ina", ...both]);
  });

  test("go to nobody without a session in the week", async () => {
    await set({ digest: true, low: 90 });
    course.pass(14 * day);
    expect(await mailed()).toEqual([]);
  });

  test("warn nobody twice within four weeks", async () => {
    await set({ digest: false, low: 75 });
    expect(await mailed()).toEqual(["low-attendance per-Ben"]);
    course.pass(7 * day);
    await lastWeek();
    expect(await mailed()).toHaveLength(1);
    course.pass(21 * day);
    await lastWeek();
    expect(await mailed()).toHaveLength(2);
  });

  test("show the week in numbers without names, and a learner's own attendance", async () => {
    await set({ digest: true, low: 75 });
    // A course of many sections has more in a week than a page lists.
    const { courseId } = course.key;
    const startsAt = weekOf(course.clock.now()) - 4 * day;
    for (let section = 1; section <= 100; section += 1)
      await course.stores.events.save(eventOf({ eventId: `lab-${section}`, startsAt, courseId }));
    const [digest, low] = (await mails()).toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
    if (digest === undefined || low === undefined) throw new Error("no mails");
    const app = { translatorOf: createTranslator(), publicUrl: "https://tool.example" };
    const week = await digestFacts(deps(), digest);
    if (typeof week === "string") throw new Error(week);
    const text = digestWords(app, week, "https://tool.example/mail/x").paragraphs.join("\n");
    expect(text).toContain("Sessions held: 101");
    expect(text).toContain("Learners below 75% attendance: 1");
    expect(text).toContain("Grades that haven’t arrived: 0");
    expect(text).not.toMatch(/Ben|Ada/);
    const own = await warningFacts(deps(), low);
    if (typeof own === "string") throw new Error(own);
    expect(warningWords(app, own, "https://tool.example/mail/x").paragraphs[0]).toContain(
      "you attended 1 of 3 sessions, which is 33%.",
    );
  });

  test("that wait are not sent when nothing is low by then, or the course stopped them", async () => {
    await set({ digest: true, low: 75 });
    const waiting = await mails();
    const low = waiting.find(({ kind }) => kind === "low-attendance");
    const digest = waiting.find(({ kind }) => kind === "digest");
    if (digest === undefined || low === undefined) throw new Error("no mails");
    await set({ digest: false, low: 50 });
    expect(await digestFacts(deps(), digest)).toBe("off");
    expect(await warningFacts(deps(), low)).toMatchObject({ learner: { percent: 33 } });
    const sessions = ["PRESENT", "PRESENT", "PRESENT"].map((status, n) => ({
      eventId: `event-${n}`,
      status,
    }));
    const better = { personId: "per-Ben", sub: "sub-per-Ben", sessions, seen: 1 };
    await course.stores.attendanceSummaries.publish(course.key, [better], () => "unused");
    expect(await warningFacts(deps(), low)).toBe("over");
  });

  test("count only learners who are in the course", async () => {
    const changed = [{ personId: "per-Ben", id: "", to: { active: false } }];
    await course.stores.members.applyRoster(course.key, course.clock.now() + 2_000, { made: [], changed });
    expect(await lowLearners(deps(), await course.course(), 90)).toMatchObject([
      { personId: "per-Ada", percent: 75 },
    ]);
  });
});

describe("limits that an institution set", () => {
  const absences = { kind: "absences" as const, number: 2, label: "2 absences" };
  const low = { kind: "below" as const, number: 60, label: "Below 60 %" };
  const watch = (mail: boolean) =>
    course.stores.courses.setOption(course.key.courseId, "limits", { list: [absences, low], mail });
  /** Who got a mail about which limit. */
  const told = async () =>
    (await mails())
      .filter(isAboutLimit)
      .map(({ about, personId }) => `${personId ?? ""} ${about.split("@")[1] ?? ""}`)
      .toSorted();
  const nextWeek = async () => {
    passTo(7 * hour);
    await lastWeek();
  };
  const marked = async (name: string, ...statuses: string[]) => {
    const found = await course.stores.attendanceSummaries.findMany(course.key, [`per-${name}`]);
    const sessions = statuses.map((status, number) => ({ eventId: `event-${number}`, status }));
    const summary = {
      personId: `per-${name}`,
      sub: `sub-per-${name}`,
      sessions,
      seen: found[0]?.revision ?? 0,
    };
    await course.stores.attendanceSummaries.publish(course.key, [summary], () => `sum-${name}`);
  };
  const first = ["per-Ben absences-2", "per-Ben below-60", "per-Cem absences-2"];

  test("are mailed once each to those who reached one, and to nobody if mails are off", async () => {
    await watch(false);
    expect(await told()).toEqual([]);
    await nextWeek();
    await watch(true);
    expect(await told()).toEqual(first);
    await nextWeek();
    expect(await told()).toEqual(first);
  });

  test("don't count as warnings of low attendance, which still follow", async () => {
    await watch(true);
    await told();
    await set({ digest: false, low: 75 });
    await nextWeek();
    const warned = (await mails()).filter((mail) => !isAboutLimit(mail));
    expect(warned.map(({ personId }) => personId)).toContain("per-Ben");
  });

  test("are not mailed again when a correction takes somebody below and they reach one again", async () => {
    await watch(true);
    expect(await told()).toEqual(first);
    await marked("Cem", "PRESENT", "PRESENT");
    expect((await reachedInCourse(deps(), await course.course())).has("per-Cem")).toBe(false);
    await nextWeek();
    await marked("Cem", "ABSENT", "ABSENT", "ABSENT", "PRESENT");
    // The records of mails are deleted after 90 days, but not the limits that were mailed.
    await collectionsByModel(course.connection)("Mail").deleteMany({});
    expect(await told()).toEqual(["per-Cem below-60"]);
  });

  test("are in the week's numbers, in the institution's own words", async () => {
    await watch(true);
    await set({ digest: true, low: 0 });
    const digest = (await mails()).find(({ kind }) => kind === "digest");
    const facts = digest === undefined ? "gone" : await digestFacts(deps(), digest);
    if (typeof facts === "string") throw new Error(facts);
    expect(facts.limits).toEqual([
      { label: "2 absences", learners: 2 },
      { label: "Below 60 %", learners: 1 },
    ]);
  });

  test("are mailed with somebody's figures, but not once a correction has taken them below", async () => {
    await watch(true);
    const mail = (await mails()).find(
      ({ personId, about }) => personId === "per-Cem" && about.includes("limit"),
    );
    if (mail === undefined) throw new Error("no mail");
    const facts = await limitMailFacts(deps(), mail);
    if (typeof facts === "string") throw new Error(facts);
    const words = limitWords(
      { translatorOf: createTranslator(), publicUrl: "https://tool.test" },
      facts,
      "https://tool.test/stop",
    );
    expect(words.paragraphs.join(" ")).toMatch(
      /you have reached “.?2 absences.?”\. You attended 0 of 2 recorded/,
    );
    await marked("Cem", "PRESENT", "ABSENT");
    expect(await limitMailFacts(deps(), mail)).toBe("over");
    await watch(false);
    expect(await limitMailFacts(deps(), mail)).toBe("off");
  });
});
