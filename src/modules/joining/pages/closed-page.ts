import type { Response } from "express";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { MemberStore } from "../../members/store/member-store.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import {
  type ClosedEntryReader,
  type ClosedEntryView,
  closedEntryView,
  type ClosedEntryViewDeps,
} from "./closed-entry-view.ts";
import type { ShownClosedEntry } from "./shown-closed-entry.ts";

export type ClosedPageDeps = ClosedEntryViewDeps & {
  courses: Pick<CourseStore, "find">;
  members: Pick<MemberStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

export type ClosedPage = CourseFrame & {
  closed: ClosedEntryView;
  teaches: boolean;
  /** False: the session may only enter. */
  whole: boolean;
};

const closedPage = defineView<ClosedPage>("closed/page");

/** Why, when it opens or for whom, and the way on. A whole session also leads to the learner's other pages. */
export async function showClosed(
  deps: ClosedPageDeps,
  session: Session,
  closed: ShownClosedEntry,
  response: Response,
  how: Pick<ClosedEntryReader, "framed" | "shown" | "returnUrl">,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const { registrationId, courseId, personId } = session;
  const course = await deps.courses.find(courseId);
  const member = await deps.members.find(registrationId, courseId, personId);
  const courseName = course?.title || course?.label || t("product.name");
  renderView(response, closedPage, {
    t,
    title: t("closed.title", { course: courseName }),
    courseName,
    closed: await closedEntryView(deps, t, closed, { ...how, session, course, member }),
    session: await deps.sessions.issue(session),
    teaches: session.role === "instructor",
    whole: session.only !== "entry",
  });
}
