import { z } from "zod";
import { lazily } from "../../../kernel/async.ts";
import { hourMs, minuteMs, weekMs } from "../../../kernel/clock.ts";

const namePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/;

/** Present names of zones by their former names. Node uses the names of CLDR, which never change. The present ones are from tzdata's `backward`. */
export const renamedZones: ReadonlyMap<string, string> = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

/** Returns the present name of the IANA zone that a text names, or null. Moodle sends "99" for "the server's". */
export function timeZoneOf(text: string): string | null {
  const name = text.trim();
  if (name.length > 64 || !namePattern.test(name)) return null;
  try {
    return zoneCalled(name).present;
  } catch {
    return null;
  }
}

function presentName(zone: string): string {
  return renamedZones.get(zone) ?? zone;
}

/** Every zone that can be chosen, by name, with UTC. */
export const timeZones = lazily((): readonly string[] =>
  [...new Set([...Intl.supportedValuesOf("timeZone").map(presentName), "UTC"])].sort(),
);

export type WallTime = { date: string; time: string };

/** The wall-clock time of a moment (ms). */
export function wallTimeOf(at: number, timeZone: string): WallTime {
  const text = zoneCalled(timeZone).format.format(at);
  const [month = "", day = "", year = "", hour = "", minute = ""] = text.match(/\d+/g) ?? [];
  return { date: `${year.padStart(4, "0")}-${month}-${day}`, time: `${hour}:${minute}` };
}

type Zone = { format: Intl.DateTimeFormat; present: string };
const zonesInUse = new Map<string, Zone>();

/** Kept once made, because a format costs as much as ten formatted times. @throws RangeError if there is no such zone */
function zoneCalled(timeZone: string): Zone {
  // Names come from outside, in any letter case. There are about six hundred.
  const name = timeZone.toLowerCase();
  const known = zonesInUse.get(name);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const zone = { format, present: presentName(format.resolvedOptions().timeZone) };
  zonesInUse.set(name, zone);
  return zone;
}

/** "New York" for "America/New_York". No two zones have the same city. */
export function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** "+1", "−3:30", or "" for no offset, of a zone that this machine knows. @param at ms: the offset differs by season. */
export function offsetOf(zone: string, at: number): string {
  const { date, time } = wallTimeOf(at, zone);
  const start = Math.floor(at / minuteMs) * minuteMs;
  const minutes = Math.round((Date.parse(`${date}T${time}:00Z`) - start) / minuteMs);
  if (minutes === 0) return "";
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `${minutes < 0 ? "−" : "+"}${Math.floor(size / 60)}${rest}`;
}

/** Such as "New York (UTC−5)": what a field shows and `zoneOfCity` reads. @param at ms */
export function cityWithOffset(zone: string, at: number): string {
  return zone === "UTC" ? zone : `${cityOf(zone)} (UTC${offsetOf(zone, at)})`;
}

/**
 * The zone of a city, with or without an offset in brackets, or of an IANA name, or null. Only accepts a bare offset that belongs to one zone
 * without summer time: any other would be wrong somewhere for half of the year.
 */
export function zoneOfCity(text: string): string | null {
  const city = plain(text.replace(/\([^]*/, ""));
  const offset = /^(?:utc|gmt)? ?\+0?(\d:?\d\d)$/.exec(city)?.[1]?.replace(":", "") ?? "";
  return zones().get(city) ?? zonesOfOffsets[offset] ?? timeZoneOf(text);
}

const zonesOfOffsets: Readonly<Record<string, string>> = {
  "330": "Asia/Tehran",
  "430": "Asia/Kabul",
  "530": "Asia/Kolkata",
  "545": "Asia/Kathmandu",
  "630": "Asia/Yangon",
};

/** Large cities whose zone is named after another city. */
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

const zones = lazily(
  () =>
    new Map([
      ...otherCities.flatMap(([zone, cities]) => cities.map((city) => [plain(city), zone] as const)),
      ...[...renamedZones].map(([former, zone]) => [plain(cityOf(former)), zone] as const),
      ...timeZones().map((zone) => [plain(cityOf(zone)), zone] as const),
    ]),
);

/** Makes "são paulo" and "Sao Paulo" the same city. */
function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll("_", " ").trim().toLowerCase();
}

/** Zones change their offset only at quarters of an hour. */
const quarterMs = 15 * minuteMs;

/**
 * Writes ISO 8601 with the zone's offset, to the second: "2026-11-21T15:04:05+01:00". Looks offsets up once per quarter of an hour.
 * @param timeZone An IANA name that `timeZoneOf` knows.
 */
export function zonedIso(timeZone: string): (at: number) => string {
  const offsets = new Map<number, number>();
  const offsetAt = (at: number): number => {
    const start = Math.floor(at / quarterMs) * quarterMs;
    const known = offsets.get(start);
    if (known !== undefined) return known;
    const { date, time } = wallTimeOf(start, timeZone);
    const offset = Math.round((Date.parse(`${date}T${time}:00Z`) - start) / minuteMs);
    offsets.set(start, offset);
    return offset;
  };
  return (at) => {
    const offset = offsetAt(at);
    const local = new Date(at + offset * minuteMs).toISOString().slice(0, 19);
    const twoDigits = (value: number) => String(value).padStart(2, "0");
    const size = Math.abs(offset);
    return `${local}${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
  };
}

/** Clocks change by an hour, and the change may be at a zone's midnight. */
const mayShiftMs = 2 * hourMs;

/**
 * When a new session probably begins: at the course's usual weekday and time, a week after its last session, otherwise
 * at the next full hour. Never in the past. @param starts The starts of the course's sessions (ms). @param now ms
 */
export function proposedStart(starts: readonly number[], now: number, timeZone: string): WallTime {
  const last = starts.length === 0 ? null : Math.max(...starts);
  const { date, time } = wallTimeOf(last ?? now + hourMs, timeZone);
  if (last === null) return { date, time: `${time.slice(0, 2)}:00` };
  const weeks = Math.max(1, Math.ceil((now + mayShiftMs - last) / weekMs));
  // Noon is within the same day, whatever the clocks do.
  const day = Date.parse(`${date}T12:00:00Z`) + weeks * weekMs;
  return { date: new Date(day).toISOString().slice(0, 10), time };
}

/** First and last day, such as "2026-11-21". Null for no bound. */
export type DayRange = { from: string | null; to: string | null };

export const allDays: DayRange = { from: null, to: null };

export function isBounded({ from, to }: DayRange): boolean {
  return from !== null || to !== null;
}

/**
 * Whether a moment falls on one of the days. Something without a date is outside as soon as there is a bound.
 * @param timeZone The course's zone, in which days begin. UTC if null.
 */
export function isWithin(days: DayRange, startsAt: number | null, timeZone: string | null): boolean {
  if (!isBounded(days)) return true;
  if (startsAt === null) return false;
  const { date } = wallTimeOf(startsAt, timeZoneOf(timeZone ?? "") ?? "UTC");
  return (days.from === null || date >= days.from) && (days.to === null || date <= days.to);
}

const day = z.iso.date().nullable().catch(null);
const shape = z.object({ from: day, to: day }).catch({ from: null, to: null });

/** Reads days from a form. Drops what isn't a date, and swaps days in the wrong order. */
export function readDays(posted: unknown): DayRange {
  const { from, to } = shape.parse(posted ?? {});
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
}
