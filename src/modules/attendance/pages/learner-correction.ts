import { correctAttendance } from "../correct-attendance.ts";
import type { MarkSessionDeps } from "../mark-session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { longestNote, type PostedRegister, wantedOf } from "./register-form.ts";

/** What became of a posted correction; what is not saved comes along, so that nobody types it twice. */
export type CorrectionNews = { posted?: PostedRegister; saved?: boolean; missed?: boolean; problem?: string };

/** Corrects one session of one learner as a form says. */
export async function correctAsPosted(
  deps: MarkSessionDeps & { translatorOf: TranslatorOf },
  { session, course }: InstructorVisit,
  personId: string,
  posted: PostedRegister,
): Promise<CorrectionNews> {
  const t = deps.translatorOf(session.locale);
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    const problem = wanted.problems.get(personId) ?? "tooLong";
    return { posted, problem: t(`register.problems.${problem}`, { most: longestNote }) };
  }
  const row = wanted.rows.find((one) => one.personId === personId);
  if (row === undefined) return { saved: true };
  const { eventId } = posted;
  const { reason } = wanted;
  const mark = await correctAttendance(deps, course, session.personId, { ...row, eventId, reason });
  return mark.missed.length > 0 ? { posted, missed: true } : { saved: true };
}
