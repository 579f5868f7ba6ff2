import { timeZoneOf, timeZones, wallTimeOf } from "./time-zone.ts";

/** "New York" of "America/New_York". No two zones have one city. */
export function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

const minuteMs = 60_000;

/** "+1", "−3:30", or "" for none, of a zone that this machine knows. @param at ms; it differs by season. */
export function offsetOf(zone: string, at: number): string {
  const { date, time } = wallTimeOf(at, zone);
  const start = Math.floor(at / minuteMs) * minuteMs;
  const minutes = Math.round((Date.parse(`${date}T${time}:00Z`) - start) / minuteMs);
  if (minutes === 0) return "";
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `${minutes < 0 ? "−" : "+"}${Math.floor(size / 60)}${rest}`;
}

/** "New York (UTC−5)": as a field shows it, and `zoneOfCity` reads it. @param at ms */
export function cityWithOffset(zone: string, at: number): string {
  return zone === "UTC" ? zone : `${cityOf(zone)} (UTC${offsetOf(zone, at)})`;
}

/** The zone of a city, with or without what stands in brackets, or of an IANA name; null for none. */
export function zoneOfCity(text: string): string | null {
  const city = plain(text.replace(/\(.*$/u, ""));
  return timeZones().find((zone) => plain(cityOf(zone)) === city) ?? timeZoneOf(text);
}

/** "são paulo" and "Sao Paulo" are one city. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("_", " ").trim().toLowerCase();
}
