import type { Turned } from "../assumptions.ts";
import { asNumbers } from "./turned-ids.ts";

type Payload = Readonly<Record<string, unknown>>;

export function writtenWebhook(turned: Turned, payload: Payload): Payload {
  let written = { ...payload };
  if (turned.has("idsAreTexts"))
    written = Object.fromEntries(Object.entries(written).map(([name, id]) => [name, asNumbers(name, id)]));
  const { _type: family = "ATTENDANCE", timestamp } = payload;
  if (typeof family === "string" && typeof timestamp === "string")
    written.timestamp = writtenTime(turned, family, timestamp);
  if (turned.has("nothingIsLeftOut")) written = withNulls(written);
  if (turned.has("webhooksAreExact")) written = { ...written, ...more };
  return written;
}

/** Fields of a later version, or of another family. */
const more = {
  apiVersion: "2026-09",
  institution: { id: 7, name: "Example University" },
  deliveredTo: ["primary"],
  duration: null,
};

function writtenTime(turned: Turned, family: string, iso: string): unknown {
  if (family.startsWith("SPACE_")) return turned.has("spaceTimesAreIso") ? Date.parse(iso) : iso;
  if (family === "ATTENDANCE") {
    const at = turned.has("timesAreFine") ? iso.replace(/\.\d+Z$/, "Z") : iso;
    return turned.has("attendanceTimesNameZone") ? at.replace("T", " ").replace("Z", "") : at;
  }
  return turned.has("isoEndsInZ") ? withOffset(iso) : iso;
}

/** The same moment with an offset of two hours. */
function withOffset(iso: string): string {
  return new Date(Date.parse(iso) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
}

function withNulls(payload: Payload): Record<string, unknown> {
  const { _type: family, currentStatus } = payload;
  if (family === "SCHEDULE") return { recurringUpdateType: null, ...payload };
  if (family !== undefined || typeof currentStatus !== "object") return { ...payload };
  return { prevStatus: null, ...payload, currentStatus: { notes: null, ...currentStatus } };
}
