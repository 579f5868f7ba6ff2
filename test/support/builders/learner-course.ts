import { listen } from "../../../sandbox/listen.ts";
import { closed } from "../stand-ins/local-server.ts";
import type { AccountId } from "../../../src/domain/account.ts";
import { testAccounts } from "./test-accounts.ts";
import { tokenOf } from "../../../src/web/session-address.ts";
import { createServer } from "node:http";
import express, { Router } from "express";
import { z } from "zod";
import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import type { KnownStatus } from "../../../src/domain/attendance.ts";
import { type EntryWindow, alwaysOpen } from "../../../src/domain/entry.ts";
import { findTarget } from "../../../src/modules/joining/entry-target.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import type { Registration } from "../../../src/domain/registration.ts";
import type { SpaceAccess } from "../../../src/domain/course-link.ts";
import { mySessionsRoutes } from "../../../src/modules/scheduling/pages/my-sessions-routes.ts";
import { judgeByCourse } from "../../../src/modules/joining/pages/current-roles.ts";
import { notSetUp, showClosed } from "../../../src/modules/joining/pages/closed-entry.ts";
import { learnerHome } from "../../../src/modules/launch/pages/home-page.ts";
import { sendAnswer } from "../../../src/web/answer.ts";
import { frameOf } from "../../../src/web/course-words.ts";
import { showPage } from "../../../src/web/declared-page.ts";
import type { Session } from "../../../src/web/session.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { openRegisterCourse } from "./register-course.ts";
import { registrationOf } from "./registration.ts";
import { pagesApp, sessionsOf } from "../tool/pages-app.ts";
import { eventOf, foundPlanOf } from "./event.ts";

const hour = 3_600_000;
const carried = z.object({ session: z.string() });

/** The pages that learners see, of a course that tests set up, without an LMS or a classroom. "Ann" is the person "per-Ann". */
export async function openLearnerCourse() {
  const course = await openRegisterCourse();
  const { stores, key } = course;
  const registration: Registration = registrationOf({ id: key.registrationId, createdAt: 1 });
  const configured = { yes: true };
  const known = testAccounts("production");
  const translatorOf = createTranslator();
  const deps = {
    ...course.deps,
    sessions: sessionsOf(stores, { clock: course.clock, judge: judgeByCourse(course.deps) }),
    translatorOf,
    sealer: createSealer("a secret key of at least thirty-two bytes"),
    publicUrl: "https://tool.test",
    config: { mail: null },
    recordingSettingsOf: () => defaultDialect.recordings,
    spaceOriginsOf: () => ["https://app.test"],
    entryTargetsOf: () => ["https://app.test"],
    accounts: { ...known, find: (id: AccountId) => (configured.yes ? known.find(id) : undefined) },
    appUrlOf: () => "https://app.test",
  };
  const sessionOf = (person: string, change: Partial<Session> = {}) =>
    deps.sessions.issue({
      ...key,
      personId: `per-${person}`,
      courseLinkId: null,
      role: "learner",
      staffRole: change.role === "instructor" ? "teacher" : null,
      locale: null,
      ...change,
    });
  const launch = Router();
  const form = express.urlencoded({ extended: false });
  launch.all("/course/home", form, async (request, response) => {
    const session = await deps.sessions.readForEntry(tokenOf(request));
    const target = await findTarget(deps, { ...session, mobile: false, shown: "tab" });
    const visit = { session, course: target.course };
    const asked = { visit, fields: {}, t: deps.translatorOf(session.locale), typed: null };
    const browser = { mobile: false, maybeTablet: false, framed: true };
    const answer = await showPage(deps, { ...asked, browser }, learnerHome, target);
    await sendAnswer(response, answer, () => frameOf(deps, visit));
  });
  launch.post("/closed", form, async (request, response) => {
    const session = await deps.sessions.readForEntry(carried.parse(request.body).session);
    await showClosed(deps, session, notSetUp, response, { framed: false, shown: "tab", returnUrl: null });
  });
  launch.use(mySessionsRoutes(deps));
  const app = pagesApp(deps, launch);
  const server = createServer(app);
  const site = `http://localhost:${await listen(server)}`;
  const settle = async (change: { door?: EntryWindow; spaceAccess?: SpaceAccess }) => {
    const { settingsRevision, door, spaceAccess } = await course.course();
    const to = { settings: defaultJoinSettings, door, spaceAccess, ...change };
    await stores.courses.changeSettings(key.courseId, settingsRevision, to);
  };
  return {
    ...course,
    deps,
    site,
    sessionOf,
    /** A separate course for each test: in Paris, with Ina Instructor and one learner, Ann, of section "a". */
    startAnew: async () => {
      configured.yes = true;
      await course.empty();
      await stores.registrations.insert(registration);
      await stores.courses.setTimeZone(key.courseId, "Europe/Paris");
      await course.known("per-Ina", "Ina Instructor");
      await course.enrol("Ann", ["a"]);
    },
    /** Whether the operator has configured the classroom. */
    configured,
    /** Posts a form as a page of the tool does. */
    post: (path: string, fields: Record<string, string>) =>
      fetch(`${site}${path}`, { method: "POST", body: new URLSearchParams(fields) }),
    /** A session of an hour that begins in `begins` hours; negative: in the past. */
    lesson: async (
      eventId: string,
      begins: number,
      change: { title?: string; cancelled?: boolean; deleted?: boolean; hours?: number } = {},
    ) => {
      const startsAt = course.clock.now() + begins * hour;
      await stores.events.save(
        eventOf({
          eventId,
          title: change.title ?? `Lesson ${eventId}`,
          startsAt,
          endsAt: startsAt + (change.hours ?? 1) * hour,
          cancelled: change.cancelled ?? false,
          deleted: change.deleted ?? false,
          courseId: key.courseId,
        }),
      );
    },
    /** An instructor decides something here about a session that was created in the classroom. */
    says: (eventId: string, own: { sectionIds?: readonly string[]; counts?: boolean }) =>
      stores.sessionPlans.adopt(foundPlanOf({ ...key, eventId, ...own })),
    /** An instructor sets a learner's attendance, with a note for them. */
    corrects: (person: string, eventId: string, status: KnownStatus, notes: string | null) =>
      stores.attendance.correct(
        { ...key, eventId, personId: `per-${person}` },
        { status, notes, reason: "between us", by: "per-Ina", at: course.clock.now() },
        { id: `att-${eventId}-${person}`, sectionIds: [] },
      ),
    /** The classroom opens around its sessions, for some sections or for all. */
    opensAroundSessions: (sectionIds: readonly string[] = []) =>
      settle({ door: { ...alwaysOpen, opens: "around-sessions", sectionIds } }),
    opensFor: (sectionIds: readonly string[]) => settle({ door: { ...alwaysOpen, sectionIds } }),
    isSaidToBe: (spaceAccess: SpaceAccess) => settle({ spaceAccess }),
    close: async () => {
      await closed(server);
      await course.close();
    },
  };
}
