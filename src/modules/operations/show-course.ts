import type { App } from "../../app.ts";
import { waitKey } from "../../inbox/rules/receipt.ts";
import type { Column } from "../grading/rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { CourseAuditEntry } from "../audit/rules/course-audit.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Registration } from "../../domain/registration.ts";
import type { RosterSync } from "../members/rules/roster.ts";
import type { ScoreCounts } from "../grading/rules/score-state.ts";
import type { SectionLink } from "../cohorts/rules/cohort.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { ListedCourse } from "../courses/store/course-lists.ts";
import { resendProgress, type ResendProgress } from "../grading/send-again.ts";
import { countMembers, type MemberCounts } from "../members/sections.ts";
import { type IsSpaceOrigin, originElsewhere } from "../spaces/space-rights.ts";
import { listUnmatched, type ListUnmatchedDeps } from "../matching/list-unmatched.ts";

export type ShowCourseDeps = ListUnmatchedDeps &
  Pick<
    App,
    | "courses"
    | "registrations"
    | "courseLinks"
    | "sectionLinks"
    | "members"
    | "rosterSyncs"
    | "columns"
    | "deliveries"
    | "resends"
    | "courseAudit"
    | "consoleLists"
  > & {
    isSpaceOrigin: IsSpaceOrigin;
  };

export type CourseDetails = ListedCourse & {
  registration: Registration;
  formerSpaces: readonly string[];
  /** A foreign origin that the service named for a Space of the course; else null. */
  elsewhere: string | null;
  sharing: readonly Pick<Course, "id" | "title" | "label" | "registrationId">[];
  links: readonly CourseLink[];
  cohorts: readonly SectionLink[];
  members: MemberCounts["total"];
  lastLaunches: readonly { at: number; role: "instructor" | "learner" }[];
  roster: RosterSync | null;
  columns: readonly Column[];
  scores: ScoreCounts;
  resend: ResendProgress | null;
  unmatched: { users: number; events: number };
  /** Webhooks that wait for this course's Space. */
  receipts: readonly { id: string; receivedAt: number; state: string; reason: string | null }[];
  trail: readonly CourseAuditEntry[];
};

const shown = { launches: 5, receipts: 20, trail: 15 };

/** @throws NamedError "no-such-course" */
export async function showCourse(deps: ShowCourseDeps, id: string): Promise<CourseDetails> {
  const [listed] = await deps.courses.listMany([id]);
  const registration =
    listed === undefined ? null : await deps.registrations.find(listed.course.registrationId);
  if (listed === undefined || registration === null) throw refusal("no-such-course", { status: 404 });
  const { course } = listed;
  const { registrationId, environment, spaceId } = course;
  const place = { registrationId, courseId: id };
  const waited = spaceId === null ? [] : [waitKey({ kind: "space", environment, id: spaceId })];
  const [elsewhere, formerSpaces, using, links, cohorts, { total }, lastLaunches, roster] = await Promise.all(
    [
      originElsewhere(deps, course),
      deps.courses.formerSpaces(course),
      spaceId === null ? [] : deps.courses.findBySpace(environment, spaceId),
      deps.courseLinks.listOfCourse(registrationId, id),
      deps.sectionLinks.listLinked(registrationId, id),
      countMembers(deps, place),
      deps.consoleLists.lastLaunches(course, shown.launches),
      deps.rosterSyncs.find(registrationId, id),
    ],
  );
  const [columns, scores, resend, unmatched, receipts, trail] = await Promise.all([
    deps.columns.listOfCourse(registrationId, id),
    deps.deliveries.countOfCourse(place),
    resendProgress(deps, course),
    listUnmatched(deps, course),
    deps.consoleLists.listWaitingFor(waited, shown.receipts),
    deps.courseAudit.list({ ...place, personId: null }, null, shown.trail),
  ]);
  return {
    ...listed,
    registration,
    formerSpaces,
    elsewhere,
    sharing: using.filter((other) => other.id !== id),
    links,
    cohorts,
    members: total,
    lastLaunches,
    roster,
    columns,
    scores,
    resend,
    unmatched: {
      users: unmatched.users.filter(({ aside }) => !aside).length,
      events: unmatched.events.length,
    },
    receipts,
    trail,
  };
}
