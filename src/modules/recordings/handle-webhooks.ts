import { dayMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import type { RecordingSettings } from "../../classroom/dialect-replies.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import { unknownType } from "../../inbox/rules/webhook.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { coursesOfSpace } from "../courses/change-settings.ts";
import { endPresence, requestCheckAt } from "../presence/record-signals.ts";
import type { PresenceStore } from "../presence/store/presence-store.ts";
import { type CourseRecording, listRecordings, type RecordingsApp } from "./list-recordings.ts";
import { recordingReadings, sessionAnalytics } from "./recording-readings.ts";
import { isReady, nextReadAt, type SessionEnd } from "./rules/recording.ts";

type WebhooksApp = RecordingsApp & Pick<App, "tasks" | "wake">;

/** SPACE_RECORDING and SPACE_SESSION (interface 6.4, 6.3). */
export function recordingWebhooks(
  app: WebhooksApp & { presences: Pick<PresenceStore, "endSession"> },
): readonly WebhookHandler[] {
  return [
    webhookHandler("SPACE_RECORDING", {
      asksClassroom: false,
      handle: async ({ receipt: { environment }, webhook }) => {
        const { spaceId, recordingId, eventType, at } = webhook;
        return { state: await handleRecording(app, { environment, spaceId, recordingId, eventType, at }) };
      },
    }),
    webhookHandler("SPACE_SESSION", {
      asksClassroom: false,
      handle: async ({ receipt: { environment }, webhook }) => {
        const { spaceId, sessionId, eventType, at: endedAt } = webhook;
        if (eventType !== "SESSION_ENDED") return { state: "kept", ...unknownType(webhook) };
        const state = await handleSessionEnded(app, { environment, spaceId, sessionId, endedAt });
        // Done after the end was stored, so a signal in between finds it.
        await endPresence(app, { environment, spaceId, sessionId }, endedAt);
        if (state === "done") await requestCheckAt(app, { environment, spaceId }, endedAt);
        return { state };
      },
    }),
  ];
}

/**
 * Analytics are complete, and a recording may come. For classrooms without webhooks about recordings, the list is read when one can be
 * expected. Repeatable.
 * @returns "kept" if no course has the Space.
 */
export async function handleSessionEnded(app: WebhooksApp, end: SessionEnd): Promise<"done" | "kept"> {
  const { environment, spaceId } = end;
  const now = app.clock.now();
  await app.sessionEnds.note(end);
  if ((await coursesOfSpace(app, environment, spaceId)).length === 0) return "kept";
  const dueAt = nextReadAt([end.endedAt], waitsFor(app.recordingSettingsOf(environment)), now);
  if (dueAt !== null) await app.tasks.enqueue(recordingReadings, { environment, spaceId }, { now, dueAt });
  await app.tasks.enqueue(sessionAnalytics, end, { now, dueAt: now });
  return "done";
}

export function waitsFor({
  expectedMinutes,
  givenUpMinutes,
}: Pick<RecordingSettings, "expectedMinutes" | "givenUpMinutes">) {
  return { expectedMs: expectedMinutes * 60_000, givenUpMs: givenUpMinutes * 60_000 };
}

type ReportedRecording = {
  environment: AccountId;
  spaceId: string;
  recordingId: string;
  eventType: string;
  at: number;
};

/** For a classroom without a list of recordings (ms). */
const recheckMs = dayMs;

/**
 * Stores a webhook's facts and requests a reading of the classroom's list for the rest. Order and repetition don't matter.
 * @returns "kept" if no course has the Space or the eventType is unknown.
 */
export async function handleRecording(app: WebhooksApp, reported: ReportedRecording) {
  const { environment, spaceId, recordingId, at } = reported;
  const what = meaningOf(app.recordingSettingsOf(environment).events, reported.eventType);
  const now = app.clock.now();
  if (what !== null) await app.recordings.note({ environment, spaceId, recordingId }, { [what]: at }, now);
  if ((await coursesOfSpace(app, environment, spaceId)).length === 0) return "kept";
  if (what !== null) await publishNew(app, environment, spaceId);
  if (await mayHaveList(app, environment, spaceId, now)) {
    await app.tasks.enqueue(recordingReadings, { environment, spaceId }, { now });
    app.wake(recordingReadings);
  }
  return what === null ? "kept" : "done";
}

/** What an eventType means, or null if it's unknown. */
export function meaningOf(events: RecordingSettings["events"], eventType: string) {
  const isOne = (known: readonly string[]) =>
    known.some((one) => one.toLowerCase() === eventType.toLowerCase());
  if (isOne(events.available)) return "availableAt";
  if (isOne(events.unavailable)) return "goneAt";
  return isOne(events.transcript) || /transcript/i.test(eventType) ? "transcriptAt" : null;
}

async function mayHaveList(
  { tasks }: Pick<App, "tasks">,
  environment: AccountId,
  spaceId: string,
  now: number,
): Promise<boolean> {
  const last = (await tasks.find(recordingReadings, { environment, spaceId }))?.facts;
  return last?.offered !== false || now - (last.readAt ?? 0) > recheckMs;
}

/** Publishes, for courses that chose so, ready recordings that came since that choice and that nobody has decided about. Repeatable. */
export async function publishNew(app: RecordingsApp, environment: Course["environment"], spaceId: string) {
  const courses = await coursesOfSpace(app, environment, spaceId);
  const opening = new Set((await app.courseLinks.listOpening(spaceId)).map(({ courseId }) => courseId));
  const users = courses.filter((course) => course.spaceId === spaceId || opening.has(course.id)).length;
  for (const course of courses) {
    const { choice, since } = await app.recordingDecisions.ruleOf(course.id);
    if (choice !== "published") continue;
    const { recordings } = await listRecordings(app, course);
    const fresh = recordings.filter(
      (one) =>
        one.spaceId === spaceId && one.revision === 0 && one.firstSeenAt >= since && isReady(one.state),
    );
    for (const recording of fresh.filter((one) => isCertain(one, users))) {
      const { registrationId, id: courseId } = course;
      const { recordingId } = recording;
      await app.recordingDecisions.publishAtOnce({ registrationId, courseId, environment, recordingId });
    }
  }
}

/** If several courses use a Space, nothing is published that may belong to another course, nor what may be for some sections. */
function isCertain({ session, mayBeForSome }: CourseRecording, users: number): boolean {
  return !mayBeForSome && (users < 2 || session.kind === "one");
}
