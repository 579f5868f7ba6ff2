import {
  type CurrentAttendance,
  type KnownStatus,
  knownStatuses,
  minutesOf,
  type SeenPresence,
} from "../../../domain/attendance.ts";
import { maxStays } from "../../presence/rules/limits.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { type CourseWords, sectionsText } from "../../../web/course-words.ts";
import { inList, numberText, type StatusView, statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

export type SessionShown = {
  eventId: string;
  title: string;
  when: string;
  /** ISO 8601; null without a date. */
  at: string | null;
  /** Empty: for everybody. */
  sections: string;
  state: "deleted" | "cancelled" | "coming" | "live" | "over";
  counts: boolean;
};

export function sessionView(words: CourseWords, session: CourseSession, now: number): SessionShown {
  const { t, times } = words;
  const { startsAt } = session;
  return {
    eventId: session.eventId,
    title: session.title ?? t("common.untitledSession"),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    sections: sectionsText(words, session.sectionIds),
    state: stateOf(session, now),
    counts: session.counts,
  };
}

function stateOf(session: CourseSession, now: number): SessionShown["state"] {
  const { startsAt, endsAt, cancelled, deleted } = session;
  if (cancelled) return deleted === true ? "deleted" : "cancelled";
  if (startsAt !== null && startsAt > now) return "coming";
  return (endsAt ?? startsAt ?? 0) <= now ? "over" : "live";
}

export type CurrentAttendanceView = StatusView & {
  source: string;
  /** By an instructor, here. */
  byHand: boolean;
  /** The classroom's; an instructor's are in their field. */
  notes: string | null;
  reason: string | null;
  /** What the classroom, or a check-in, says against a correction. */
  conflict: string | null;
  /** The button that lets it count. */
  takes: "take" | "takeCode";
};

/** @param names Of instructors who made corrections, by person id. */
export function currentAttendanceView(
  { t, times }: Pick<CourseWords, "t" | "times">,
  names: ReadonlyMap<string, string>,
  current: CurrentAttendance | null,
): CurrentAttendanceView | null {
  if (current === null) return null;
  const { correction, conflicting, notes, seen, checkedInAt } = current;
  const status = statusView(t, current.status);
  return {
    ...status,
    byHand: correction !== null,
    source:
      correction === null
        ? (evidenceText({ t, times }, { seen, checkedInAt }) ?? t("register.byClassroom"))
        : t("register.byInstructor", {
            name: names.get(correction.by) ?? t("register.someInstructor"),
            when: times.text(correction.at),
          }),
    notes: correction === null ? notes : null,
    reason: correction?.reason ?? null,
    takes: conflicting?.as === "code" ? "takeCode" : "take",
    conflict:
      conflicting === null
        ? null
        : conflicting.as === "code"
          ? t("register.conflictCode", { when: times.text(conflicting.at), correction: status.text })
          : t("register.conflict", {
              classroom: statusView(t, conflicting.status).text,
              when: times.text(conflicting.at),
              correction: status.text,
            }),
  };
}

/** What was seen of somebody besides what the classroom tells. */
export type Evidence = { seen?: SeenPresence | undefined; checkedInAt?: number | undefined };

/**
 * "Checked in by code at 10:03", and how long they were in the Space; null without evidence.
 * @param presence What is known of that besides.
 */
export function evidenceText(
  words: Pick<CourseWords, "t" | "times">,
  { seen, checkedInAt }: Evidence,
  presence: string | null = null,
): string | null {
  const stay = stayText(words, seen) ?? presence;
  const texts = [checkInText(words, checkedInAt), stay].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(" · ");
}

function checkInText(
  { t, times }: Pick<CourseWords, "t" | "times">,
  checkedInAt: number | undefined,
): string | null {
  return checkedInAt === undefined ? null : t("register.byCode", { time: times.clock(checkedInAt) });
}

/** "Time in the classroom: 52 of 56 min (10:02–10:58)" */
function stayText(
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

/** `name`: class of the style sheet. */
export type StatusChoice = { value: KnownStatus; label: string; name: string };

/** Classes of the style sheet, of the marks that are chosen and explained. */
const brushClasses: Readonly<Record<KnownStatus, string>> = {
  PRESENT: "P",
  LATE: "L",
  ABSENT: "A",
  EXCUSED: "E",
};

export function statusChoices(t: Translate): StatusChoice[] {
  return knownStatuses.map((value) => ({
    value,
    label: statusView(t, value).text,
    name: brushClasses[value],
  }));
}
