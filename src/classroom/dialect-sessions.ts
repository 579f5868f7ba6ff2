import { within } from "./places-within.ts";

export const sessionList = {
  items: ["sessions", "analytics.sessions", "analytics", "items", "results", "records", "data", ""],
  sessionId: within(["session"], ["sessionId", "id", "_id"]),
  spaceId: ["spaceId", "space.spaceId", "space.id", "session.spaceId"],
  startedAt: within(["session"], ["startedAt", "startTime", "startAt", "start", "createdAt"]),
  endedAt: within(["session"], ["endedAt", "endTime", "endAt", "end"]),
  // Of entries of lists within a session: whom, or which moment, they are about.
  userId: ["userId", "user.userId", "user.id", "participantId", "attendeeId"],
  moment: ["at", "time", "timestamp", "date", "startedAt"],
  participantCount: ["participantCount", "participantsCount", "attendeeCount", "userCount", "participants"],
};
