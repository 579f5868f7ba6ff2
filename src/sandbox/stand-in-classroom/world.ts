/** A person the integrating application created (document part 2); `role` and `externalId` are invented. */
export type StandInUser = {
  userId: string;
  name: string;
  email: string | null;
  role: "host" | "participant";
  externalId: string | null;
  createdAt: number;
};

/** A durable virtual classroom with the people who are in it now. */
export type StandInSpace = {
  spaceId: string;
  roomId: string;
  name: string;
  access: "Public" | "Private";
  enableWaitingRoom: boolean;
  url: string;
  invitedUserIds: string[];
  /** Whom the Space was told to have as hosts and as participants; null where it was told nobody. */
  hostUserIds: string[] | null;
  participantUserIds: string[] | null;
  /** Participants a host has let through the waiting room. */
  admittedUserIds: string[];
  waitingUserIds: string[];
  people: PersonInSpace[];
  session: { sessionId: string; startedAt: number } | null;
  /** Of the session that ended last. */
  endedSessionId: string | null;
  call: { startedBy: string } | null;
};

/** One browser tab in a Space; `roomId`: left out in the Space's own room. */
export type PersonInSpace = {
  userTabId: string;
  userId: string;
  name: string;
  role: StandInUser["role"];
  roomId?: string;
};

/** A scheduled event; one instance when it belongs to a series. Times are milliseconds since the epoch. */
export type StandInEvent = {
  eventId: string;
  title: string;
  spaceId: string | null;
  startsAt: number;
  endsAt: number;
  seriesId: string | null;
  status: "SCHEDULED" | "CANCELLED" | "DELETED";
  attendeeIds: string[];
  cohortIds?: string[];
};

/** The four statuses of the document. */
export const attendanceStatuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;

/** What the classroom knows about one participant of one event. */
export type StandInAttendance = {
  eventId: string;
  userId: string;
  status: (typeof attendanceStatuses)[number];
  notes: string | null;
  updatedAt: number;
  updatedBy: string | null;
};

/** A group of people in a program. */
export type StandInCohort = {
  cohortId: string;
  programId: string;
  name: string;
  organizerIds: string[];
  attendeeIds: string[];
};

/** The two alert types of the document. */
export const alertTypes = ["TEACHER_DECLINED_EVENT", "EVENT_NO_SHOW"] as const;

/** A control-center alert; the values of status and priority are invented. */
export type StandInAlert = {
  alertId: string;
  alertType: (typeof alertTypes)[number];
  status: string;
  priority: string | number;
  assigneeId: string | null;
  eventId: string | null;
};

/** A published recording. */
export type StandInRecording = {
  recordingId: string;
  spaceId: string;
  /** Of the session that runs, or ran last; null when there never was one. */
  sessionId: string | null;
  title: string;
  /** Times are milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  url: string;
  publishedAt: number;
  /** What was said, and what it came to; null until both are published. */
  said: { transcript: { speaker: string; text: string }[]; summary: string } | null;
  status: "READY" | "UNAVAILABLE";
};

/** A login made by authorize; the Space URL's parameters travel with it, not with the login URL. */
export type StandInLogin = {
  token: string;
  userId: string;
  spaceId: string;
  parameters: Readonly<Record<string, string>>;
  createdAt: number;
  expiresAt: number;
};

/** Everything the stand-in remembers; in memory only. */
export type World = {
  users: Map<string, StandInUser>;
  spaces: Map<string, StandInSpace>;
  events: Map<string, StandInEvent>;
  /** Key: event id, a space, user id. */
  attendance: Map<string, StandInAttendance>;
  cohorts: Map<string, StandInCohort>;
  alerts: Map<string, StandInAlert>;
  recordings: Map<string, StandInRecording>;
  logins: Map<string, StandInLogin>;
};

/** A world with nobody in it. */
export function emptyWorld(): World {
  return {
    users: new Map(),
    spaces: new Map(),
    events: new Map(),
    attendance: new Map(),
    cohorts: new Map(),
    alerts: new Map(),
    recordings: new Map(),
    logins: new Map(),
  };
}

/** The key of an attendance record. */
export function attendanceKey(eventId: string, userId: string): string {
  return `${eventId} ${userId}`;
}
