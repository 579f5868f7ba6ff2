import type { AccountId } from "../../../domain/account.ts";
import {
  describeRecord,
  flag,
  index,
  type ItemOf,
  json,
  number,
  text,
  textOf,
} from "../../../domain/record.ts";
import type { Figure, FigureSeries } from "../../../domain/session-figures.ts";

/** Days after a session's end. */
const keptDays = 180;

/** What the classroom says of a session that is over; times in ms. */
export const sessionFiguresRecord = describeRecord("SessionFigures", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    spaceId: text,
    sessionId: text,
    startedAt: number.orNull,
    endedAt: number,
    readAt: number,
    figures: json<readonly Figure[]>(),
    series: json<readonly FigureSeries[]>(),
    cut: flag,
  },
  indexes: [index("environment", "spaceId", "-endedAt"), index("endedAt")],
  held: {
    key: "sessionFigures",
    holds: "what the classroom reports of sessions that are over: engagement, networks, devices; no person",
    kept: `${String(keptDays)} days after the session`,
    purged: { days: keptDays, field: "endedAt" },
  },
});
export type KeptFigures = ItemOf<typeof sessionFiguresRecord>;

export const analyticsRecords = [sessionFiguresRecord];
