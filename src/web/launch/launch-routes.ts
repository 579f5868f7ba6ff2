import express, { type Request, type Response, Router } from "express";
import type { Course } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Registration } from "../../domain/registration.ts";
import { recordLaunch, type RecordLaunchDeps } from "../../features/courses/record-launch.ts";
import { showGradeSync } from "../../features/grading/show-grade-sync.ts";
import { joinClass, type JoinClassDeps } from "../../features/joining/join-class.ts";
import { prepareEntry } from "../../features/joining/prepare-entry.ts";
import type { Background } from "../../kernel/background.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import { type ErrorPageDeps, showError } from "../error-page.ts";
import type { Session, Sessions } from "../session.ts";
import type { TranslatorOf } from "../translate.ts";
import { isFramed, isMobile } from "./launch-view.ts";

export type LaunchRoutesDeps = JoinClassDeps &
  RecordLaunchDeps &
  Omit<ErrorPageDeps, "t"> & {
    findRegistration: (id: string) => Promise<Registration | null>;
    deliveries: DeliveryStore;
    onScoreWanted: () => void;
    sessions: Sessions;
    translatorOf: TranslatorOf;
    background: Background;
  };

/** What happens with a verified launch: `lms` calls it, the answer is a page or a redirect. */
export async function showLaunch(
  deps: LaunchRoutesDeps,
  launch: Launch,
  request: Request,
  response: Response,
): Promise<void> {
  const { locale, returnUrl } = launch.presentation;
  const t = deps.translatorOf(locale);
  try {
    if (launch.kind !== "resource-link") {
      throw new NamedError(
        "message-not-offered",
        "This version opens the classroom from a course link only; it offers no content to choose and no submissions to review.",
        { status: 501 },
      );
    }
    const registration = await deps.findRegistration(launch.registrationId);
    if (registration === null)
      throw new NamedError("registration-unknown", "This LMS is not registered any more.", { status: 403 });
    const { course, person, member } = await recordLaunch(deps, registration, launch);
    const session: Session = {
      registrationId: registration.id,
      courseId: course.id,
      personId: person.id,
      courseLinkId: null,
      role: member.role,
      locale,
    };
    if (!isFramed(request, launch)) {
      await sendInside(deps, session, request, response, returnUrl);
      return;
    }
    deps.background.run("prepare entry", () => prepareEntry(deps, session));
    await showEnterPage(deps, session, course, response);
  } catch (thrown) {
    showError({ ...deps, t }, request, response, thrown, {
      returnUrl,
      showWhy: launch.rights.role === "instructor",
    });
  }
}

/** POST /enter (the button) and POST /course/sync ("send again now"). Both carry the session as a form field. */
export function launchRoutes(deps: LaunchRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/enter", form, async (request, response) => {
    const session = await sessionOf(deps, request);
    await sendInside(deps, session, request, response, null);
  });
  router.post("/course/sync", form, async (request, response) => {
    const session = await sessionOf(deps, request);
    const course = await deps.courses.find(session.courseId);
    if (session.role !== "instructor" || course === null) {
      throw new NamedError("instructors-only", "Only instructors of this course can do this.", {
        status: 403,
      });
    }
    await deps.deliveries.retryCourse(course.registrationId, course.id, deps.clock.now());
    deps.onScoreWanted();
    await showEnterPage(deps, session, course, response);
  });
  return router;
}

async function sessionOf(deps: LaunchRoutesDeps, request: Request): Promise<Session> {
  const body: unknown = request.body;
  const token = typeof body === "object" && body !== null && "session" in body ? body.session : null;
  return deps.sessions.read(token);
}

/** Redirects the browser into the Space, or shows a page from which the same entry can be tried again. */
async function sendInside(
  deps: LaunchRoutesDeps,
  session: Session,
  request: Request,
  response: Response,
  returnUrl: string | null,
): Promise<void> {
  try {
    const url = await joinClass(deps, { ...session, mobile: isMobile(request) });
    response.set("Cache-Control", "no-store").redirect(303, url);
  } catch (thrown) {
    showError({ ...deps, t: deps.translatorOf(session.locale) }, request, response, thrown, {
      retry: { action: "/enter", session: await deps.sessions.issue(session) },
      showWhy: session.role === "instructor",
      returnUrl,
    });
  }
}

async function showEnterPage(
  deps: LaunchRoutesDeps,
  session: Session,
  course: Course,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const courseName = course.title || course.label || t("product");
  response.set("Cache-Control", "no-store").render("launch/enter", {
    t,
    title: t("enter.title", { course: courseName }),
    courseName,
    locale: session.locale ?? "en",
    session: await deps.sessions.issue(session),
    grades: session.role === "instructor" ? await showGradeSync(deps, course) : null,
    gradesOff: course.policy.kind === "no-grades",
  });
}
