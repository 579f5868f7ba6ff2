import { wallTimeOf } from "./time-zone.ts";

const minute = 60_000;
/** Zones change their offset at quarters of an hour only. */
const quarterMs = 15 * minute;

/**
 * ISO 8601 with the zone's offset, to the second: "2026-11-21T15:04:05+01:00". Offsets are looked up once per quarter
 * of an hour. @param timeZone IANA name that `timeZoneOf` knows.
 */
export function zonedIso(timeZone: string): (at: number) => string {
  const offsets = new Map<number, number>();
  const offsetAt = (at: number): number => {
    const start = Math.floor(at / quarterMs) * quarterMs;
    const known = offsets.get(start);
    if (known !== undefined) return known;
    const { date, time } = wallTimeOf(start, timeZone);
    const offset = Math.round((Date.parse(`${date}T${time}:00Z`) - start) / minute);
    offsets.set(start, offset);
    return offset;
  };
  return (at) => {
    const offset = offsetAt(at);
    const local = new Date(at + offset * minute).toISOString().slice(0, 19);
    const two = (value: number) => String(value).padStart(2, "0");
    const size = Math.abs(offset);
    return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  };
}
