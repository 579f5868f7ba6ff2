import type { Course } from "../../../domain/course.ts";
import { countCompared, type CountComparedDeps } from "../restored-scores.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { numberText } from "../../../web/number-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** `differs`: some scores are not as the gradebook has them. */
export type RestoredNote = { lines: string[]; differs: boolean };

/** Null: nothing left to say. */
export async function restoredNote(
  app: CountComparedDeps,
  course: Pick<Course, "id" | "registrationId">,
  { t, times }: { t: Translate; times: CourseTimes },
): Promise<RestoredNote | null> {
  const restored = await app.restores.findCourse(course.id);
  if (restored === null) return null;
  const { waiting, differing, unread } = await countCompared(app, {
    registrationId: course.registrationId,
    courseId: course.id,
  });
  if (waiting + differing + unread === 0) return null;
  const when = times.text(restored.restoredAt);
  const number = (count: number) => ({ number: numberText(t, count) });
  return {
    lines: [
      restored.backupAt === null
        ? t("restored.textUnknown", { when })
        : t("restored.text", { when, backup: times.text(restored.backupAt) }),
      ...(waiting === 0 ? [] : [t("restored.stillToCompare", number(waiting))]),
      ...(differing === 0 ? [] : [t("restored.different", number(differing))]),
      ...(unread === 0 ? [] : [t("restored.unread", number(unread))]),
    ],
    differs: differing > 0,
  };
}
