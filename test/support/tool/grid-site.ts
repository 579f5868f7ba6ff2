import { createServer } from "node:http";
import { listen } from "../../../sandbox/listen.ts";
import { analyticsRoutes } from "../../../src/modules/analytics/pages/analytics-routes.ts";
import type { KnownStatus } from "../../../src/domain/attendance.ts";
import type { App } from "../../../src/app.ts";
import { gradeAfterChange } from "../../../src/modules/grading/regrade.ts";
import { registerRoutes } from "../../../src/modules/attendance/pages/register-routes.ts";
import type { Session } from "../../../src/web/session.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { openRegisterCourse } from "../builders/register-course.ts";
import { registrationOf } from "../builders/registration.ts";
import { pagesApp, sessionsOf } from "./pages-app.ts";

const day = 86_400_000;

export type GridSite = Awaited<ReturnType<typeof openGridSite>>;

/**
 * The pages about attendance over HTTP with a course as a test wants it, in this process: no LMS, no classroom, no workers. `/` is a page
 * like another site's that opens them in a frame, as an LMS does.
 */
export async function openGridSite() {
  const course = await openRegisterCourse();
  const { stores, key } = course;
  await stores.registrations.insert(
    registrationOf({
      id: key.registrationId,
      issuer: "https://lms.example",
      clientId: "client",
      family: "canvas",
    }),
  );
  const translatorOf = createTranslator();
  const sessions = sessionsOf(course.stores, course);
  const whileSessionsChange: App["whileSessionsChange"] = (of, change) =>
    gradeAfterChange(course.deps, of, "everybody", change);
  const { logger } = course.deps;
  const deps = { ...course.marking, ...course.stores, translatorOf, sessions, logger, whileSessionsChange };
  const app = pagesApp(deps, registerRoutes(deps), analyticsRoutes(deps));
  const server = createServer(app);
  const port = await listen(server);
  const url = `http://127.0.0.1:${port}`;
  const who: Session = {
    registrationId: key.registrationId,
    courseId: key.courseId,
    personId: "per-Ina",
    courseLinkId: null,
    role: "instructor",
    staffRole: "teacher",
    locale: "en",
  };
  const tokenOf = (change: Partial<Session> = {}) => sessions.issue({ ...who, ...change });

  return {
    ...course,
    url,
    tokenOf,
    /** Posts a form of a page and returns the response. */
    post: async (path: string, fields: Record<string, string> = {}, change: Partial<Session> = {}) => {
      const body = new URLSearchParams({ session: await tokenOf(change), ...fields });
      const answer = await fetch(url + path, { method: "POST", body });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    /** The same for a file that is not text. */
    download: async (path: string, fields: Record<string, string> = {}, change: Partial<Session> = {}) => {
      const body = new URLSearchParams({ session: await tokenOf(change), ...fields });
      const answer = await fetch(url + path, { method: "POST", body });
      return { bytes: new Uint8Array(await answer.arrayBuffer()), headers: answer.headers };
    },
    /** Lessons one day apart, the last one yesterday: "s0", "s1" and so on. @returns their ids. */
    lessons: async (count: number): Promise<string[]> => {
      const ids = Array.from({ length: count }, (_none, n) => `s${n}`);
      for (const [n, id] of ids.entries()) await course.session(id, course.clock.now() - (count - n) * day);
      return ids;
    },
    /** The classroom reports a person's status, with all its consequences. */
    marks: async (name: string, eventId: string, status: string) => {
      await course.classroomSays(name, eventId, status, course.clock.now() - 60_000);
      await course.grade(`per-${name}`);
    },
    /** An instructor's correction, as if from another page of theirs. */
    corrects: async (name: string, eventId: string, status: KnownStatus) => {
      await course.correct(`per-${name}`, eventId, status);
      await course.grade(`per-${name}`);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await course.close();
    },
  };
}
