import type { Course } from "../../../domain/course.ts";
import { dayText } from "../../../web/course-times.ts";
import type { Translate } from "../../../web/translate.ts";
import { type GradesHold, holdOf } from "../rules/delivery.ts";

/** When grades are sent, as the form puts it. */
export function sendingText(
  t: Translate,
  rule: Partial<Pick<Course, "gradesUntil" | "gradesRelease">>,
): string {
  if (rule.gradesRelease !== undefined) {
    const value = t(`grading.sending.release.${rule.gradesRelease}`);
    return t("label.value", { label: t("grading.sending.release.label"), value });
  }
  const { gradesUntil = "" } = rule;
  const value = gradesUntil === "" ? t("grading.sending.noEnd") : dayText(t.locale, gradesUntil);
  return t("label.value", { label: t("grading.sending.until"), value });
}

/** The choices in a course and for an institution. */
export function releaseOptions(t: Translate, chosen: Course["gradesRelease"]) {
  return (["self", "hand"] as const).map((value) => ({
    value,
    label: t(`grading.sending.release.${value}`),
    chosen: value === chosen,
  }));
}

/** Why grades wait for an instructor; null if they don't. */
export function holdText(t: Translate, hold: GradesHold | null): string | null {
  if (hold === null) return null;
  return hold.why === "ended"
    ? t("grades.hold.ended", { day: dayText(t.locale, hold.day) })
    : t("grades.hold.hand");
}

/** For pages of attendance: says that the gradebook no longer changes; null if it does. */
export function endedText(t: Translate, course: Course, now: number): string | null {
  const hold = course.policy.kind === "no-grades" ? null : holdOf(course, now);
  return hold?.why === "ended" ? t("grades.hold.attendance", { day: dayText(t.locale, hold.day) }) : null;
}
