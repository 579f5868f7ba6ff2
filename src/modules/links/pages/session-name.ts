import type { ClassroomEvent } from "../../../domain/classroom-event.ts";
import type { Translate } from "../../../web/translate.ts";

/** Title and day, since lessons often share a title. @param timeZone An IANA name; UTC where browsers do not know it. */
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
