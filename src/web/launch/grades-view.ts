import type { Course } from "../../domain/course.ts";
import { type GradeSync, type GradeSyncRow, showGradeSync } from "../../features/grading/show-grade-sync.ts";
import { sessionName } from "../deep-linking/session-name.ts";
import type { Translate } from "../translate.ts";

/** The grades of a course as its page shows them: each row says its column, where there are several. */
export type GradesView = Omit<GradeSync, "rows"> & { rows: (GradeSyncRow & { column: string | null })[] };

/** @param locale The LMS's locale of this session. */
export async function gradesView(
  deps: Parameters<typeof showGradeSync>[0],
  t: Translate,
  locale: string | null,
  course: Course,
): Promise<GradesView> {
  const sync = await showGradeSync(deps, course);
  const several = sync.rows.some((row) => row.session !== null);
  const columnOf = ({ session }: GradeSyncRow) =>
    session === null ? t("choose.attendance") : sessionName(t, session, { locale, timeZone: null });
  return { ...sync, rows: sync.rows.map((row) => ({ ...row, column: several ? columnOf(row) : null })) };
}
