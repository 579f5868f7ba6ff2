// From: document 2 and 3.
import type { Clock } from "../../src/kernel/clock.ts";
import type { Ids } from "../../src/kernel/ids.ts";
import type { Turned } from "../assumptions.ts";
import type { SessionMetrics } from "./visits.ts";

/** The data that all parts of the stand-in share. */
export type Classroom = { world: World; turned: Turned; clock: Clock; ids: Ids };

/** Created by the integrating application (document part 2); `role` and `externalId` are invented. */
export type StandInUser = {
  userId: string;
  name: string;
  email: string | null;
  role: "host" | "participant";
  externalId: string | null;
  createdAt: number;
};

export type StandInSpace = {
  spaceId: string;
  roomId: string;
  name: string;
  access: "Public" | "Private";
  enableWaitingRoom: boolean;
  url: string;
  invitedUserIds: string[];
  /** As sent to the Space; null if nobody was named. */
  hostUserIds: string[] | null;
  participantUserIds: string[] | null;
  /** People that a host let through the waiting room. */
  admittedUserIds: string[];
  waitingUserIds: string[];
  people: PersonInSpace[];
  session: { sessionId: string; startedAt: number } | null;
  /** Of the last session. */
  endedSessionId: string | null;
  call: { startedBy: string } | null;
};

/** One browser tab; `roomId` is left out in the Space's own room. */
export type PersonInSpace = {
  userTabId: string;
  userId: string;
  name: string;
  role: StandInUser["role"];
  roomId?: string;
};

/** One instance of a series, or a single event; times in ms. */
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

/** As in the document. */
export const attendanceStatuses = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;

export type StandInAttendance = {
  eventId: string;
  userId: string;
  status: (typeof attendanceStatuses)[number];
  notes: string | null;
  updatedAt: number;
  updatedBy: string | null;
};

export type StandInCohort = {
  cohortId: string;
  programId: string;
  name: string;
  organizerIds: string[];
  attendeeIds: string[];
};

/** As in the document. */
export const alertTypes = ["TEACHER_DECLINED_EVENT", "EVENT_NO_SHOW"] as const;

/** The values of status and priority are invented. */
export type StandInAlert = {
  alertId: string;
  alertType: (typeof alertTypes)[number];
  status: string;
  priority: string | number;
  assigneeId: string | null;
  eventId: string | null;
};

export type StandInRecording = {
  recordingId: string;
  spaceId: string;
  /** Of the running or last session; null when there was none. */
  sessionId: string | null;
  title: string;
  /** In ms. */
  startedAt: number;
  endedAt: number;
  url: string;
  publishedAt: number;
  /** Null until both are published. */
  said: { transcript: { speaker: string; text: string }[]; summary: string } | null;
  status: "READY" | "UNAVAILABLE";
};

/** The Space URL's parameters are stored with it, not in the login URL. */
export type StandInLogin = {
  token: string;
  userId: string;
  spaceId: string;
  parameters: Readonly<Record<string, string>>;
  createdAt: number;
  expiresAt: number;
};

export type World = {
  users: Map<string, StandInUser>;
  spaces: Map<string, StandInSpace>;
  events: Map<string, StandInEvent>;
  /** Key: event id, a space, user id. */
  attendance: Map<string, StandInAttendance>;
  cohorts: Map<string, StandInCohort>;
  alerts: Map<string, StandInAlert>;
  recordings: Map<string, StandInRecording>;
  /** About finished sessions, by their ids. */
  metrics: Map<string, SessionMetrics>;
  logins: Map<string, StandInLogin>;
};

export const emptyWorld = (): World => ({
  users: new Map(),
  spaces: new Map(),
  events: new Map(),
  attendance: new Map(),
  cohorts: new Map(),
  alerts: new Map(),
  recordings: new Map(),
  metrics: new Map(),
  logins: new Map(),
});

/** In a token-login URL (document 4): only settings are passed along with a login. */
export const loginParameters = ["loginMethod", "loginType", "token"];

/** The author of changes in the host controls. */
export const hostAccount = "account-of-the-api-key";

export const iso = (at: number): string => new Date(at).toISOString();

export function attendanceKey(eventId: string, userId: string): string {
  return `${eventId} ${userId}`;
}
