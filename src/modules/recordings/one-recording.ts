import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import { classroomRoleOf } from "../../domain/person.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { cutTo } from "../../kernel/text.ts";
import { auditedRecording, type CourseAuditFacts } from "../audit/rules/course-audit.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import {
  type CourseRecording,
  isPublishedFor,
  listRecordings,
  type RecordingsApp,
} from "./list-recordings.ts";
import type { RecordingDefault, RecordingText, TextPart } from "./rules/recording.ts";

type OneRecordingApp = RecordingsApp & Pick<App, "courseAudit" | "people" | "ids">;
type OpeningApp = RecordingsApp &
  Pick<App, "people" | "logger" | "appUrlOf"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "authorize">;
  };

export type RecordingAct =
  | { what: "publish" | "hide" }
  /** An empty title removes the course's own. `eventId` null: no session. "by-time": decided by its time. */
  | { what: "describe"; title: string; eventId: string | null };

export const maxTitleLength = 200;

/**
 * Decides about a recording, and writes it into the course's change log. @param revision The one seen.
 * @returns false, without effect, if the decision has changed since, unless a second click or another instructor made the same decision.
 * @throws NamedError "recording-unknown", "recording-unavailable", "session-unknown"
 */
export async function decideRecording(
  app: OneRecordingApp,
  course: Course,
  { recordingId, revision, by }: { recordingId: string; revision: number; by: string },
  act: RecordingAct,
): Promise<boolean> {
  const { recordings, sessions } = await listRecordings(app, course);
  const recording = recordings.find((one) => one.recordingId === recordingId);
  if (recording === undefined) throw unknownRecording();
  requirePossible(act, recording, sessions);
  const { registrationId, id: courseId, environment } = course;
  // Publishing makes it available to all learners.
  const isForAll = act.what === "publish" && recording.mayBeForSome;
  const change = { ...changeOf(act), ...(isForAll ? { placed: true, eventId: null } : {}) };
  const key = { registrationId, courseId, environment, recordingId };
  if (!(await app.recordingDecisions.change(key, revision, change))) {
    const { shown, placed } = await app.recordingDecisions.find(key);
    return "shown" in change && change.shown === shown && (placed || !isForAll);
  }
  for (const facts of factsOf(recording, act)) await writeCourseAudit(app, course, by, facts);
  return true;
}

/** Sets what happens to new recordings of a course. Existing ones stay. @returns false if that has changed since. */
export async function decideRule(
  app: OneRecordingApp,
  course: Course,
  { revision, by }: { revision: number; by: string },
  choice: RecordingDefault,
): Promise<boolean> {
  const before = await app.recordingDecisions.ruleOf(course.id);
  if (before.revision === revision && before.choice === choice) return true;
  const key = keyOfCourse(course);
  const to = { choice, since: app.clock.now() };
  if (!(await app.recordingDecisions.changeRule(key, revision, to))) return false;
  const what = choice === "published" ? "recordings-at-once" : "recordings-by-hand";
  await writeCourseAudit(app, course, by, { what });
  return true;
}

function unknownRecording(): NamedError {
  return refusal("recording-unknown", { status: 404 });
}

function requirePossible(
  act: RecordingAct,
  { state }: Pick<CourseRecording, "state">,
  sessions: readonly { eventId: string }[],
): void {
  if (act.what === "publish" && state === "unavailable") throw unavailable();
  if (act.what === "describe" && !isChoosable(act.eventId, sessions))
    throw refusal("session-unknown", { status: 404 });
}

function isChoosable(eventId: string | null, sessions: readonly { eventId: string }[]): boolean {
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

const titleOf = ({ title }: { title: string }) => cutTo(title.trim(), maxTitleLength) || null;

function factsOf(recording: CourseRecording, act: RecordingAct): CourseAuditFacts[] {
  const session = auditedRecording(recording);
  if (act.what !== "describe")
    return [{ what: act.what === "publish" ? "recording-published" : "recording-hidden", session }];
  const after = titleOf(act);
  const before = { title: recording.ownTitle, place: sessionChoiceOf(recording) };
  return [
    ...(after === before.title
      ? []
      : [{ what: "recording-renamed" as const, session, before: before.title, after }]),
    ...(act.eventId === before.place ? [] : [{ what: "recording-placed" as const, session }]),
  ];
}

/** The session that an instructor chose. Null for none, "by-time" without a choice. */
export function sessionChoiceOf({
  placed,
  session,
}: Pick<CourseRecording, "placed" | "session">): string | null {
  if (!placed) return "by-time";
  return session.kind === "one" ? session.session.eventId : null;
}

export const recordingParts = ["recording", "transcript", "summary"] as const;

/**
 * @returns `strange`: the address isn't known to be the classroom's, so people are warned first.
 * @throws NamedError "recording-unknown"; "recording-unavailable" if the classroom gave no address.
 */
export async function openRecording(
  app: OpeningApp,
  course: Course,
  member: Reader & Pick<Member, "personId">,
  { recordingId, part }: { recordingId: string; part: (typeof recordingParts)[number] },
): Promise<{ address: string; strange: boolean }> {
  const recording = await recordingFor(app, course, member, recordingId);
  const address = recording.addresses[part];
  if (recording.state === "unavailable" || address === null) throw unavailable();
  const origin = new URL(address).origin;
  const isOfApp = origin === new URL(app.appUrlOf(course.environment)).origin;
  const settings = app.recordingSettingsOf(course.environment);
  if (isOfApp && settings.open === "authorize")
    return { address: await authorized(app, course, member, address), strange: false };
  return { address, strange: !isOfApp && !settings.origins.includes(origin) };
}

/** A recording's text for a member of the course. @throws the errors of `openRecording`. */
export async function readRecordingText(
  app: RecordingsApp & Pick<App, "recordingTexts">,
  course: Course,
  member: Reader,
  { recordingId, part }: { recordingId: string; part: TextPart },
): Promise<RecordingText & { recording: CourseRecording }> {
  const recording = await recordingFor(app, course, member, recordingId);
  const { environment } = course;
  const stored = await app.recordingTexts.find({ environment, recordingId, part });
  if (recording.state === "unavailable" || stored === null) throw unavailable();
  return { ...stored, recording };
}

type Reader = Pick<Member, "role" | "sectionIds" | "sectionsTold">;

/** @throws NamedError "recording-unknown" also without permission, so its existence isn't revealed. */
async function recordingFor(app: RecordingsApp, course: Course, member: Reader, recordingId: string) {
  const { recordings } = await listRecordings(app, course);
  const recording = recordings.find((one) => one.recordingId === recordingId);
  if (recording === undefined) throw unknownRecording();
  if (member.role !== "instructor" && !isPublishedFor(recording, member)) throw unknownRecording();
  return recording;
}

function unavailable(): NamedError {
  return refusal("recording-unavailable", { status: 404 });
}

/** The address behind a login in the person's role, or the plain address if the classroom has no such login. */
async function authorized(
  app: OpeningApp,
  course: Course,
  { personId, role }: Pick<Member, "personId" | "role">,
  address: string,
): Promise<string> {
  const userId = (await app.people.find(personId))?.apiUsers[classroomRoleOf(role)]?.id;
  if (userId === undefined) return address;
  try {
    const login = await app
      .classroomOf(course.environment)
      .authorize({ userId, redirectUrl: address }, { priority: "entry" });
    return login.url;
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    app.logger.warn({ code: thrown.code }, "no login for a recording's address; it opens without one");
    return address;
  }
}
