import type { Delivery } from "./rules/delivery.ts";
import type { GradebookGrade } from "./rules/gradebook-grade.ts";

const untilSaid = "Nothing is sent over it until an instructor says so.";

/** For instructors. @param restoredAt When the database was restored (ms), if that showed the difference. */
export function conflictReason(
  sent: Pick<Delivery, "accepted" | "unconfirmed">,
  shown: GradebookGrade | null,
  restoredAt: number | null = null,
): string {
  const { accepted } = sent;
  if (restoredAt !== null) return sinceRestore(shown, restoredAt);
  if (shown === null || shown.score === null) {
    return `The grade that was sent is not in the gradebook any more: a teacher removed it, or excused this person. ${untilSaid}`;
  }
  const there = `${points(shown.score)} of ${points(shown.maximum)}`;
  if (accepted === null && sent.unconfirmed.length === 0) {
    return `The gradebook already has the grade ${there}, which did not come from here. ${untilSaid}`;
  }
  const ours = accepted?.score ?? null;
  const before =
    ours === null ? "" : ` (sent from here: ${points(ours)} of ${points(accepted?.maximum ?? 100)})`;
  return `A teacher changed the grade in the gradebook to ${there}${before}. ${untilSaid}`;
}

function sinceRestore(shown: GradebookGrade | null, restoredAt: number): string {
  const day = new Date(restoredAt).toISOString().slice(0, 10);
  const there =
    shown === null || shown.score === null
      ? "has no grade any more"
      : `has ${points(shown.score)} of ${points(shown.maximum)}`;
  return `This tool's data were restored from a backup on ${day}. The gradebook ${there}, which differs from what the backup knows: it may be a teacher's, or was sent from here after the backup. ${untilSaid}`;
}

export function keptReason(shown: GradebookGrade): string {
  return `The LMS took the score, but goes on showing the teacher's grade ${points(shown.score ?? 0)} of ${points(shown.maximum)}. Take the teacher's grade away in the gradebook (in Moodle: untick "Overridden" there), or leave it as it is.`;
}

function points(value: number): string {
  return String(Math.round(value * 100) / 100);
}
