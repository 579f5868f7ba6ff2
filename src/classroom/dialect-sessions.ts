import { within } from "./places-within.ts";

export const sessionList = {
  items: ["sessions", "analytics.sessions", "analytics", "items", "results", "records", "data", ""],
  sessionId: within(["session"], ["sessionId", "id", "_id"]),
  spaceId: ["spaceId", "space.spaceId", "space.id", "session.spaceId"],
  startedAt: within(["session"], ["startedAt", "startTime", "startAt", "start", "createdAt"]),
  endedAt: within(["session"], ["endedAt", "endTime", "endAt", "end"]),
  // Of an entry of a list within a session.
  moment: ["at", "time", "timestamp", "date", "startedAt"],
};
