import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import type { Course } from "../../../domain/course.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { Translate } from "../../../web/translate.ts";

/** Title and day, since lessons often share a title. */
export function sessionName(
  t: Translate,
  session: Pick<ClassroomEvent, "title" | "startsAt"> | null,
  { timeZone }: Pick<Course, "timeZone">,
): string {
  const title = session?.title ?? t("choose.names.session");
  if (session?.startsAt == null) return title;
  return `${title}, ${courseTimes({ timeZone }, t.locale).date(session.startsAt)}`;
}
