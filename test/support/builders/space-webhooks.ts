import { createAttendanceReadings } from "../../../src/modules/attendance/attendance-readings.ts";
import { recordingWebhooks } from "../../../src/modules/recordings/handle-webhooks.ts";
import { type ProcessingDeps, processReceipts } from "../process-receipts.ts";
import type { RecordedCourse } from "./recorded-course.ts";
import { waitingReceipt } from "./waiting-receipt.ts";

const minuteMs = 60_000;

type TimedBody = { timestamp: string };

/** What processes webhooks without asking the classroom. */
export const withoutClassroom = (course: RecordedCourse) => ({
  ...course.deps,
  classroomOf: () => {
    throw new Error("the classroom is not asked");
  },
  onKind: () => undefined,
  attendanceReadings: createAttendanceReadings(course.stores.tasks),
  onMatchable: () => Promise.resolve(),
  onSessionsChanged: () => Promise.resolve(),
  whileSessionsChange: async <T>(_of: unknown, change: () => Promise<T>) => change(),
});

/**
 * Webhooks about the Space of a test's course, of people called "user-<name>", by minutes on the test's own clock. @param deps What
 * processes them.
 */
export function spaceWebhooks(
  courseOf: () => RecordedCourse,
  deps: () => ProcessingDeps & Parameters<typeof recordingWebhooks>[0],
) {
  let zero = 0;
  const at = (minutes: number) => zero + minutes * minuteMs;
  const sign = (eventType: string, name: string, minutes: number) => ({
    _type: "SPACE_USER",
    spaceId: "space",
    sessionId: "session-1",
    roomId: "room",
    eventType,
    userId: `user-${name}`,
    userTabId: `tab-${name}`,
    timestamp: new Date(at(minutes)).toISOString(),
  });
  const joins = (name: string, minutes: number) => sign("joinSpace", name, minutes);
  const leaves = (name: string, minutes: number) => sign("leaveSpace", name, minutes);
  const passTo = (moment: number) => {
    const { pass, clock } = courseOf();
    pass(Math.max(0, moment - clock.now()));
  };
  return {
    /** Minute 0 is now. */
    begin: () => {
      zero = courseOf().clock.now();
    },
    /** Converts a minute to a time (ms), and back. */
    at,
    minuteOf: (moment: number) => (moment - zero) / minuteMs,
    sign,
    joins,
    leaves,
    there: (name: string, from: number, to: number) => [joins(name, from), leaves(name, to)],
    ended: (minutes: number) => ({
      _type: "SPACE_SESSION",
      spaceId: "space",
      sessionId: "session-1",
      eventType: "SESSION_ENDED",
      timestamp: new Date(at(minutes)).toISOString(),
    }),
    /** They arrive in this order and are processed, at the earliest when the last of them happened: a future time would count as now. */
    receive: async (...bodies: readonly TimedBody[]): Promise<void> => {
      const { stores, clock } = courseOf();
      passTo(Math.max(...bodies.map(({ timestamp }) => Date.parse(timestamp))) + 1_000);
      for (const body of bodies) await stores.receipts.insert(waitingReceipt(body, clock.now()));
      while (await processReceipts(deps(), recordingWebhooks(deps())));
    },
    /** The clock shows a minute, or already a later one. */
    passTo: (minutes: number) => {
      passTo(at(minutes));
    },
  };
}
