import type { App } from "../../app.ts";
import { isDeepStrictEqual } from "node:util";
import { columnOfChoice } from "../grading/rules/column.ts";
import type { CourseLink } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { customSettingsOf } from "../../domain/join-settings.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";
import { settleSpace, type SettleSpaceDeps } from "../scheduling/keep-event.ts";

export type RecordLinkDeps = SettleSpaceDeps & Pick<App, "courseLinks" | "linkChoices" | "ids">;

export type RecordedLink = {
  link: CourseLink;
  /** The column whose line item the link has; null when it must not be written to. */
  columnKey: string | null;
};

/** Every launch brings the link's custom parameters, so changes in the LMS arrive here. */
async function takeOverParameters(
  deps: RecordLinkDeps,
  link: CourseLink,
  launch: Launch,
): Promise<CourseLink> {
  const { settings, ignored } = customSettingsOf(launch.custom);
  const said = { customSettings: settings, ignoredParameters: ignored };
  const known = { customSettings: link.customSettings, ignoredParameters: link.ignoredParameters };
  if (isDeepStrictEqual(said, known)) return link;
  await deps.courseLinks.takeOver(link.id, said);
  return { ...link, ...said };
}

/** The LMS does not report new links, so earlier sessions in the Space become the course's at the first launch. */
async function takeOverSessions(deps: RecordLinkDeps, course: Course, { choice }: CourseLink): Promise<void> {
  if (choice.kind === "space") await settleSpace(deps, course.environment, choice.spaceId, "unassigned");
}

/**
 * A link's choice counts only when made in this course; in a copied course, or with a foreign or invented id, the link
 * opens its own course's Space, and the column of a foreign session is left alone. @returns null for a launch without a
 * link (deep linking).
 */
export async function recordLink(
  deps: RecordLinkDeps,
  course: Course,
  launch: Launch,
): Promise<RecordedLink | null> {
  if (launch.link === null) return null;
  const { registrationId, deploymentId, id: courseId } = course;
  const broughtId = launch.custom[customParameter.choice] ?? null;
  const brought = broughtId === null ? null : await deps.linkChoices.find(registrationId, broughtId);
  const isOurs = brought?.deploymentId === deploymentId && brought.courseId === courseId;
  const recorded = await deps.courseLinks.record(
    { registrationId, deploymentId, courseId, linkId: launch.link.id },
    isOurs ? brought : null,
    deps.ids.id("lnk"),
  );
  const link = await takeOverParameters(deps, recorded, launch);
  if (launch.rights.role === "instructor") await takeOverSessions(deps, course, link);
  if (broughtId === null || isOurs) return { link, columnKey: columnOfChoice(link.choice) };
  const copied = brought === null ? null : columnOfChoice(brought.choice);
  const own = columnOfChoice(link.choice);
  return { link, columnKey: copied === own ? own : null };
}
