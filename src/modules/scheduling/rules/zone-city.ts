import { renamedZones, timeZoneOf, timeZones, wallTimeOf } from "./time-zone.ts";

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

/**
 * The zone of a city, with or without what stands in brackets, or of an IANA name; null for none. Of offsets only those that
 * one zone without summer time has: any other would be wrong for half of the year somewhere.
 */
export function zoneOfCity(text: string): string | null {
  const city = plain(text.replace(/\([^]*/, ""));
  const offset = /^(?:utc|gmt)? ?\+0?(\d:?\d\d)$/.exec(city)?.[1]?.replace(":", "") ?? "";
  return zones.get(city) ?? zonesOfOffsets[offset] ?? timeZoneOf(text);
}

const zonesOfOffsets: Readonly<Record<string, string>> = {
  "330": "Asia/Tehran",
  "430": "Asia/Kabul",
  "530": "Asia/Kolkata",
  "545": "Asia/Kathmandu",
  "630": "Asia/Yangon",
};

/** Large cities whose zone is called after another one. */
const otherCities: readonly (readonly [zone: string, cities: readonly string[]])[] = [
  ["America/Los_Angeles", ["San Francisco", "Seattle"]],
  ["America/New_York", ["Boston", "Washington"]],
  ["America/Sao_Paulo", ["Brasilia", "Rio de Janeiro"]],
  ["Asia/Kolkata", ["Bangalore", "Bengaluru", "Chennai", "Delhi", "Mumbai", "New Delhi"]],
  ["Asia/Karachi", ["Islamabad", "Lahore"]],
  ["Asia/Riyadh", ["Jeddah", "Mecca"]],
  ["Asia/Shanghai", ["Beijing", "Guangzhou", "Shenzhen"]],
  ["Asia/Dubai", ["Abu Dhabi"]],
  ["Asia/Ho_Chi_Minh", ["Hanoi"]],
  ["Europe/Berlin", ["Cologne", "Frankfurt", "Hamburg", "Munich"]],
  ["Europe/Madrid", ["Barcelona"]],
  ["Europe/Rome", ["Milan"]],
  ["Europe/Zurich", ["Bern", "Geneva"]],
  ["Africa/Johannesburg", ["Cape Town", "Pretoria"]],
];

const zones: ReadonlyMap<string, string> = new Map([
  ...otherCities.flatMap(([zone, cities]) => cities.map((city) => [plain(city), zone] as const)),
  ...[...renamedZones].map(([former, zone]) => [plain(cityOf(former)), zone] as const),
  ...timeZones().map((zone) => [plain(cityOf(zone)), zone] as const),
]);

/** "são paulo" and "Sao Paulo" are one city. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("_", " ").trim().toLowerCase();
}
