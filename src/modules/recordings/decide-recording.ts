import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { auditedRecording, type CourseAuditFacts } from "../audit/rules/course-audit.ts";
import type { RecordingDefault } from "./rules/recording.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { type CourseRecording, listRecordings, type ListRecordingsDeps } from "./list-recordings.ts";
import { cutTo } from "../../kernel/text.ts";

export type DecideRecordingDeps = ListRecordingsDeps & CourseAuditDeps & Pick<App, "recordingDecisions">;

export type RecordingAct =
  | { what: "publish" | "hide" }
  /** An empty title removes the course's own. `eventId` null: no session; "by-time": decided by its time. */
  | { what: "describe"; title: string; eventId: string | null };

export const maxTitleLength = 200;

/**
 * Writes it into the course's trail, too. @param revision The one seen. @returns false without effect when the decision
 * has changed since. @throws NamedError "recording-unknown", "session-unknown"
 */
export async function decideRecording(
  deps: DecideRecordingDeps,
  course: Course,
  { recordingId, revision, by }: { recordingId: string; revision: number; by: string },
  act: RecordingAct,
): Promise<boolean> {
  const { recordings, sessions } = await listRecordings(deps, course);
  const recording = recordings.find((one) => one.recordingId === recordingId);
  if (recording === undefined) throw unknownRecording();
  if (act.what === "describe" && !isPlace(act.eventId, sessions)) {
    throw refusal("session-unknown", {
      status: 404,
    });
  }
  const { registrationId, id: courseId, environment } = course;
  // Publishing it says that it is for everybody.
  const isForAll = act.what === "publish" && recording.mayBeForSome;
  const change = { ...changeOf(act), ...(isForAll ? { placed: true, eventId: null } : {}) };
  const key = { registrationId, courseId, environment, recordingId };
  if (!(await deps.recordingDecisions.change(key, revision, change))) return false;
  for (const facts of factsOf(recording, act)) await writeCourseAudit(deps, course, by, facts);
  return true;
}

/** Sets what happens to new recordings of a course; existing ones stay. @returns false when that has changed since. */
export async function decideRule(
  deps: DecideRecordingDeps,
  course: Course,
  { revision, by }: { revision: number; by: string },
  choice: RecordingDefault,
): Promise<boolean> {
  const before = await deps.recordingDecisions.ruleOf(course.id);
  if (before.revision === revision && before.choice === choice) return true;
  const key = { registrationId: course.registrationId, courseId: course.id };
  const to = { choice, since: deps.clock.now() };
  if (!(await deps.recordingDecisions.changeRule(key, revision, to))) return false;
  const what = choice === "published" ? "recordings-at-once" : "recordings-by-hand";
  await writeCourseAudit(deps, course, by, { what });
  return true;
}

export function unknownRecording(): NamedError {
  return refusal("recording-unknown", { status: 404 });
}

function isPlace(eventId: string | null, sessions: readonly { eventId: string }[]): boolean {
  return eventId === null || eventId === "by-time" || sessions.some((one) => one.eventId === eventId);
}

function changeOf(act: RecordingAct) {
  switch (act.what) {
    case "publish":
      return { shown: "published" } as const;
    case "hide":
      return { shown: "hidden" } as const;
    case "describe": {
      const placed = act.eventId !== "by-time";
      return { title: titleOf(act), placed, eventId: placed ? act.eventId : null };
    }
  }
}

function titleOf({ title }: { title: string }): string | null {
  return cutTo(title.trim(), maxTitleLength) || null;
}

function factsOf(recording: CourseRecording, act: RecordingAct): CourseAuditFacts[] {
  const session = auditedRecording(recording);
  if (act.what !== "describe")
    return [{ what: act.what === "publish" ? "recording-published" : "recording-hidden", session }];
  const after = titleOf(act);
  const before = { title: recording.ownTitle, place: placeOf(recording) };
  return [
    ...(after === before.title
      ? []
      : [{ what: "recording-renamed" as const, session, before: before.title, after }]),
    ...(act.eventId === before.place ? [] : [{ what: "recording-placed" as const, session }]),
  ];
}

/** The session chosen by an instructor; null for none, "by-time" without a choice. */
export function placeOf({ placed, session }: Pick<CourseRecording, "placed" | "session">): string | null {
  if (!placed) return "by-time";
  return session.kind === "one" ? session.session.eventId : null;
}
