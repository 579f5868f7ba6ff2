import { createServer } from "node:http";
import express from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { calendarToken, makeCalendarAddress } from "../../../src/modules/scheduling/calendars.ts";
import {
  cancelSessions,
  changeSessions,
  restoreSessions,
} from "../../../src/modules/scheduling/change-sessions.ts";
import { findSession, showSessions } from "../../../src/modules/scheduling/show-sessions.ts";
import { calendarRoutes } from "../../../src/modules/scheduling/pages/my-sessions-routes.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { openPlannedCourse, type PlannedCourse } from "../../support/builders/planned-course.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";
import { required } from "../../support/required.ts";

const registrationId = "reg_1";
const database = await forAllTests(openEmptyStores());

let course: PlannedCourse;
let url: string;
let close: () => Promise<void>;

beforeEach(async () => {
  course = await openPlannedCourse(database);
  const app = express();
  const publicUrl = "https://tool.test";
  app.use(calendarRoutes({ ...course.deps, publicUrl }));
  const server = createServer(app);
  url = await listening(server);
  close = async () => {
    await closed(server);
    await course.close();
  };
});
afterEach(() => close());

const sealer = createSealer("the-secret-of-this-tool-and-of-no-other");
const making = () => ({ ...course.deps, sealer });
const courseCalendar = () =>
  makeCalendarAddress(making(), { registrationId, scope: "course", ownerId: "bio" }, null);
const calendarOf = (personId: string) =>
  makeCalendarAddress(making(), { registrationId, scope: "person", ownerId: personId }, null);
const read = (token: string, init: RequestInit = {}) => fetch(`${url}/calendar/${token}.ics`, init);
/** As a calendar program asks for what is new; fetch itself would add "no-cache". */
const readUnless = (token: string, tag: string) =>
  read(token, { headers: { "If-None-Match": tag, "Cache-Control": "max-age=0" } });
/** The values of a property, in order, with folded lines joined. */
async function values(token: string, name: string): Promise<string[]> {
  const text = (await (await read(token)).text()).replaceAll("\r\n ", "");
  return text
    .split("\r\n")
    .filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
    .map((line) => line.slice(line.indexOf(":") + 1));
}

describe("the calendar of a course", () => {
  test("has its sessions in UTC, names nobody and links to the course's page", async () => {
    await course.addMember("bio", "Annabel", "learner");
    await course.plan({ title: "Genes, and more" });
    await course.work();
    const token = await courseCalendar();
    const answer = await read(token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(answer.headers.get("cache-control")).toBe("private, max-age=900");
    const text = await answer.text();
    expect(await values(token, "DTSTART")).toEqual(["20261019T080000Z"]);
    expect(await values(token, "DTEND")).toEqual(["20261019T090000Z"]);
    expect(await values(token, "SUMMARY")).toEqual(["Genes\\, and more (Biology)"]);
    expect(await values(token, "URL")).toEqual(["https://lms.test/course/bio"]);
    expect(await values(token, "STATUS")).toEqual(["CONFIRMED"]);
    expect(await values(token, "X-WR-TIMEZONE")).toEqual(["Europe/Berlin"]);
    expect(text).not.toMatch(/Annabel|Tess|user-|loginMethod|token=|event_/);
    expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  });

  test("is in the language of the person who created its address", async () => {
    await course.plan({ title: "Zellen" });
    await course.work();
    const owner = { registrationId, scope: "course", ownerId: "bio" } as const;
    const token = await makeCalendarAddress(making(), owner, "de-AT");
    expect(await values(token, "X-WR-CALNAME")).toEqual(["Termine von Biology"]);
    expect((await values(token, "DESCRIPTION")).join(" ")).not.toContain("Enter");
    expect(await values(token, "PRODID")).toEqual(["-//spaces-lti//sessions//DE"]);
  });

  test("stays the same text until something changes, and then says so", async () => {
    await course.plan();
    await course.work();
    const token = await courseCalendar();
    const first = await read(token);
    const tag = first.headers.get("etag") ?? "";
    course.later(60_000);
    expect((await readUnless(token, tag)).status).toBe(304);
    const head = await read(token, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toBe(tag);
    expect(await head.text()).toBe("");
    const [uid] = await values(token, "UID");
    const [before] = await values(token, "SEQUENCE");
    const eventId = course.classroom.events()[0]?.eventId ?? "";
    course.classroom.updateEvent({ eventId, title: "Later lesson" });
    await course.note(eventId, "EVENT_UPDATED");
    expect((await readUnless(token, tag)).status).toBe(200);
    expect(await values(token, "UID")).toEqual([uid]);
    expect(Number((await values(token, "SEQUENCE"))[0])).toBeGreaterThan(Number(before));
    course.later(1);
    course.classroom.cancelEvent({ eventId });
    await course.note(eventId, "EVENT_CANCELLED");
    expect(await values(token, "STATUS")).toEqual(["CANCELLED"]);
    expect(await values(token, "SUMMARY")).toEqual(["Cancelled: Later lesson (Biology)"]);
    expect(await values(token, "UID")).toEqual([uid]);
  });

  test("drops a session that is cancelled here, and has it again when that is undone", async () => {
    await course.plan({ title: "Genes" });
    await course.work();
    const token = await courseCalendar();
    const bio = await course.courseOf("bio");
    const { next } = await showSessions(course.deps, bio);
    const record = async () => required(await findSession(course.deps, bio, next[0]?.key ?? ""));
    const entry = async () => [
      await values(token, "UID"),
      await values(token, "STATUS"),
      await values(token, "SUMMARY"),
    ];
    const sequence = async () => Number((await values(token, "SEQUENCE"))[0]);
    const [uid] = await values(token, "UID");
    const before = await sequence();
    await cancelSessions(course.deps, bio, "per-Tess", { record: await record(), scope: "one" });
    expect(await entry()).toEqual([[uid], ["CANCELLED"], ["Cancelled: Genes (Biology)"]]);
    const between = await sequence();
    await restoreSessions(course.deps, bio, "per-Tess", { record: await record(), scope: "one" });
    expect(await entry()).toEqual([[uid], ["CONFIRMED"], ["Genes (Biology)"]]);
    expect(between).toBeGreaterThan(before);
    expect(await sequence()).toBeGreaterThan(between);
  });

  test("also changes with a name that is shown only here", async () => {
    await course.plan();
    await course.work();
    const token = await courseCalendar();
    const [before] = await values(token, "SEQUENCE");
    const biology = await course.courseOf("bio");
    const { next } = await showSessions(course.deps, biology);
    const record = required(await findSession(course.deps, biology, next[0]?.key ?? ""));
    await changeSessions(course.deps, biology, "per-Tess", { record, scope: "one" }, { title: "Genes" });
    expect(await values(token, "SUMMARY")).toEqual(["Genes (Biology)"]);
    expect(Number((await values(token, "SEQUENCE"))[0])).toBeGreaterThan(Number(before));
  });
});

describe("the calendar of a person", () => {
  test("has the sessions of all their courses for their sections while they are in them", async () => {
    await course.addCourse("chem", "Chemistry");
    const ann = await course.addMember("bio", "Ann", "learner", ["s1"]);
    await course.addMember("chem", "Ann", "learner");
    await course.plan({ title: "For one", sectionIds: ["s1"] });
    await course.plan({ title: "For two", sectionIds: ["s2"] });
    await course.plan({ title: "For all", time: "12:00" });
    await course.plan({ title: "Acids", courseId: "chem", time: "14:00" });
    await course.work();
    const token = await calendarOf(ann);
    expect((await values(token, "SUMMARY")).sort()).toEqual([
      "Acids (Chemistry)",
      "For all (Biology)",
      "For one (Biology)",
    ]);
    await course.stores.members.applyRoster({ registrationId, courseId: "bio" }, course.time.now, {
      made: [],
      changed: [{ personId: ann, id: "unused", to: { active: false } }],
    });
    expect(await values(token, "SUMMARY")).toEqual(["Acids (Chemistry)"]);
    expect((await values(await calendarOf("per-Tess"), "SUMMARY")).sort()).toEqual([
      "For all (Biology)",
      "For one (Biology)",
      "For two (Biology)",
    ]);
  });

  test("leaves out a course whose deployment is refused, and finds a current one among many old ones", async () => {
    for (let n = 0; n < 60; n += 1) await course.addMember(`old-${n}`, "Ann", "learner");
    const ann = await course.addMember("bio", "Ann", "learner");
    const refused = { registrationId, deploymentId: "2", contextId: "away" };
    await course.stores.courses.record(refused, launchedCourse(), newCourse("away"));
    await course.addMember("away", "Ann", "learner");
    const seen = { registrationId, deploymentId: "2", status: "refused", firstSeenAt: 1 } as const;
    await course.stores.deployments.record(seen);
    await course.plan({ title: "Genes" });
    await course.work();
    expect(await values(await calendarOf(ann), "SUMMARY")).toEqual(["Genes (Biology)"]);
  });

  test("has future sessions, however many sections met before", async () => {
    const ann = await course.addMember("bio", "Ann", "learner");
    const lab = { startsAt: course.time.now - 3_600_000, courseId: "bio" };
    for (let at = 0; at < 1_000; at += 1)
      await course.stores.events.save(eventOf({ ...lab, eventId: `lab-${at}` }));
    await course.plan({ title: "Genes" });
    await course.work();
    expect(await values(await calendarOf(ann), "SUMMARY")).toContain("Genes (Biology)");
  });
});

describe("an address of a calendar", () => {
  test("has at least 128 random bits, is stored as a digest, and differs each time", async () => {
    const [one, other] = [await calendarOf("per-Tess"), await calendarOf("per-Tess")];
    expect(one).toMatch(/^[\w-]{32}$/);
    expect(other).not.toBe(one);
    expect(
      JSON.stringify(
        await course.stores.calendars.find({ registrationId, scope: "person", ownerId: "per-Tess" }),
      ),
    ).not.toContain(other);
  });

  test("opens for its owner with the tool's secret, and for no other address", async () => {
    const owner = { registrationId, scope: "person", ownerId: "per-Tess" } as const;
    const token = await calendarOf("per-Tess");
    const kept = required(await course.stores.calendars.find(owner));
    expect(calendarToken({ sealer }, kept)).toBe(token);
    expect(calendarToken({ sealer }, { ...kept, digest: "another" })).toBeNull();
    expect(
      calendarToken({ sealer: createSealer("a-secret-that-came-after-the-first-one") }, kept),
    ).toBeNull();
    expect((await read(token)).status, "it still works").toBe(200);
  });

  test("that is wrong, replaced, ended or of an LMS that is switched off reveals nothing", async () => {
    const [old, now] = [await courseCalendar(), await courseCalendar()];
    const answers = async (token: string) => {
      const answer = await read(token);
      return [answer.status, await answer.text(), answer.headers.get("cache-control")];
    };
    const nothing = [404, "Not found.\n", "no-store"];
    expect(await answers(old)).toEqual(nothing);
    expect(await answers("x".repeat(32))).toEqual(nothing);
    expect(await answers("..%2f..%2fetc")).toEqual(nothing);
    expect((await answers(now))[0]).toBe(200);
    await course.stores.registrations.set(registrationId, { active: false });
    expect(await answers(now)).toEqual(nothing);
    await course.stores.registrations.set(registrationId, { active: true });
    await course.stores.calendars.revoke({ registrationId, scope: "course", ownerId: "bio" });
    expect(await answers(now)).toEqual(nothing);
  });
});
