import type { App } from "../../app.ts";
import type { Erasure, ErasureSubject } from "./rules/erasure.ts";
import { personalRecords as table } from "./rules/personal-records.ts";
import type { AccountId } from "../../domain/account.ts";
import { taskId } from "../../kernel/ids.ts";
import { recordingReadings } from "../recordings/recording-readings.ts";
import { eraseAll, type EraseDeps, type EraseStep, wholeStep } from "./erase-step.ts";
import { aboutOf, redactStep, type RedactReceiptsDeps } from "./redact-receipts.ts";

type Course = Extract<ErasureSubject, { kind: "course" }>;

export type CloseSpacesDeps = Pick<App, "spaceRegister" | "clock">;

/** Records about a Space, for all courses that use it. */
const spaceRecords = table.filter(({ key }) =>
  ["recordings", "recordingTexts", "sessionEnds", "presences"].includes(key),
);

/**
 * The course goes first, so that the next launch makes a new one, then what belongs to it, and records about its Spaces
 * that no other course uses. The Spaces stay in the classroom and are closed to people without a right to them: old
 * addresses have their ids.
 */
export function courseSteps(
  deps: EraseDeps & RedactReceiptsDeps & CloseSpacesDeps,
  { who }: Pick<Erasure, "who">,
  what: Course,
): EraseStep[] {
  const { registrationId, courseId, environment, spaceIds, eventIds } = what;
  const ofCourse = table.flatMap((held) =>
    held.ofCourses === null ? [] : [{ held, filter: held.ofCourses(registrationId, [courseId]) }],
  );
  const courseFirst = [
    ...ofCourse.filter(({ held }) => held.key === "courses"),
    ...ofCourse.filter(({ held }) => held.key !== "courses"),
  ];
  return [
    {
      key: "spaceRights",
      run: async () => ({
        erased: await deps.spaceRegister.closeOf({ courseId }, "course-erased", deps.clock.now()),
        cursor: null,
      }),
    },
    ...courseFirst.map(({ held, filter }) => wholeStep(deps, held, filter)),
    {
      key: "recordings",
      run: async () => ({ erased: await eraseSpaces(deps, environment, spaceIds), cursor: null }),
    },
    // Webhooks of an abandoned course go by their age.
    ...(who === "retention"
      ? []
      : [
          redactStep(deps, environment, (bodies) =>
            Promise.resolve(
              bodies.map(({ body }) => {
                const { eventId } = aboutOf(body);
                return eventId !== null && eventIds.includes(eventId) ? { kind: "goes" } : { kind: "stays" };
              }),
            ),
          ),
        ]),
  ];
}

/** Erases records about Spaces, without those that a course still uses. */
export async function eraseSpaces(
  deps: EraseDeps,
  environment: AccountId,
  spaceIds: readonly string[],
): Promise<number> {
  let erased = 0;
  for (const spaceId of spaceIds) {
    const used =
      (await deps.personalRecords.count("Course", { environment, spaceId })) +
      (await deps.personalRecords.count("FormerSpace", { environment, spaceId })) +
      (await deps.personalRecords.count("CourseLink", { "choice.spaceId": spaceId }));
    if (used > 0) continue;
    for (const { model } of spaceRecords) erased += await eraseAll(deps, model, { environment, spaceId });
    const { key } = recordingReadings.identityOf({ environment, spaceId });
    erased += await eraseAll(deps, "Task", { _id: taskId(recordingReadings.name, key) });
  }
  return erased;
}
