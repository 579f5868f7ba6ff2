import express, { type Request, type Response, Router } from "express";
import type { Course } from "../../../domain/course.ts";
import type { Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { AnswerCopiedSettingsDeps } from "../answer-copied-settings.ts";
import { offerCopiedSettings } from "../offer-copied-settings.ts";
import { recordLaunch, type RecordLaunchDeps } from "../record-launch.ts";
import { subscribeToNotices, type SubscribeToNoticesDeps } from "../../courses/subscribe-to-notices.ts";
import { learnProduct, type LearnProductDeps } from "../../registration/learn-product.ts";
import { learnTimeZone } from "../../scheduling/learn-time-zone.ts";
import { learnFromLaunch, type LearnFromLaunchDeps } from "../../members/learn-from-launch.ts";
import type { Background } from "../../../kernel/background.ts";
import { noteActor } from "../../../kernel/request-scope.ts";
import type { DeliveryStore } from "../../grading/store/delivery-store.ts";
import {
  type DeepLinkingRoutesDeps,
  deepLinkingRoutes,
  showDialog,
} from "../../links/pages/deep-linking-routes.ts";
import { instructorVisit, mayIn } from "../../../web/instructor-visit.ts";
import { accessToTell } from "../../joining/pages/access-to-tell.ts";
import { doorRoutes } from "../../joining/pages/door-routes.ts";
import { showError } from "../../../web/error-page.ts";
import type { Session } from "../../../web/session.ts";
import { targetAsShown, wishOf } from "../../joining/pages/entry-as-shown.ts";
import { originOrNull } from "../../../web/web-address.ts";
import { type ConsoleWayDeps, consoleWayOf } from "./console-way.ts";
import { courseSite, type CourseSiteDeps } from "./course-site.ts";
import { copiedRoutes } from "./copied-routes.ts";
import { showEnterPage } from "./enter-page.ts";
import type { HomeShown } from "./instructor-home.ts";
import { isFramed } from "./launch-view.ts";
import { changeLinkAsPosted } from "./link-opens.ts";
import { type ReviewPageDeps, showReview } from "./review-page.ts";
import { type KnownOfLaunch, sendInside, type SendInsideDeps, showInFrame } from "./send-inside.ts";
import { setUpRoutes, type SetUpRoutesDeps } from "./set-up-routes.ts";

export type LaunchRoutesDeps = CourseSiteDeps &
  SendInsideDeps &
  RecordLaunchDeps &
  AnswerCopiedSettingsDeps &
  SubscribeToNoticesDeps &
  ReviewPageDeps &
  Omit<SetUpRoutesDeps, "showHome"> &
  DeepLinkingRoutesDeps &
  LearnFromLaunchDeps &
  LearnProductDeps & {
    findRegistration: (id: string) => Promise<Registration | null>;
    deliveries: DeliveryStore;
    onScoreWanted: () => void;
    background: Background;
  } & ConsoleWayDeps;

/**
 * What happens with a verified launch: `lms` calls it, the answer is a page or a redirect.
 * @param judgedBy The LMS as it was when the launch was judged, a moment ago.
 */
export async function showLaunch(
  deps: LaunchRoutesDeps,
  launch: Launch,
  judgedBy: Registration,
  request: Request,
  response: Response,
): Promise<void> {
  const { locale, returnUrl } = launch.presentation;
  const t = deps.translatorOf(locale);
  try {
    const registration = await learnProduct(deps, judgedBy, launch);
    if (launch.kind === "deep-linking") {
      deps.onPlaced?.();
      await showDialog(deps, registration, launch, response);
      return;
    }
    deps.background.run("subscribe to notices", () => subscribeToNotices(deps, registration, launch));
    if (launch.kind === "submission-review") {
      deps.onPlaced?.(); // the LMS is asked for the grade
      await showReview(deps, t, registration, launch, response);
      return;
    }
    const known: KnownOfLaunch = { ...(await recordLaunch(deps, registration, launch)), registration };
    const { course, person, member, link } = known;
    noteActor({ kind: "person", registrationId: registration.id, personId: person.id, role: member.role });
    deps.background.run("learn the time zone", () => learnTimeZone(deps, course, launch));
    deps.background.run("learn from launch", () => learnFromLaunch(deps, course, member, launch));
    const session: Session = {
      registrationId: registration.id,
      deploymentId: launch.deploymentId,
      courseId: course.id,
      personId: person.id,
      courseLinkId: link?.id ?? null,
      framedBy: originOrNull(returnUrl),
      role: member.role,
      staffRole: launch.rights.staffRole,
      locale,
      ...consoleWayOf(deps, registration, launch),
    };
    const stops =
      session.consoleUntil !== undefined ||
      (await isToBeAsked(deps, session, course)) ||
      accessToTell(session, known) !== null;
    if (!isFramed(request, launch) && !stops) {
      await sendInside(deps, session, request, response, { wish: "as-set", returnUrl, known });
      return;
    }
    await showInFrame(deps, session, request, response, { returnUrl, known });
  } catch (thrown) {
    showError({ ...deps, t }, request, response, thrown, {
      returnUrl,
      showWhy: launch.rights.role === "instructor",
    });
  }
}

/** Whether an instructor has settings of a copied course to choose between: then the page comes before the Space, once. */
async function isToBeAsked(deps: LaunchRoutesDeps, session: Session, course: Course): Promise<boolean> {
  if (!mayIn(session, course, "corrections")) return false;
  return ((await offerCopiedSettings(deps, course))?.differences.length ?? 0) > 0;
}

/**
 * POST /enter (the button), POST /course/enter (everybody's home), POST /course/link ("what this link opens"), and the
 * routes of a course's other pages. All carry the session as a form field.
 */
export function launchRoutes(deps: LaunchRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/enter", form, async (request, response) => {
    const session = await deps.sessions.readForEntry(tokenIn(request));
    await sendInside(deps, session, request, response, { wish: wishOf(request.body), returnUrl: null });
  });
  router.post("/course/link", form, async (request, response) => {
    const { session, course } = await instructorVisit(deps, request, "settings");
    const change = await changeLinkAsPosted(deps, session, course, request.body);
    await showEnterPage(deps, session, course, response, { change });
  });
  router.post("/course/enter", form, async (request, response) => {
    const session = await deps.sessions.read(tokenIn(request));
    const target = await targetAsShown(deps, session, request, "as-set");
    await showEnterPage(deps, session, target.course, response, { target });
  });
  router.use(courseSite(deps));
  router.use(
    doorRoutes({
      ...deps,
      showInFrame: async (session, request, response) => {
        await showInFrame(deps, session, request, response, { returnUrl: null });
      },
    }),
  );
  router.use(deepLinkingRoutes(deps));
  const showHome = (session: Session, course: Course, response: Response, shown: HomeShown) =>
    showEnterPage(deps, session, course, response, shown);
  router.use(copiedRoutes({ ...deps, showHome }));
  router.use(setUpRoutes({ ...deps, showHome }));
  return router;
}

function tokenIn(request: Request): unknown {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "session" in body ? body.session : null;
}
