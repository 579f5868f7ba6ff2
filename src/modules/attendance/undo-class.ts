import type { Course } from "../../domain/course.ts";
import { markSession, type MarkSessionDeps } from "./mark-session.ts";

/**
 * Takes back what one mark for a whole class filled in, where nobody has changed it since.
 * @param actor The instructor's person id; only their own mark is taken back.
 * @param at When the mark was made (ms).
 * @returns how many learners it was taken back for.
 * @throws NamedError "session-unknown"
 */
export async function undoClass(
  deps: MarkSessionDeps,
  course: Course,
  actor: string,
  { eventId, at }: { eventId: string; at: number },
): Promise<number> {
  const records = await deps.attendance.listOfEvent(course.registrationId, course.id, eventId);
  const rows = records.flatMap(({ personId, revision, corrections: [newest] }) =>
    newest?.by === actor && newest.at === at && newest.status !== null
      ? [{ personId, status: null, notes: null, seen: revision, confirms: false }]
      : [],
  );
  const { written } = await markSession(deps, course, actor, {
    eventId,
    rows,
    everybody: null,
    reason: null,
  });
  return written;
}
