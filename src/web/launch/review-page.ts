import type { Response } from "express";
import type { Launch } from "../../domain/launch.ts";
import type { Registration } from "../../domain/registration.ts";
import { personName } from "../../domain/person-name.ts";
import { reviewLearner, type ReviewLearnerDeps } from "../../features/attendance/review-learner.ts";
import type { AttendedSession, ShownAttendance } from "../../features/attendance/show-attendance.ts";
import { recordLaunch, type RecordLaunchDeps } from "../../features/courses/record-launch.ts";
import { workingWords } from "../course/working-words.ts";
import { statusView } from "../course/status-view.ts";
import type { Sessions } from "../session.ts";
import type { Translate } from "../translate.ts";
import { webAddressOrNull } from "../web-address.ts";

export type ReviewPageDeps = ReviewLearnerDeps & RecordLaunchDeps & { sessions: Sessions };

/**
 * A submission review: the page of one learner's attendance, opened from a cell of the gradebook. The launch is
 * recorded without its link, for the line item of a review is the one that is looked at, not the link's own.
 * @throws NamedError "anonymous-launch", "launch-without-course", "review-of-somebody-else"
 */
export async function showReview(
  deps: ReviewPageDeps,
  t: Translate,
  registration: Registration,
  launch: Launch,
  response: Response,
): Promise<void> {
  const { course, person, member } = await recordLaunch(deps, registration, { ...launch, link: null });
  const viewer = { sub: person.sub, role: member.role, mentorOf: launch.mentorOf };
  const asked = { sub: launch.forUser ?? person.sub, lineItemUrl: launch.grades?.lineItemUrl ?? null };
  const { learner } = await reviewLearner(deps, course, viewer, asked);
  const own = learner?.person.id === person.id && viewer.role !== "instructor";
  const courseName = course.title || course.label || t("product");
  const name = learner === null ? null : personName(learner.person);
  response.set("Cache-Control", "no-store").render("launch/review", {
    t,
    title:
      name === null
        ? t("review.titleUnknown", { course: courseName })
        : t("review.title", { name, course: courseName }),
    courseName,
    heading: headingOf(t, name, own),
    own,
    learner:
      learner === null
        ? null
        : {
            personId: learner.person.id,
            notGraded: whyNotGraded(learner.member),
            sessions: learner.attendance.sessions.map((session) => sessionRow(t, session)),
            grade: gradeSummary(t, learner.attendance),
            perSession: learner.attendance.perSession,
            delivery: deliveryState(learner.attendance, viewer.role === "instructor"),
          },
    session:
      viewer.role === "instructor"
        ? await deps.sessions.issue({
            registrationId: registration.id,
            courseId: course.id,
            personId: person.id,
            courseLinkId: null,
            role: viewer.role,
            locale: launch.presentation.locale,
          })
        : null,
    returnUrl: webAddressOrNull(launch.presentation.returnUrl),
  });
}

function headingOf(t: Translate, name: string | null, own: boolean): string {
  if (own) return t("review.headingOwn");
  return name === null ? t("review.headingUnknown") : t("review.heading", { name });
}

function whyNotGraded(member: { role: string; testUser: boolean; student: boolean }): string | null {
  if (member.testUser) return "testUser";
  if (member.role === "instructor") return "instructor";
  return member.student ? null : "guest";
}

/** Who corrected it and why is for instructors; that somebody did, and their note, is for the learner. */
function sessionRow(t: Translate, session: AttendedSession) {
  const { status, points, startsAt, source, notes } = session;
  const shown = statusView(t, status);
  return {
    title: session.title ?? t("review.untitled"),
    startsAt: startsAt === null ? null : new Date(startsAt).toISOString(),
    sign: shown.sign,
    statusName: shown.name,
    status: shown.text,
    corrected: source === "instructor",
    notes,
    points,
  };
}

function gradeSummary(t: Translate, { grade, sessions }: ShownAttendance) {
  if (grade === null) return null;
  return {
    score: grade.score === null ? t("review.noScore") : t("review.score", grade),
    sum: sumInWords(t, sessions),
    words: sessions.length === 0 ? [] : workingWords(t, grade),
  };
}

/** Such as "2 present, 1 late". */
function sumInWords(t: Translate, sessions: readonly AttendedSession[]): string {
  const count = (known: AttendedSession["known"]) => sessions.filter((one) => one.known === known).length;
  return (["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const)
    .flatMap((known) => (count(known) === 0 ? [] : t(`review.counts.${known}`, { number: count(known) })))
    .join(", ");
}

/** Whether the score has arrived; the reason why not is for instructors. */
function deliveryState({ delivery }: ShownAttendance, toInstructor: boolean) {
  if (delivery === null) return null;
  const { state, accepted, lastError } = delivery;
  return {
    state,
    at: accepted === null ? null : new Date(accepted.at).toISOString(),
    problem: toInstructor && state !== "delivered" ? lastError : null,
  };
}
