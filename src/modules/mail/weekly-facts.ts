import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { type LowShare, mailAddressOf } from "../../domain/mails.ts";
import { showGradeSummary, type ShowGradeSummaryDeps } from "../grading/show-grade-summary.ts";
import { countUnmatched, type ListUnmatchedDeps } from "../matching/list-unmatched.ts";
import { type LowLearner, lowLearner, lowLearners, type LowLearnersDeps } from "./low-learners.ts";
import { usualLowShare } from "./rules/limits.ts";
import type { Mail, StoppableKind } from "./rules/records.ts";
import { weekFrom } from "./rules/weekly-time.ts";
import type { NotSent } from "./send-mails.ts";
import { isInstructor, mondayOfMatter, weeklyOfCourse } from "./send-weekly-mails.ts";

export type WeeklyFactsDeps = LowLearnersDeps &
  ShowGradeSummaryDeps &
  ListUnmatchedDeps &
  Pick<
    App,
    "courses" | "events" | "institutionDefaults" | "registrations" | "members" | "people" | "mailStops"
  >;

type Reader = { to: string; course: Course; member: Member };

export type DigestFacts = Reader & {
  /** When it began (ms). */
  week: number;
  sessions: number;
  /** Learners below this share. */
  low: { share: number; learners: number };
  unmatched: number;
  /** Grades that the gradebook has not: waiting, held and refused. */
  missing: number;
};

export type WarningFacts = Reader & { share: LowShare; learner: LowLearner };

/** A course's week in numbers, for an instructor. Nobody is named: mails stay in mailboxes for years. */
export async function digestFacts(deps: WeeklyFactsDeps, mail: Mail): Promise<DigestFacts | NotSent> {
  const reader = await readerOf(deps, mail, "digest");
  if (typeof reader === "string") return reader;
  const { course, member } = reader;
  if (!isInstructor(member)) return "gone";
  const { digest, low } = await weeklyOfCourse(deps, course);
  if (!digest) return "off";
  const { from, to } = weekFrom(mondayOfMatter(mail.about), course.timeZone);
  const share = low === 0 ? usualLowShare : low;
  const [events, learners, unmatched, { counts }] = await Promise.all([
    deps.events.listBetween(course.id, from, to - 1),
    lowLearners(deps, course, share),
    countUnmatched(deps, course),
    showGradeSummary(deps, course),
  ]);
  const sessions = events.filter(({ cancelled }) => !cancelled).length;
  const missing = counts.waiting + counts.held + counts.refused;
  return { ...reader, week: from, sessions, low: { share, learners: learners.length }, unmatched, missing };
}

/** A learner's own attendance; "over" when it is not low any more. */
export async function warningFacts(deps: WeeklyFactsDeps, mail: Mail): Promise<WarningFacts | NotSent> {
  const reader = await readerOf(deps, mail, "low-attendance");
  if (typeof reader === "string") return reader;
  const { low: share } = await weeklyOfCourse(deps, reader.course);
  if (share === 0) return "off";
  const learner = await lowLearner(deps, reader.course, share, reader.member);
  return learner === null ? "over" : { ...reader, share, learner };
}

async function readerOf(
  deps: WeeklyFactsDeps,
  { courseId, personId, registrationId }: Mail,
  kind: StoppableKind,
): Promise<Reader | NotSent> {
  if (registrationId === null || courseId === null || personId === null) return "gone";
  const [course, member, person, stopped] = await Promise.all([
    deps.courses.find(courseId),
    deps.members.find(registrationId, courseId, personId),
    deps.people.find(personId),
    deps.mailStops.has({ registrationId, personId, kind }),
  ]);
  if (course === null || member?.active !== true) return "gone";
  if (stopped) return "stopped";
  const to = mailAddressOf(person?.email ?? null);
  return to === null ? "no-address" : { to, course, member };
}
