import type { App } from "../../app.ts";
import { type Column, eventOfColumn, resourceIdOfColumn } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Grading } from "../../domain/grade-policy.ts";
import type { Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LineItems, LineItemsTarget } from "../../lms/line-items.ts";
import type { CourseLinkStore } from "../links/store/course-link-store.ts";
import { makeOnce } from "../../kernel/make-once.ts";
import { markedLineItem } from "./marked-line-item.ts";
import {
  makeSessionColumns,
  type MakeSessionColumnsDeps,
  requireLaunchedLink,
} from "./make-session-columns.ts";

export type FindLineItemDeps = MakeSessionColumnsDeps &
  Pick<App, "columns" | "clock" | "ids" | "translatorOf"> & {
    lineItems: LineItems;
    courseLinks: Pick<CourseLinkStore, "findByLinkId">;
  };

/**
 * The link's own line item, else one of ours found in the course, else a new one, made once for all scores that ask. A
 * session's column is made only by a policy with a column each. @throws NamedError "no-grade-service" without the right
 * to have one; "no-session-column".
 */
export async function findLineItem(
  deps: FindLineItemDeps,
  registration: Registration,
  course: Course,
  policy: Grading,
  column: Column,
): Promise<string> {
  const key = { registrationId: course.registrationId, courseId: course.id, key: column.key };
  const read = async () => (await deps.columns.find(key))?.lineItemUrl ?? null;
  const eventId = eventOfColumn(column.key);
  if (eventId !== null && policy.kind === "column-per-session") {
    return makeSessionColumns(deps, gradebookOf(registration, course), course, policy, { eventId, read });
  }
  return makeOnce(deps, {
    read,
    claim: (holder, now, until) => deps.columns.claim(column.id, holder, now, until),
    extend: (holder, until) => deps.columns.extend(column.id, holder, until),
    make: () => foundOrCreated(deps, gradebookOf(registration, course), course, policy, column),
    keep: (holder, url) => deps.columns.keep(column.id, holder, url),
    release: (holder) => deps.columns.release(column.id, holder),
  });
}

/** @throws NamedError "no-grade-service" */
function gradebookOf(registration: Registration, course: Course): LineItemsTarget {
  const { lineItemsUrl, gradeScopes: scopes } = course;
  if (lineItemsUrl === null) throw refusal("no-grade-service");
  return { registration, lineItemsUrl, scopes };
}

async function foundOrCreated(
  deps: FindLineItemDeps,
  target: LineItemsTarget,
  course: Course,
  policy: Grading,
  column: Column,
): Promise<string> {
  const resourceId = resourceIdOfColumn(column.key);
  // A link that opens something else now keeps its old mark.
  const taken = await takenByOthers(deps, course, column);
  // It exists after a crash, a lost reply or a course copy.
  const existing = markedLineItem(await deps.lineItems.list(target, { resourceId }), resourceId, taken);
  if (existing !== null) {
    await deps.columns.noteLabel(column.id, existing.label);
    return existing.id;
  }
  if (eventOfColumn(column.key) !== null) {
    // Only a link brings it: not saved in the LMS yet, or deleted there.
    throw refusal("no-session-column");
  }
  requireLaunchedLink(course);
  const created = await deps.lineItems.create(target, {
    label: deps.translatorOf(course.language ?? null)("choose.attendance"),
    scoreMaximum: policy.points,
    resourceId,
    tag: "attendance",
    ...(await linkToTie(deps, course)),
  });
  await deps.columns.noteLabel(column.id, created.label);
  return created.id;
}

/** The link whose launch named the gradebook, if it opens the course's own Space. */
async function linkToTie(
  { courseLinks }: Pick<FindLineItemDeps, "courseLinks">,
  { registrationId, id: courseId, lineItemsUrl, gradesLink = null }: Course,
): Promise<{ resourceLinkId?: string }> {
  if (gradesLink === null || gradesLink.lineItemsUrl !== lineItemsUrl) return {};
  const { linkId } = gradesLink;
  const link = await courseLinks.findByLinkId({ registrationId, courseId, linkId });
  return link?.choice.kind === "course-space" ? { resourceLinkId: linkId } : {};
}

async function takenByOthers(
  deps: FindLineItemDeps,
  course: Course,
  column: Column,
): Promise<Set<string | null>> {
  const columns = await deps.columns.listOfCourse(course.registrationId, course.id);
  return new Set(columns.filter(({ id }) => id !== column.id).map(({ lineItemUrl }) => lineItemUrl));
}
