import { type CurrentAttendance, minutesOf, type SeenPresence } from "../../../domain/attendance.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import { inList } from "../../../web/in-list.ts";
import { numberText } from "../../../web/number-text.ts";
import { maxStays } from "../../presence/rules/limits.ts";
import { type StatusView, statusView } from "../../../web/status-view.ts";

export type CurrentAttendanceView = StatusView & {
  source: string;
  /** By an instructor, here. */
  byHand: boolean;
  /** The classroom's; an instructor's are in their field. */
  notes: string | null;
  reason: string | null;
  /** What the classroom says against a correction. */
  conflict: string | null;
};

/** @param names Of instructors who made corrections, by person id. */
export function currentAttendanceView(
  { t, times }: Pick<CourseWords, "t" | "times">,
  names: ReadonlyMap<string, string>,
  current: CurrentAttendance | null,
): CurrentAttendanceView | null {
  if (current === null) return null;
  const { correction, conflicting, notes, seen } = current;
  const status = statusView(t, current.status);
  return {
    ...status,
    byHand: correction !== null,
    source:
      correction === null
        ? (evidenceText({ t, times }, seen) ?? t("register.byClassroom"))
        : t("register.byInstructor", {
            name: names.get(correction.by) ?? t("register.someInstructor"),
            when: times.text(correction.at),
          }),
    notes: correction === null ? notes : null,
    reason: correction?.reason ?? null,
    conflict:
      conflicting === null
        ? null
        : t("register.conflict", {
            classroom: statusView(t, conflicting.status).text,
            when: times.text(conflicting.at),
            correction: status.text,
          }),
  };
}

/** "Time in the classroom: 52 of 56 min (10:02–10:58)"; null without evidence. */
export function evidenceText(
  { t, times }: Pick<CourseWords, "t" | "times">,
  seen: SeenPresence | undefined,
): string | null {
  if (seen === undefined) return null;
  const { startsAt, endsAt, ms, hiddenMs = 0, stays } = seen;
  if (stays.length === 0) return t("register.byPresenceNone");
  const minutes = (length: number) => numberText(t, Math.round(length / 60_000));
  const spans = stays.slice(0, maxStays).map(({ from, to }) => `${times.clock(from)}–${times.clock(to)}`);
  const list = inList(t, stays.length > maxStays ? [...spans, "…"] : spans);
  if (minutesOf(seen) === null) return t("register.byPresenceOpen", { times: list });
  const values = { minutes: minutes(ms), of: minutes(endsAt - startsAt), times: list };
  if (hiddenMs < 30_000) return t("register.byPresence", values);
  return t("register.byPresenceHidden", { ...values, hidden: minutes(hiddenMs) });
}
