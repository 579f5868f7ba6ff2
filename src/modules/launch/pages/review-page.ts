import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import type { Launch } from "../../../domain/launch.ts";
import type { Registration } from "../../../domain/registration.ts";
import { personName } from "../../../domain/person-name.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { type LearnerReview, reviewLearner, type ReviewLearnerDeps } from "../../attendance/show-learner.ts";
import { type AttendedSession, countsOf, whyNotGraded } from "../../attendance/show-attendance.ts";
import { recordLaunch, type RecordLaunchDeps, subOfPreview } from "../record-launch.ts";
import { mayIn, notAllowed } from "../../../web/visits.ts";
import { courseTimes, zoneText } from "../../../web/course-times.ts";
import { gradeWords, type Reader, sumView } from "../../attendance/pages/my-attendance-view.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import type { SessionWords } from "../../scheduling/pages/sessions-view.ts";
import { numberText, statusView } from "../../../web/page-text.ts";
import type { Head } from "../../../web/partials.ts";
import type { Sessions } from "../../../web/session.ts";
import { localeInWordsOf, type Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { originOrNull, webAddressOrNull } from "../../../web/page-address.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type ReviewPageDeps = ReviewLearnerDeps & RecordLaunchDeps & { sessions: Sessions };

export type ReviewPage = Head & {
  courseName: string;
  heading: string;
  /** Null where it is unknown whom it is about. */
  learner: ReturnType<typeof learnerView> | null;
  zone: string;
  zoneName: string;
  /** For the course's own pages; null for learners and mentors. */
  session: string | null;
  returnUrl: string | null;
};

const reviewPage = defineView<ReviewPage>("launch/review");

/**
 * One learner's attendance, opened from a cell of the gradebook. Recorded without its link: a review's line item is the
 * one that is looked at, not the link's own.
 * @throws NamedError "anonymous-launch", "launch-without-course", "review-of-somebody-else", "grades-not-allowed"
 */
export async function showReview(
  deps: ReviewPageDeps,
  t: Translate,
  registration: Registration,
  launch: Launch,
  response: Response,
): Promise<void> {
  const { course, person, member } = await recordLaunch(deps, registration, { ...launch, link: null });
  refuseArranging(launch.rights, course);
  const viewer = { sub: person.sub, role: member.role, mentorOf: launch.mentorOf };
  const sub = launch.forUser ?? person.sub;
  const { registrationId, deploymentId } = person;
  // The id that the LMS gives a preview student isn't the one they have here.
  const preview = await deps.people.findBySub({ registrationId, deploymentId, sub: subOfPreview(course) });
  const asked = {
    sub: preview?.previewSub === sub ? preview.sub : sub,
    lineItemUrl: launch.grades?.lineItemUrl ?? null,
  };
  const { learner } = await reviewLearner(deps, course, viewer, asked);
  const self = learner?.person.id === person.id;
  const own = self && viewer.role !== "instructor";
  const reader = readerOf(viewer.role, self);
  const courseName = courseNameOf(t, course);
  const name = learner === null ? null : personName(learner.person);
  const words = { t, times: courseTimes(course, t.locale) };
  renderView(response, reviewPage, {
    t,
    title: titleOf(t, name, courseName),
    courseName,
    heading: headingOf(t, name, own),
    learner: learner === null ? null : learnerView(words, course, learner, reader),
    zone: zoneText(t, course.timeZone, words.times, deps.clock.now()),
    zoneName: words.times.zone,
    session:
      viewer.role === "instructor"
        ? await deps.sessions.issue({
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
  });
}

/** Staff that only arranges the course sees nobody's attendance. */
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
    gradeHeading: words.t(reader === "self" ? "mine.grade.heading" : "review.grade"),
    grade: gradeWords(words, attendance, whyNotGraded(member), reader),
    rule: policy.kind === "no-grades" ? [] : policyWords(words.t, policy),
  };
}

function readerOf(role: "instructor" | "learner", self: boolean): Reader {
  if (role === "instructor") return "instructor";
  return self ? "self" : "mentor";
}

function titleOf(t: Translate, name: string | null, course: string): string {
  return name === null ? t("review.titleUnknown", { course }) : t("review.title", { name, course });
}

function headingOf(t: Translate, name: string | null, own: boolean): string {
  if (own) return t("review.headingOwn");
  return name === null ? t("review.headingUnknown") : t("review.heading", { name });
}

/** Instructors also see who corrected it and why. */
function sessionRow(
  { t, times }: Pick<SessionWords, "t" | "times">,
  session: AttendedSession,
  reader: Reader,
) {
  const { status, points, startsAt, source, notes } = session;
  const shown = statusView(t, status);
  return {
    title: session.title ?? t("review.untitled"),
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    sign: shown.sign,
    statusName: shown.name,
    status: shown.text,
    corrected:
      source === "instructor"
        ? t(`review.${reader === "instructor" ? "correctedToInstructor" : "corrected"}`)
        : null,
    notes,
    points: points === null ? null : numberText(t, points),
  };
}
