import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { customParameter, type Launch } from "../../domain/launch.ts";

export type NoteCopiedLinkDeps = Pick<App, "linkChoices" | "courseCopies" | "ids">;

/**
 * A link with a choice of another course came with a copy of that course: the weakest evidence, for LMSs without
 * history and notices. The choice itself does not count here.
 */
export async function noteCopiedLink(
  deps: NoteCopiedLinkDeps,
  course: Course,
  launch: Launch,
): Promise<void> {
  const choiceId = launch.custom[customParameter.choice];
  if (choiceId === undefined) return;
  const choice = await deps.linkChoices.find(course.registrationId, choiceId);
  if (choice === null || choice.courseId === course.id) return;
  const { registrationId, deploymentId, contextId } = course;
  await deps.courseCopies.noteMadeIn(
    { registrationId, deploymentId, contextId },
    choice.courseId,
    deps.ids.id("cpy"),
  );
}
