import { sessionMetrics } from "./session-metrics.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Ids } from "../../src/kernel/ids.ts";
import type { Turned } from "../assumptions.ts";
import type { AttendanceBook } from "./attendance-book.ts";
import { roleInSpace } from "./role-in-space.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import type { PersonInSpace, StandInSpace, StandInUser, World } from "./world.ts";

export type Visitor = { userId: string; name: string; role: StandInUser["role"] };

type Entry =
  | { outcome: "joined"; userTabId: string; role: StandInUser["role"]; startedCall: boolean }
  | { outcome: "waiting" }
  | { outcome: "not-invited" };

export type Visits = {
  enter: (space: StandInSpace, visitor: Visitor, parameters: Readonly<Record<string, string>>) => Entry;
  leave: (space: StandInSpace, userTabId: string) => void;
  /** Within the Space. */
  changeRoom: (space: StandInSpace, userTabId: string, roomId: string) => void;
  tabVisibility: (space: StandInSpace, userTabId: string, visible: boolean) => void;
  endSession: (space: StandInSpace) => string;
  /** Tells of a session that is over: its webhooks were held up, as they may be (document 6.1). `to` null: leaving is not told. */
  tellEarlier: (space: StandInSpace, stays: readonly EarlierStay[]) => string;
};

/** In ms. */
export type EarlierStay = { userId: string; from: number; to: number | null };

/** Private access first, then the waiting room; hosts pass both (assumption `hostsAlwaysEnter`). */
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

export function createVisits(deps: {
  world: World;
  webhooks: WebhookSender;
  attendance: AttendanceBook;
  autoAttendance: boolean;
  turned: Turned;
  clock: Clock;
  ids: Ids;
}): Visits {
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
      timestamp: new Date(clock.now()).toISOString(),
      eventType,
      userId,
      roomId,
      userTabId,
      _type: "SPACE_USER",
    });
  }

  /** Of the room, and of the Space where reported (`enteringIsOneJoin`). */
  function sendPresenceOnceOrTwice(space: StandInSpace, person: PersonInSpace, eventType: string): void {
    const twice = turned.has("enteringIsOneJoin");
    if (twice && eventType === "joinSpace") sendPresence(space, person, eventType, null);
    sendPresence(space, person, eventType);
    if (twice && eventType === "leaveSpace") sendPresence(space, person, eventType, null);
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
    enter: (space, comes, parameters) => {
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
    leave: (space, userTabId) => {
      const person = space.people.find((each) => each.userTabId === userTabId);
      if (person === undefined) return;
      space.people = space.people.filter((each) => each !== person);
      if (space.people.length === 0) space.call = null;
      sendPresenceOnceOrTwice(space, person, "leaveSpace");
    },
    changeRoom: (space, userTabId, roomId) => {
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
    tabVisibility: (space, userTabId, visible) => {
      const person = space.people.find((each) => each.userTabId === userTabId);
      if (person !== undefined) sendPresence(space, person, visible ? "unhideTab" : "hideTab");
    },
    tellEarlier: (space, stays) => {
      const sessionId = ids.id("session");
      const { spaceId, roomId } = space;
      const told = { spaceId, sessionId, _type: "SPACE_USER", roomId };
      for (const { userId, from, to } of stays) {
        const userTabId = ids.id("tab");
        const tell = (eventType: string, at: number) => {
          webhooks.send({ ...told, userId, userTabId, eventType, timestamp: new Date(at).toISOString() });
        };
        tell("joinSpace", from);
        if (to !== null) tell("leaveSpace", to);
      }
      const last = Math.max(...stays.map(({ from, to }) => to ?? from));
      const over = stays.map(({ userId, from, to }) => ({ userId, from, to: to ?? last }));
      world.metrics.set(sessionId, sessionMetrics({ sessionId, spaceId }, over, last));
      webhooks.send({
        ...{ spaceId, sessionId, timestamp: new Date(last).toISOString() },
        ...{ eventType: "SESSION_ENDED", _type: "SPACE_SESSION" },
      });
      return sessionId;
    },
    endSession: (space) => {
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
      webhooks.send({
        spaceId: space.spaceId,
        sessionId,
        timestamp: new Date(clock.now()).toISOString(),
        eventType: "SESSION_ENDED",
        _type: "SPACE_SESSION",
      });
      return sessionId;
    },
  };
}
