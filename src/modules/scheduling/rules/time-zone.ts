const namePattern = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/;

/** By former name: Node lists and returns zones by the names of CLDR, which never change; tzdata's `backward` has the present ones. */
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

/** The IANA zone of a text by its present name; null for none. Moodle sends "99" for "the server's". */
export function timeZoneOf(text: string): string | null {
  const name = text.trim();
  if (name.length > 64 || !namePattern.test(name)) return null;
  try {
    return presentName(new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return null;
  }
}

function presentName(zone: string): string {
  return renamedZones.get(zone) ?? zone;
}

/** Every zone that can be chosen, by name, with UTC. */
export function timeZones(): readonly string[] {
  return known;
}

const known: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf("timeZone").map(presentName), "UTC"]),
].sort();

export type WallTime = {
  date: string;
  time: string;
};

/** The wall-clock time of a moment (ms). */
export function wallTimeOf(at: number, timeZone: string): WallTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return {
    date: `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`,
    time: `${part("hour")}:${part("minute")}`,
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone);
  if (kept !== undefined) return kept;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  // Names of zones come from outside, in any case of letters.
  if (formats.size < 1_000) formats.set(timeZone, format);
  return format;
}
