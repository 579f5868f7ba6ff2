import type { CurrentAttendance } from "../../../domain/attendance.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import { type StatusView, statusView } from "../../../web/status-view.ts";

export type CurrentAttendanceView = StatusView & {
  source: string;
  /** By an instructor, here. */
  byHand: boolean;
  /** The classroom's; an instructor's are in their field. */
  notes: string | null;
  reason: string | null;
  /** What the classroom says against a correction. */
  conflict: string | null;
};

/** @param names Of instructors who made corrections, by person id. */
export function currentAttendanceView(
  { t, times }: Pick<CourseWords, "t" | "times">,
  names: ReadonlyMap<string, string>,
  current: CurrentAttendance | null,
): CurrentAttendanceView | null {
  if (current === null) return null;
  const { correction, conflicting, notes } = current;
  const status = statusView(t, current.status);
  return {
    ...status,
    byHand: correction !== null,
    source:
      correction === null
        ? t("register.byClassroom")
        : t("register.byInstructor", {
            name: names.get(correction.by) ?? t("register.someInstructor"),
            when: times.text(correction.at),
          }),
    notes: correction === null ? notes : null,
    reason: correction?.reason ?? null,
    conflict:
      conflicting === null
        ? null
        : t("register.conflict", {
            classroom: statusView(t, conflicting.status).text,
            when: times.text(conflicting.at),
            correction: status.text,
          }),
  };
}
