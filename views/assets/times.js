// Dates and times in the page's language, in the form of src/web/course-times.ts: "Tue 24 Nov 2026, 10:00–11:30".
const dayParts = { weekday: "short", day: "numeric", month: "short", year: "numeric" };
const clockParts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** The browser's time zone, as an IANA name. */
export const zoneHere = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The browser's name for a zone, which may be a former name. */
export const nameHere = (timeZone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};

// Chrome says "Asia/Calcutta", so this lists cities by former names of zones.
const presentCities = {
  Asmera: "Asmara",
  Calcutta: "Kolkata",
  "Coral Harbour": "Atikokan",
  Enderbury: "Kanton",
  Faeroe: "Faroe",
  Godthab: "Nuuk",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Ponape: "Pohnpei",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh",
  Truk: "Chuuk",
};

/** "New York" of "America/New_York", "Kolkata" of "Asia/Calcutta". */
export function cityOf(zone) {
  const city = zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
  return presentCities[city] ?? city;
}

/** @param language Of the page. @param zone An IANA name. */
export function timesIn(language, zone) {
  const isEnglish = /^en\b/i.test(language);
  // With the digits that the server writes.
  const locale = isEnglish ? "en-GB" : language === "ar" ? "ar-u-nu-latn" : language;
  const formatOf = (parts) => new Intl.DateTimeFormat(locale, { ...parts, timeZone: zone });
  const moments = formatOf({ ...dayParts, ...clockParts });
  const dates = formatOf(dayParts);
  const clocks = formatOf(clockParts);
  const date = (at) => (isEnglish ? dates.format(at).replace(",", "") : dates.format(at));
  const clock = (at) => clocks.format(at);
  const text = (at) => (isEnglish ? `${date(at)}, ${clock(at)}` : moments.format(at));
  return {
    text,
    date,
    clock,
    /** The hours alone. */
    hours: (startsAt, endsAt) => (endsAt === null ? clock(startsAt) : `${clock(startsAt)}–${clock(endsAt)}`),
    /** `endsAt`: null where it is not known. */
    span(startsAt, endsAt) {
      if (endsAt === null) return text(startsAt);
      return date(startsAt) === date(endsAt)
        ? `${text(startsAt)}–${clock(endsAt)}`
        : `${text(startsAt)} – ${text(endsAt)}`;
    },
  };
}
