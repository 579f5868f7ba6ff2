import type { Clock } from "../../src/kernel/clock.ts";
import type { WebhookSender } from "./webhook-sender.ts";
import { attendanceKey, type StandInAttendance, type World } from "./world.ts";

/** `at` (ms) lets a test write about the past. */
type Mark = {
  eventId: string;
  userId: string;
  status: StandInAttendance["status"];
  notes?: string | null | undefined;
  updatedBy: string | null;
  at?: number | undefined;
};

/** Attendance records; each change sends its webhook. */
export type AttendanceBook = {
  of: (eventId: string, userId: string) => StandInAttendance | null;
  mark: (mark: Mark) => StandInAttendance;
};

export function createAttendanceBook(deps: {
  world: World;
  webhooks: WebhookSender;
  clock: Clock;
}): AttendanceBook {
  const { world, webhooks, clock } = deps;
  return {
    of: (eventId, userId) => world.attendance.get(attendanceKey(eventId, userId)) ?? null,
    mark: (mark) => {
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
        timestamp: new Date(record.updatedAt).toISOString(),
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
