import express, { type Request, type Response, Router } from "express";
import type { Course } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Registration } from "../../domain/registration.ts";
import type { AnswerCopiedSettingsDeps } from "../../features/courses/answer-copied-settings.ts";
import { offerCopiedSettings } from "../../features/courses/offer-copied-settings.ts";
import {
  recordLaunch,
  type RecordedLaunch,
  type RecordLaunchDeps,
} from "../../features/courses/record-launch.ts";
import {
  subscribeToNotices,
  type SubscribeToNoticesDeps,
} from "../../features/courses/subscribe-to-notices.ts";
import { learnProduct, type LearnProductDeps } from "../../features/registration/learn-product.ts";
import { learnTimeZone } from "../../features/scheduling/learn-time-zone.ts";
import { learnFromLaunch, type LearnFromLaunchDeps } from "../../features/sections/learn-from-launch.ts";
import { type EnterClassDeps, enterTarget } from "../../features/joining/enter-class.ts";
import type { Background } from "../../kernel/background.ts";
import { noteActor } from "../../kernel/request-scope.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import {
  type DeepLinkingRoutesDeps,
  deepLinkingRoutes,
  showDialog,
} from "../deep-linking/deep-linking-routes.ts";
import { instructorVisit, mayIn } from "../course/instructor-visit.ts";
import { gradesRoutes, type GradesRoutesDeps } from "../course/grades-routes.ts";
import { restoredRoutes, type RestoredRoutesDeps } from "../course/restored-routes.ts";
import { gradingRoutes, type GradingRoutesDeps } from "../course/grading-routes.ts";
import { peopleRoutes, type PeopleRoutesDeps } from "../course/people-routes.ts";
import { accessToTell } from "../door/access-to-tell.ts";
import { type ClosedPageDeps, isInFrame, showClosed } from "../door/closed-page.ts";
import { doorRoutes } from "../door/door-routes.ts";
import { isSetUp, notSetUp } from "../door/shown-door.ts";
import { readAgainRoutes, type ReadAgainRoutesDeps } from "../course/read-again-routes.ts";
import { registerRoutes, type RegisterRoutesDeps } from "../course/register-routes.ts";
import { mySessionsRoutes, type MySessionsRoutesDeps } from "../course/my-sessions-routes.ts";
import { hereRoutes, type HereRoutesDeps } from "../course/here-routes.ts";
import { alertsRoutes, type AlertsRoutesDeps } from "../course/alerts-routes.ts";
import { recordingsRoutes, type RecordingsRoutesDeps } from "../course/recordings-routes.ts";
import { sessionChangeRoutes, type SessionChangeRoutesDeps } from "../course/session-change-routes.ts";
import { sessionsPlanRoutes, type SessionsPlanRoutesDeps } from "../course/sessions-plan-routes.ts";
import { signOutRoutes, type SignOutRoutesDeps } from "../course/sign-out-routes.ts";
import { sessionsRoutes } from "../course/sessions-routes.ts";
import { settingsRoutes, type SettingsRoutesDeps } from "../course/settings-routes.ts";
import { type ErrorPageDeps, showError } from "../error-page.ts";
import type { Session, Sessions } from "../session.ts";
import { unmatchedRoutes, type UnmatchedRoutesDeps } from "../course/unmatched-routes.ts";
import { type ShownWish, targetAsShown, wishOf } from "../space/entry-as-shown.ts";
import { showInside, type ShowInsideDeps } from "../space/show-inside.ts";
import { spaceRoutes } from "../space/space-routes.ts";
import type { TranslatorOf } from "../translate.ts";
import { sendToWait, type SendToWaitDeps } from "../waiting/send-to-wait.ts";
import { originOrNull } from "../web-address.ts";
import { type ConsoleWayDeps, consoleWayOf } from "./console-way.ts";
import { copiedRoutes } from "./copied-routes.ts";
import { type EnterPageDeps, showEnterPage } from "./enter-page.ts";
import type { HomeShown } from "./instructor-home.ts";
import { isFramed } from "./launch-view.ts";
import { changeLinkAsPosted } from "./link-opens.ts";
import { choosesSpace, reserveOrHome } from "./refused-space.ts";
import { type ReviewPageDeps, showReview } from "./review-page.ts";
import { setUpRoutes, type SetUpRoutesDeps } from "./set-up-routes.ts";

export type LaunchRoutesDeps = EnterClassDeps &
  RecordLaunchDeps &
  AnswerCopiedSettingsDeps &
  SubscribeToNoticesDeps &
  ReviewPageDeps &
  EnterPageDeps &
  Omit<SetUpRoutesDeps, "showHome"> &
  DeepLinkingRoutesDeps &
  LearnFromLaunchDeps &
  LearnProductDeps &
  PeopleRoutesDeps &
  ClosedPageDeps &
  SettingsRoutesDeps &
  SessionsPlanRoutesDeps &
  SessionChangeRoutesDeps &
  MySessionsRoutesDeps &
  RegisterRoutesDeps &
  GradingRoutesDeps &
  UnmatchedRoutesDeps &
  ReadAgainRoutesDeps &
  GradesRoutesDeps &
  RestoredRoutesDeps &
  RecordingsRoutesDeps &
  AlertsRoutesDeps &
  HereRoutesDeps &
  ShowInsideDeps &
  SignOutRoutesDeps &
  SendToWaitDeps &
  Omit<ErrorPageDeps, "t"> & {
    findRegistration: (id: string) => Promise<Registration | null>;
    deliveries: DeliveryStore;
    onScoreWanted: () => void;
    sessions: Sessions;
    translatorOf: TranslatorOf;
    background: Background;
  } & ConsoleWayDeps;

/** What a launch has just read and written down, so that nobody needs to look it up. */
type Known = RecordedLaunch & { registration: Registration };

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
    const known: Known = { ...(await recordLaunch(deps, registration, launch)), registration };
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

/**
 * The page with the button and a place in the line for its reader. Before a closed door a learner's home says so, and a
 * page of its own to whoever may see no more than that.
 */
async function showInFrame(
  deps: LaunchRoutesDeps,
  session: Session,
  request: Request,
  response: Response,
  { returnUrl, known }: { returnUrl: string | null; known?: Known },
): Promise<void> {
  const target = await targetAsShown(deps, session, request, "as-set", known);
  const instructs = session.role === "instructor";
  // Begun together, two writes share one commit of the embedded engine.
  const [closed, token] = await Promise.all([
    instructs || isSetUp(deps, target.course) ? reserveOrHome(deps, session, target) : notSetUp,
    deps.sessions.issue(session, known),
  ]);
  const begun = { ...session, token };
  const { registration } = known ?? {};
  if (closed === null || session.only !== "entry")
    await showEnterPage(deps, begun, target.course, response, { target: { ...target, registration } });
  else
    await showClosed(deps, begun, closed, response, {
      framed: true,
      shown: "tab",
      returnUrl,
    });
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
  router.use(spaceRoutes(deps));
  router.use(peopleRoutes(deps));
  router.use(settingsRoutes(deps));
  router.use(sessionsRoutes(deps));
  router.use(sessionsPlanRoutes(deps));
  router.use(sessionChangeRoutes(deps));
  router.use(mySessionsRoutes(deps));
  router.use(registerRoutes(deps));
  router.use(gradingRoutes(deps));
  router.use(unmatchedRoutes(deps));
  router.use(readAgainRoutes(deps));
  router.use(gradesRoutes(deps));
  router.use(restoredRoutes(deps));
  router.use(recordingsRoutes(deps));
  router.use(alertsRoutes(deps));
  router.use(hereRoutes(deps));
  router.use(signOutRoutes(deps));
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

/** Where somebody comes who was let in, has to wait, or stands before a closed door. */
async function showEntered(
  deps: LaunchRoutesDeps,
  session: Session,
  entered: Awaited<ReturnType<typeof enterTarget>>,
  request: Request,
  response: Response,
  { wish, returnUrl }: { wish: ShownWish; returnUrl: string | null },
): Promise<void> {
  if (entered.state === "inside") await showInside(deps, { ...entered, session }, response);
  else if (entered.state === "closed")
    await showClosed(deps, session, entered.door, response, {
      framed: isInFrame(request),
      shown: wish === "tab" ? "tab" : "embedded",
      returnUrl,
    });
  else await sendToWait(deps, entered.ticket, request, response);
}

/** Redirects the browser into the Space, or shows a page from which the same entry can be tried again. */
async function sendInside(
  deps: LaunchRoutesDeps,
  session: Session,
  request: Request,
  response: Response,
  { wish, returnUrl, known }: { wish: ShownWish; returnUrl: string | null; known?: Known },
): Promise<void> {
  try {
    const target = await targetAsShown(deps, session, request, wish, known);
    const { shown, mobile } = target.entry;
    if (shown === "tab" && isInFrame(request) && (wish === "embedded" || mobile)) {
      // It was to be shown here, and the setting has changed since; or this is a phone's or a tablet's frame.
      await showInFrame(deps, session, request, response, { returnUrl });
      return;
    }
    if (session.role !== "instructor" && !isSetUp(deps, target.course)) {
      await showClosed(deps, session, notSetUp, response, {
        framed: isInFrame(request),
        shown: "tab",
        returnUrl,
      });
      return;
    }
    const entered = await enterTarget(deps, target);
    await showEntered(deps, session, entered, request, response, { wish, returnUrl });
  } catch (thrown) {
    if (choosesSpace(session, thrown)) {
      await showInFrame(deps, session, request, response, { returnUrl });
      return;
    }
    showError({ ...deps, t: deps.translatorOf(session.locale) }, request, response, thrown, {
      retry: {
        action: "/enter",
        session: await deps.sessions.issue(session),
        shown: wish === "tab" ? "tab" : "embedded",
      },
      showWhy: session.role === "instructor",
      returnUrl,
    });
  }
}
