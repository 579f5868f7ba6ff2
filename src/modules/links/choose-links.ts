import type { App } from "../../app.ts";
import { columnOfChoice, resourceIdOfColumn, sessionColumn } from "../grading/rules/column.ts";
import type { ContentItem } from "./rules/content-item.ts";
import type { LinkChoice } from "../../domain/course-link.ts";
import type { Course } from "../../domain/course.ts";
import { customParameter } from "../../domain/launch.ts";
import { refusal } from "../../kernel/refusal.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "../grading/grade-after-change.ts";
import { choiceOf, type WantedSpace } from "./change-link.ts";
import type { UsableSpaceDeps } from "../spaces/usable-space.ts";

export type ChooseLinksDeps = UsableSpaceDeps &
  GradeAfterChangeDeps &
  Pick<App, "events" | "columns" | "linkChoices" | "clock" | "ids">;

export type WantedLink = {
  opens: WantedSpace | { kind: "session"; eventId: string };
  title: string;
  text: string | null;
  /** Of its column, a whole number from 1 to 100. */
  points: number | null;
};

/**
 * Keeps the choices and makes the links for the LMS. All are checked before the first is kept. A link carries only its
 * choice's id, which counts in this course only. @throws NamedError "session-unknown", and those of `usableSpace`
 */
export async function chooseLinks(
  deps: ChooseLinksDeps,
  course: Course,
  personId: string,
  wanted: readonly WantedLink[],
): Promise<ContentItem[]> {
  const checked: { link: WantedLink; chosen: Chosen }[] = [];
  for (const link of wanted) {
    checked.push({ link, chosen: await checkedChoice(deps, course, personId, link.opens) });
  }
  const items: ContentItem[] = [];
  for (const { link, chosen } of checked) items.push(await keptLink(deps, course, link, chosen));
  return items;
}

/** `endsAt`: of the session (ms), where the link opens one. */
type Chosen = { choice: LinkChoice; endsAt: number | null };

async function checkedChoice(
  deps: ChooseLinksDeps,
  course: Course,
  personId: string,
  opens: WantedLink["opens"],
): Promise<Chosen> {
  if (opens.kind !== "session")
    return { choice: await choiceOf(deps, course, personId, opens), endsAt: null };
  const event = await deps.events.find(course.environment, opens.eventId);
  if (event?.courseId !== course.id || event.cancelled) {
    throw refusal("session-unknown", {
      status: 422,
    });
  }
  const { eventId, spaceId, endsAt } = event;
  const isElsewhere = spaceId !== null && spaceId !== course.spaceId;
  return { choice: { kind: "session", eventId, ...(isElsewhere ? { inSpace: spaceId } : {}) }, endsAt };
}

async function keptLink(
  deps: ChooseLinksDeps,
  course: Course,
  link: WantedLink,
  { choice, endsAt }: Chosen,
): Promise<ContentItem> {
  const { registrationId, deploymentId, id: courseId } = course;
  const { ids, clock } = deps;
  const id = ids.id("chc");
  await deps.linkChoices.insert({
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
    // Scores of this session are wanted now; their address is known when the LMS has made the column.
    const key = { registrationId, courseId, key: sessionColumn(choice.eventId) };
    // Attendance marked before counts, too.
    await gradeAfterChange(deps, course, "everybody", () => deps.columns.ask(key, ids.id("col")));
  }
  const resourceId = resourceIdOfColumn(columnOfChoice(choice));
  const tag = choice.kind === "session" ? "session" : "attendance";
  return { title, text, custom, column: { points, resourceId, tag, endsAt } };
}
