import type { Course } from "../../../domain/course.ts";
import type { LinkedSpace } from "../linked-spaces.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ShownSession } from "../show-sessions.ts";
import { type SessionRow, sessionRow, type SessionWords } from "./sessions-view.ts";

/** What a Space that a link opens is called: after the course whose own it is, else by its id. */
export function linkedSpaceName(t: Translate, { spaceId, ofCourse }: LinkedSpace): string {
  const course = ofCourse === null ? "" : ofCourse.title || ofCourse.label;
  return course === "" ? t("sessions.space.byId", { id: spaceId }) : t("sessions.space.ofCourse", { course });
}

/** The Space of a session in words; null where it is the course's own, or none is known. */
export function inSpace(
  t: Translate,
  spaces: readonly LinkedSpace[],
  course: Pick<Course, "spaceId">,
  spaceId: string | null,
): string | null {
  if (spaceId === null || spaceId === course.spaceId) return null;
  const space = spaces.find((each) => each.spaceId === spaceId) ?? { spaceId, ofCourse: null };
  return t("sessions.space.in", { space: linkedSpaceName(t, space) });
}

/** A session in words, with the Space it takes place in where that is not the course's own. */
export function rowWithSpace(
  words: SessionWords,
  spaces: readonly LinkedSpace[],
  course: Course,
  session: ShownSession,
): SessionRow {
  const row = sessionRow(words, session);
  const where = inSpace(words.t, spaces, course, session.spaceId);
  return where === null ? row : { ...row, notes: [where, ...row.notes] };
}
