import { dayMs } from "../../../kernel/clock.ts";
import type { AccountId } from "../../../domain/account.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";

/**
 * What the classroom says about a session that is over. The interface only says that there are metrics on engagement, network and devices
 * (part 4; "Response: not shown"), so each one is kept and shown under the name it came with. Nothing about individual people is kept.
 */
export type SessionFigures = {
  figures: readonly Figure[];
  series: readonly FigureSeries[];
  /** There was more than is kept. */
  cut: boolean;
};

export type Figure = {
  /** Where in the reply it was, such as "network.averageRttMs". */
  path: string;
  value: FigureValue;
};

export type FigureValue = number | string | boolean;

/** How a figure developed, earliest first. Moments in ms. */
export type FigureSeries = { path: string; points: readonly { at: number; value: number }[] };

/** Days after a session's end. */
const retentionDays = 180;

/** What the classroom says about a session that is over. Times in ms. */
export const sessionFiguresRecord = describeRecord("SessionFigures", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    sessionId: field.text,
    startedAt: field.number.orNull,
    endedAt: field.number,
    readAt: field.number,
    figures: field.json<readonly Figure[]>(),
    series: field.json<readonly FigureSeries[]>(),
    cut: field.flag,
  },
  indexes: [index("environment", "spaceId", "-endedAt"), index("endedAt")],
  personalData: {
    key: "sessionFigures",
    holds: "the classroom's figures about past sessions: engagement, networks, devices; no person",
    stored: `${String(retentionDays)} days after the session`,
    purged: { days: retentionDays, field: "endedAt" },
  },
});
export type StoredFigures = ItemOf<typeof sessionFiguresRecord>;

export const analyticsRecords = [sessionFiguresRecord];

/** When to ask again for a session that isn't listed yet although its end said that analytics are complete (ms). */
export const readAgainMs = 10 * 60_000;
export const maxReads = 4;

/** The classroom reports a session's end at most this long after its scheduled end (ms). */
export const reportedWithinMs = dayMs;

type Times = { startsAt: number | null; endsAt: number | null; cancelled: boolean };

/** How long after a session its end may be reported (ms). */
const lateMs = 60 * 60_000;

/**
 * The session of a course that matches a session of the classroom: the one it overlaps most. If only its end is known, the hour before that
 * counts.
 */
export function sessionNear<Session extends Times>(
  { startedAt, endedAt }: { startedAt: number | null; endedAt: number },
  sessions: readonly Session[],
): Session | null {
  const from = startedAt ?? endedAt - lateMs;
  const near = sessions
    .flatMap((session) => {
      const { startsAt } = session;
      if (startsAt === null || session.cancelled) return [];
      const shared =
        Math.min(endedAt, session.endsAt ?? startsAt + assumedLengthMs) - Math.max(from, startsAt);
      return shared > 0 ? [{ session, shared }] : [];
    })
    .toSorted((one, other) => other.shared - one.shared);
  return near[0]?.session ?? null;
}
