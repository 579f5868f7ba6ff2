import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { CourseLink, LinkChoice, StoredChoice } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { customSettingsOf } from "../../settings/in-effect.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import { refusal } from "../../kernel/refusal.ts";
import { courseAuditPrefix } from "../audit/audit.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import {
  attendanceColumn,
  columnOfChoice,
  resourceIdOfColumn,
  sessionColumn,
} from "../grading/rules/column.ts";
import { settleSpace } from "../scheduling/keep-event.ts";
import { provenSpaces, type SpacesApp, usableSpace } from "../spaces/space-rights.ts";
import type { ContentItem } from "./rules/link-offer.ts";
import type { CourseLinkStore } from "./store/link-stores.ts";

/** What managing links and what they open needs. */
export type LinksApp = SpacesApp & RecordLinkApp & Pick<App, "columns">;
/** What storing a link that a launch names needs. */
export type RecordLinkApp = Pick<
  App,
  "courses" | "courseLinks" | "linkChoices" | "events" | "clock" | "ids"
> &
  Pick<App, "sectionLinks" | "sessionPlans" | "unassignedEvents" | "onMatchable" | "whileSessionsChange">;

/** Every launch brings the link's custom parameters, so changes in the LMS arrive here. */
async function takeOverParameters(
  app: RecordLinkApp,
  link: CourseLink,
  custom: Launch["custom"],
): Promise<CourseLink> {
  const { settings, ignored } = customSettingsOf(custom);
  const reported = { customSettings: settings, ignoredParameters: ignored };
  const known = { customSettings: link.customSettings, ignoredParameters: link.ignoredParameters };
  if (isDeepStrictEqual(reported, known)) return link;
  await app.courseLinks.takeOver(link.id, reported);
  return { ...link, ...reported };
}

/** After somebody chose again in the LMS, as `changeLink` does. The sessions are settled soon after. */
async function takeOverChoice(
  app: RecordLinkApp,
  course: Course,
  link: CourseLink,
  brought: StoredChoice | null,
): Promise<CourseLink> {
  if (brought === null || link.choiceId === brought.id) return link;
  const { id: choiceId, choice } = brought;
  await leadLink(app, course, "", link, { choice, choiceId });
  return { ...link, choice, choiceId };
}

/** Stores where a link leads from now on. @returns the change; the sessions in both Spaces are still to be settled. */
export async function leadLink(
  app: Pick<App, "courses" | "courseLinks" | "clock" | "ids">,
  course: Course,
  personId: string,
  link: CourseLink,
  { choice, choiceId }: { choice: LinkChoice; choiceId?: string },
) {
  const change = { ...spaceChange(app, personId, spaceOf(link.choice), spaceOf(choice)), ofLink: true };
  // Done first: if this process ends, nothing else says whose sessions must be settled.
  await app.courses.noteSpaceChange(course, change);
  await app.courseLinks.choose(link.id, choice, choiceId);
  return change;
}

export function spaceChange<After extends string | null>(
  { clock, ids }: Pick<App, "clock" | "ids">,
  personId: string,
  before: string | null,
  after: After,
) {
  const at = clock.now();
  return { id: ids.id(courseAuditPrefix(at)), personId, at, before, after };
}

function spaceOf(choice: LinkChoice): string | null {
  return choice.kind === "space" ? choice.spaceId : null;
}

type Launcher = "all" | Launch["rights"]["role"];

/** The LMS doesn't report new links, so what is in the Space becomes the course's at the first launch ("all"). */
async function takeOverSpace(app: RecordLinkApp, course: Course, { choice }: CourseLink, by: Launcher) {
  if (choice.kind !== "space" || by === "learner") return;
  await settleSpace(app, course.environment, choice.spaceId, by === "all" ? by : "unassigned");
}

/**
 * A link's choice counts only if it was made in this course. In a copied course, or with an id that is invented or another course's, the link
 * opens its own course's Space, and leaves the column of a foreign session alone.
 * @returns null for a launch without a link (deep linking).
 */
export async function recordLink(
  app: RecordLinkApp,
  course: Course,
  launch: Pick<Launch, "link" | "custom" | "rights">,
) {
  if (launch.link === null) return null;
  const { registrationId, deploymentId, id: courseId } = course;
  const broughtId = launch.custom[customParameter.choice] ?? null;
  const brought = broughtId === null ? null : await app.linkChoices.find(registrationId, broughtId);
  const isOurs = brought?.deploymentId === deploymentId && brought.courseId === courseId;
  const ours = isOurs ? brought : null;
  const key = { registrationId, deploymentId, courseId, linkId: launch.link.id };
  const newId = app.ids.id("lnk");
  const recorded = await app.courseLinks.record(key, ours, newId);
  const chosen = await takeOverChoice(app, course, recorded, ours);
  const link = await takeOverParameters(app, chosen, launch.custom);
  await takeOverSpace(app, course, link, recorded.id === newId ? "all" : launch.rights.role);
  if (broughtId === null || isOurs) return { link, columnKey: columnOfChoice(link.choice) };
  const copied = brought === null ? null : columnOfChoice(brought.choice);
  const own = columnOfChoice(link.choice);
  return { link, columnKey: copied === own ? own : null };
}

export type ChosenSpace = { kind: "course-space" } | { kind: "space"; typed: string };

/** A wanted Space as a choice. If it's the course's own, it isn't stored as another one. */
export async function choiceOf(
  app: SpacesApp,
  course: Course,
  personId: string,
  chosen: ChosenSpace,
): Promise<Exclude<LinkChoice, { kind: "session" }>> {
  if (chosen.kind === "course-space") return chosen;
  const spaceId = await usableSpace(app, course, personId, chosen.typed);
  return spaceId === course.spaceId ? { kind: "course-space" } : { kind: "space", spaceId };
}

/** The link that a person came through, or null if it doesn't belong to this course. */
export async function linkOfCourse(
  app: { courseLinks: CourseLinkStore },
  course: Course,
  courseLinkId: string | null,
): Promise<CourseLink | null> {
  const link = courseLinkId === null ? null : await app.courseLinks.find(courseLinkId);
  return link?.courseId === course.id ? link : null;
}

export type NewLink = {
  opens: ChosenSpace | { kind: "session"; eventId: string };
  title: string;
  text: string | null;
  /** The column's points, a whole number from 1 to 100. */
  points: number | null;
};

/**
 * Stores the choices and makes the links for the LMS. Checks all of them before storing the first. A link carries only its choice's id, which
 * counts only in this course.
 * @throws NamedError "session-unknown", and the errors of `usableSpace`
 */
export async function chooseLinks(
  app: LinksApp & GradingApp,
  course: Course,
  personId: string,
  links: readonly NewLink[],
): Promise<ContentItem[]> {
  const checked: { link: NewLink; chosen: Chosen }[] = [];
  for (const link of links) {
    checked.push({ link, chosen: await checkedChoice(app, course, personId, link.opens) });
  }
  const items: ContentItem[] = [];
  for (const { link, chosen } of checked) items.push(await storeLink(app, course, link, chosen));
  return items;
}

/** `endsAt`: when the session ends (ms), if the link opens one. */
type Chosen = { choice: LinkChoice; endsAt: number | null };

async function checkedChoice(
  app: LinksApp & GradingApp,
  course: Course,
  personId: string,
  opens: NewLink["opens"],
): Promise<Chosen> {
  if (opens.kind !== "session") return { choice: await choiceOf(app, course, personId, opens), endsAt: null };
  const event = await app.events.find(course.environment, opens.eventId);
  if (event?.courseId !== course.id || event.cancelled) throw refusal("session-unknown", { status: 422 });
  const { eventId, spaceId, endsAt } = event;
  const isElsewhere = spaceId !== null && spaceId !== course.spaceId;
  return { choice: { kind: "session", eventId, ...(isElsewhere ? { inSpace: spaceId } : {}) }, endsAt };
}

async function storeLink(
  app: LinksApp & GradingApp,
  course: Course,
  link: NewLink,
  { choice, endsAt }: Chosen,
): Promise<ContentItem> {
  const { registrationId, deploymentId, id: courseId } = course;
  const { ids, clock } = app;
  const id = ids.id("chc");
  await app.linkChoices.insert({
    id,
    registrationId,
    deploymentId,
    courseId,
    choice,
    createdAt: clock.now(),
  });
  const { title, text, points } = link;
  const custom = { [customParameter.choice]: id };
  if (points === null) return { title, text, custom, column: null };
  if (choice.kind === "session") {
    // Scores of this session are wanted now. Their address is known when the LMS has made the column.
    const key = { registrationId, courseId, key: sessionColumn(choice.eventId) };
    // Attendance that was marked before counts, too.
    await gradeAfterChange(app, course, "everybody", () => app.columns.ask(key, ids.id("col")));
  }
  const resourceId = resourceIdOfColumn(columnOfChoice(choice));
  const tag = choice.kind === "session" ? "session" : "attendance";
  return { title, text, custom, column: { points, resourceId, tag, endsAt } };
}

/** How many sessions are read. Those nearest to now are offered. */
const maxSessions = { read: 2_000, offered: 100 };

export type OfferedChoices = Awaited<ReturnType<typeof offerChoices>>;

export async function offerChoices(app: LinksApp, course: Course, personId: string) {
  const all = await app.events.listOfCourse(course.id, maxSessions.read);
  const offered = all.filter((event) => !event.cancelled && event.environment === course.environment);
  const now = app.clock.now();
  const distance = ({ startsAt }: ClassroomEvent) => Math.abs((startsAt ?? 0) - now);
  const nearest = offered.toSorted((one, other) => distance(one) - distance(other));
  const near = new Set(nearest.slice(0, maxSessions.offered));
  const key = { registrationId: course.registrationId, courseId: course.id, key: attendanceColumn };
  return {
    sessions: offered.filter((event) => near.has(event)),
    spaces: await provenSpaces(app, course, personId),
    /** A second attendance column would stay empty. */
    hasAttendanceColumn: (await app.columns.find(key))?.lineItemUrl != null,
  };
}
