// Imitates nothing.
import type { Request, Response } from "express";
import { errorPage } from "./html.ts";
import type { Lms } from "./lms.ts";
import { mayOpen, teaches } from "./lms-world.ts";
import type { Course, Person } from "./lms-records.ts";
import type { Session } from "./sessions.ts";

export type Viewer = { person: Person; session: Session };

/** Else redirects to the login page and returns null. */
export function viewerOf(lms: Lms, request: Request, response: Response): Viewer | null {
  const session = lms.sessions.of(request);
  const person = session === null ? undefined : lms.world.people.get(session.personId);
  if (session !== null && person !== undefined) return { person, session };
  response.redirect(303, `/login?next=${encodeURIComponent(request.originalUrl)}`);
  return null;
}

/** Else answers the request and returns null. */
export function courseViewerOf(
  lms: Lms,
  exchange: { request: Request; response: Response },
  courseId: string,
  need: "open" | "teach",
): (Viewer & { course: Course }) | null {
  const viewer = viewerOf(lms, exchange.request, exchange.response);
  if (viewer === null) return null;
  const course = lms.world.courses.get(courseId);
  const allowed =
    course !== undefined &&
    (need === "teach" ? teaches(course, viewer.person) : mayOpen(course, viewer.person));
  if (course !== undefined && allowed) return { ...viewer, course };
  const [status, message] =
    course === undefined
      ? [404, "There is no such course."]
      : [
          403,
          need === "teach"
            ? "Only teachers of this course may see this."
            : "You cannot enrol yourself in this course.",
        ];
  exchange.response.status(status).type("html").send(errorPage(lms, message));
  return null;
}

export function pathValue(request: Request, name: string): string {
  const value = request.params[name];
  return typeof value === "string" ? value : "";
}

/** Of a posted form or the query; empty when absent. */
export function fieldOf(source: unknown, name: string): string {
  if (typeof source !== "object" || source === null) return "";
  const value: unknown = Object.entries(source).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value.trim() : "";
}
