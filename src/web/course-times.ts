import type { Course } from "../domain/course.ts";

export type CourseTimes = {
  /** The zone they are written in, such as "Europe/Berlin". */
  zone: string;
  /** "Sat 21 Nov 2026, 14:05" */
  text: (at: number) => string;
};

/** Times in the course's zone, else in UTC: the same for all readers. @param locale Of the reader's translator. */
export function courseTimes({ timeZone }: Pick<Course, "timeZone">, locale: string): CourseTimes {
  const key = `${locale} ${timeZone ?? ""}`;
  const times = known.get(key) ?? timesIn(timeZone, locale);
  // Locales and zones come from outside: a few are kept.
  if (known.size < 300) known.set(key, times);
  return times;
}

/** Making a format takes longer than writing a page's times with it. */
const known = new Map<string, CourseTimes>();

function timesIn(timeZone: string | null | undefined, locale: string): CourseTimes {
  const format = formatIn(timeZone ?? "UTC", locale);
  const zone = format.resolvedOptions().timeZone;
  return {
    zone,
    text: (at) => {
      if (locale !== "en-GB") return format.format(at);
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
      const day = [part("weekday"), part("day"), part("month"), part("year")].join(" ");
      return `${day}, ${part("hour")}:${part("minute")}`;
    },
  };
}

/** A zone that this machine does not know counts as UTC. */
function formatIn(timeZone: string, locale: string): Intl.DateTimeFormat {
  const parts = {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  try {
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone: "UTC" });
  }
}
