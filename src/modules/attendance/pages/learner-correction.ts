import { correctAttendance } from "../correct-attendance.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { maxNoteLength, type PostedRegister, wantedOf } from "./register-form.ts";

/** Not saved; keeps what was typed. */
export type NotCorrected = {
  posted: PostedRegister;
  missed: boolean;
  problem: string | null;
};

/** @returns null when it is saved. */
export async function correctAsPosted(
  app: AttendanceApp,
  { session, course }: InstructorVisit,
  personId: string,
  posted: PostedRegister,
): Promise<NotCorrected | null> {
  const t = app.translatorOf(session.locale);
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    const problem = wanted.problems.get(personId) ?? "tooLong";
    return { posted, missed: false, problem: t(`register.problems.${problem}`, { most: maxNoteLength }) };
  }
  const row = wanted.rows.find((one) => one.personId === personId);
  if (row === undefined) return null;
  const { eventId } = posted;
  const { reason } = wanted;
  const mark = await correctAttendance(app, course, session.personId, { ...row, eventId, reason });
  return mark.missed.length > 0 ? { posted, missed: true, problem: null } : null;
}

export function statusOf({ missed }: NotCorrected): number {
  return missed ? 409 : 422;
}
