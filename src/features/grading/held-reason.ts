import type { Delivery } from "../../domain/delivery.ts";
import type { ShownGrade } from "../../domain/gradebook-traits.ts";

const untilSaid = "Nothing is sent over it until an instructor says so.";

/** Why a score is held back, in words for the instructor. */
export function heldReason(
  sent: Pick<Delivery, "accepted" | "unconfirmed">,
  shown: ShownGrade | null,
): string {
  const { accepted } = sent;
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

/** Why ours does not show although the LMS took it. */
export function keptReason(shown: ShownGrade): string {
  return `The LMS took the score, but goes on showing the teacher's grade ${points(shown.score ?? 0)} of ${points(shown.maximum)}. Take the teacher's grade away in the gradebook (in Moodle: untick "Overridden" there), or leave it as it is.`;
}

function points(value: number): string {
  return String(Math.round(value * 100) / 100);
}
