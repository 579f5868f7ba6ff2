import { attendanceColumn } from "../rules/column.ts";
import type { Course } from "../../../domain/course.ts";
import type { OfferedColumn } from "../activity-column.ts";
import type { ColumnMissed } from "../missing-columns.ts";
import type { LmsWording } from "../../../domain/lms-product.ts";
import { isOurs, type OldColumn } from "../old-column.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseTimes } from "../../../web/course-times.ts";

/** A column that a teacher removed from the gradebook. */
export type MissingShown = {
  columnId: string;
  open: boolean;
  text: string;
  make: string;
  makeLabel: string;
  /** Null where that is decided, or the institution's decision. */
  leave: string | null;
  leaveLabel: string;
  leaveValue: string;
};

/** The attendance column, where sessions have their own. */
export type OldColumnShown = { text: string; ours: boolean; asks: boolean; removeLabel: string };

export function missingView(
  { t, times }: { t: Translate; times: CourseTimes },
  { locked = [] }: Pick<Course, "locked">,
  { id, key, label = null, missing }: ColumnMissed,
): MissingShown {
  const whole = key === attendanceColumn;
  const column = label ?? t("choose.attendance");
  const kind = missing.leftOut ? "leftOut" : missing.tied ? "tied" : "removed";
  return {
    columnId: id,
    open: !missing.leftOut,
    text: t(`grades.missing.${kind}`, { column, when: times.text(missing.at) }),
    make: t("grades.missing.make"),
    makeLabel: t("grades.missing.makeLabel", { column }),
    leave:
      missing.leftOut || (whole && locked.includes("kind"))
        ? null
        : t(`grades.missing.${whole ? "stop" : "leave"}`),
    leaveLabel: t(`grades.missing.${whole ? "stopLabel" : "leaveLabel"}`, { column }),
    leaveValue: `${whole ? "stop" : "leave"}:${id}`,
  };
}

/** Null: no such column. */
export function oldColumnView(
  { t, wording }: { t: Translate; wording: LmsWording },
  column: OldColumn | null,
  asks: boolean,
): OldColumnShown | null {
  if (column === null) return null;
  const name = { column: column.label ?? t("choose.attendance") };
  const ours = isOurs(column);
  const text = [
    t("grades.oldColumn.text", name),
    t(`grades.oldColumn.${wording}`),
    ...(ours ? [] : [t("grades.oldColumn.theirs")]),
  ].join(" ");
  return {
    text: asks && ours ? t("grades.oldColumn.ask", name) : text,
    ours,
    asks,
    removeLabel: t("grades.oldColumn.removeLabel", name),
  };
}

/** The activity has a column of its own, and grades go to ours. */
export type OfferedShown = {
  text: string;
  value: string;
  /** Null where that is decided. */
  keep: { text: string; value: string } | null;
};

/** Null: no such column. */
export function offeredView({ t }: { t: Translate }, column: OfferedColumn | null): OfferedShown | null {
  if (column === null) return null;
  const name = { column: column.label ?? t("choose.attendance") };
  const text = `${t("grades.activity.text", name)} ${t("grades.activity.then", name)}`;
  const keep = { text: t("grades.activity.keep", name), value: `keep:${column.id}` };
  return { text, value: `activity:${column.id}`, keep: column.offered.left === true ? null : keep };
}
