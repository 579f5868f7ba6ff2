import type { Request, Response } from "express";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import type { Launch } from "../../../domain/launch.ts";
import { personName } from "../../../domain/person.ts";
import type { Registration } from "../../../domain/registration.ts";
import { noteActor } from "../../../kernel/request-scope.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import { gradeWords, type Reader, sumView } from "../../attendance/pages/my-attendance-view.ts";
import { type AttendedSession, countsOf, whyNotGraded } from "../../attendance/show-attendance.ts";
import { type LearnerReview, reviewLearner } from "../../attendance/show-learner.ts";
import { myCheckIns } from "../../check-in/check-in.ts";
import { subscribeToNotices } from "../../courses/notices.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import { accessToShow } from "../../joining/pages/closed-entry.ts";
import { offerCopiedSettings } from "../set-up.ts";
import { recordLaunch, subOfPreview } from "../record-launch.ts";
import { leadsInside } from "../home.ts";
import { type KnownOfLaunch, sendInside, showInFrame } from "./send-inside.ts";
import { showDialog } from "../../links/pages/hand-over.ts";
import { saveLaunchFacts } from "../../members/roster-readings.ts";
import { saveProduct } from "../../registration/registrations.ts";
import type { SessionWords } from "../../scheduling/pages/sessions-view.ts";
import { saveTimeZone } from "../../scheduling/plan-sessions.ts";
import { courseTimes, zoneText } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { showError } from "../../../web/error-page.ts";
import { originOrNull, webAddressOrNull } from "../../../web/page-address.ts";
import { numberText, statusView } from "../../../web/page-text.ts";
import type { Session } from "../../../web/session.ts";
import { localeInWordsOf, type Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { mayIn, notAllowed } from "../../../web/visits.ts";
import { adminLinkOf } from "./home-panels.ts";

/** `cameAt` is in milliseconds. `onPlaced` is called once the order of launches doesn't matter any more. */
type LaunchOrder = { cameAt: number; onPlaced: () => void };

/** Answers a launch with a page or a redirect. Called by `lms`. @param judgedBy The registration by which the launch was judged. */
export async function showLaunch(
  app: App & LaunchOrder,
  launch: Launch,
  judgedBy: Registration,
  request: Request,
  response: Response,
): Promise<void> {
  const { locale, returnUrl } = launch.presentation;
  const t = app.translatorOf(localeInWordsOf(locale, capabilitiesOf(judgedBy).wording));
  try {
    await app.framing.useBranding(judgedBy.id);
    const registration = await saveProduct(app, judgedBy, launch);
    if (launch.kind === "deep-linking") {
      app.onPlaced();
      await showDialog(app, registration, launch, response);
      return;
    }
    app.background.run("subscribe to notices", () => subscribeToNotices(app, registration, launch));
    if (launch.kind === "submission-review") {
      app.onPlaced(); // the LMS is asked for the grade
      renderView(response, reviewPage, await reviewModel(app, t, registration, launch));
      return;
    }
    const known: KnownOfLaunch = { ...(await recordLaunch(app, registration, launch)), registration };
    const { course, person, member, link } = known;
    noteActor({ kind: "person", registrationId: registration.id, personId: person.id, role: member.role });
    app.background.run("learn the time zone", () => saveTimeZone(app, course, launch));
    app.background.run("learn from launch", () => saveLaunchFacts(app, course, member, launch));
    const session: Session = {
      registrationId: registration.id,
      deploymentId: launch.deploymentId,
      courseId: course.id,
      personId: person.id,
      courseLinkId: link?.id ?? null,
      framedBy: originOrNull(returnUrl),
      role: member.role,
      staffRole: launch.rights.staffRole,
      locale: localeInWordsOf(locale, capabilitiesOf(registration).wording),
      ...adminLinkOf(app, registration, launch),
    };
    const stops =
      app.sessionCookie.takePageRequest(request, response, course.id) ||
      (await stopsAtPage(app, session, known));
    if (!isFramed(request, launch) && !stops) {
      await sendInside(app, session, request, response, { requested: "as-set", returnUrl, known });
      return;
    }
    await showInFrame(app, session, request, response, { returnUrl, known });
  } catch (thrown) {
    showError({ ...app, t }, request, response, thrown, {
      returnUrl,
      showReason: launch.rights.role === "instructor",
    });
  }
}

/** People stop at their page if it asks them something, or if the launch leads to it. */
async function stopsAtPage(app: App, session: Session, known: KnownOfLaunch): Promise<boolean> {
  return (
    session.consoleUntil !== undefined ||
    (await isToBeAsked(app, session, known.course)) ||
    accessToShow(session, known) !== null ||
    (await checksIn(app, known)) ||
    !(await leadsInside(app, session, known))
  );
}

/** A learner may sit in the room with the screen, so their home asks for its code before the Space opens. */
async function checksIn(app: App, { course, member }: KnownOfLaunch): Promise<boolean> {
  if (member.role !== "learner" || !course.checkIn) return false;
  return (await myCheckIns(app, course, member)).open.length > 0;
}

/** An instructor who can take over settings in a copied course sees that page before the Space, once. */
async function isToBeAsked(app: App, session: Session, course: Course): Promise<boolean> {
  if (!mayIn(session, course, "corrections")) return false;
  return (await offerCopiedSettings(app, course))?.changes === true;
}

export type ReviewPage = Awaited<ReturnType<typeof reviewModel>>;

const reviewPage = defineView<ReviewPage>("launch/review");

/**
 * Shows one learner's attendance, opened from a cell of the gradebook. Recorded without its link, because a review's line item is the one
 * being looked at, not the link's own.
 * @throws NamedError "anonymous-launch", "launch-without-course", "review-of-somebody-else", "grades-not-allowed"
 */
async function reviewModel(app: App, t: Translate, registration: Registration, launch: Launch) {
  const { course, person, member } = await recordLaunch(app, registration, { ...launch, link: null });
  refuseArranging(launch.rights, course);
  const viewer = { sub: person.sub, role: member.role, mentorOf: launch.mentorOf };
  const sub = launch.forUser ?? person.sub;
  const { registrationId, deploymentId } = person;
  // The LMS's id of a preview student differs from the one they have here.
  const preview = await app.people.findBySub({ registrationId, deploymentId, sub: subOfPreview(course) });
  const asked = {
    sub: preview?.previewSub === sub ? preview.sub : sub,
    lineItemUrl: launch.grades?.lineItemUrl ?? null,
  };
  const { learner } = await reviewLearner(app, course, viewer, asked);
  const self = learner?.person.id === person.id;
  const own = self && viewer.role !== "instructor";
  const reader = readerOf(viewer.role, self);
  const courseName = courseNameOf(t, course);
  const name = learner === null ? null : personName(learner.person);
  const words = { t, times: courseTimes(course, t.locale) };
  return {
    t,
    title: titleOf(t, name, courseName),
    courseName,
    heading: headingOf(t, name, own),
    /** Null if the learner is unknown. */
    learner: learner === null ? null : learnerView(words, course, learner, reader),
    zone: zoneText(t, course.timeZone, words.times, app.clock.now()),
    zoneName: words.times.zone,
    /** For links to the course's own pages. Null for learners and mentors. */
    session:
      viewer.role === "instructor"
        ? await app.sessions.issue({
            registrationId: registration.id,
            deploymentId: launch.deploymentId,
            courseId: course.id,
            personId: person.id,
            courseLinkId: null,
            framedBy: originOrNull(launch.presentation.returnUrl),
            role: viewer.role,
            staffRole: launch.rights.staffRole,
            locale: localeInWordsOf(launch.presentation.locale, capabilitiesOf(registration).wording),
          })
        : null,
    returnUrl: webAddressOrNull(launch.presentation.returnUrl),
  };
}

/** Staff who only arrange the course see nobody's attendance. */
function refuseArranging(rights: Launch["rights"], course: Course): void {
  if (rights.role === "instructor" && !mayIn(rights, course, "grades")) throw notAllowed("grades");
}

function learnerView(
  words: Pick<SessionWords, "t" | "times">,
  { policy }: Pick<Course, "policy">,
  { person, member, attendance }: NonNullable<LearnerReview["learner"]>,
  reader: Reader,
) {
  return {
    personId: person.id,
    sessions: attendance.sessions.map((session) => sessionRow(words, session, reader)),
    sum: sumView(words.t, countsOf(attendance.sessions), reader),
    gradeHeading: words.t(reader === "self" ? "mine.grade.heading" : "register.learner.grade"),
    grade: gradeWords(words, attendance, whyNotGraded(member), reader),
    rule: policy.kind === "no-grades" ? [] : policyWords(words.t, policy),
  };
}

function readerOf(role: "instructor" | "learner", self: boolean): Reader {
  if (role === "instructor") return "instructor";
  return self ? "self" : "mentor";
}

function titleOf(t: Translate, name: string | null, course: string): string {
  return name === null ? t("register.title", { course }) : t("register.learner.title", { name, course });
}

function headingOf(t: Translate, name: string | null, own: boolean): string {
  if (own) return t("nav.mine");
  return name === null ? t("nav.attendance") : t("review.heading", { name });
}

/** Instructors also see who corrected it and why. */
function sessionRow(
  { t, times }: Pick<SessionWords, "t" | "times">,
  session: AttendedSession,
  reader: Reader,
) {
  const { status, points, startsAt, corrected, notes } = session;
  const mark = statusView(t, status);
  return {
    title: session.title ?? t("common.untitledSession"),
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    sign: mark.sign,
    statusName: mark.name,
    status: mark.text,
    corrected: corrected
      ? t(`review.${reader === "instructor" ? "correctedToInstructor" : "corrected"}`)
      : null,
    notes,
    points: points === null ? null : numberText(t, points),
  };
}

/**
 * The browser's Sec-Fetch-Dest takes precedence, because Moodle says `document_target` "frame" for its top-level "existing window" (moodle:
 * launch containers).
 */
export function isFramed(
  request: { get: (name: string) => string | undefined },
  launch: Pick<Launch, "presentation">,
): boolean {
  const destination = request.get("sec-fetch-dest");
  if (destination === "iframe" || destination === "frame") return true;
  if (destination === "document") return false;
  // Canvas says "iframe" for every launch. Our own page before it knows better (views/assets/keep-launch.js).
  if (/(^|;\s*)lti_top=1(;|$)/.test(request.get("cookie") ?? "")) return false;
  return launch.presentation.target === "iframe" || launch.presentation.target === "unknown";
}
