import type { QueuePosition } from "../../../src/modules/joining/rules/queue-position.ts";

/** The position of a learner who waits in a separate tab, unless the test says otherwise. */
export function positionOf(change: Partial<QueuePosition> = {}): QueuePosition {
  return {
    id: "plc_1",
    ticket: "ticket",
    environment: "production",
    registrationId: "reg",
    courseId: "course",
    personId: "person",
    courseLinkId: null,
    role: "learner",
    locale: null,
    mobile: false,
    shown: "tab",
    turn: 1,
    arrivedAt: 0,
    calls: 1,
    state: "waiting",
    login: null,
    fingerprint: null,
    usableUntil: 0,
    problem: null,
    troubleSince: null,
    seenUntil: 0,
    ...change,
  };
}
