import { z } from "zod";
import { NamedError } from "../../../kernel/errors.ts";
import { weekMs } from "../../../kernel/clock.ts";
import { isReady } from "../rules/recording.ts";
import type { CourseRecording, CourseRecordings, RecordedSession } from "../list-recordings.ts";
import { decideRecording, type RecordingAct, recordingParts, sessionChoiceOf } from "../one-recording.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { sectionsOfSession, type SessionWords, whenText } from "../../scheduling/pages/sessions-view.ts";

/** `teaches`: for an instructor. */
export type RecordingWords = SessionWords & { teaches: boolean };

type RecordingRow = ReturnType<typeof recordingRow>;

/** Its buttons come back to `page`. */
export type RecordingModel = { t: Translate; session: string; page: number; row: RecordingRow };

type Pill = { tone: Tone; text: string };

/** `awaited`: why it has no recording. `at`: by what groups are sorted (ms). */
type Group = {
  heading: string;
  notes: string[];
  recordings: RecordingRow[];
  awaited: string | null;
  at: number;
};

const nearbyMs = weekMs;
const maxPlaces = 40;

/** Newest first. Instructors also see the sessions whose recording is awaited. */
export function recordingGroups(
  words: RecordingWords,
  recordings: readonly CourseRecording[],
  { sessions, awaited }: Pick<CourseRecordings, "sessions" | "awaited">,
) {
  const groups = new Map<string, Group>();
  for (const recording of recordings) {
    const { session } = recording;
    const key = session.kind === "one" ? `session ${session.session.eventId}` : recording.recordingId;
    const group = groups.get(key) ?? groupOf(words, recording);
    group.recordings.push(recordingRow(words, recording, sessions));
    groups.set(key, group);
  }
  const all = [
    ...groups.values(),
    ...(words.teaches ? awaited.map((each) => awaitedGroup(words, each)) : []),
  ];
  return joined(all.sort((one, other) => other.at - one.at)).map((group, index) => ({
    ...group,
    id: `group-${index + 1}`,
  }));
}

/** Puts consecutive recordings without a session under one heading. */
function joined(groups: readonly Group[]): Group[] {
  const result: Group[] = [];
  for (const group of groups) {
    const before = result.at(-1);
    if (before !== undefined && isLoose(before) && isLoose(group))
      before.recordings.push(...group.recordings);
    else result.push(group);
  }
  return result;
}

function isLoose({ notes, recordings }: Group): boolean {
  return notes.length === 0 && recordings.length > 0;
}

function groupOf(words: RecordingWords, { session, at }: CourseRecording): Group {
  if (session.kind === "one") return groupOfSession(words, session.session);
  return { heading: words.t("recordings.noSession"), notes: [], recordings: [], awaited: null, at };
}

function groupOfSession(words: RecordingWords, session: RecordedSession): Group {
  const { t, times } = words;
  const sections = sectionsOfSession(words, session.sectionIds);
  const when = whenText(words, session);
  return {
    heading: session.title ?? t("common.sessionOf", { when: times.text(session.startsAt) }),
    notes: [when, ...(sections === null ? [] : [t("common.forSections", { sections })])],
    recordings: [],
    awaited: null,
    at: session.startsAt,
  };
}

function awaitedGroup(words: RecordingWords, awaited: CourseRecordings["awaited"][number]): Group {
  const { t, times } = words;
  const { end, session, state } = awaited;
  const why = t(`recordings.awaited.${state}`);
  if (session.kind === "one") return { ...groupOfSession(words, session.session), awaited: why };
  return {
    heading: t("recordings.noSession"),
    notes: [t("recordings.awaited.ended", { when: times.text(end.endedAt) })],
    recordings: [],
    awaited: why,
    at: end.endedAt,
  };
}

function recordingRow(
  words: RecordingWords,
  recording: CourseRecording,
  sessions: readonly RecordedSession[],
) {
  const { recordingId, state } = recording;
  const title = recordingTitle(words, recording);
  return {
    recordingId,
    /** Where the browser returns after a press. */
    anchor: `recording-${recordingId.replaceAll(/[^\w-]/g, "-")}`,
    title,
    notes: notesOf(words, recording),
    pills: pillsOf(words, recording),
    /** Buttons. `name`: the whole name. `kept`: opens a page here instead of an address elsewhere. */
    opens: state === "unavailable" ? [] : opensOf(words, recording, title),
    missing: missingText(words, recording),
    decision: words.teaches ? decisionOf(words, recording, sessions) : null,
  };
}

/** Ready recordings need no text, and a learner sees only published ones. */
function pillsOf({ t, teaches }: RecordingWords, { state, shown }: CourseRecording): Pill[] {
  if (state === "unavailable") return [{ tone: "bad", text: t("recordings.state.unavailable") }];
  const isComing = state === "processing" || state === "transcript-only";
  return [
    ...(isComing ? [{ tone: "info", text: t("recordings.state.processing") } as const] : []),
    ...(teaches && (isReady(state) || shown === "published") ? [visibilityPill(t, shown)] : []),
  ];
}

function visibilityPill(t: Translate, shown: CourseRecording["shown"]): Pill {
  return shown === "published"
    ? { tone: "good", text: t("recordings.shown.published") }
    : { tone: "none", text: t("recordings.shown.onlyYou") };
}

/** Its title, otherwise the time it was made. */
export function recordingTitle(
  { t, times }: Pick<RecordingWords, "t" | "times">,
  { title, at }: Pick<CourseRecording, "title" | "at">,
): string {
  return title ?? t("recordings.untitled", { when: times.text(at) });
}

function notesOf(words: RecordingWords, recording: CourseRecording): string[] {
  const { t, times, teaches } = words;
  const { durationSeconds, title, at, session } = recording;
  const minutes = durationSeconds === null ? null : Math.max(1, Math.round(durationSeconds / 60));
  return [
    ...(title === null ? [] : [t("recordings.made", { when: times.text(at) })]),
    ...(minutes === null ? [] : [t("recordings.minutes", { count: minutes })]),
    ...(session.kind === "several"
      ? [
          t(teaches ? "recordings.several" : "recordings.severalForLearners", {
            sessions: new Intl.ListFormat(t.locale, { type: "disjunction" }).format(
              session.sessions.map((each) => sessionLabel(words, each)),
            ),
          }),
        ]
      : []),
  ];
}

/** A text such as "Lesson 3, Mon 19 Oct 2026, 10:00–11:30". */
function sessionLabel(words: RecordingWords, session: RecordedSession): string {
  const when = whenText(words, session);
  return session.title === null
    ? words.t("common.sessionOf", { when })
    : words.t("alerts.session", { title: session.title, when });
}

function opensOf({ t }: RecordingWords, { addresses, texts }: CourseRecording, title: string) {
  const named = recordingParts.map((part) => ({
    part,
    label: t(`recordings.open.${part}`),
    name: t(`recordings.open.${part}Named`, { title }),
    kept: false,
  }));
  const stored = texts.map((part) => ({
    part,
    label: t(`recordings.open.${part}`),
    name: t(`recordings.text.${part}Of`, { title }),
    kept: true,
  }));
  return [...named.filter(({ part }) => addresses[part] !== null), ...stored];
}

function missingText({ t }: RecordingWords, { addresses, texts, state, transcript }: CourseRecording) {
  if (!isReady(state)) return null;
  if (addresses.recording === null && state !== "transcript-only") return t("recordings.open.noAddress");
  const readable = addresses.transcript !== null || addresses.summary !== null || texts.length > 0;
  return transcript && !readable ? t("recordings.open.noTranscriptAddress") : null;
}

function decisionOf(words: RecordingWords, recording: CourseRecording, sessions: readonly RecordedSession[]) {
  const { t } = words;
  const { shown, revision, ownTitle, state } = recording;
  const publish = isReady(state) ? ("publish" as const) : null;
  return {
    act: shown === "published" ? ("hide" as const) : publish,
    revision,
    ownTitle: ownTitle ?? "",
    place: sessionValue(recording),
    places: [
      { value: "by-time", label: t("recordings.describe.byTime") },
      { value: "none", label: t("recordings.describe.none") },
      ...placesFor(recording, sessions).map((each) => ({
        value: `event:${each.eventId}`,
        label: sessionLabel(words, each),
      })),
    ],
  };
}

function sessionValue(recording: CourseRecording): string {
  const choice = sessionChoiceOf(recording);
  if (choice === null) return "none";
  return choice === "by-time" ? choice : `event:${choice}`;
}

/** Sessions around the time of a recording, and the one it counts for. */
function placesFor(recording: CourseRecording, sessions: readonly RecordedSession[]): RecordedSession[] {
  const { at, session } = recording;
  const chosen = session.kind === "one" ? session.session.eventId : null;
  return sessions
    .filter(({ startsAt, eventId }) => Math.abs(startsAt - at) < nearbyMs || eventId === chosen)
    .sort((one, other) => Math.abs(one.startsAt - at) - Math.abs(other.startsAt - at))
    .slice(0, maxPlaces);
}

export const outcomes = z.enum(["published", "hidden", "described", "rule", "conflict", "gone", "unknown"]);
export type Outcome = z.infer<typeof outcomes>;

const decided = { publish: "published", hide: "hidden", describe: "described" } as const;

/** Carries out a decision about a recording, and says the outcome on this page or on Home. */
export async function answerDecision(
  app: Parameters<typeof decideRecording>[0],
  { course, session }: MyVisit,
  { recording: recordingId, revision }: { recording: string; revision: number },
  act: RecordingAct,
): Promise<{ outcome: Outcome; status: number }> {
  const seen = { recordingId, revision, by: session.personId };
  try {
    const done = await decideRecording(app, course, seen, act);
    return done ? { outcome: decided[act.what], status: 200 } : { outcome: "conflict", status: 409 };
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 404) throw thrown;
    return { outcome: thrown.code === "recording-unavailable" ? "gone" : "unknown", status: 404 };
  }
}

export function recordingNotice(t: Translate, outcome: Outcome): Notice {
  const tone = outcome === "conflict" || outcome === "gone" || outcome === "unknown" ? "warning" : "good";
  return { tone, text: t(`recordings.notice.${outcome}`) };
}
