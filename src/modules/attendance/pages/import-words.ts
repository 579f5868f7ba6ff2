import { knownStatuses } from "../../../domain/attendance.ts";
import { listedName } from "../../../domain/person-name.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { catalogues } from "../../../web/catalogues.ts";
import { statusView } from "../../../web/status-view.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import type { Course } from "../../../domain/course.ts";
import type { MarkableCourse } from "../compare-marks.ts";
import type { TableWords } from "../rules/marks-in-table.ts";
import { sessionHead } from "./grid-files.ts";

/** Of columns of the table that is taken away, beside who, and sessions. */
const otherColumns = ["inCourse", "sections", "present", "late", "absent", "excused", "unknown"] as const;

/**
 * What a table of marks may say: what the table that is taken away says, in any of our languages, for colleagues share files; a
 * session's title or date alone where no other session has it; and a status by the reader's letter, or as the classroom writes it.
 */
export function tableWords(
  { translatorOf }: { translatorOf: TranslatorOf },
  reader: Translate,
  course: Course,
  { sessions, rows }: MarkableCourse,
): TableWords {
  const languages = [reader, ...[...catalogues.keys()].map(translatorOf)];
  const heads = (keys: readonly Parameters<Translate>[0][]) =>
    languages.flatMap((t) => keys.map((key) => t(key)));
  return {
    heads: {
      ids: heads(["grades.files.columns.lmsId"]),
      names: heads(["grades.files.columns.learner"]),
      others: heads([
        ...otherColumns.map((name) => `grades.files.columns.${name}` as const),
        "grid.files.rate",
      ]),
    },
    sessions: sessions.map((session) => ({
      eventId: session.eventId,
      names: [
        ...languages.flatMap((t) => sessionHeads(t, course, session)),
        ...datesOf(course, session),
        session.eventId,
      ],
    })),
    learners: rows.map((row) => ({ personId: row.personId, sub: row.sub, name: listedName(row) })),
    statuses: [
      ...knownStatuses.map((status) => [reader(`grid.cell.letters.${status}`), status] as const),
      ...languages.flatMap((t) =>
        knownStatuses.map((status) => [statusView(t, status).text, status] as const),
      ),
      ...knownStatuses.map((status) => [status, status] as const),
    ],
  };
}

/** Whether it counts for grades may have changed since. */
function sessionHeads(t: Translate, course: Course, session: CourseSession): string[] {
  const times = courseTimes(course, t.locale);
  const heads = [true, false].map((counts) => sessionHead({ t, times }, { ...session, counts }));
  return [...heads, ...(session.title === null ? [] : [session.title])];
}

function datesOf({ timeZone }: Course, { startsAt }: CourseSession): string[] {
  if (startsAt === null) return [];
  const { date, time } = wallTimeOf(startsAt, timeZoneOf(timeZone ?? "") ?? "UTC");
  return [date, `${date} ${time}`];
}
