// From: document 1 (items 1, 4, 10), 2 (access), 4 (auto-authentication flow, /analytics/sessions), 6.2, 6.3, 6.6; figures are assumed.
import type { Turned } from "../assumptions.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import { attendanceKey, iso } from "./world.ts";
import type { Classroom, PersonInSpace, StandInAttendance, StandInSpace, StandInUser } from "./world.ts";

/** With `at` (ms), a test can write records of the past. */
type Mark = {
  eventId: string;
  userId: string;
  status: StandInAttendance["status"];
  notes?: string | null | undefined;
  updatedBy: string | null;
  at?: number | undefined;
};

export type AttendanceBook = ReturnType<typeof createAttendanceBook>;

/** Attendance records; each change sends its webhook. */
export function createAttendanceBook(deps: Classroom & { webhooks: WebhookSender }) {
  const { world, webhooks, clock } = deps;
  return {
    of: (eventId: string, userId: string): StandInAttendance | null =>
      world.attendance.get(attendanceKey(eventId, userId)) ?? null,
    mark: (mark: Mark): StandInAttendance => {
      const key = attendanceKey(mark.eventId, mark.userId);
      const previous = world.attendance.get(key);
      const record: StandInAttendance = {
        eventId: mark.eventId,
        userId: mark.userId,
        status: mark.status,
        notes: mark.notes === undefined ? (previous?.notes ?? null) : mark.notes,
        updatedAt: mark.at ?? clock.now(),
        updatedBy: mark.updatedBy,
      };
      world.attendance.set(key, record);
      if (previous?.status === record.status && previous.notes === record.notes) return record;
      // The document lists no type marker for this family (part 6.6).
      webhooks.send({
        eventId: record.eventId,
        userId: record.userId,
        timestamp: iso(record.updatedAt),
        updatedBy: record.updatedBy,
        ...(previous === undefined ? {} : { prevStatus: statusOf(previous) }),
        currentStatus: statusOf(record),
      });
      return record;
    },
  };
}

function statusOf(record: StandInAttendance): { status: string; notes?: string } {
  return { status: record.status, ...(record.notes === null ? {} : { notes: record.notes }) };
}

/**
 * A host is a user created as one (document 1, item 1; 2; 4) who, if the Space has a list of hosts, is on it (assumption `roleIsOfUser`). A
 * guest is not a user, and counts as a participant.
 */
function roleInSpace(
  turned: Turned,
  { hostUserIds }: Pick<StandInSpace, "hostUserIds">,
  { userId, role }: Pick<StandInUser, "userId" | "role">,
): StandInUser["role"] {
  const isNamed = hostUserIds?.includes(userId);
  if (turned.has("roleIsOfUser") || turned.has("aUserForEachRole")) return isNamed ? "host" : "participant";
  return role === "host" && isNamed !== false ? "host" : "participant";
}

type Stay = { userId: string; from: number; to: number };

const minuteMs = 60_000;

/**
 * This stand-in's data about a finished session. The document names "metrics on user engagement, network data and device data" (part 4) and
 * shows none: these are invented, from who was there.
 */
export function sessionMetrics(
  { sessionId, spaceId }: { sessionId: string; spaceId: string },
  stays: readonly Stay[],
  endedAt: number,
) {
  const startedAt = Math.min(endedAt, ...stays.map(({ from }) => from));
  const minutes = (from: number, to: number) => Math.round((to - from) / minuteMs);
  const thereAt = (at: number) => stays.filter(({ from, to }) => from <= at && at <= to).length;
  const marks = Array.from({ length: 13 }, (_none, part) => startedAt + ((endedAt - startedAt) * part) / 12);
  const all = stays.map(({ from, to }) => minutes(from, to));
  return {
    sessionId,
    spaceId,
    startTime: iso(startedAt),
    endTime: iso(endedAt),
    engagement: {
      participantCount: stays.length,
      averageMinutes: all.length === 0 ? 0 : Math.round(all.reduce((sum, one) => sum + one, 0) / all.length),
      timeline: marks.map((at) => ({ timestamp: iso(at), present: thereAt(at) })),
    },
    network: {
      stableShare: stays.length === 0 ? null : (stays.length - (stays.length > 3 ? 1 : 0)) / stays.length,
    },
    participants: stays.map(({ userId, from, to }, at) => ({
      userId,
      minutesPresent: minutes(from, to),
      connectionStatus: at === 3 ? "Unstable" : "Stable",
      device: { camera: "Good", microphone: at === 1 ? "NO_INPUT_DETECTED" : "Good" },
    })),
  };
}

export type SessionMetrics = ReturnType<typeof sessionMetrics>;

export type Visitor = { userId: string; name: string; role: StandInUser["role"] };

type Entry =
  | { outcome: "joined"; userTabId: string; role: StandInUser["role"]; startedCall: boolean }
  | { outcome: "waiting" }
  | { outcome: "not-invited" };

export type Visits = ReturnType<typeof createVisits>;

/** In ms. */
type EarlierStay = { userId: string; from: number; to: number | null };

/** First private access, then the waiting room; hosts pass both (assumption `hostsAlwaysEnter`). */
function keptOutBy(turned: Turned, space: StandInSpace, visitor: Visitor): "waiting" | "not-invited" | null {
  if (visitor.role === "host" && !turned.has("hostsAlwaysEnter")) return null;
  const { userId } = visitor;
  if (space.access === "Private" && !space.invitedUserIds.includes(userId)) return "not-invited";
  if (!space.enableWaitingRoom || space.admittedUserIds.includes(userId)) return null;
  if (!space.waitingUserIds.includes(userId)) space.waitingUserIds.push(userId);
  return "waiting";
}

/** For hosts, and with skipCallHostCheck for all (document 4). True when this visitor started the call. */
function startCall(
  space: StandInSpace,
  visitor: Visitor,
  parameters: Readonly<Record<string, string>>,
): boolean {
  const may = visitor.role === "host" || parameters.skipCallHostCheck === "true";
  if (space.call !== null || parameters.startCall !== "true" || !may) return false;
  space.call = { startedBy: visitor.userId };
  return true;
}

/** A later participant is LATE (assumption `comingLateIsLate`; ms). */
const lateAfterMs = 10 * 60_000;
/** How early an entry counts (assumption `comingEarlyCounts`; ms). */
const earlyMs = 15 * 60_000;

export function createVisits(
  deps: Classroom & { webhooks: WebhookSender; attendance: AttendanceBook; autoAttendance: boolean },
) {
  const { world, webhooks, clock, ids, turned } = deps;

  const marksAtEnd = new Map<StandInSpace, { userId: string; cameAt: number }[]>();

  function sendPresence(
    space: StandInSpace,
    { userId, userTabId, roomId: itsRoom = space.roomId }: PersonInSpace,
    eventType: string,
    roomId: string | null = itsRoom,
  ): void {
    webhooks.send({
      spaceId: space.spaceId,
      sessionId: sessionOf(space).sessionId,
      timestamp: iso(clock.now()),
      eventType,
      userId,
      roomId,
      userTabId,
      _type: "SPACE_USER",
    });
  }

  /** Joining the room, and the Space if that is reported (`enteringIsOneJoin`). */
  function sendPresenceOnceOrTwice(space: StandInSpace, person: PersonInSpace, eventType: string): void {
    const twice = turned.has("enteringIsOneJoin");
    if (twice && eventType === "joinSpace") sendPresence(space, person, eventType, null);
    sendPresence(space, person, eventType);
    if (twice && eventType === "leaveSpace") sendPresence(space, person, eventType, null);
  }

  function sendEnd(spaceId: string, sessionId: string, at: number): void {
    const timestamp = iso(at);
    webhooks.send({ spaceId, sessionId, timestamp, eventType: "SESSION_ENDED", _type: "SPACE_SESSION" });
  }

  function sessionOf(space: StandInSpace): { sessionId: string; startedAt: number } {
    space.session ??= { sessionId: ids.id("session"), startedAt: clock.now() };
    return space.session;
  }

  function markPresent(space: StandInSpace, userId: string, cameAt = clock.now()): void {
    const now = clock.now();
    for (const event of world.events.values()) {
      if (event.spaceId !== space.spaceId || event.status !== "SCHEDULED") continue;
      const early = turned.has("comingEarlyCounts") ? 0 : earlyMs;
      if (now < event.startsAt - early || cameAt > event.endsAt) continue;
      if (deps.attendance.of(event.eventId, userId) !== null) continue;
      const updatedBy = turned.has("systemHasAName") ? null : "system";
      const isLate = cameAt > event.startsAt + lateAfterMs && !turned.has("comingLateIsLate");
      const status = isLate ? "LATE" : "PRESENT";
      deps.attendance.mark({ eventId: event.eventId, userId, status, updatedBy });
    }
  }

  return {
    enter: (space: StandInSpace, comes: Visitor, parameters: Readonly<Record<string, string>>): Entry => {
      const visitor = { ...comes, role: roleInSpace(turned, space, comes) };
      const refused = keptOutBy(turned, space, visitor);
      if (refused !== null) return { outcome: refused };
      const userTabId = ids.id("tab");
      const person = { userTabId, ...visitor };
      space.people.push(person);
      sendPresenceOnceOrTwice(space, person, "joinSpace");
      const counts = deps.autoAttendance && world.users.has(visitor.userId) && visitor.role !== "host";
      const { userId } = visitor;
      if (counts && turned.has("markedOnEntering")) {
        const cameAt = clock.now();
        marksAtEnd.set(space, [...(marksAtEnd.get(space) ?? []), { userId, cameAt }]);
      } else if (counts) markPresent(space, userId);
      const startedCall = startCall(space, visitor, parameters);
      return { outcome: "joined", userTabId, role: visitor.role, startedCall };
    },
    leave: (space: StandInSpace, userTabId: string): void => {
      const person = space.people.find((each) => each.userTabId === userTabId);
      if (person === undefined) return;
      space.people = space.people.filter((each) => each !== person);
      if (space.people.length === 0) space.call = null;
      sendPresenceOnceOrTwice(space, person, "leaveSpace");
    },
    /** Within the Space. */
    changeRoom: (space: StandInSpace, userTabId: string, roomId: string): void => {
      const person = space.people.find((each) => each.userTabId === userTabId);
      if (person === undefined) return;
      const before = { ...person };
      person.roomId = roomId;
      if (turned.has("leavingComesFirst")) {
        sendPresence(space, person, "joinSpace");
        sendPresence(space, before, "leaveSpace");
      } else {
        sendPresence(space, before, "leaveSpace");
        sendPresence(space, person, "joinSpace");
      }
    },
    tabVisibility: (space: StandInSpace, userTabId: string, visible: boolean): void => {
      const person = space.people.find((each) => each.userTabId === userTabId);
      if (person !== undefined) sendPresence(space, person, visible ? "unhideTab" : "hideTab");
    },
    /** Sends the webhooks of an ended session: delayed, as they may be (document 6.1). `to` null: no webhook reports the leaving. */
    tellEarlier: (space: StandInSpace, stays: readonly EarlierStay[]): string => {
      const sessionId = ids.id("session");
      const { spaceId, roomId } = space;
      const told = { spaceId, sessionId, _type: "SPACE_USER", roomId };
      for (const { userId, from, to } of stays) {
        const userTabId = ids.id("tab");
        const tell = (eventType: string, at: number) => {
          webhooks.send({ ...told, userId, userTabId, eventType, timestamp: iso(at) });
        };
        tell("joinSpace", from);
        if (to !== null) tell("leaveSpace", to);
      }
      const last = Math.max(...stays.map(({ from, to }) => to ?? from));
      const over = stays.map(({ userId, from, to }) => ({ userId, from, to: to ?? last }));
      world.metrics.set(sessionId, sessionMetrics({ sessionId, spaceId }, over, last));
      sendEnd(spaceId, sessionId, last);
      return sessionId;
    },
    endSession: (space: StandInSpace): string => {
      const { sessionId } = sessionOf(space);
      for (const { userId, cameAt } of marksAtEnd.get(space) ?? []) markPresent(space, userId, cameAt);
      marksAtEnd.delete(space);
      if (turned.has("sessionEndsSilently"))
        for (const person of space.people) sendPresenceOnceOrTwice(space, person, "leaveSpace");
      const { startedAt } = sessionOf(space);
      const there = space.people.map(({ userId }) => ({ userId, from: startedAt, to: clock.now() }));
      world.metrics.set(sessionId, sessionMetrics({ sessionId, spaceId: space.spaceId }, there, clock.now()));
      space.session = null;
      space.endedSessionId = sessionId;
      space.call = null;
      space.people = [];
      sendEnd(space.spaceId, sessionId, clock.now());
      return sessionId;
    },
  };
}
