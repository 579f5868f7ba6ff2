import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { classroomRoleOf } from "../../domain/api-user.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { RecordingText, TextPart } from "./rules/recording.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { RecordingTextStore } from "./store/recording-store.ts";
import { unknownRecording } from "./decide-recording.ts";
import {
  type CourseRecording,
  isPublishedFor,
  listRecordings,
  type ListRecordingsDeps,
} from "./list-recordings.ts";

export type OpenRecordingDeps = ListRecordingsDeps &
  Pick<App, "people" | "logger"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "authorize">;
    appUrlOf: (environment: AccountId) => string;
  };

export const recordingParts = ["recording", "transcript", "summary"] as const;
export type RecordingPart = (typeof recordingParts)[number];

/** `strange`: not known to be the classroom's; people are warned first. */
export type OpenedRecording = { address: string; strange: boolean };

/** @throws NamedError "recording-unknown"; "recording-unavailable" when the classroom gave no address. */
export async function openRecording(
  deps: OpenRecordingDeps,
  course: Course,
  member: Reader & Pick<Member, "personId">,
  { recordingId, part }: { recordingId: string; part: RecordingPart },
): Promise<OpenedRecording> {
  const recording = await recordingFor(deps, course, member, recordingId);
  const address = recording.addresses[part];
  if (recording.state === "unavailable" || address === null) throw unavailable();
  const origin = new URL(address).origin;
  const isOfApp = origin === new URL(deps.appUrlOf(course.environment)).origin;
  const settings = deps.recordingSettingsOf(course.environment);
  if (isOfApp && settings.open === "authorize")
    return { address: await authorized(deps, course, member, address), strange: false };
  return { address, strange: !isOfApp && !settings.origins.includes(origin) };
}

/** A recording's text for a member of the course. @throws as `openRecording`. */
export async function readRecordingText(
  deps: ListRecordingsDeps & { recordingTexts: Pick<RecordingTextStore, "find"> },
  course: Course,
  member: Reader,
  { recordingId, part }: { recordingId: string; part: TextPart },
): Promise<RecordingText & { recording: CourseRecording }> {
  const recording = await recordingFor(deps, course, member, recordingId);
  const { environment } = course;
  const kept = await deps.recordingTexts.find({ environment, recordingId, part });
  if (recording.state === "unavailable" || kept === null) throw unavailable();
  return { ...kept, recording };
}

type Reader = Pick<Member, "role" | "sectionIds" | "sectionsTold">;

/** @throws NamedError "recording-unknown" also without permission, so that its existence is not revealed. */
async function recordingFor(
  deps: ListRecordingsDeps,
  course: Course,
  member: Reader,
  recordingId: string,
): Promise<CourseRecording> {
  const { recordings } = await listRecordings(deps, course);
  const recording = recordings.find((one) => one.recordingId === recordingId);
  if (recording === undefined) throw unknownRecording();
  if (member.role !== "instructor" && !isPublishedFor(recording, member)) throw unknownRecording();
  return recording;
}

function unavailable(): NamedError {
  return refusal("recording-unavailable", { status: 404 });
}

/** The address behind a login in the person's role; the plain one where the classroom has no such login. */
async function authorized(
  deps: OpenRecordingDeps,
  course: Course,
  { personId, role }: Pick<Member, "personId" | "role">,
  address: string,
): Promise<string> {
  const userId = (await deps.people.find(personId))?.apiUsers[classroomRoleOf(role)]?.id;
  if (userId === undefined) return address;
  try {
    const login = await deps
      .classroomOf(course.environment)
      .authorize({ userId, redirectUrl: address }, { priority: "entry" });
    return login.url;
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    deps.logger.warn({ code: thrown.code }, "no login for a recording's address; it is opened without one");
    return address;
  }
}
