import type { ShownSession } from "../show-sessions.ts";
import { classroomProblemText, inList } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseWords } from "../../../web/course-words.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";

export type SessionWords = Omit<CourseWords, "wording"> & {
  /** Of people who changed something in the classroom, by user id there; left out where nobody is to be named. */
  users?: ReadonlyMap<string, string>;
};

export type SessionRow = {
  key: string;
  title: string;
  when: string;
  /** ISO 8601, for the reader's own clock; null when unknown. */
  startsAt: string | null;
  endsAt: string | null;
  notes: string[];
  /** Null for an ordinary one. */
  stateText: string | null;
  tone: Tone;
  problem: string | null;
};

export type SessionRows = {
  t: Translate;
  rows: readonly SessionRow[];
  edits: boolean;
  /** Of the times; a script adds the reader's own. */
  zoneName: string;
};

export function sessionRow(words: SessionWords, session: ShownSession): SessionRow {
  const { t } = words;
  const { startsAt, endsAt, state } = session;
  const word = state === "cancelled" && session.deleted === true ? "deleted" : state;
  return {
    key: session.key,
    title: session.title ?? t("sessions.untitled"),
    when: whenText(words, session),
    startsAt: isoOf(startsAt),
    endsAt: isoOf(endsAt),
    notes: notesOf(words, session),
    stateText: word === "there" ? null : t(`sessions.state.${word}`),
    tone: toneOf(state),
    problem: classroomProblemText(t, session.problem, session.problemCode),
  };
}

/** "Mon 19 Oct 2026, 10:00–11:30" in the course's zone, as the reader writes dates. */
export function whenText(
  { t, times }: Pick<SessionWords, "t" | "times">,
  { startsAt, endsAt }: Pick<ShownSession, "startsAt" | "endsAt">,
): string {
  if (startsAt === null) return t("sessions.noTime");
  return times.span(startsAt, endsAt);
}

/** Null for the whole course. */
export function forWhom({ t, sectionKind, sections }: SessionWords, ids: readonly string[]): string | null {
  if (ids.length === 0) return null;
  const names = ids.map((id) => {
    const section = sections.find(({ lmsSectionId }) => lmsSectionId === id);
    return section === undefined ? t("sessions.sectionGone") : sectionLabel(t, sectionKind, section);
  });
  return inList(t, names);
}

const changes = { EVENT_CREATED: "created", EVENT_DELETED: "deleted", EVENT_CANCELLED: "cancelled" } as const;

/** "cancelled in the classroom by Ana Lee"; without a name for unknown users, such as the account of our key. */
function changeTexts({ t, users }: SessionWords, change: ShownSession["change"]): string[] {
  const name = change === undefined ? undefined : users?.get(change.by ?? "");
  if (change === undefined || name === undefined) return [];
  const kind =
    Object.entries(changes).find(([eventType]) => eventType === change.eventType)?.[1] ?? "changed";
  return [t(`sessions.reportedBy.${kind}`, { name })];
}

function notesOf(words: SessionWords, { sectionIds, series, counts, change }: ShownSession): string[] {
  const { t } = words;
  const whom = forWhom(words, sectionIds);
  return [
    ...(whom === null ? [] : [t("sessions.forWhom", { sections: whom })]),
    ...(series === null
      ? []
      : [series === "found" ? t("sessions.ofSeries") : t("sessions.numberOf", series)]),
    ...changeTexts(words, change),
    ...(counts ? [] : [t("sessions.notCounting")]),
  ];
}

function toneOf(state: ShownSession["state"]): Tone {
  switch (state) {
    case "failed":
    case "not-changed":
    case "unknown":
      return "bad";
    case "cancelled":
    case "there":
      return "none";
    case "to-make":
    case "to-change":
    case "to-cancel":
    case "assumed":
      return "info";
  }
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
