import { z } from "zod";
import { asKnownStatus } from "../../../domain/attendance.ts";
import { personName } from "../../../domain/person-name.ts";
import { type Answer, json } from "../../../web/answer.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { markOne, type Tap } from "../mark-one.ts";
import { type GridCell, gridCell } from "../rules/attendance-grid.ts";
import { marksOf } from "../rules/attendance-summary.ts";
import type { GridCellDetail } from "../show-grid-cell.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { createLooks } from "./grid-view.ts";
import { gridWords } from "./grid-words.ts";
import { maxNoteLength, seenOf } from "./register-form.ts";
import { lineText } from "./register-lines.ts";

const tapShape = z.object({
  event: z.string().max(300).catch(""),
  person: z.string().max(100).catch(""),
  was: z.string().max(200).catch(""),
  status: z.string().catch(""),
  note: z.string().max(maxNoteLength).nullable().catch(null),
  undoes: z.literal("1").nullable().catch(null),
});

/** A tap on a mark, of the table or of a register, and whether it takes another one back. */
export function readTap(posted: unknown): Tap & { undoes: boolean } {
  const { event, person, was, status, note, undoes } = tapShape.parse(posted ?? {});
  return {
    ...{ eventId: event, personId: person, was, note },
    status: asKnownStatus(status) ?? "",
    undoes: undoes !== null,
  };
}

/**
 * Marks one learner in one session for a page that stays: what to say, how the mark looks now, and what takes it back.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
export async function tapAnswer(
  app: AttendanceApp,
  visit: InstructorVisit,
  { undoes, ...tap }: ReturnType<typeof readTap>,
): Promise<Answer> {
  const tapped = await markOne(app, visit.course, visit.session.personId, tap);
  const { person, member, session, row } = tapped.detail;
  const words = await gridWords(app, visit);
  const { looks, of } = createLooks(words);
  const look = looks[of(cellOf(tapped.detail), session.counts)];
  const said = tapped.kind === "changed" ? "changed" : undoes ? "undone" : "marked";
  return json({
    said: words.t(`register.tap.${said}`, {
      name: personName(person, member?.role ?? "learner"),
      status: look?.status ?? "",
    }),
    look,
    line: lineText(row.personId, seenOf(row), row.current?.status ?? ""),
    takesBack: tapped.kind === "marked" && !undoes ? tapped.takesBack : null,
  });
}

function cellOf({ session, member, row: { current } }: GridCellDetail): GridCell {
  if (current !== null) return { kind: "status", status: current.status, marks: marksOf(current) };
  const nobody = { active: false, sectionIds: [], sectionsTold: false };
  return gridCell(session, member ?? nobody, undefined);
}
