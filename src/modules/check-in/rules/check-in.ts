import { ofCoursesAlone, signedBy } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import { plainDigits } from "../../../kernel/text.ts";
import { minuteMs } from "../../../kernel/clock.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";

/** For a while, learners of a session may check in with a code. Times in ms. Attendance says who did. */
export const checkInRecord = describeRecord("CheckIn", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    eventId: field.text,
    startedBy: field.text,
    /** Codes are counted from here, so starting again makes earlier codes invalid. */
    startedAt: field.number,
    closesAt: field.number,
  },
  indexes: [index.unique("courseId", "eventId"), index("courseId", "closesAt"), index("closesAt")],
  personalData: {
    key: "checkIns",
    holds: "when learners could check in to a session, and who started it",
    stored: "30 days; each learner's check-in is attendance",
    person: [signedBy("startedBy", { courses: ofCoursesAlone })],
    purged: { days: 30, field: "closesAt" },
    names: [{ path: "startedBy", among: "courses" }],
  },
});
export type CheckIn = ItemOf<typeof checkInRecord>;

export const checkInRecords = [checkInRecord];

/** How long a code is the newest (ms). The one before it is still accepted, for people who are typing it. */
const codeMs = 30_000;

/** For how long learners may check in: an instructor's choices, in minutes. */
export const openMinutes = [2, 5, 10, 15, 30, 60] as const;
export const usualMinutes = 10;
/** People sit down before a session begins (ms). */
const earlyMs = 15 * minuteMs;
/** How many wrong codes are allowed in ten minutes: for one learner, and for all learners of a session together. */
export const maxWrongOfPerson = 10;
export const maxWrongOfSession = 1_000;
/** The address that a scanned code opens, before its id. */
export const scannedAt = "/check-in";
/** How many sessions of one course can have check-ins at the same time. */
export const maxOpen = 100;

type Times = Pick<CourseSession, "startsAt" | "endsAt" | "cancelled" | "deleted">;

/** When learners may check in to a session: from a little before its start to its end (ms). Null if it takes place at no known time. */
export function checkInSpan({
  startsAt,
  endsAt,
  cancelled,
  deleted,
}: Times): { from: number; to: number } | null {
  if (startsAt === null || cancelled || deleted === true) return null;
  return { from: startsAt - earlyMs, to: endsAt ?? startsAt + assumedLengthMs };
}

/** Whether a check-in may begin now. */
export function mayStart(session: Times, now: number): boolean {
  const span = checkInSpan(session);
  return span !== null && now >= span.from && now < span.to;
}

/** Until when a check-in that begins now lasts, never longer than the session (ms). Null if it may not begin. */
export function closingTime(session: Times, minutes: number, now: number): number | null {
  const span = checkInSpan(session);
  return span === null || !mayStart(session, now) ? null : Math.min(now + minutes * minuteMs, span.to);
}

/** A session that was moved or cancelled takes no more check-ins. */
export function isOpen(session: Times, checkIn: { closesAt: number }, now: number): boolean {
  return mayStart(session, now) && now < checkIn.closesAt;
}

/** @param lateAfter Minutes after the session's start. */
export function statusAt(
  { startsAt }: Pick<CourseSession, "startsAt">,
  lateAfter: number,
  at: number,
): "PRESENT" | "LATE" {
  return startsAt !== null && at > startsAt + lateAfter * minuteMs ? "LATE" : "PRESENT";
}

/** As posted by a form. Null for what it doesn't offer. */
export function readMinutes(posted: string): number | null {
  return openMinutes.find((one) => String(one) === posted) ?? null;
}

/** No characters that look alike on a distant screen, and no vowels, so no code is a word. */
const letters = "23456789BCDFGHJKMNPQRSTVWXYZ";
const codeLength = 6;
/** How many codes there are. */
export const codeCount = letters.length ** codeLength;

/** Makes a code from the first 48 bits of a digest. That many bits make all codes about equally frequent. */
export function codeOf(digest: Uint8Array): string {
  let rest = digest.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0) % codeCount;
  let code = "";
  while (code.length < codeLength) {
    code += letters.charAt(rest % letters.length);
    rest = Math.floor(rest / letters.length);
  }
  return code;
}

/** Reads a code as typed on any keyboard, or copied: only letters and digits count, in any case. Null if it can't be a code. */
export function readCode(typed: string): string | null {
  const code = plainDigits(typed.normalize("NFKC"))
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
  return code.length === codeLength && Array.from(code).every((letter) => letters.includes(letter))
    ? code
    : null;
}

/** A code with a space: "K7M 2PX". */
export function spacedCode(code: string): string {
  return `${code.slice(0, codeLength / 2)} ${code.slice(codeLength / 2)}`;
}

/** Which code is the newest, counted from the start, and when the next one comes (ms). */
export function turnAt(startedAt: number, now: number): { turn: number; endsAt: number } {
  const turn = Math.max(0, Math.floor((now - startedAt) / codeMs));
  return { turn, endsAt: startedAt + (turn + 1) * codeMs };
}

/** The turns whose codes are accepted now: the newest, and the one before it. */
export function turnsTaken(startedAt: number, now: number): number[] {
  const { turn } = turnAt(startedAt, now);
  return turn === 0 ? [turn] : [turn, turn - 1];
}
