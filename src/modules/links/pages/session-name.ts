import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import type { Translate } from "../../../web/translate.ts";

/**
 * Its title and its day, since lessons of a course often share one title. @param timeZone IANA name as the LMS gave it;
 * anything a browser would not know counts as UTC.
 */
export function sessionName(
  t: Translate,
  session: Pick<ClassroomEvent, "title" | "startsAt"> | null,
  where: { locale: string | null; timeZone: string | null },
): string {
  const title = session?.title ?? t("choose.names.session");
  if (session?.startsAt == null) return title;
  return `${title}, ${dayFormat(where.locale ?? "en", where.timeZone ?? "UTC").format(session.startsAt)}`;
}

function dayFormat(locale: string, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale.replaceAll("_", "-"), { dateStyle: "medium", timeZone });
  } catch {
    return new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
  }
}
