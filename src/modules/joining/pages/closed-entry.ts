import type { Response } from "express";
import type { App } from "../../../app.ts";
import { type CourseLink, type SpaceAccess, spaceAccessOf } from "../../../domain/course-link.ts";
import type { Course, Member } from "../../../domain/course.ts";
import { capabilitiesOf } from "../../../lms/products/products.ts";
import type { Accounts } from "../../accounts/known-accounts.ts";
import type { ClosedEntry } from "../entry-target.ts";
import { maxSelfOpenMs } from "../rules/limits.ts";
import { cityOf } from "../../scheduling/rules/time-zone.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, numberLabel, sectionLabel } from "../../../web/course-words.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";

/** Closed by the entry window, or because the course's classroom account is missing or paused. */
export type AnyClosedEntry = ClosedEntry | AccountClosed;

export type AccountClosed = { state: "closed"; because: "not-set-up" | "paused" };

export const notSetUp: AccountClosed = { state: "closed", because: "not-set-up" };
export const paused: AccountClosed = { state: "closed", because: "paused" };

/** Returns null if the account lets people enter. */
export function closedByAccount(
  { accounts }: { accounts: Pick<Accounts, "find"> },
  { environment }: Pick<Course, "environment">,
): AccountClosed | null {
  const account = accounts.find(environment);
  if (account === undefined || account.lacks === "connection") return notSetUp;
  return account.paused ? paused : null;
}

export type ClosedPage = CourseFrame & {
  closed: ClosedEntryView;
  teaches: boolean;
  /** False: the session may only enter. */
  whole: boolean;
};

const closedPage = defineView<ClosedPage>("closed/page");

/** Shows why entry is closed, when it opens and for which people, and what to do. A full session also links to the learner's other pages. */
export async function showClosed(
  app: Pick<App, "clock" | "courses" | "members" | "registrations" | "sections"> &
    Pick<App, "sessions" | "translatorOf">,
  session: Session,
  closed: AnyClosedEntry,
  response: Response,
  how: Pick<ClosedEntryReader, "framed" | "shown" | "returnUrl">,
): Promise<void> {
  const t = app.translatorOf(session.locale);
  const { registrationId, courseId, personId } = session;
  const course = await app.courses.find(courseId);
  const member = await app.members.find(registrationId, courseId, personId);
  const courseName = course === null ? t("product.name") : courseNameOf(t, course);
  renderView(response, closedPage, {
    t,
    title: t("common.courseTitle", { course: courseName }),
    courseName,
    closed: await closedEntryView(app, t, closed, { ...how, session, course, member }),
    session: await app.sessions.issue(session),
    teaches: session.role === "instructor",
    whole: session.only !== "entry",
  });
}

type ClosedEntryReader = {
  session: Session;
  course: Course | null;
  member: Pick<Member, "sectionIds"> | null;
  /** The LMS's frame can't show the Space, so people continue on the page with the button. */
  framed: boolean;
  /** How they asked to enter. The page asks for the same when entry opens. */
  shown: "tab" | "embedded";
  /** The LMS's address, for when the course's page in the LMS is unknown. */
  returnUrl: string | null;
};

/** The page's heading is `closed.<because>.heading`. */
export type ClosedEntryView = Opening & {
  /** The groups that may enter. Empty if all may. */
  groups: string[];
  own: string[];
  courseUrl: string | null;
} & Pick<ClosedEntryReader, "framed" | "shown">;

/** When entry opens, as ISO time, as text and in ms from now. `movesOn`: the page reloads then. */
type Opening =
  | { because: "early"; opensAt: string; opensText: string; waitMs: number; movesOn: boolean }
  | { because: (typeof wordsFor)[Exclude<AnyClosedEntry["because"], "early">] };

export type ClosedEntryPart = { t: Translate; session: string; closed: ClosedEntryView };

export async function closedEntryView(
  app: Pick<App, "clock" | "registrations" | "sections">,
  t: Translate,
  closed: AnyClosedEntry,
  reader: ClosedEntryReader,
): Promise<ClosedEntryView> {
  const { session, course, member, framed, shown, returnUrl } = reader;
  const groups = closed.because === "other-sections" ? closed.sectionIds : [];
  const own = groups.length === 0 ? [] : (member?.sectionIds ?? []);
  const [theirs, yours] = await labelsOf(app, t, session, [groups, own]);
  return {
    ...opening(t, course, closed, app.clock.now()),
    groups: theirs ?? [],
    own: yours ?? [],
    framed,
    shown,
    courseUrl: webAddressOrNull(course?.courseUrl ?? returnUrl),
  };
}

function opening(t: Translate, course: Course | null, closed: AnyClosedEntry, now: number): Opening {
  if (closed.because !== "early") return { because: wordsFor[closed.because] };
  const { opensAt } = closed;
  const times = courseTimes({ timeZone: course?.timeZone ?? null }, t.locale);
  const waitMs = Math.max(0, opensAt - now);
  return {
    because: closed.because,
    opensAt: new Date(opensAt).toISOString(),
    opensText: `${times.text(opensAt)} (${cityOf(times.zone)})`,
    waitMs,
    movesOn: waitMs <= maxSelfOpenMs,
  };
}

/** Reasons by their name in the catalogue (`closed.<name>`). */
const wordsFor = {
  over: "over",
  cancelled: "cancelled",
  deleted: "deleted",
  guests: "guests",
  "other-sections": "otherSections",
  "not-set-up": "notSetUp",
  paused: "paused",
} as const;

async function labelsOf(
  app: Pick<App, "clock" | "registrations" | "sections">,
  t: Translate,
  { registrationId, courseId }: Session,
  lists: readonly (readonly string[])[],
): Promise<string[][]> {
  if (lists.every((ids) => ids.length === 0)) return lists.map(() => []);
  const { sections: kind } = capabilitiesOf(await app.registrations.find(registrationId));
  const sections = await app.sections.listOf(registrationId, courseId);
  const label = (id: string) => {
    const section = sections.find(({ lmsSectionId }) => lmsSectionId === id);
    return section === undefined ? numberLabel(t, kind, id) : sectionLabel(t, kind, section);
  };
  return lists.map((ids) => ids.map(label));
}

/** What a learner must know first: a waiting room, or invited people only. Null: nothing, or instructors (they see it in the settings). */
export function accessToShow(
  session: Pick<Session, "role">,
  { course, link }: { course: Course; link: CourseLink | null },
): Exclude<SpaceAccess, "unknown"> | null {
  if (session.role === "instructor") return null;
  const access = spaceAccessOf(course, link);
  return access === "unknown" ? null : access;
}
