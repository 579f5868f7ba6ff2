import { isHere, type PresenceKind, presenceOf } from "../../domain/presence.ts";
import type { Receipt } from "../../domain/receipt.ts";
import type { Webhook } from "../../domain/webhook.ts";
import type { CourseLinkStore } from "../../storage/course-link-store.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { PresenceKey, PresenceStore } from "../../storage/presence-store.ts";
import type { SessionEndStore } from "../../storage/session-end-store.ts";

export type NoteSignDeps = {
  presences: Pick<PresenceStore, "note" | "settle">;
  sessionEnds: Pick<SessionEndStore, "find">;
  courses: Pick<CourseStore, "findBySpace">;
  courseLinks: Pick<CourseLinkStore, "listOpening">;
};

const kinds: Readonly<Partial<Record<string, PresenceKind>>> = {
  joinSpace: "join",
  leaveSpace: "leave",
  hideTab: "hide",
  unhideTab: "unhide",
};

/**
 * Keeps that somebody came into a Space, left it, or turned to another browser tab (interface 6.2): one write, and a second
 * one when they left. It is evidence and nothing else: attendance and grades are not touched. What is told twice or in another
 * order comes to the same. A time that cannot be read, or that is still to come, is taken for when the webhook came.
 * @returns "kept" when the Space is no course's (then nothing about the person is kept beside the webhook itself), or the
 * eventType is not known.
 */
export async function noteSign(
  deps: NoteSignDeps,
  { environment, receivedAt }: Pick<Receipt, "environment" | "receivedAt">,
  webhook: Extract<Webhook, { family: "SPACE_USER" }>,
): Promise<"done" | "kept"> {
  const { spaceId, sessionId, userId, eventType } = webhook;
  const kind = kinds[eventType];
  if (kind === undefined || !(await isOfCourse(deps, environment, spaceId))) return "kept";
  const key: PresenceKey = { environment, spaceId, sessionId, userId };
  const at = Math.min(webhook.at ?? receivedAt, receivedAt);
  const sign = { at, kind, tab: webhook.tabId ?? "", room: webhook.roomId ?? "" };
  const record = await deps.presences.note(key, sign, kind === "join");
  if (record === null) return "done";
  const presence = presenceOf(record.signs, { sessionEndedAt: null, now: record.lastAt });
  const isIn = isHere(presence);
  // Whoever seems to be in it may have come before its end and be told of after it.
  const endedAt = record.endedAt ?? (isIn ? await deps.sessionEnds.find(key) : null);
  const open = isIn && endedAt === null;
  if (open !== record.open || endedAt !== record.endedAt)
    await deps.presences.settle(key, record.revision, { open, endedAt });
  return "done";
}

async function isOfCourse(
  { courses, courseLinks }: NoteSignDeps,
  environment: PresenceKey["environment"],
  spaceId: string,
): Promise<boolean> {
  if ((await courses.findBySpace(environment, spaceId)).length > 0) return true;
  return (await courseLinks.listOpening(spaceId)).length > 0;
}
